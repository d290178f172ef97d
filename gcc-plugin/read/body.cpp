// body.cpp - reads the memory accesses of a nest's body, and its other effects
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements are read in dominance order, which is program order for all code that runs in every
// iteration. Statements that are neither accesses nor plain computation become obstacles.
#include "../options.h"
#include "../prove/prove.h"
#include "exits.h"
#include "join.h"
#include "nearby.h"
#include "search.h"
#include "../../idioms/cycles.h"
#include "../../idioms/recognize/proof.h"

namespace memlift {
namespace {

class BodyReader {
public:
  /// `anywhere`: accesses may be on any side of the exits.
  BodyReader(Translator &t, LoopBinding &binding, const Nest &nest, bool anywhere = false)
      : t(t), binding(binding), nest(nest), loop(nest.inner()),
        exit(anywhere ? nullptr : single_exit(nest.inner())) {}
  /// `first` tells on which side of the exit the accesses are assumed to be.
  void read(bool first);
  /// Returns the condition of the nest under which all accesses are done, NoExpr if there is none.
  /// The accesses are then as if they were done always.
  ExprId oneCondition();

private:
  Translator &t;
  LoopBinding &binding;
  const Nest &nest;
  class loop *loop;
  edge exit;
  edge under = nullptr;
  bool bodyFirst = true;
  bool before = false, after = false;
  std::vector<edge> conditions; // conditions of the accesses; null: always, or unknown

