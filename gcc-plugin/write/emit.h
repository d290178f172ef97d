// emit.h - the decision's expressions as GIMPLE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_WRITE_EMIT_H
#define MEMLIFT_GCC_WRITE_EMIT_H

#include "../../idioms/decide/decide.h"
#include "../read/binding.h"

namespace memlift {

/// Collects statements in `seq`; whoever uses it inserts them. Values are
/// unsigned integers of the expression's width, so nothing in them overflows.
class Emitter {
public:
  Emitter(LoopBinding &binding, location_t where)
      : binding(binding), g(binding.loop.exprs), where(where) {}

  gimple_seq seq = nullptr;
  tree value(ExprId id);
  /// An address as a pointer: base plus offset where there is one base, so that
  /// the compiler still sees which object is meant.
  tree pointer(ExprId id);
  tree convert(tree type, tree from);
  /// An asm statement that makes a register of others, each with its constraint, and does nothing
  /// else.
  tree assembler(const char *text, std::vector<std::pair<const char *, tree>> from, tree type);
  /// The same values, none of which is there before all of them; more than eight stay as they are,
  /// and all of a target with few registers.
  std::vector<tree> pinTogether(const std::vector<tree> &values);
  /// A branch on an expression of width 1; what it needs is in `seq`.
  gcond *branch(ExprId condition);
  /// Decision::rewriteWaits
  bool rewriteWaits = false;
  /// What Op::Result stands for, in the order of the calls.
  std::vector<tree> results;

  /// What a loop in place calls its iteration, loads, scalars and tables.
  struct Inside {
    tree iv = NULL_TREE;
    std::vector<tree> loads, scalars;
    const std::vector<Table> *tables = nullptr;
  };
  /// Computes here what does not vary in `id`; but a store makes a value narrower by itself,
  /// where a register would be kept for it, and filled.
  void prepare(ExprId id);
  /// From here to leave(), values are of an iteration of a loop in place.
  void enter(Inside of);
  void leave(const std::vector<tree> &finals);
  /// Adds the phi of a branch: the next Op::Result after those of the loops so far.
  void merge(tree value) { finals.push_back(value); }
  /// From here to leave(), `id` is this.
  void set(ExprId id, tree value) { made[id] = value; }
  /// More of them than when it was entered.
  void setLoads(const std::vector<tree> &loads) { inside.loads = loads; }
  /// What has been computed; an arm that does not dominate what comes next puts it back.
  std::map<ExprId, tree> values() const { return made; }
  void setValues(std::map<ExprId, tree> known) { made = std::move(known); }

private:
  LoopBinding &binding;
  ExprGraph &g;
  location_t where;
  std::map<ExprId, tree> made, outside;
  std::vector<tree> finals;
  Inside inside;

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
  tree turned(tree v);
  tree crcStep(const Expr &e);
};

/// *(word *)(pointer + offset), of any type, aligned as proved.
tree reference(tree pointer, uint64_t offset, unsigned bytes, uint64_t align);

/// Two words of 64 bits.
tree pairType();

/// The unsigned type of that many bits; boolean for one.
tree wordType(unsigned width);

} // namespace memlift

#endif
