// search.cpp - reads a loop that ends at what it reads: its counted exits, its loads and tests
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (; n && *p != c; p++, n--) ;      header: if (n == 0) leave      counted: n iterations
//                                         body:   if (*p == c) leave     a test of what is read
//
// The exits that have a count give the trip count: for how many iterations the loop is not left at
// any of them. The others become conditions over loads. The writer enters the loop at a later
// iteration. So PHIs of the header are counters, or have what the last iteration loaded, which is
// loaded again then. Those that nothing in the loop uses are computed anew in one more iteration.
// Any others are recurrences.
#include "search.h"
#include "../prove/prove.h"
#include "trip.h"

namespace memlift {
namespace {

constexpr unsigned maxSearchExits = 16, maxSearchBlocks = 24, maxSearchLinks = 12;

/// Returns whether a load of the loop is among the operands of `t`, directly or not.
bool hangsOnLoad(class loop *loop, tree t, unsigned links) {
  gphi *phi = TREE_CODE(t) == SSA_NAME ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(t)) : nullptr;
  if (phi && gimple_bb(phi) == loop->header) { // what the last iteration has loaded
    t = PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop));
    links = 0;
  }
  gassign *def = TREE_CODE(t) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(t)) : nullptr;
  if (!def || !flow_bb_inside_loop_p(loop, gimple_bb(def)))
    return false;
  if (gimple_assign_load_p(def))
    return true;
  tree use;
  ssa_op_iter it;
  FOR_EACH_SSA_TREE_OPERAND(use, def, it, SSA_OP_USE)
  if (links && hangsOnLoad(loop, use, links - 1))
    return true;
  return false;
}

/// Returns whether the test at the end of the block depends on a load.
bool testsLoad(class loop *loop, basic_block bb) {
  gimple *last = last_stmt(bb);
  if (gcond *cond = safe_dyn_cast<gcond *>(last))
    return hangsOnLoad(loop, gimple_cond_lhs(cond), maxSearchLinks) ||
           hangsOnLoad(loop, gimple_cond_rhs(cond), maxSearchLinks);
  gswitch *choice = safe_dyn_cast<gswitch *>(last);
  return choice && hangsOnLoad(loop, gimple_switch_index(choice), maxSearchLinks);
}

/// Returns whether the statement does nothing but a volatile load, for which the loop is kept.
bool isVolatileLoad(gimple *stmt) {
  return gimple_assign_load_p(stmt) && gimple_has_volatile_ops(stmt) && !gimple_store_p(stmt);
}

/// Returns whether the loop's statements only load, store and compute.
bool hasPlainAccesses(class loop *loop) {
  basic_block *body = get_loop_body(loop);
  bool only = true;
  for (unsigned i = 0; only && i < loop->num_nodes; ++i)
    for (gimple_stmt_iterator gsi = gsi_start_bb(body[i]); only && !gsi_end_p(gsi);
         gsi_next(&gsi)) {
      gimple *stmt = gsi_stmt(gsi);
      only = is_gimple_debug(stmt) ||
             (((!gimple_vdef(stmt) && !gimple_has_side_effects(stmt)) || isVolatileLoad(stmt) ||
               (gimple_store_p(stmt) && !gimple_has_side_effects(stmt))) &&
              !stmt_could_throw_p(cfun, stmt) && gimple_code(stmt) != GIMPLE_ASM &&
              (!is_gimple_call(stmt) || !gimple_vuse(stmt)));
    }
  free(body);
  return only;
}

class SearchReader {
public:
  SearchReader(class loop *loop, LoopBinding &binding, const Nest &nest)
      : loop(loop), binding(binding), nest(nest), g(binding.loop.exprs), t(binding, &nest) {}
  bool read();

private:
  bool findExits();
  bool readPhis();
  bool isLoaded(gphi *phi);
  bool isPassedOn(gphi *phi) const;
  bool isCarried(gphi *phi);
  bool readTrip();
  ExprId leaves(basic_block exiting);
  ExprId chosen(gswitch *choice);
  ExprId named(gswitch *choice, bool inside);
  uint32_t accessesBefore(basic_block exiting) const;