  void obstacle(Diag code, std::string what, gimple *stmt) {
    binding.loop.obstacles.push_back({code, std::move(what), sourceLoc(gimple_location(stmt))});
  }
  void statement(gimple *stmt);
  void assignment(gassign *stmt);
  void call(gcall *stmt);
  bool atomic(gcall *stmt);
  bool small(gcall *stmt, bool set, ExprId bytes);
  bool bulk(gcall *stmt);
  bool skippedOnlyIfEmpty(gcall *stmt, ExprId bytes);
  void effectiveCall(gcall *stmt);
  Access begin(gimple *stmt, bool store);
  void place(Access &a, const Affine &where, bool narrow);
  uint32_t add(const Access &a, tree ref);
  uint32_t access(gimple *stmt, tree ref, bool store, tree rhs, ExprId value);
  uint32_t through(gimple *stmt, tree pointer, bool store, ExprId bytes, tree ref = NULL_TREE);
  uint32_t unknownBase();
  bool readsAgain(gassign *stmt);
  std::vector<std::pair<gassign *, uint32_t>> loads;
};

Access BodyReader::begin(gimple *stmt, bool store) {
  Access a;
  basic_block bb = gimple_bb(stmt);
  a.store = store;
  a.loc = sourceLoc(gimple_location(stmt));
  a.conditional = !dominated_by_p(CDI_DOMINATORS, loop->latch, bb);
  // A fixed load is read before the loop, so it may run once more or not.
  bool anyTime = !store && binding.fixedLoads.count(stmt);
  bool later =
      !store && !anyTime && (!bodyFirst || !nest.exits.empty()) && mayLoadLater(nest, stmt);
  if (!nest.exits.empty() && !anyTime && !later && nest.testsBefore(bb) != nest.place)
    before = after = true;
  under = single_pred_p(bb) ? single_pred_edge(bb) : nullptr;
  binding.accessBlocks.push_back(bb);
  if (exit && !anyTime) {
    bool late = later || (bb != exit->src && dominated_by_p(CDI_DOMINATORS, bb, exit->src));
    (late ? after : before) = true;
  }
  return a;
}

uint32_t BodyReader::unknownBase() {
  for (uint32_t i = 0; i < binding.bases.size(); ++i)
    if (!binding.bases[i])
      return i;
  Base base;
  base.name = "unknown";
  binding.loop.bases.push_back(base);
  binding.bases.push_back(NULL_TREE);
  return uint32_t(binding.bases.size() - 1);
}

void BodyReader::place(Access &a, const Affine &where, bool narrow) {
  a.affine = where.ok;
  if (where.ok) {
    a.base = uint32_t(where.base);
    a.offset = where.inv;
    a.step = where.step;
    return;
  }
  a.base = unknownBase();
  a.mayWrap = narrow;
  a.why = narrow ? "its index is narrower than a pointer and may wrap"
                 : "it does not move by the same number of bytes in every iteration";
}

uint32_t BodyReader::add(const Access &a, tree ref) {
  binding.loop.accesses.push_back(a);
  conditions.push_back(a.conditional ? under : nullptr);
  binding.refs.push_back(ref);
  return uint32_t(binding.loop.accesses.size() - 1);
}

uint32_t BodyReader::access(gimple *stmt, tree ref, bool store, tree rhs, ExprId value) {
  Access a = begin(stmt, store);
  tree type = TREE_TYPE(ref);
  tree size = TYPE_SIZE_UNIT(type);
  if (!size || !tree_fits_uhwi_p(size) || tree_to_uhwi(size) == 0 || tree_to_uhwi(size) > 4096) {
    obstacle(Diag::NotInnermostForm, "an object of unusual size is accessed", stmt);
    size = size_one_node;
  }
  unsigned bytes = unsigned(tree_to_uhwi(size));
  a.bytes = binding.loop.word(bytes);
  a.align = alignOf(ref);
  a.isVolatile = TREE_THIS_VOLATILE(ref) || gimple_has_volatile_ops(stmt);
  a.addressSpace = addressSpaceOf(ref);
  bool bitsLeft = false;
  Affine where = t.address(ref, bitsLeft);
  a.paddingBits = bitsLeft || hasPadding(ref);
  place(a, where, !where.ok && t.narrowIndex(ref));
  auto copy = binding.fixedLoads.find(stmt);
  a.fixed = a.affine && !store && copy != binding.fixedLoads.end();
  if (a.fixed)
    a.value = t.stored(copy->second, 8 * bytes);
  a.fixed |= a.affine && store &&
             std::find(binding.fixedStores.begin(), binding.fixedStores.end(), stmt) !=
                 binding.fixedStores.end();
  if (store)
    a.value = value != NoExpr ? value : t.stored(rhs, 8 * bytes);
  if (a.value != NoExpr && a.affine && isStill(binding.loop.exprs, a))
    a.value = t.ringInIteration(a.value);
  return add(a, ref);
}

/// Adds an access to *pointer that has no reference in GIMPLE; `ref`, if given, stands for one.
uint32_t BodyReader::through(gimple *stmt, tree pointer, bool store, ExprId bytes, tree ref) {
  Access a = begin(stmt, store);
  a.bytes = bytes;
  Affine where = t.affine(pointer);
  where.ok = where.ok && where.base >= 0;
  place(a, where, false);
  a.addressSpace =
      POINTER_TYPE_P(TREE_TYPE(pointer)) ? TYPE_ADDR_SPACE(TREE_TYPE(TREE_TYPE(pointer))) : 0;
  return add(a, ref);
}

/// Merges the loads of if (c) x = f(*p); else x = g(*p); which read *p in every iteration, and one
/// under a condition with an earlier one under none. Returns true if `stmt` is the second of them.
bool BodyReader::readsAgain(gassign *stmt) {
  basic_block bb = gimple_bb(stmt);
  auto always = [&](basic_block b) { return dominated_by_p(CDI_DOMINATORS, loop->latch, b); };
  if (always(bb))
    return false;
  for (auto &[first, index] : loads) {
    basic_block arm = gimple_bb(first);
    bool twoArms = !always(arm) && single_pred_p(arm) && single_pred_p(bb) &&
                   single_pred(arm) == single_pred(bb) && EDGE_COUNT(single_pred(bb)->succs) == 2 &&
                   always(single_pred(bb));
    bool before = always(arm) && dominated_by_p(CDI_DOMINATORS, bb, arm) &&
                  !binding.loop.accesses[index].lookUp;
    if (arm == bb || (!twoArms && !before) || gimple_vuse(first) != gimple_vuse(stmt) ||
        gimple_has_volatile_ops(stmt) || gimple_has_volatile_ops(first) ||
        !types_compatible_p(TREE_TYPE(gimple_assign_rhs1(first)),
                            TREE_TYPE(gimple_assign_rhs1(stmt))) ||
        !operand_equal_p(gimple_assign_rhs1(first), gimple_assign_rhs1(stmt), 0))
      continue;
    binding.loop.accesses[index].conditional = false;
    t.noteLoad(gimple_assign_lhs(stmt), index);
    return true;
  }
  return false;
}

void BodyReader::assignment(gassign *stmt) {
  tree lhs = gimple_assign_lhs(stmt);
  bool load = gimple_assign_load_p(stmt), store = gimple_store_p(stmt);
  ExprId object = load && store ? t.localObject(gimple_assign_rhs1(stmt)) : NoExpr;
  if (object != NoExpr) {
    access(stmt, lhs, true, NULL_TREE, object);
  } else if (load && store) {
    uint32_t from = access(stmt, gimple_assign_rhs1(stmt), false, NULL_TREE, NoExpr);
    const Access &a = binding.loop.accesses[from];
    ExprId value = a.fixed ? a.value
                           : binding.loop.exprs.leaf(
                                 Op::Load, from, 8 * unsigned(binding.loop.exprs[a.bytes].value));
    access(stmt, lhs, true, NULL_TREE, value);
  } else if (load) {
    tree ref = gimple_assign_rhs1(stmt);
    ExprId entry = t.tableEntry(ref);
    if (entry != NoExpr && !gimple_has_volatile_ops(stmt)) {
      t.noteValue(lhs, entry);
      return;
    }
    if (readsAgain(stmt))
      return;
    uint32_t index = access(stmt, ref, false, NULL_TREE, NoExpr);
    loads.push_back({stmt, index});
    entry = binding.loop.accesses[index].affine ? NoExpr : t.unknownEntry(ref);
    if (entry == NoExpr) {
      t.noteLoad(lhs, index);
      return;
    }
    binding.loop.accesses[index].lookUp = true;
    t.noteValue(lhs, entry);
  } else if (store) {
    access(stmt, lhs, true, gimple_assign_rhs1(stmt), NoExpr);
  } else if (gimple_vuse(stmt)) {
    obstacle(Diag::NotInnermostForm, "memory is read in a way that memlift does not know", stmt);
  }
}

/// Reads __atomic_load_N and __atomic_store_N of 1 to 16 bytes as accesses.
bool BodyReader::atomic(gcall *stmt) {
  if (!gimple_call_builtin_p(stmt, BUILT_IN_NORMAL))
    return false;
  int code = DECL_FUNCTION_CODE(gimple_call_fndecl(stmt)), size;
  bool load = code >= BUILT_IN_ATOMIC_LOAD_1 && code <= BUILT_IN_ATOMIC_LOAD_16;
  bool store = code >= BUILT_IN_ATOMIC_STORE_1 && code <= BUILT_IN_ATOMIC_STORE_16;
  if (!load && !store)
    return false;
  size = 1 << (code - (load ? BUILT_IN_ATOMIC_LOAD_1 : BUILT_IN_ATOMIC_STORE_1));
  uint32_t index =
      through(stmt, gimple_call_arg(stmt, 0), store, binding.loop.word(unsigned(size)));
  Access &a = binding.loop.accesses[index];
  a.atomic = true;
  a.align = unsigned(size);
  if (store)
    a.value = t.stored(gimple_call_arg(stmt, 1), 8 * unsigned(size));
  else if (tree lhs = gimple_call_lhs(stmt))
    t.noteLoad(lhs, index);
  return true;
}

/// Returns whether the call is skipped only where its size is zero. It would do nothing there, so
/// it may as well run every time.
bool BodyReader::skippedOnlyIfEmpty(gcall *stmt, ExprId bytes) {
  basic_block bb = gimple_bb(stmt);
  if (!single_pred_p(bb))
    return false;
  edge e = single_pred_edge(bb);
  gimple *last = last_stmt(e->src);
  gcond *cond = last ? dyn_cast<gcond *>(last) : nullptr;
  if (!cond || !dominated_by_p(CDI_DOMINATORS, loop->latch, e->src) ||
      !integer_zerop(gimple_cond_rhs(cond)))
    return false;
  tree_code code = gimple_cond_code(cond);
  if (code != (e->flags & EDGE_TRUE_VALUE ? NE_EXPR : EQ_EXPR))
    return false;
  ExprId zero = t.value(gimple_cond_lhs(cond));
  return zero != NoExpr && binding.loop.exprs.vanishesWith(bytes, zero);
}

/// Reads memset, memcpy and memmove of a small constant size as a load and a store, where the loop
/// is to be cut into blocks: the call works at any address, as they do.
bool BodyReader::small(gcall *stmt, bool set, ExprId bytes) {
  ExprGraph &g = binding.loop.exprs;
  if (!binding.loop.function.stream || !g.isConst(bytes) || !g[bytes].value ||
      g[bytes].value > maxValueBytes)
    return false;
  unsigned size = unsigned(g[bytes].value);
  auto reference = [&](unsigned argument) {
    tree pointer = gimple_call_arg(stmt, argument);
    tree type = build_array_type_nelts(char_type_node, size);
    return build2(MEM_REF, build_aligned_type(type, BITS_PER_UNIT), pointer,
                  build_zero_cst(ptr_type_node));
  };
  uint32_t from = 0;
  ExprId value = NoExpr;
  if (set) {
    value = g.splat(g.cast(Op::Trunc, t.value(gimple_call_arg(stmt, 1)), 8), 8 * size);
  } else {
    from = through(stmt, gimple_call_arg(stmt, 1), false, bytes, reference(1));
    value = g.leaf(Op::Load, from, 8 * size);
  }
  uint32_t to = through(stmt, gimple_call_arg(stmt, 0), true, bytes, reference(0));
  binding.loop.accesses[to].value = value;
  binding.copies[stmt] = {set ? to : from, to};
  return true;
}

/// Reads memset, memcpy and memmove of an invariant size inside the nest.
bool BodyReader::bulk(gcall *stmt) {
  bool set = gimple_call_builtin_p(stmt, BUILT_IN_MEMSET);
  if (!set && !gimple_call_builtin_p(stmt, BUILT_IN_MEMCPY) &&
      !gimple_call_builtin_p(stmt, BUILT_IN_MEMMOVE))
    return false;
  tree size = gimple_call_arg(stmt, 2);
  ExprId bytes = t.value(size);
  if (gimple_call_lhs(stmt) || bytes == NoExpr || !binding.loop.exprs.isInvariant(bytes))
    return false;
  if (set) {
    ExprId value = t.value(gimple_call_arg(stmt, 1));
    if (value == NoExpr || !binding.loop.exprs.isInvariant(value))
      return false;
    if (small(stmt, set, bytes))
      return true;
    uint32_t index = through(stmt, gimple_call_arg(stmt, 0), true, bytes);
    binding.loop.accesses[index].value = binding.loop.exprs.cast(Op::Trunc, value, 8);
    binding.loop.accesses[index].conditional &= !skippedOnlyIfEmpty(stmt, bytes);
    return true;
  }
  if (small(stmt, set, bytes))
    return true;
  uint32_t from = through(stmt, gimple_call_arg(stmt, 1), false, bytes);
  uint32_t to = through(stmt, gimple_call_arg(stmt, 0), true, bytes);
  binding.loop.accesses[to].value = binding.loop.exprs.leaf(Op::Load, from, 8);
  for (uint32_t side : {from, to})
    binding.loop.accesses[side].conditional &= !skippedOnlyIfEmpty(stmt, bytes);
  return true;
}

void BodyReader::effectiveCall(gcall *stmt) {
  if (isAtomicOperation(stmt)) {
    obstacle(Diag::AtomicAccess, "an atomic operation", stmt);
    return;
  }
  tree fndecl = gimple_call_fndecl(stmt);
  std::string what = "a call";
  if (fndecl && DECL_NAME(fndecl))
    what += std::string(" of ") + IDENTIFIER_POINTER(DECL_NAME(fndecl));
  obstacle(Diag::SideEffects, what, stmt);
}

void BodyReader::call(gcall *stmt) {
  if (atomic(stmt) || bulk(stmt))
    return;
  // A hint about memory that the operation reads anyway.
  if (gimple_call_builtin_p(stmt, BUILT_IN_PREFETCH))
    return;
  if (gimple_vuse(stmt) || gimple_vdef(stmt) || gimple_has_side_effects(stmt))
    effectiveCall(stmt);
}

void BodyReader::statement(gimple *stmt) {
  if (is_gimple_debug(stmt) || gimple_clobber_p(stmt))
    return;
  if (stmt_could_throw_p(cfun, stmt)) {
    obstacle(Diag::SideEffects, "something that may throw", stmt);
    return;
  }
  switch (gimple_code(stmt)) {
  case GIMPLE_ASSIGN: assignment(as_a<gassign *>(stmt)); break;
  case GIMPLE_CALL: call(as_a<gcall *>(stmt)); break;
  case GIMPLE_COND:
  case GIMPLE_SWITCH:
  case GIMPLE_LABEL:
  case GIMPLE_NOP:
  case GIMPLE_PREDICT: break;
  case GIMPLE_ASM:
    if (gimple_vuse(stmt) || gimple_has_side_effects(stmt))
      obstacle(Diag::SideEffects, "assembler", stmt);
    break;
  case GIMPLE_GOTO: obstacle(Diag::NotInnermostForm, "a computed goto", stmt); break;
  default: obstacle(Diag::SideEffects, "a statement with unknown effects", stmt);
  }
}

void BodyReader::read(bool first) {
  bodyFirst = first;
  basic_block *body = get_loop_body_in_dom_order(loop);
  for (unsigned i = 0; i < loop->num_nodes; ++i) {
    bool ranged = false;
    if (body[i]->loop_father != loop)
      continue; // a small loop: evaluated where its results are used
    for (gimple_stmt_iterator gsi = gsi_start_bb(body[i]); !gsi_end_p(gsi); gsi_next(&gsi)) {
      if (!ranged && gimple_vuse(gsi_stmt(gsi))) {
        t.at(body[i]);
        ranged = true;
      }
      statement(gsi_stmt(gsi));
    }
  }
  free(body);
  if ((before && after) || (bodyFirst ? after : before))
    binding.loop.obstacles.push_back(
        {Diag::NotInnermostForm, "accesses before and after an exit test", binding.loop.loc});
}

/// Returns the condition of if (really) d[i] = s[i]; with `really` invariant: the loop does
/// nothing, or does it in every iteration.
ExprId BodyReader::oneCondition() {
  edge e = conditions.empty() ? nullptr : conditions[0];
  if (!e || nest.loops.size() != 1 || !binding.loop.recs.empty() ||
      !binding.loop.obstacles.empty() || !exit || e->src == exit->src ||
      !flow_bb_inside_loop_p(loop, e->src) || !dominated_by_p(CDI_DOMINATORS, loop->latch, e->src))
    return NoExpr;
  for (edge other : conditions)
    if (other != e)
      return NoExpr;
  for (const Access &a : binding.loop.accesses)
    if (!a.conditional)
      return NoExpr;
  t.at(loop_preheader_edge(loop));
  ExprId taken = t.edgeCondition(e);
  for (Access &a : binding.loop.accesses)
    a.conditional = taken == NoExpr;
  return taken;
}

/// Returns whether the loop has several exits. Exits by exceptions do not count: the throwing
/// statement is an obstacle.
bool severalExits(class loop *loop) {
  unsigned exits = 0;
  for (edge e : get_loop_exit_edges(loop))
    exits += !(e->flags & (EDGE_EH | EDGE_ABNORMAL | EDGE_FAKE));
  return exits > 1;
}

} // namespace

void readBody(Translator &t, LoopBinding &binding, const Nest &nest) {
  BodyReader(t, binding, nest, /*anywhere=*/true).read(/*bodyFirst=*/true);
}

/// Returns true if the loop is kept in any case and nothing needs all of its reasons.
static bool mayStop(const LoopBinding &binding) {
  return pluginOptions.judge.quiet && isHopeless(binding.loop);
}

void readNest(const Nest &given, LoopBinding &binding) {
  Nest nest = given;
  basic_block body = accessBlock(nest.inner());
  beginBinding(binding, Origin::Loop, loopLocation(nest.inner()), body);
  binding.loop.profiled = profiledIterations(nest, binding.hotness);
  addNeighbours(nest, binding.loop);
  binding.loop.enclosed = loop_depth(nest.outer()) > 1;
  std::vector<bool> bodyFirst;
  for (size_t k = 0; k < nest.loops.size(); ++k)
    bodyFirst.push_back(runsBeforeExit(
        nest.loops[k],
        k + 1 < nest.loops.size() ? loop_preheader_edge(nest.loops[k + 1])->src : body));
  bool several = isCounted(binding, nest);
  if (several) {
    nest.place = nest.testsBefore(body);
    bodyFirst[0] = nest.place < nest.exits.size();
  } else {
    nest.exits.clear();
  }
  if (!several && severalExits(nest.inner()))
    binding.loop.obstacles.push_back(
        {Diag::SeveralExits, "the loop can be left in more than one place", binding.loop.loc});
  else if (!nest.isClosed())
    binding.loop.obstacles.push_back(
        {Diag::TripCountUnknown, "the loop has no ordinary end", binding.loop.loc});
  else if (nest.exit && (nest.exit->flags & EDGE_COMPLEX ||
                         nest.exit->dest->loop_father != loop_outer(nest.outer())))
    binding.loop.obstacles.push_back(
        {Diag::NotInnermostForm, "the loop is left to an unusual place", binding.loop.loc});
  if (nest.outer()->header->flags & BB_IRREDUCIBLE_LOOP)
    binding.loop.obstacles.push_back(
        {Diag::NotInnermostForm, EnteredInSeveralPlaces, binding.loop.loc});
  if (nest.inner()->simduid)
    binding.loop.obstacles.push_back(
        {Diag::NotInnermostForm, "the loop is an OpenMP simd loop", binding.loop.loc});
  readOverflow(nest, binding);
  if (mayStop(binding))
    return;
  Translator t(binding, &nest);
  std::vector<Carried> carried = declareCarried(t, binding, nest, bodyFirst);
  BodyReader reader(t, binding, nest);
  reader.read(bodyFirst.back());
  ExprId condition = joinStores(t, binding, nest) ? NoExpr : reader.oneCondition();
  if (mayStop(binding))
    return;
  readCarried(t, binding, nest, carried);
  countNest(t, binding, nest, bodyFirst, body);
  assumeNoWrap(t, binding, nest);
  Dim &outer = binding.loop.dims[0];
  if (condition != NoExpr && outer.trip != NoExpr) {
    outer.trip = binding.loop.exprs.select(condition, outer.trip, binding.loop.word(0));
    outer.nonzero = false;
  }
  dropCertain(binding.loop);
  proveAliases(nest, binding);
  if (several)
    readLiveOutsOfSeveral(t, binding, nest, carried);
  else
    readLiveOuts(t, binding, nest, bodyFirst);
  assumeRings(t, binding, nest);
}

} // namespace memlift
