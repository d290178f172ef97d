// passes.cpp - the places of the passes in GCC's pipeline
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops: after `ldist`, inside the loop pipeline; earlier, GCC's own loop distribution would lose
// loops. Calls: before the `veclower2` that follows the loop pipeline, as functions without loops
// skip everything inside it. That is also before `strlen`, which would learn from calls that are
// about to go.
//
// Instance numbers above 1 do not work from a plugin in GCC 12. So the pass is looked up in the
// pass list and its own static_pass_number is used.
#include "compat.h"
#include "align/builtin.h"
#include "align/trusted.h"
#include "async/async.h"
#include "carry.h"
#include "map.h"
#include "options.h"
#include "passes.h"
#include "unrolled.h"
#include "attributes.h"
#include "write/user.h"

namespace memlift {
namespace {

const pass_data loopsData = {
    GIMPLE_PASS, "memlift_loops", OPTGROUP_LOOP, TV_TREE_LOOP, PROP_cfg | PROP_ssa, 0, 0, 0, 0};
const pass_data callsData = {
    GIMPLE_PASS, "memlift_calls", OPTGROUP_OTHER, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

const pass_data alignedData = {
    GIMPLE_PASS, "memlift_aligned", OPTGROUP_OTHER, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

const pass_data proveData = {
    SIMPLE_IPA_PASS, "memlift_prove", OPTGROUP_IPA, TV_NONE, 0, 0, 0, 0, 0};

class LoopsPass : public gimple_opt_pass {
public:
  explicit LoopsPass(gcc::context *c) : gimple_opt_pass(loopsData, c) {}
  opt_pass *clone() final override { return new LoopsPass(m_ctxt); }
  bool gate(function *) final override { return optimize > 0; }
  unsigned execute(function *) final override { return runLoops(); }
};

class CallsPass : public gimple_opt_pass {
public:
  explicit CallsPass(gcc::context *c) : gimple_opt_pass(callsData, c) {}
  opt_pass *clone() final override { return new CallsPass(m_ctxt); }
  bool gate(function *) final override { return optimize > 0; }
  unsigned execute(function *) final override { return runCalls(); }
};

const pass_data noteData = {
    GIMPLE_PASS, "memlift_note", OPTGROUP_LOOP, TV_TREE_LOOP, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

/// Notes loops before they are unrolled completely; with `last`, reports them.
class NotePass : public gimple_opt_pass {
public:
  NotePass(gcc::context *c, bool last) : gimple_opt_pass(noteData, c), last(last) {}
  opt_pass *clone() final override { return new NotePass(m_ctxt, last); }
  bool gate(function *) final override { return optimize > 0; }
  unsigned execute(function *) final override { return last ? emitUnrolledRemarks() : noteLoops(); }

private:
  bool last;
};

const pass_data unseenData = {
    GIMPLE_PASS, "memlift_unseen", OPTGROUP_LOOP, TV_TREE_LOOP, PROP_cfg, 0, 0, 0, 0};

/// Reports loops that no other pass will see.
class UnseenPass : public gimple_opt_pass {
public:
  explicit UnseenPass(gcc::context *c) : gimple_opt_pass(unseenData, c) {}
  opt_pass *clone() final override { return new UnseenPass(m_ctxt); }
  unsigned execute(function *) final override { return emitUnseenRemarks(); }
};

const pass_data trustData = {
    GIMPLE_PASS, "memlift_trust", OPTGROUP_NONE, TV_TREE_CCP, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

/// Wraps converted pointers for trust-types, while their conversions are visible.
class TrustPass : public gimple_opt_pass {
public:
  explicit TrustPass(gcc::context *c) : gimple_opt_pass(trustData, c) {}
  opt_pass *clone() final override { return new TrustPass(m_ctxt); }
  bool gate(function *) final override { return pluginOptions.trustTypes; }
  unsigned execute(function *) final override { return wrapConverted(); }
};

const pass_data asyncData = {
    GIMPLE_PASS, "memlift_async", OPTGROUP_OTHER, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

/// Begins operations early and ends them late.
class AsyncPass : public gimple_opt_pass {
public:
  explicit AsyncPass(gcc::context *c) : gimple_opt_pass(asyncData, c) {}
  opt_pass *clone() final override { return new AsyncPass(m_ctxt); }
  bool gate(function *) final override { return wantsAsync(); }
  unsigned execute(function *) final override { return runAsync(); }
};

const pass_data userData = {
    GIMPLE_PASS, "memlift_user", OPTGROUP_OTHER, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

/// Refuses accesses that may fault and have no entry.
class UserPass : public gimple_opt_pass {
public:
  explicit UserPass(gcc::context *c) : gimple_opt_pass(userData, c) {}
  opt_pass *clone() final override { return new UserPass(m_ctxt); }
  bool gate(function *f) final override { return hasValue(f->decl, "user") && userTarget(); }
  unsigned execute(function *f) final override {
    if (gimple *stmt = uncovered()) {
      std::string where = std::to_string(LOCATION_LINE(gimple_location(stmt)));
      refuseUncovered(f->decl, ("at line " + where).c_str());
    }
    return 0;
  }
};

/// Folds __builtin_memlift_aligned where it is decided; with `last` everywhere.
class AlignedPass : public gimple_opt_pass {
public:
  AlignedPass(gcc::context *c, bool last) : gimple_opt_pass(alignedData, c), last(last) {}
  opt_pass *clone() final override { return new AlignedPass(m_ctxt, last); }
  bool gate(function *) final override { return asksAligned(); }
  unsigned execute(function *) final override { return foldAligned(last); }

private:
  bool last;
};

/// Proves the alignment of pointers in the whole unit, once all is inlined.
class ProvePass : public simple_ipa_opt_pass {
public:
  explicit ProvePass(gcc::context *c) : simple_ipa_opt_pass(proveData, c) {}
  bool gate(function *) final override { return optimize > 0 && asksAlignment(); }
  unsigned execute(function *) final override {
    proveEverywhere();
    return 0;
  }
};

const pass_data joinedData = {IPA_PASS, "memlift_joined", OPTGROUP_IPA, TV_NONE, 0, 0, 0, 0, 0};

/// Marks and separates functions at the link of LTO, before any inlining across files.
class JoinedPass : public ipa_opt_pass_d {
public:
  explicit JoinedPass(gcc::context *c)
      : ipa_opt_pass_d(joinedData, c, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0,
                       nullptr, nullptr) {}
  bool gate(function *) final override { return in_lto_p; }
  unsigned execute(function *) final override {
    keepOptionsApart();
    markServants();
    return 0;
  }
};

/// Returns the first pass named `name` in the tree of passes that begins with `pass`.
opt_pass *findPass(opt_pass *pass, const char *name) {
  for (; pass; pass = pass->next) {
    if (pass->name && strcmp(pass->name, name) == 0)
      return pass;
    if (opt_pass *inside = findPass(pass->sub, name))
      return inside;
  }
  return nullptr;
}

void place(const char *pluginName, opt_pass *pass, opt_pass *near, pass_positioning_ops op) {
  register_pass_info info;
  info.pass = pass;
  info.reference_pass_name = near->name;
  info.ref_pass_instance_number = near->static_pass_number;
  info.pos_op = op;
  register_callback(pluginName, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
}

/// Returns the first sibling named `name` after the group `group`.
opt_pass *findAfter(opt_pass *group, const char *name) {
  for (opt_pass *p = group ? group->next : nullptr; p; p = p->next)
    if (p->name && strcmp(p->name, name) == 0)
      return p;
  return nullptr;
}

/// Returns the `nth` pass named `name` among those from `pass` on and below them.
opt_pass *nthPass(opt_pass *pass, const char *name, int &nth) {
  for (; pass; pass = pass->next) {
    if (pass->name && strcmp(pass->name, name) == 0 && --nth == 0)
      return pass;
    if (opt_pass *inside = nthPass(pass->sub, name, nth))
      return inside;
  }
  return nullptr;
}

/// Places the folding of __builtin_memlift_aligned. The early fre and the ccp after inlining are
/// followed by a pass that folds decided calls. The last fre before the vectoriser is followed by
/// one that folds all, as is the end, for levels without that fre.
void placeAligned(const char *pluginName) {
  gcc::pass_manager *passes = g->get_passes();
  if (opt_pass *names = findPass(passes->all_small_ipa_passes, "ssa"))
    place(pluginName, new TrustPass(g), names, PASS_POS_INSERT_AFTER);
  int first = 1;
  if (opt_pass *early = nthPass(passes->all_small_ipa_passes, "fre", first))
    place(pluginName, new AlignedPass(g, false), early, PASS_POS_INSERT_AFTER);
  first = 1;
  if (opt_pass *pta = nthPass(passes->all_late_ipa_passes, "pta", first))
    place(pluginName, new ProvePass(g), pta, PASS_POS_INSERT_BEFORE);
  first = 1;
  if (opt_pass *ccp = nthPass(passes->all_passes, "ccp", first))
    place(pluginName, new AlignedPass(g, false), ccp, PASS_POS_INSERT_AFTER);
  if (opt_pass *fre = nthPass(passes->all_passes, "fre", first = 1))
    place(pluginName, new AlignedPass(g, true), fre, PASS_POS_INSERT_AFTER);
  if (opt_pass *lower = findPass(passes->all_passes, "cplxlower0"))
    place(pluginName, new AlignedPass(g, true), lower, PASS_POS_INSERT_BEFORE);
}

} // namespace

bool registerPasses(const char *pluginName) {
  opt_pass *all = g->get_passes()->all_passes;
  opt_pass *regular = g->get_passes()->all_regular_ipa_passes;
  if (findPass(all, loopsData.name))
    return false;
  opt_pass *ldist = findPass(all, "ldist");
  opt_pass *veclower = findAfter(findPass(all, "loop"), "veclower2");
  if (!veclower)
    veclower = findPass(all, "veclower2");
  if (!ldist || !veclower) {
    error("memlift: this GCC has no pass %qs, next to which memlift runs",
          ldist ? "veclower2" : "ldist");
    return false;
  }
  placeAligned(pluginName);
  if (opt_pass *cfg = findPass(g->get_passes()->all_lowering_passes, "cfg"))
    place(pluginName, new UnseenPass(g), cfg, PASS_POS_INSERT_AFTER);
  place(pluginName, new JoinedPass(g), regular, PASS_POS_INSERT_BEFORE);
  if (opt_pass *unroller = findPass(all, "cunrolli")) {
    place(pluginName, new NotePass(g, false), unroller, PASS_POS_INSERT_BEFORE);
    place(pluginName, new NotePass(g, true), unroller, PASS_POS_INSERT_AFTER);
  }
  if (opt_pass *last = findPass(all, "optimized")) {
    place(pluginName, new AsyncPass(g), last, PASS_POS_INSERT_BEFORE);
    place(pluginName, new UserPass(g), last, PASS_POS_INSERT_BEFORE);
  }
  place(pluginName, new LoopsPass(g), ldist, PASS_POS_INSERT_AFTER);
  place(pluginName, new CallsPass(g), veclower, PASS_POS_INSERT_BEFORE);
  return true;
}

} // namespace memlift
