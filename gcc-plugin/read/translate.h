// translate.h - translates GENERIC trees and SSA names to the loop model's expressions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_READ_TRANSLATE_H
#define MEMLIFT_GCC_READ_TRANSLATE_H

#include "binding.h"
#include "../../idioms/recognize/ring.h"

namespace memlift {

/// base + inv + sum(iv_k * step_k); a pure integer has no base.
struct Affine {
  bool ok = false;
  int base = -1;
  ExprId inv = NoExpr;
  std::vector<ExprId> step;
};

/// A reference to memory: an object or pointer, and the offset from it.
struct Reference {
  tree pointer = NULL_TREE, offset = NULL_TREE;
  int64_t bytes = 0;
  bool wholeBytes = false;
};
/// A counter that is assumed not to wrap where it is widened; trip.cpp makes a condition of it.
struct Counter {
  ExprId start;
  int64_t step;
  bool isSigned;
};

/// Splits a memory reference; see GCC's get_inner_reference.
bool splitReference(tree ref, Reference &to);

/// Returns the name of a declaration in the source; "" if there is none.
std::string declName(tree decl);
/// Returns whether it is an integer or pointer of at most 64 bits.
bool isScalar(tree type);
/// Returns whether it is a scalar or an integer of 128 bits, which has sums but no addresses.
bool isNumber(tree type);

/// Translates values of a nest. Every translation fails with NoExpr (or false) rather than guess.
/// An invariant that cannot be described becomes a symbol.
class Translator {
public:
  /// `nest` is null for a single statement outside loops. There is one translator at
  /// a time.
  Translator(LoopBinding &binding, const Nest *nest);
  ~Translator();
  Translator(const Translator &) = delete;
  Translator &operator=(const Translator &) = delete;

  /// Sets the point where value ranges hold for the next expressions: the entry of a block, or an
  /// edge. None at first.
  void at(basic_block bb) { where = bb, on = nullptr, memo.clear(); }
  void at(edge e) { where = nullptr, on = e, memo.clear(); }

  /// Returns an integer or pointer as an expression of its own width.
  ExprId value(tree t);
  /// Returns a condition as an expression of width 1.
  ExprId compare(tree_code code, tree a, tree b);
  ExprId edgeCondition(edge e);
  /// Returns what `each` says of the edge by which control comes to a block of the body, as a
  /// selection by the conditions since the paths diverged.
  ExprId joined(basic_block join, const std::function<ExprId(edge)> &each);
  /// Finds the largest value of an SSA name or constant at the current point. Returns false if that
  /// is unknown, or may be zero.
  bool maximum(tree t, uint64_t &max);
  /// Returns the value stored by a store of `bits` bits.
  ExprId stored(tree rhs, unsigned bits);
  /// Returns the condition, seen from `top` in a chain, under which control comes to `block`.
  ExprId reached(basic_block top, basic_block block, unsigned budget);
  /// Splits a pointer into a base of the loop model and an offset.
  bool pointer(tree t, uint32_t &base, ExprId &offset);

  /// Returns the value of `t` in the body of the nest's innermost loop.
  Affine affine(tree t);
  /// Returns the value of a chain of recurrences that GCC has made already.
  Affine affineChrec(tree chrec);
  /// Returns the address of a memory reference in the body. `bitsLeft` is set if the reference does
  /// not begin or end on a byte.
  Affine address(tree ref, bool &bitsLeft);
  /// Returns true if the address depends on an index narrower than a pointer, counted in the loop,
  /// which may wrap.
  bool narrowIndex(tree ref);

  /// Notes that access `index` is the load that defines an SSA name.
  void noteLoad(tree name, uint32_t index) { loads[name] = index; }
  /// Notes the expression of a name in the body, such as recurrence `index` of a header PHI of the
  /// innermost loop. Call it before translating any use.
  void noteValue(tree name, ExprId value) { values[name] = value; }
  /// Returns the entry of a constant table that the reference looks up at an index of the body,
  /// NoExpr if it is no such look-up.
  ExprId tableEntry(tree ref);
  /// Returns the entry of an array of unknown contents that the reference looks up, in a nest that
  /// stores nothing; else NoExpr.
  ExprId unknownEntry(tree ref);

