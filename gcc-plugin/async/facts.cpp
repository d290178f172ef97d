// facts.cpp - a function as a graph, and the effect of its statements on operations in flight
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "async.h"
#include "../prove/prove.h"
#include "../read/binding.h"

namespace memlift {
namespace {

const Operation *operationOf(const gcall *call) {
  tree decl = gimple_call_fndecl(call);
  if (!decl || !DECL_EXTERNAL(decl) || !TREE_PUBLIC(decl) || gimple_call_must_tail_p(call))
    return nullptr;
  return asyncOperationOf(assemblerName(decl));
}

/// Returns whether the callee's body was seen, is the one that will run, and always returns: it has
/// no volatile or atomic access, no assembler, no endless loop or recursion, and calls only
/// functions like it. GCC takes the memory that it touches from the same summary.
bool bodyStaysAtHome(const gcall *call) {
  bool interposed = true;
  const modref_summary *body = get_modref_function_summary(const_cast<gcall *>(call), &interposed);
  return body && !interposed && !body->side_effects && (gimple_call_flags(call) & ECF_NOTHROW);
}

/// Returns whether a call writes only what its arguments point to, returns, and lets no other code
/// run.
bool staysAtHome(const gcall *call) {
  int flags = gimple_call_flags(call);
  if (flags & (ECF_CONST | ECF_PURE))
    return !(flags & ECF_LOOPING_CONST_OR_PURE);
  if (gimple_call_builtin_p(call, BUILT_IN_NORMAL))
    switch (DECL_FUNCTION_CODE(gimple_call_fndecl(call))) {
    case BUILT_IN_MEMCPY:
    case BUILT_IN_MEMMOVE:
    case BUILT_IN_MEMSET:
    case BUILT_IN_MEMPCPY:
    case BUILT_IN_STRCPY:
    case BUILT_IN_STRNCPY:
    case BUILT_IN_STRCAT:
    case BUILT_IN_STPCPY: return true;
    default: return false;
    }
  tree decl = gimple_call_fndecl(call);
  return decl && DECL_EXTERNAL(decl) && TREE_PUBLIC(decl) && TREE_NOTHROW(decl) &&
         lookup_attribute("leaf", DECL_ATTRIBUTES(decl)) && findOperation(assemblerName(decl));
}

bool isAtomic(const gcall *call) {
  if (!gimple_call_builtin_p(call, BUILT_IN_NORMAL))
    return false;
  const char *name = IDENTIFIER_POINTER(DECL_NAME(gimple_call_fndecl(call)));
  return startswith(name, "__atomic_") || startswith(name, "__sync_");
}

Stop stopOfCall(const gcall *call) {
  if (gimple_call_tail_p(call) || gimple_call_must_tail_p(call))
    return Stop::Call; // no code may come between it and the return
  if (gimple_call_internal_p(call))
    return gimple_vuse(call) ? Stop::Call : Stop::None;
  if (isAtomic(call))
    return Stop::Atomic;
  int flags = gimple_call_flags(call);
  if (flags & (ECF_RETURNS_TWICE | ECF_NORETURN))
    return Stop::Call;
  return staysAtHome(call) || bodyStaysAtHome(call) ? Stop::None : Stop::Call;
}

/// Returns the reason why no operation may be in flight across a statement.
Stop stopOfAny(const gimple *stmt) {
  switch (gimple_code(stmt)) {
  case GIMPLE_ASSIGN: break;
  case GIMPLE_COND:
  case GIMPLE_SWITCH:
  case GIMPLE_DEBUG:
  case GIMPLE_NOP:
  case GIMPLE_PREDICT: return Stop::None;
  case GIMPLE_GOTO:
    return TREE_CODE(gimple_goto_dest(stmt)) == LABEL_DECL ? Stop::None : Stop::Jump;
  case GIMPLE_RETURN: return Stop::Return;
  case GIMPLE_ASM: return Stop::Assembler;
  case GIMPLE_CALL: break;
  default: return Stop::Jump;
  }
  if (gimple_has_volatile_ops(stmt))
    return Stop::Volatile;
  if (stmt_can_throw_external(cfun, const_cast<gimple *>(stmt)) ||
      stmt_can_throw_internal(cfun, const_cast<gimple *>(stmt)))
    return is_gimple_call(stmt) ? Stop::Call : Stop::Jump;
  return is_gimple_call(stmt) ? stopOfCall(as_a<const gcall *>(stmt)) : Stop::None;
}

/// Returns the values that the address of a reference is computed from.
std::vector<tree> partsOf(tree ref) {
  tree base = get_base_address(ref);
  std::vector<tree> pointers;
  if (!base)
    return pointers;
  if (DECL_P(base))
    return {build_fold_addr_expr(base)};
  if (TREE_CODE(base) == MEM_REF)
    return {TREE_OPERAND(base, 0)};
  if (TREE_CODE(base) == TARGET_MEM_REF)
    for (tree pointer : {TMR_BASE(base), TMR_INDEX(base), TMR_INDEX2(base)})
      if (pointer)
        pointers.push_back(pointer);
  return pointers;
}

/// Returns whether a plain access or a routine's arguments are disjoint from `pointer`, by the
/// parameters that their addresses are computed from.
bool isDisjoint(gimple *stmt, tree pointer, bool writes) {
  if (gimple_assign_single_p(stmt)) {
    bool stores = gimple_vdef(stmt) != NULL_TREE;
    tree ref = stores ? gimple_assign_lhs(stmt) : gimple_assign_rhs1(stmt);
    bool both = stores && gimple_assign_load_p(stmt); // an aggregate is copied
    return !both && stores == writes && rootsDisjoint(partsOf(ref), {pointer});
  }
  AsyncCall other;
  if (!isAsyncCall(stmt, other))
    return false;
  tree with = writes ? other.dst : other.src;
  return with && rootsDisjoint({with}, {pointer});
}

/// Returns whether a computation is nearly free and may be speculated: it cannot trap, and its
/// result is ignored where it means nothing.
bool isCheap(const gimple *stmt) {
  if (!is_gimple_assign(stmt) || gimple_vuse(stmt) ||
      TYPE_OVERFLOW_TRAPS(TREE_TYPE(gimple_assign_lhs(stmt))))
    return false;
  tree type = TREE_TYPE(gimple_assign_rhs1(stmt));
  if (!INTEGRAL_TYPE_P(type) && !POINTER_TYPE_P(type))
    return false;
  switch (gimple_assign_rhs_code(stmt)) {
  CASE_CONVERT:
  case SSA_NAME:
  case PLUS_EXPR:
  case MINUS_EXPR:
  case MULT_EXPR:
  case POINTER_PLUS_EXPR:
  case LSHIFT_EXPR:
  case RSHIFT_EXPR:
  case BIT_AND_EXPR:
  case BIT_IOR_EXPR:
  case BIT_XOR_EXPR:
  case BIT_NOT_EXPR:
  case NEGATE_EXPR:
  case EQ_EXPR:
  case NE_EXPR:
  case LT_EXPR:
  case LE_EXPR:
  case GT_EXPR:
  case GE_EXPR: return true;
  default: return false;
  }
}

bool leavesAbnormally(basic_block bb) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, bb->succs)
  if (e->flags & (EDGE_ABNORMAL | EDGE_EH))
    return true;
  return false;
}

} // namespace

