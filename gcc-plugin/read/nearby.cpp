// nearby.cpp - looks for accesses beside a loop to the bytes that it reads or writes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As llvm-passes/read/nearby.cpp: routines for AVX-512 store and load up to 64 bytes by masks, and
// a core forwards nothing from or to these. An access is to the same bytes if its pointer is that
// of the loop but for a constant, or for one index. It is an estimate: both versions of the loop
// are right.
#include "nearby.h"
#include "../attributes.h"
#include "../options.h"

#include <set>

namespace memlift {
namespace {

class Neighbours {
public:
  Neighbours(class loop *self, class loop *around) : self(self), around(around) {}
  void of(basic_block block);
  void of(gimple *stmt) { collect(stmt, nullptr); }
  bool inLoop = false; // what was found is in a loop, or in a routine
  bool readAfter(basic_block block, gimple_stmt_iterator from);
  bool writtenBefore(basic_block block, gimple_stmt_iterator to);

private:
  class loop *self, *around;
  std::set<tree> stored, loaded; // where the accesses begin
  unsigned left = 64;            // statements that are looked at
  std::set<basic_block> seen;

  bool within(basic_block b) const { return self && flow_bb_inside_loop_p(self, b); }
  bool leavesLoop(basic_block from, basic_block to) const;
  class loop *ownLoop(basic_block b) const;
  static tree beginning(tree p, class loop *inside);
  static tree pointerOf(tree ref, class loop *inside);
  void collect(gimple *stmt, class loop *inside);
  bool startsAt(tree root, basic_block b, const std::set<tree> &roots) const;
  bool meets(tree ref, basic_block b, const std::set<tree> &roots) const;
  bool callMeets(gimple *stmt, basic_block b, bool writes) const;
};

/// Returns the innermost loop around a block, if the loop in question is not in it.
class loop *Neighbours::ownLoop(basic_block b) const {
  class loop *l = b->loop_father;
  bool outside = self ? l != self && flow_loop_nested_p(l, self)
                      : l == around || flow_loop_nested_p(l, around);
  return outside ? nullptr : l;
}

/// Returns true if another loop lies between: what is beyond it is not near.
bool Neighbours::leavesLoop(basic_block from, basic_block to) const {
  class loop *l = from->loop_father;
  return flow_loop_nested_p(around, l) && !flow_bb_inside_loop_p(l, to);
}

/// Returns a phi's value before the first iteration; null if the loop is entered at several edges.
/// Not every pass has preheaders.
static tree valueOnEntry(gphi *phi, class loop *loop) {
  tree value = NULL_TREE;
  for (unsigned i = 0; i < gimple_phi_num_args(phi); ++i)
    if (!flow_bb_inside_loop_p(loop, gimple_phi_arg_edge(phi, i)->src)) {
      if (value)
        return NULL_TREE;
      value = gimple_phi_arg_def(phi, i);
    }
  return value;
}

/// Returns true for a call of a function that may take its time, or assembler. A byte swap and the
/// like are instructions.
static bool takesTime(gimple *stmt) {
  if (gimple_code(stmt) == GIMPLE_ASM)
    return true;
  return is_gimple_call(stmt) && !gimple_call_internal_p(stmt) &&
         (gimple_vuse(stmt) || !gimple_call_builtin_p(stmt, BUILT_IN_NORMAL));
}

/// Returns the pointer before the first iteration, without constant offsets; of an address in an
/// object, the object.
tree Neighbours::beginning(tree p, class loop *inside) {
  for (unsigned steps = 0; steps < 8 && TREE_CODE(p) == SSA_NAME; ++steps) {
    gimple *def = SSA_NAME_DEF_STMT(p);
    basic_block b = gimple_bb(def);
    if (auto *phi = dyn_cast<gphi *>(def)) {
      if (gimple_phi_num_args(phi) == 1) {
        p = gimple_phi_arg_def(phi, 0);
      } else {
        tree first = inside && loop_outer(inside) && inside->header == b ? valueOnEntry(phi, inside)
                                                                         : NULL_TREE;
        if (!first)
          return p;
        p = first;
      }
      continue;
    }
    if (!is_gimple_assign(def))
      return p;
    tree_code code = gimple_assign_rhs_code(def);
    bool varies = inside && loop_outer(inside) && b && flow_bb_inside_loop_p(inside, b);
    bool fixed = code == POINTER_PLUS_EXPR && TREE_CODE(gimple_assign_rhs2(def)) == INTEGER_CST;
    if (code == SSA_NAME || CONVERT_EXPR_CODE_P(code) || fixed ||
        (code == POINTER_PLUS_EXPR && varies))
      p = gimple_assign_rhs1(def);
    else
      return p;
  }
  if (TREE_CODE(p) == ADDR_EXPR)
    if (tree object = get_base_address(TREE_OPERAND(p, 0)); object && DECL_P(object))
      return object;
  return p;
}

/// Returns where the object of a reference begins; null if it is no memory.
tree Neighbours::pointerOf(tree ref, class loop *inside) {
  tree base = ref ? get_base_address(ref) : NULL_TREE;
  if (!base)
    return NULL_TREE;
  if (TREE_CODE(base) == MEM_REF || TREE_CODE(base) == TARGET_MEM_REF)
    return beginning(TREE_OPERAND(base, 0), inside);
  return DECL_P(base) && !is_gimple_reg(base) ? base : NULL_TREE;
}

void Neighbours::collect(gimple *stmt, class loop *inside) {
  if (gimple_assign_load_p(stmt))
    if (tree root = pointerOf(gimple_assign_rhs1(stmt), inside))
      loaded.insert(root);
  if (gimple_store_p(stmt) && is_gimple_assign(stmt))
    if (tree root = pointerOf(gimple_assign_lhs(stmt), inside))
      stored.insert(root);
  if (!gimple_call_builtin_p(stmt, BUILT_IN_NORMAL) || gimple_call_num_args(stmt) != 3)
    return;
  switch (DECL_FUNCTION_CODE(gimple_call_fndecl(stmt))) {
  case BUILT_IN_MEMCPY:
  case BUILT_IN_MEMMOVE:
    loaded.insert(beginning(gimple_call_arg(stmt, 1), inside));
    stored.insert(beginning(gimple_call_arg(stmt, 0), inside));
    break;
  case BUILT_IN_MEMSET: stored.insert(beginning(gimple_call_arg(stmt, 0), inside)); break;
  default: break;
  }
}

void Neighbours::of(basic_block block) {
  for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
    if (!is_gimple_debug(gsi_stmt(i)))
      collect(gsi_stmt(i), block->loop_father);
}

bool Neighbours::startsAt(tree root, basic_block b, const std::set<tree> &roots) const {
  if (!root)
    return false;
  if (roots.count(root))
    return true;
  gimple *def = TREE_CODE(root) == SSA_NAME ? SSA_NAME_DEF_STMT(root) : nullptr;
  return def && is_gimple_assign(def) && gimple_assign_rhs_code(def) == POINTER_PLUS_EXPR &&
         roots.count(beginning(gimple_assign_rhs1(def), ownLoop(b)));
}

bool Neighbours::meets(tree ref, basic_block b, const std::set<tree> &roots) const {
  return startsAt(pointerOf(ref, ownLoop(b)), b, roots);
}

/// Returns true for a routine whose first argument is where it writes, and no other is. Routines
/// that only read have no such argument.
static bool movesBytes(tree callee) {
  const char *name = assemblerName(callee);
  if (startswith(name, "memlift_"))
    name += 8;
  return startswith(name, "copy") || startswith(name, "move") || startswith(name, "fill") ||
         startswith(name, "mem");
}

/// Returns true for a routine that another loop became, or a call that GCC may have made of one.
static bool wasLoop(gimple *stmt) {
  tree callee = is_gimple_call(stmt) ? gimple_call_fndecl(stmt) : NULL_TREE;
  return callee && (startswith(assemblerName(callee), "memlift_") ||
                    gimple_call_builtin_p(stmt, BUILT_IN_MEMCPY) ||
                    gimple_call_builtin_p(stmt, BUILT_IN_MEMMOVE) ||
                    gimple_call_builtin_p(stmt, BUILT_IN_MEMSET));
}

/// Returns true for a call of a routine that writes what is loaded, or reads what is stored.
bool Neighbours::callMeets(gimple *stmt, basic_block b, bool writes) const {
  if (!wasLoop(stmt))
    return false;
  const bool moves = movesBytes(gimple_call_fndecl(stmt));
  for (unsigned i = 0; i < gimple_call_num_args(stmt); ++i) {
    tree arg = gimple_call_arg(stmt, i);
    if (POINTER_TYPE_P(TREE_TYPE(arg)) && writes == (moves && i == 0) &&
        startsAt(beginning(arg, ownLoop(b)), b, writes ? loaded : stored))
      return true;
  }
  return false;
}

/// Returns true if what the loop stores is loaded in the next blocks. Calls take their time.
bool Neighbours::readAfter(basic_block block, gimple_stmt_iterator from) {
  for (; !gsi_end_p(from); gsi_next(&from)) {
    gimple *stmt = gsi_stmt(from);
    if (is_gimple_debug(stmt))
      continue;
    const bool load = gimple_assign_load_p(stmt);
    if (load ? meets(gimple_assign_rhs1(stmt), block, stored)
             : callMeets(stmt, block, /*writes=*/false)) {
      inLoop = !load || ownLoop(block);
      return true;
    }
    if (!--left || takesTime(stmt)) {
      left = 0;
      return false;
    }
  }
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, block->succs)
  if (left && !within(e->dest) && !leavesLoop(block, e->dest) &&
      e->dest->index >= NUM_FIXED_BLOCKS && seen.insert(e->dest).second &&
      readAfter(e->dest, gsi_start_bb(e->dest)))
    return true;
  return false;
}

/// Returns true if what the loop loads is stored in the blocks before, of loops, too.
bool Neighbours::writtenBefore(basic_block block, gimple_stmt_iterator to) {
  for (; !gsi_end_p(to); gsi_prev(&to)) {
    gimple *stmt = gsi_stmt(to);
    if (is_gimple_debug(stmt))
      continue;
    if ((gimple_store_p(stmt) && is_gimple_assign(stmt) &&
         meets(gimple_assign_lhs(stmt), block, loaded)) ||
        callMeets(stmt, block, /*writes=*/true))
      return true;
    if (!--left || takesTime(stmt)) {
      left = 0;
      return false;
    }
  }
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, block->preds)
  if (left && !within(e->src) && !leavesLoop(block, e->src) && e->src->index >= NUM_FIXED_BLOCKS &&
      seen.insert(e->src).second && writtenBefore(e->src, gsi_last_bb(e->src)))
    return true;
  return false;
}