  class loop *loop;
  LoopBinding &binding;
  const Nest &nest;
  ExprGraph &g;
  Translator t;
  std::vector<basic_block> tested;
  std::vector<edge> counted;
};

bool SearchReader::findExits() {
  for (edge e : get_loop_exit_edges(loop)) {
    if (e->flags & EDGE_COMPLEX || !dominated_by_p(CDI_DOMINATORS, loop->latch, e->src))
      return false;
    if (!testsLoad(loop, e->src))
      counted.push_back(e);
    else if (std::find(tested.begin(), tested.end(), e->src) == tested.end())
      tested.push_back(e->src);
  }
  // All dominate the latch, so of any two one dominates the other.
  std::sort(tested.begin(), tested.end(), [](basic_block a, basic_block b) {
    return a != b && dominated_by_p(CDI_DOMINATORS, b, a);
  });
  return !tested.empty();
}

/// Returns the virtual operand with which the loop is entered; null if it stores nothing.
tree enteredWith(class loop *loop) {
  for (gphi_iterator psi = gsi_start_phis(loop->header); !gsi_end_p(psi); gsi_next(&psi))
    if (virtual_operand_p(gimple_phi_result(psi.phi())))
      return PHI_ARG_DEF_FROM_EDGE(psi.phi(), loop_preheader_edge(loop));
  return NULL_TREE;
}

/// Declares a recurrence, whose next value is read after the body.
bool SearchReader::isCarried(gphi *phi) {
  tree name = gimple_phi_result(phi), type = TREE_TYPE(name);
  if (!INTEGRAL_TYPE_P(type) || !isNumber(type) || TYPE_PRECISION(type) > 64)
    return false;
  ExprId init = t.value(PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(loop)));
  if (init == NoExpr || !g.isInvariant(init))
    return false;
  size_t index = binding.loop.recs.size();
  unsigned width = TYPE_PRECISION(type);
  t.noteValue(name, g.leaf(Op::Rec, index, width));
  binding.loop.recs.push_back({"r" + std::to_string(index), width, init, NoExpr});
  binding.carried.push_back(name);
  return true;
}

/// Reads c of `for (c = *p; c != x; c = *++p)` as a load that runs one element behind. Nothing is
/// written between the first load and the loop if that is entered with the operand that it uses.
bool SearchReader::isLoaded(gphi *phi) {
  auto load = [&](edge e) -> gassign * {
    tree t = PHI_ARG_DEF_FROM_EDGE(phi, e);
    gassign *def = TREE_CODE(t) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(t)) : nullptr;
    return def && gimple_assign_load_p(def) && !gimple_has_volatile_ops(def) ? def : nullptr;
  };
  gassign *again = load(loop_latch_edge(loop)), *first = load(loop_preheader_edge(loop));
  tree entered = enteredWith(loop);
  if (!again || !first || gimple_vuse(first) != (entered ? entered : gimple_vuse(again)) ||
      !flow_bb_inside_loop_p(loop, gimple_bb(again)) ||
      !dominated_by_p(CDI_DOMINATORS, loop->latch, gimple_bb(again)) ||
      !INTEGRAL_TYPE_P(TREE_TYPE(gimple_phi_result(phi))))
    return false;
  tree ref = gimple_assign_rhs1(again), size = TYPE_SIZE_UNIT(TREE_TYPE(ref));
  bool bitsLeft = false;
  Affine where = t.address(ref, bitsLeft), before = t.address(gimple_assign_rhs1(first), bitsLeft);
  if (bitsLeft || !where.ok || !before.ok || where.base != before.base || where.step.size() != 1 ||
      !tree_fits_uhwi_p(size) || TYPE_PRECISION(TREE_TYPE(ref)) != 8 * tree_to_uhwi(size))
    return false;
  Access a;
  a.base = uint32_t(where.base);
  a.offset = g.sub(where.inv, where.step[0]);
  a.step = where.step;
  a.bytes = binding.loop.word(tree_to_uhwi(size));
  a.loc = sourceLoc(gimple_location(again));
  int64_t apart;
  if (!g.constantDifference(a.offset, before.inv, apart) || apart)
    return false;
  uint32_t index = uint32_t(binding.loop.accesses.size());
  binding.loop.accesses.push_back(a);
  binding.refs.push_back(ref);
  binding.accessBlocks.push_back(loop->header);
  binding.loaded.push_back({phi, index});
  t.noteLoad(gimple_phi_result(phi), index);
  return true;
}