bool isAsyncCall(gimple *stmt, AsyncCall &found) {
  gcall *call = dyn_cast<gcall *>(stmt);
  const Operation *o = call && !gimple_call_internal_p(call) ? operationOf(call) : nullptr;
  if (!o)
    return false;
  bool pattern = o->kind == OpKind::PatternFill;
  if (gimple_call_num_args(call) != (pattern ? 4u : 3u) || gimple_call_lhs(call))
    return false;
  found = AsyncCall();
  found.call = call;
  found.operation = o;
  found.dst = gimple_call_arg(call, 0);
  (o->copies() ? found.src : found.pattern) = gimple_call_arg(call, 1);
  found.period = pattern ? gimple_call_arg(call, 2) : NULL_TREE;
  found.bytes = gimple_call_arg(call, pattern ? 3 : 2);
  return POINTER_TYPE_P(TREE_TYPE(found.dst)) &&
         (!tree_fits_uhwi_p(found.bytes) || tree_to_uhwi(found.bytes) >= asyncMinBytes);
}

AsyncFacts::AsyncFacts() {
  std::map<int, uint32_t> number;
  int *list = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
  int count = pre_and_rev_post_order_compute(nullptr, list, false);
  for (int i = 0; i < count; ++i) {
    number[list[i]] = uint32_t(order.size());
    order.push_back(BASIC_BLOCK_FOR_FN(cfun, list[i]));
  }
  free(list);
  flow.blocks.resize(order.size());
  blocks.resize(order.size());
  readLoops(number);
  for (uint32_t b = 0; b < order.size(); ++b) {
    readBlock(b);
    basic_block above = get_immediate_dominator(CDI_DOMINATORS, order[b]);
    auto found = above ? number.find(above->index) : number.end();
    flow.blocks[b].idom = found == number.end() ? 0 : found->second;
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, order[b]->succs)
    if (auto to = number.find(e->dest->index); to != number.end()) {
      flow.blocks[b].succs.push_back(to->second);
      flow.blocks[to->second].preds.push_back(b);
    }
  }
}

void AsyncFacts::readLoops(const std::map<int, uint32_t> &number) {
  for (auto loop : loops_list(cfun, 0)) {
    auto header = number.find(loop->header->index);
    if (header == number.end())
      continue;
    FlowLoop l;
    l.header = header->second;
    auto parent = loop_outer(loop) ? loopNumber.find(loop_outer(loop)->num) : loopNumber.end();
    l.parent = parent == loopNumber.end() ? NoLoop : parent->second;
    loopNumber[loop->num] = uint32_t(flow.loops.size());
    flow.loops.push_back(l);
  }
}