  /// Splits {start, +, by} of an integer or pointer of the nest's only loop, in its own width; of a
  /// pointer, its address.
  bool counter(tree name, ExprId &start, int64_t &by);
  /// Splits {start, +, by} of a distance between two pointers, in bytes or in elements, which GCC's
  /// analysis does not follow.
  bool distance(tree name, ExprId &start, int64_t &by);
  bool walks(tree pointer, ExprId &start, int64_t &by);
  gassign *apart(tree name, int64_t &size);
  /// Returns true if the value is defined in the nest.
  bool moves(tree t) const { return TREE_CODE(t) == SSA_NAME && inNest(t); }
  /// Returns true if the loop model is of one loop, not of a nest.
  bool alone() const { return nest && nest->loops.size() == 1; }
  /// Counters that affine() has assumed not to wrap.
  std::vector<Counter> counters;
  /// Rings whose indices were taken as linear ones, and may be extended by their signs.
  struct RingUse {
    Ring ring;
    bool isSigned;
  };
  std::vector<RingUse> ringUses;
  /// Finds the header's PHIs that are indices of rings. Call it before the body is read.
  void findRings();
  bool isRing(tree name) const;
  /// Returns the end of a loop that goes on while `index` is not `place`, if one is the index of a
  /// ring, or the next one.
  std::optional<RingEnd> ringEnd(tree index, tree place);
  /// Returns the value of a name when the loop is left after the latch has run `taken` times;
  /// NoExpr if it is no index of a ring.
  ExprId ringAtExit(tree name, ExprId taken);
  /// Returns what a value that the loop keeps at one place in memory is in iteration i.
  ExprId ringInIteration(ExprId value);
  ExprId localObject(tree ref);

  bool invariant(tree t) const;
  unsigned ptrBits() const { return binding.loop.ptrBits; }

private:
  LoopBinding &binding;
  ExprGraph &g;
  const Nest *nest;
  basic_block where = nullptr;
  edge on = nullptr;
  std::map<tree, ExprId> memo;
  std::map<tree, uint32_t> loads;
  std::map<tree, ExprId> values;
  unsigned depth = 0;
  class loop *stepped = nullptr; // the small loop that is being evaluated
  bool outside = false;          // inside definitions before the nest
  /// A PHI that is the index of a ring, with its next value. The ring's `first` is the PHI's.
  struct RingIndex {
    tree phi, next;
    Ring ring;
  };
  std::vector<RingIndex> ringIndices;
  void findRingsAgain();
  bool mayHaveRings = false;

  bool inNest(tree name) const;
  bool inChain(tree name) const;
  ExprId edgeTaken(edge e);
  ExprId arrives(basic_block top, edge e, unsigned budget);
  ExprId chosen(gphi *phi, basic_block top, const std::function<ExprId(tree)> &each);
  ExprId chainValue(tree name);
  bool rowPointer(tree name, uint32_t &base, ExprId &offset);
  bool tooDeep() const;
  bool nonNegative(tree t);
  uint64_t largest(tree t);
  ExprId symbol(tree t, unsigned width);
  ExprId name(tree t);
  ExprId definition(tree t);
  ExprId byteSwap(gimple *def, unsigned width);
  ExprId overflowPart(tree_code part, tree both);
  ExprId shift(tree_code code, tree type, ExprId x, ExprId y);
  ExprId loadedInRound(gassign *def);
  ExprId phiValue(gphi *phi);
  ExprId countValue(tree chrec);
  bool insideSmallLoop(tree name) const;
  ExprId afterIterations(tree name);
  ExprId folded(const Fold &fold);
  ExprId reduced(const Fold &fold, ExprId x);
  ExprId leaves(edge way);
  bool tableIndex(ExprId at, uint64_t bytes, uint64_t size, ExprId &index);
  ExprId operation(tree_code code, tree type, tree a, tree b, tree c);
  ExprId arithmetic(tree_code code, tree type, ExprId x, ExprId y);
  ExprId conversion(tree type, tree from);
  ExprId division(tree_code code, tree type, ExprId x, tree b);
  ExprId remainder(tree type, ExprId x, tree b);
  ExprId choice(tree cond, tree type, tree a, tree b);
  ExprId constantBits(tree t, unsigned bits);
  ExprId storedName(tree t, unsigned bits);
  ExprId storedDefinition(gassign *def, unsigned bits);
  uint32_t baseOf(tree root);
  bool peel(tree &t, ExprId &offset);
  bool pointerInSum(tree sum, tree &from, ExprId &by, unsigned budget);
  tree chrecOf(tree t) const;
  bool addStep(Affine &a, tree chrec);
  Affine sum(tree a, tree b, bool subtract);
  Affine product(tree a, tree b);
  Affine combine(Affine a, const Affine &b, bool subtract);
  Affine scaled(Affine a, ExprId factor);
  Affine widened(tree chrec);
  Affine widenedFrom(ExprId start, tree type, int64_t by);
  bool narrowCounter(tree chrec, ExprId &start, int64_t &by);
  bool stepsFrom(tree t, tree phi, ExprId &step, unsigned budget = 8);
  bool continuesAfter(Affine &a, tree next, gassign *def);
  Affine counted(gphi *phi);
  Affine walked(tree t, unsigned budget = 8);
  void findBase(Affine &a);
  std::optional<Ring> steppedRing(tree next, ExprId leaf);
  std::optional<Ring> cutRing(tree t);
  Affine ringMoves(tree t);
  ExprId steppedPointer(tree t);
  bool narrow(tree t, unsigned depth);
};

/// Returns whether the type's mode has fewer bits than its bytes: a copy through a register may
/// Returns the largest entry of the constant array that an SSA name is loaded from; 0 if it is not.
uint64_t largestEntry(tree t);

/// lose the other bits.
bool hasPadding(tree ref);

} // namespace memlift

#endif