/// Returns whether only code after the loop uses the PHI.
bool SearchReader::isPassedOn(gphi *phi) const {
  std::vector<tree> list = {gimple_phi_result(phi)};
  for (size_t i = 0; i < list.size() && list.size() < maxSearchLinks; ++i) {
    imm_use_iterator it;
    use_operand_p use;
    FOR_EACH_IMM_USE_FAST(use, it, list[i]) {
      gimple *user = USE_STMT(use);
      if (is_gimple_debug(user) || !flow_bb_inside_loop_p(loop, gimple_bb(user)))
        continue;
      bool header = gimple_code(user) == GIMPLE_PHI && gimple_bb(user) == loop->header;
      tree result = gimple_code(user) == GIMPLE_PHI ? gimple_phi_result(user)
                    : is_gimple_assign(user)        ? gimple_assign_lhs(user)
                                                    : NULL_TREE;
      if (header || !result || TREE_CODE(result) != SSA_NAME || gimple_vuse(user))
        return false;
      list.push_back(result);
    }
  }
  return list.size() < maxSearchLinks;
}

/// Reads the PHIs of the header: counters, bytes that were loaded before, values for later code,
/// and all others as recurrences.
bool SearchReader::readPhis() {
  for (gphi_iterator psi = gsi_start_phis(loop->header); !gsi_end_p(psi); gsi_next(&psi)) {
    tree name = gimple_phi_result(psi.phi());
    ExprId start;
    int64_t by;
    if (virtual_operand_p(name))
      continue;
    if (SSA_NAME_OCCURS_IN_ABNORMAL_PHI(name))
      return false;
    if (t.counter(name, start, by))
      binding.steps.push_back({psi.phi(), by});
    else if (isPassedOn(psi.phi()))
      binding.loop.carriesOver = true;
    else if (!isLoaded(psi.phi()) && !isCarried(psi.phi()))
      return false;
  }
  return true;
}

bool SearchReader::readTrip() {
  Dim dim;
  t.at(loop_preheader_edge(loop));
  for (edge e : counted) {
    Count count = countExit(t, binding, loop, e);
    if (!count.known || count.assumption != NoExpr)
      return false;
    ExprId latch = count.zero == NoExpr ? count.latch
                                        : g.select(count.zero, binding.loop.word(0), count.latch);
    dim.trip =
        dim.trip == NoExpr ? latch : g.select(g.binary(Op::ULt, latch, dim.trip), latch, dim.trip);
    if (count.max && (!dim.maxTrip || count.max < dim.maxTrip))
      dim.maxTrip = count.max;
  }
  if (counted.empty())
    dim.trip = binding.loop.word(~uint64_t(0));
  binding.loop.dims.push_back(dim);
  return true;
}

/// Returns whether the index of a switch is one whose label leads inside the loop, or outside.
ExprId SearchReader::named(gswitch *choice, bool inside) {
  ExprId value = t.value(gimple_switch_index(choice)), any = g.constant(0, 1);
  if (value == NoExpr || g.width(value) > 64)
    return NoExpr;
  unsigned width = g.width(value);
  for (unsigned i = 1; i < gimple_switch_num_labels(choice); ++i) {
    tree label = gimple_switch_label(choice, i);
    basic_block to = label_to_block(cfun, CASE_LABEL(label));
    if (flow_bb_inside_loop_p(loop, to) != inside)
      continue;
    uint64_t low = uint64_t(wi::to_widest(CASE_LOW(label)).to_shwi());
    tree end = CASE_HIGH(label) ? CASE_HIGH(label) : CASE_LOW(label);
    uint64_t more = uint64_t(wi::to_widest(end).to_shwi()) - low;
    ExprId from = g.constant(low, width);
    ExprId one = more ? g.binary(Op::ULe, g.sub(value, from), g.constant(more, width))
                      : g.binary(Op::Eq, value, from);
    any = g.isConst(any, 0) ? one : g.binary(Op::Or, any, one);
  }
  return any;
}