/// The target has the routines with masks.
constexpr bool hasMasks =
#if defined(TARGET_AVX512BW)
    true;
#else
    false;
#endif

} // namespace

/// Returns true where calls are begun early, so that they are waited for anyway.
static bool beginsEarly() {
  return pluginOptions.async || hasValue(current_function_decl, "async");
}

void addNeighbours(const Nest &nest, Loop &model) {
  if (!hasMasks || !nest.exit || beginsEarly())
    return;
  class loop *around = loop_outer(nest.outer());
  Neighbours after(nest.outer(), around), before(nest.outer(), around);
  basic_block body = accessBlock(nest.inner());
  after.of(body), before.of(body);
  basic_block next = nest.exit->dest, previous = loop_preheader_edge(nest.outer())->src;
  const bool read = next->index >= NUM_FIXED_BLOCKS && after.readAfter(next, gsi_start_bb(next));
  model.readInLoop = read && after.inLoop;
  model.touchedNearby = read || (previous->index >= NUM_FIXED_BLOCKS &&
                                 before.writtenBefore(previous, gsi_last_bb(previous)));
}

void addNeighbours(gimple *call, Loop &model) {
  basic_block block = gimple_bb(call);
  if (!hasMasks || beginsEarly())
    return;
  Neighbours after(nullptr, block->loop_father), before(nullptr, block->loop_father);
  after.of(call), before.of(call);
  gimple_stmt_iterator next = gsi_for_stmt(call), previous = next;
  gsi_next(&next), gsi_prev(&previous);
  const bool read = after.readAfter(block, next);
  model.readInLoop = read && after.inLoop;
  model.touchedNearby = read || before.writtenBefore(block, previous);
}

} // namespace memlift
