// expr.h - the expression graph of a loop model, and its polynomial normal form
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Readers build expressions over loop invariants, loads and iteration counts;
// the recogniser compares them; `decide` adds new ones (arguments, guards) that
// the writers turn into their compiler's IR, node by node. Nodes are
// hash-consed: equal expressions have equal ids within one graph.
#ifndef MEMLIFT_IDIOMS_EXPR_H
#define MEMLIFT_IDIOMS_EXPR_H

#include "flatmap.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace memlift {

using ExprId = uint32_t;
constexpr ExprId NoExpr = ~0u;

enum class Op : uint8_t {
  Const,    // value; zero above 64 bits
  Sym,      // loop invariant: value = index into Loop::syms
  BaseAddr, // address of Loop::bases[value] as an integer of pointer width
  Iv,       // iteration count 0, 1, ... of Loop::dims[value], pointer width
  Load,     // what Loop::accesses[value] read in this iteration
  Rec,      // Loop::recs[value] when the iteration starts
  Table,    // entry a of Loop::tables[value], a constant array
  Result,   // what Decision::calls[value] returned (decisions only)
  Memory,   // `width` bits (whole bytes) at address a before the loop; value: its alignment
  Opaque,   // a value of the loop that no reader can describe; the number is unique
  Splat,    // `width` bits made of operand a, repeated (a vector, a wide zero)
  Add,
  Sub,
  Mul, // modulo 2^width; both operands of `width`
  URem,
  SRem, // by a constant b, not 0; positive for SRem
  And,
  Or,
  Xor,
  Shl,
  LShr,
  AShr, // operand b: amount, same width, < width
  ZExt,
  SExt,
  Trunc, // operand a, to `width`
  BSwap, // bytes of a reversed; width is a multiple of 16
  Eq,
  Ne,
  ULt,
  ULe,    // width 1; operands of equal width
  Select, // a (width 1) ? b : c
  // Only in loops in place:
  Pair,  // 128 bits: a is the low half, b the high one
  ClMul, // the product of two words of 64 bits without carries
  Crc32,
  Crc32c, // a 32-bit CRC register a after the bytes of b, lowest first: CRC-32, CRC-32C
  /// One instruction clears `value` bytes here, and the program may use it. Known at run time
  /// only, and always the same.
  ClearsBlocks,
};

struct Expr {
  Op op;
  uint16_t width;     // bits
  uint64_t value = 0; // see Op; a Const is masked to its width
  ExprId a = NoExpr, b = NoExpr, c = NoExpr;
};

/// A product of atoms, sorted; the empty product is 1.
using Monomial = std::vector<ExprId>;
/// A polynomial modulo 2^width: coefficient per monomial, no zero coefficients.
using Poly = FlatMap<Monomial, uint64_t>;

class ExprGraph {
public:
  // Constructors fold constants and the identities x+0, x*1, x*0, x-x.
  // A constant of more than 64 bits is zero above them.
  ExprId constant(uint64_t value, unsigned width);
  ExprId leaf(Op op, uint64_t value, unsigned width); // Sym .. Load Rec Result
  ExprId opaque(unsigned width);                      // a fresh unknown
  ExprId table(uint64_t which, ExprId entry, unsigned width);
  ExprId splat(ExprId a, unsigned width);
  /// `align`: proved alignment in bytes of the address that will be read.
  ExprId memory(ExprId address, unsigned width, uint64_t align = 1);
  ExprId binary(Op op, ExprId a, ExprId b);     // Add..AShr, Eq..ULe
  ExprId cast(Op op, ExprId a, unsigned width); // ZExt SExt Trunc BSwap
  ExprId select(ExprId a, ExprId b, ExprId c);
  ExprId pair(ExprId low, ExprId high) { return binary(Op::Pair, low, high); }
  /// Returns half 0 or 1 of 128 bits.
  ExprId half(ExprId a, unsigned which);
  ExprId crc(Op op, ExprId state, ExprId data); // Crc32, Crc32c

