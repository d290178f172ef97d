// operations.h - routines that a loop can call: parameters, elements and results
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each routine is a record of intrinsics/BulkOps.td. Both plugins, the verifier and the selection
// of routines ask the record, so a new routine of a known kind needs no code here.
#ifndef MEMLIFT_IDIOMS_OPERATIONS_H
#define MEMLIFT_IDIOMS_OPERATIONS_H

#include <cstdint>
#include <string>

namespace memlift {

/// A routine that a call goes to: those of libmemlift, then those of the C library.
enum class Routine : uint8_t {
  None,
#define MEMLIFT_OP(ENUM, ...) ENUM,
#define MEMLIFT_LIBC_OP(ENUM, ...) ENUM,
#include "../../intrinsics/generated/BulkOps.inc"
};

/// The computation of an operation. Switches over it have no default, so that a new kind is a
/// compile error in each of them.
enum class OpKind : uint8_t {
  Fill,        // repeats a value of elementBits
  PatternFill, // repeats the low `period` bytes of a number
  Copy,
  Move,        // copies as if through a buffer
  StepCopy,    // copies upwards, `step` bytes at a time
  SwapCopy,    // copies words with their bytes swapped
  ReverseCopy, // copies words in reverse order
  Sum,
  LowSum,      // a sum modulo 2^elementBits
  WeightedSum, // the last word counts once, the one before it twice, ...
  XorFold,
  ModularSum, // one or two sums modulo m
  Polyhash,   // h = h * k + word
  OnesSum,    // ones' complement
  Crc,
  TableCrc, // by a table of the program's, elementBits an entry, which may hold anything
  SliceCrc, // the same by several such tables at once
  LaneCrc,  // in several registers side by side
  Search,   // the index of the first byte that is looked for
  Count,    // how many words are a certain one
  Compare,  // the index of the first byte that differs
};

/// A parameter: written memory, read memory, entries that are looked up, numbers that are read and
/// written, a constant memlift_crc_poly, a size_t, a ptrdiff_t, or an unsigned number.
enum class ParamKind : uint8_t {
  Dst,
  Src,
  Table,
  Registers,
  Poly,
  Size,
  Offset,
  U8,
  U16,
  U32,
  U64
};

constexpr unsigned mostParams = 6;

/// A record of BulkOps.td. The members have the order of the generated table.
struct Operation {
  Routine routine;
  const char *symbol;
  OpKind kind;
  unsigned elementBits; // of a word, and of the value that a Fill repeats; 0: none
  bool isSigned;
  bool swapped;          // the bytes of each element, before it is used
  unsigned align;        // of Dst and Src, in bytes
  bool disjoint;         // no byte of Dst is one of Src
  unsigned resultBits;   // 0: no number is returned
  unsigned testFrom;     // bytes from which tables are tested before they are used; 0: never
  unsigned testFromEach; // more of them for each table
  unsigned paramCount;
  ParamKind params[mostParams];
  const char *idiom, *libc; // null for the C library's own
  bool async;               // has a counterpart that begins it
  const char *prototype;    // C text; null for the C library's own

  bool isLibc() const { return !prototype; }
  /// Returns the position of the first parameter of that kind; paramCount if there is none.
  unsigned find(ParamKind k) const;
  bool has(ParamKind k) const { return find(k) != paramCount; }
  bool reads() const { return has(ParamKind::Src); }
  bool writes() const { return has(ParamKind::Dst); }
  bool isFill() const { return writes() && !reads(); }
  /// Copies, whether or not it also returns a sum.
  bool copies() const { return writes() && reads(); }
  bool inRows() const { return has(ParamKind::Offset); }
  /// Returns the bytes from which the routine tests so many tables of the program's.
  uint64_t testsFrom(uint64_t tables) const { return testFrom + testFromEach * tables; }
  bool isPointer(unsigned param) const { return params[param] <= ParamKind::Poly; }
  /// Returns the position of the size of Dst and Src: the last one, unless there are rows.
  unsigned sizeParam() const;
};

/// The routines of libmemlift, in the order of their records.
struct LibraryOperations {
  const Operation *begin() const;
  const Operation *end() const;
};

/// The record of a routine. `r` is not None.
const Operation &operationOf(Routine r);
/// The operation of libmemlift with that symbol, or null.
const Operation *findOperation(const std::string &symbol);
/// The plain routine of libmemlift (no Align, no rows, no copy beside a sum) that does `kind` to
/// such elements; None if there is none.
Routine routineFor(OpKind kind, unsigned elementBits, bool isSigned = false, bool swapped = false);
/// The routine that computes what `sum` does and also copies; None if there is none.
Routine withCopy(Routine sum);

/// Bits of an unsigned number; 0 for pointers, sizes and offsets.
unsigned bitsOf(ParamKind k);
const char *symbolOf(Routine r); // "memlift_fill8", "memset", ...; "" for None

/// Returns true if writers add the address of a constant struct memlift_crc_poly.
inline bool takesPolynomial(Routine r) {
  return r == Routine::Crc || r == Routine::CrcWords || r == Routine::CrcLanes;
}

} // namespace memlift

#endif