ExprId SearchReader::chosen(gswitch *choice) {
  tree others = CASE_LABEL(gimple_switch_default_label(choice));
  bool leave = !flow_bb_inside_loop_p(loop, label_to_block(cfun, others));
  ExprId any = named(choice, leave);
  return any != NoExpr && leave ? g.binary(Op::Xor, any, g.constant(1, 1)) : any;
}

ExprId SearchReader::leaves(basic_block exiting) {
  gimple *last = last_stmt(exiting);
  if (gswitch *choice = dyn_cast<gswitch *>(last))
    return chosen(choice);
  gcond *cond = as_a<gcond *>(last);
  ExprId c = t.compare(gimple_cond_code(cond), gimple_cond_lhs(cond), gimple_cond_rhs(cond));
  edge yes = EDGE_SUCC(exiting, EDGE_SUCC(exiting, 0)->flags & EDGE_TRUE_VALUE ? 0 : 1);
  bool stays = flow_bb_inside_loop_p(loop, yes->dest);
  return c != NoExpr && stays ? g.binary(Op::Xor, c, g.constant(1, 1)) : c;
}

/// Accesses stand in dominance order, so those before a test come first.
uint32_t SearchReader::accessesBefore(basic_block exiting) const {
  uint32_t count = 0;
  for (uint32_t i = 0; i < binding.accessBlocks.size(); ++i)
    if (dominated_by_p(CDI_DOMINATORS, exiting, binding.accessBlocks[i]))
      count = i + 1;
  return count;
}

bool SearchReader::read() {
  if (!findExits())
    return false;
  t.at(loop_preheader_edge(loop));
  if (!readPhis())
    return false;
  readBody(t, binding, nest);
  if (!t.counters.empty() || !readTrip()) // an index may wrap
    return false;
  t.at(loop->header);
  for (size_t i = 0; i < binding.carried.size(); ++i) {
    gphi *phi = as_a<gphi *>(SSA_NAME_DEF_STMT(binding.carried[i]));
    Recurrence &rec = binding.loop.recs[i];
    rec.next = t.value(PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop)));
    if (rec.next == NoExpr || g.width(rec.next) != rec.width)
      rec.next = g.opaque(rec.width);
  }
  for (basic_block bb : tested) {
    t.at(bb);
    ExprId condition = leaves(bb);
    if (condition == NoExpr)
      return false;
    binding.loop.dataExits.push_back({condition, accessesBefore(bb)});
  }
  proveAliases(nest, binding);
  return true;
}

} // namespace

bool maySearch(class loop *loop) {
  if (loop->inner || !loop->latch || loop->num_nodes > maxSearchBlocks || loop->simduid ||
      loop->header->flags & BB_IRREDUCIBLE_LOOP)
    return false;
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  if (exits.length() > maxSearchExits)
    return false;
  bool tests = false;
  for (edge e : exits)
    tests |= testsLoad(loop, e->src);
  return tests && hasPlainAccesses(loop);
}

bool readSearch(const Nest &nest, LoopBinding &binding) {
  class loop *loop = nest.inner();
  if (!maySearch(loop))
    return false;
  beginBinding(binding, Origin::Loop, loopLocation(loop), loop->header);
  binding.loop.profiled = profiledIterations(nest, binding.hotness);
  readOverflow(nest, binding);
  return SearchReader(loop, binding, nest).read();
}

} // namespace memlift