  ExprId add(ExprId a, ExprId b) { return binary(Op::Add, a, b); }
  ExprId sub(ExprId a, ExprId b) { return binary(Op::Sub, a, b); }
  /// Returns a / by for a not below 0 of at most 64 bits; `by` is not 0 and fits
  /// them.
  ExprId quotient(ExprId a, uint64_t by);
  /// Returns a / by with the sign of a, where `by` divides it.
  ExprId exactQuotient(ExprId a, uint64_t by);
  ExprId mul(ExprId a, ExprId b) { return binary(Op::Mul, a, b); }
  /// Returns a converted to `width` by zero extension or truncation.
  ExprId zextOrTrunc(ExprId a, unsigned width);

  /// Replaces the expressions that are keys of `with`; adds to `with` what every
  /// visited expression became.
  ExprId substitute(ExprId id, std::map<ExprId, ExprId> &with);

  const Expr &operator[](ExprId id) const { return nodes[id]; }
  unsigned width(ExprId id) const { return nodes[id].width; }
  size_t size() const { return nodes.size(); }
  bool isConst(ExprId id) const { return id != NoExpr && nodes[id].op == Op::Const; }
  bool isConst(ExprId id, uint64_t v) const { return isConst(id) && nodes[id].value == v; }

  /// Returns true if URem or SRem may divide by `id`: a constant above 0.
  bool isDivisor(Op op, ExprId id) const;

  /// Returns true if no Load, Iv, Rec or Opaque is reachable: the value is known
  /// before the loop starts.
  bool isInvariant(ExprId id) const { return !traitsOf(id).varies; }
  /// Returns true if a Memory or a Result is reachable: such a value exists only
  /// where the operation is, and not before its guard.
  bool isLate(ExprId id) const { return traitsOf(id).late; }

  /// Returns the normal form over Add, Sub, Mul and Shl by constants; all else is an
  /// atom.
  Poly poly(ExprId id) const;
  ExprId fromPoly(const Poly &p, unsigned width);
  /// Returns a - b if that is a constant; signed, sign-extended from the width.
  bool constantDifference(ExprId a, ExprId b, int64_t &diff) const;
  bool equal(ExprId a, ExprId b) const;
  /// Returns true if a is a multiple of `zero` (or of its extension): 0 whenever that
  /// is.
  bool vanishesWith(ExprId a, ExprId zero) const;

private:
  /// Properties of whole expressions, computed for each node when it is made: shared
  /// subexpressions would be walked as often as they are used.
  struct Traits {
    bool varies = false, late = false;
  };
  Traits traitsOf(ExprId id) const { return id == NoExpr ? Traits() : traits[id]; }
  ExprId intern(const Expr &e);
  Poly polyOf(ExprId id, unsigned &steps) const;
  std::vector<Expr> nodes;
  std::vector<Traits> traits; // by node
  /// A hash table of ids, to find equal nodes: open addressing, a power of two of
  /// slots. Graphs are copied with their loop models, so it is one array.
  std::vector<ExprId> slots;
  size_t slotOf(const Expr &e) const;
  void grow();
  uint64_t nextOpaque = 0;
};

/// Returns true for operations on 64 bits whose result has 128.
inline bool isDoubling(Op op) { return op == Op::Pair || op == Op::ClMul; }
inline bool isCrcStep(Op op) { return op == Op::Crc32 || op == Op::Crc32c; }

/// Computes the carry-less product of a and b.
void clMul(uint64_t a, uint64_t b, uint64_t &low, uint64_t &high);

/// Computes a binary operation on operands of `width` <= 64 bits, not yet masked to
/// its result's width. Shifts by `width` or more give copies of the sign (AShr) or 0
/// (Shl, LShr).
uint64_t foldBinary(Op op, uint64_t x, uint64_t y, unsigned width);
uint64_t maskOf(unsigned width);
/// Returns the inverse of an odd number modulo 2^64.
uint64_t inverseOf(uint64_t odd);
int64_t signExtend(uint64_t value, unsigned width);

} // namespace memlift

#endif
