// emit.h - the decision's expressions as GIMPLE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_WRITE_EMIT_H
#define MEMLIFT_GCC_WRITE_EMIT_H

#include "../../idioms/decide/decide.h"
#include "../read/binding.h"

namespace memlift {

/// Collects statements in `seq`, which the user inserts. Values are unsigned integers of the
/// expression's width, so nothing in them overflows.
class Emitter {
public:
  Emitter(LoopBinding &binding, location_t where)
      : binding(binding), g(binding.loop.exprs), where(where) {}

  gimple_seq seq = nullptr;
  const ExprGraph &graph() const { return g; }
  tree value(ExprId id);
  /// Returns an address as a pointer: base plus offset where there is one base, so that the
  /// compiler still sees which object is meant.
  tree pointer(ExprId id);
  tree convert(tree type, tree from);
  /// Forgets the values so far, so that code after the calls computes its own from the program's:
  /// few registers live across a call then.
  void forget() { made.clear(), before = std::move(copies), copies.clear(); }
  /// Emits an asm statement that computes a register from others, each with its constraint, and has
  /// no other effect.
  tree assembler(const char *text, std::vector<std::pair<const char *, tree>> from, tree type);
  /// Launders the value through an empty asm, so later passes lose its definition and provenance.
  tree launder(tree value) { return assembler("", {{"0", value}}, TREE_TYPE(value)); }
  /// Pins values together by an empty asm: none is available before all of them. More than eight
  /// stay as they are, and all on a target with few registers.
  std::vector<tree> pinTogether(const std::vector<tree> &values);
  /// Returns a branch on an expression of width 1; its operands are computed in `seq`.
  gcond *branch(ExprId condition);
  /// Decision::rewriteWaits
  bool rewriteWaits = false;
  /// Values of the program are copied where they are first used. Each value has one register
  /// wherever it lives, GCC does not split it: one that a call must not change is saved at the
  /// function's entry, also for code that makes no call.
  bool apart = false;
  /// values of Op::Result, in the order of the calls
  std::vector<tree> results;

  /// Names of a loop in place for its iteration, loads, scalars and tables.
  struct Inside {
    tree iv = NULL_TREE;
    std::vector<tree> loads, scalars;
    const std::vector<Table> *tables = nullptr;
  };
  /// Computes the invariant subexpressions of `id` here. A narrower value is left to its store, as
  /// it would otherwise occupy a register, and need filling.
  void prepare(ExprId id);
  /// Starts an iteration of a loop in place: until leave(), values are of it.
  void enter(Inside of);
  void leave(const std::vector<tree> &finals);
  /// Sets the tables of look-ups outside of loops in place.
  void useTables(const std::vector<Table> &tables) { inside.tables = &tables; }
  /// Adds the phi of a branch: the next Op::Result after those of the loops so far.
  void merge(tree value) { finals.push_back(value); }
  /// Sets the value of `id` until leave().
  void set(ExprId id, tree value) { made[id] = value; }
  /// Sets the loads after more have been emitted than at enter().
  void setLoads(const std::vector<tree> &loads) { inside.loads = loads; }
  /// Returns the values computed so far; an arm that does not dominate later code restores them.
  std::map<ExprId, tree> values() const { return made; }
  void setValues(std::map<ExprId, tree> known) { made = std::move(known); }

private:
  LoopBinding &binding;
  ExprGraph &g;
  location_t where;
  std::map<ExprId, tree> made, outside;
  std::map<tree, tree> copies, before; // of names, and those that live across the calls
  std::vector<tree> finals;
  Inside inside;

  tree own(tree t);
  bool signedOperands(const Expr &e, tree &a, tree &b);
  tree leaf(tree t, tree type);
  tree inWords(tree type, tree v);
  tree build(ExprId id);
  tree splat(const Expr &e, tree type);
  tree memory(const Expr &e, tree type);
  tree swap(tree x);
  tree doubled(const Expr &e);
  tree lookUp(const Expr &e);

  // clmul.cpp
  void add(gimple *stmt);
  void addAssembler(const char *text, const std::vector<std::pair<const char *, tree>> &from,
                    const std::vector<tree> &results);
  tree pair(tree low, tree high);
  tree vectorOf(ExprId id, unsigned &half);
  tree lane(tree v, unsigned which);
  tree half(ExprId id); // null: not half of a vector
  tree builtin(const char *function, std::vector<tree> args, tree type);
  tree product(const Expr &e);
  tree byteSwapped(tree v);
  tree crcStep(const Expr &e);
};

/// Returns *(word *)(pointer + offset), of any type, aligned as proved.
tree reference(tree pointer, uint64_t offset, unsigned bytes, uint64_t align);

/// Returns how likely the operation runs, and not the loops beside it. Those for few iterations are
/// entered without a jump: they have less time for one.
profile_probability chanceOf(const Decision &d);

/// Returns the type of two words of 64 bits.
tree pairType();

/// Returns the unsigned type of that many bits; boolean for one.
tree wordType(unsigned width);

/// Returns a new number for references. Those of one number do not overlap, if their bases differ.
/// 1 is GCC's own, for parameters.
unsigned short newClique();

/// Declares a uint32_t of the runtime that other threads change.
tree volatileOfRuntime(const char *name);

} // namespace memlift

#endif