/// Labels stay first in their block; the end of a block stands for a block that no statement ends.
void AsyncFacts::readBlock(uint32_t b) {
  basic_block bb = order[b];
  std::vector<gimple *> &list = blocks[b];
  for (gimple_stmt_iterator gsi = gsi_after_labels(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
    gimple *stmt = gsi_stmt(gsi);
    FlowPoint at{b, uint32_t(list.size())};
    pointOf[stmt] = at;
    list.push_back(stmt);
    if (AsyncCall call; isAsyncCall(stmt, call)) {
      operations.push_back(call);
      places.push_back(at);
    }
  }
  if (list.empty() || !stmt_ends_bb_p(list.back()))
    list.push_back(nullptr);
  flow.blocks[b].statements = uint32_t(list.size());
  class loop *loop = bb->loop_father;
  auto found = loop ? loopNumber.find(loop->num) : loopNumber.end();
  flow.blocks[b].loop = found == loopNumber.end() ? NoLoop : found->second;
}

Stop AsyncFacts::stop(size_t operation, FlowPoint at) {
  const AsyncCall &op = operations[operation];
  gimple *stmt = statement(at);
  if (at.statement + 1 == blocks[at.block].size() && leavesAbnormally(order[at.block]))
    return Stop::Jump;
  if (!stmt)
    return EDGE_COUNT(order[at.block]->succs) == 0 ? Stop::Return : Stop::None;
  if (Stop s = stopOfAny(stmt); s != Stop::None)
    return s;
  if (!gimple_vuse(stmt) || is_gimple_debug(stmt))
    return Stop::None;
  bool call = is_gimple_call(stmt);
  ao_ref dst, src;
  ao_ref_init_from_ptr_and_size(&dst, op.dst, op.bytes);
  if (stmt_may_clobber_ref_p_1(stmt, &dst, false) && !isDisjoint(stmt, op.dst, true))
    return call ? Stop::Call : Stop::Writes;
  if (ref_maybe_used_by_stmt_p(stmt, &dst, false) && !isDisjoint(stmt, op.dst, false))
    return call ? Stop::Call : Stop::Reads;
  if (!op.src)
    return Stop::None;
  ao_ref_init_from_ptr_and_size(&src, op.src, op.bytes);
  if (stmt_may_clobber_ref_p_1(stmt, &src, false) && !isDisjoint(stmt, op.src, true))
    return call ? Stop::Call : Stop::Source;
  return Stop::None;
}

bool AsyncFacts::isThere(tree v, FlowPoint at) const {
  if (!v || TREE_CODE(v) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(v))
    return true;
  gimple *def = SSA_NAME_DEF_STMT(v);
  auto found = pointOf.find(def);
  return gimple_bb(def) == order[at.block]
             ? found == pointOf.end() || found->second.statement < at.statement
             : dominated_by_p(CDI_DOMINATORS, order[at.block], gimple_bb(def));
}

bool AsyncFacts::available(size_t operation, FlowPoint at) {
  const AsyncCall &op = operations[operation];
  for (tree v : {op.dst, op.src, op.pattern, op.period, op.bytes})
    if (!isComputable(v, at))
      return false;
  return true;
}

bool AsyncFacts::isComputable(tree v, FlowPoint at, unsigned steps) const {
  if (isThere(v, at))
    return true;
  const gimple *def = SSA_NAME_DEF_STMT(v);
  if (!steps || !isCheap(def) || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(v))
    return false;
  for (unsigned i = 1; i < gimple_num_ops(def); ++i)
    if (!isComputable(gimple_op(def, i), at, steps - 1))
      return false;
  return true;
}

/// Returns whether the block ends with a comparison of available values; not of floating point,
/// which may trap.
bool AsyncFacts::decides(uint32_t block, FlowPoint at) {
  gimple *last = blocks[block].back();
  if (!last || gimple_code(last) != GIMPLE_COND)
    return false;
  tree left = gimple_cond_lhs(last), right = gimple_cond_rhs(last);
  return (INTEGRAL_TYPE_P(TREE_TYPE(left)) || POINTER_TYPE_P(TREE_TYPE(left))) &&
         isComputable(left, at) && isComputable(right, at);
}

uint64_t AsyncFacts::work(FlowPoint at) {
  const gimple *stmt = statement(at);
  if (!stmt || is_gimple_debug(stmt) || gimple_clobber_p(stmt) ||
      gimple_code(stmt) == GIMPLE_PREDICT || gimple_nop_p(stmt))
    return 0;
  return is_gimple_call(stmt) && !gimple_call_internal_p(stmt) ? asyncCall : 1;
}

} // namespace memlift
