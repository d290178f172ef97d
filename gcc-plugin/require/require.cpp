// require.cpp - follows the verdicts on loops that must be lowered, and complains
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../compat.h"

#include "../attributes.h"
#include "../options.h"
#include "require.h"

namespace memlift {
namespace {

/// RequireState of the function that the passes are at. The decl is compared only, never followed.
struct RequireState {
  tree function = NULL_TREE;
  bool any = false;                         // some verdict, of a loop or of a call
  std::set<size_t> settled, present;        // indices of required loops
  std::map<int, std::set<size_t>> unrolled; // by the number of a loop that may be unrolled
  std::map<class loop *, std::set<size_t>> byLoop;
  std::set<size_t> current; // of the loop that is being judged
  bool loop = false;        // a loop is being judged
  std::set<std::pair<size_t, location_t>> told;
};

RequireState &requireState() {
  static RequireState s;
  if (s.function != current_function_decl)
    s = RequireState();
  s.function = current_function_decl;
  return s;
}

bool isOwn(const RequiredLoop &loop) {
  return loop.requirement.function == assemblerName(current_function_decl);
}

/// Adds the required loops that the location lies in: of those without a pragma, the innermost.
void addAround(location_t at, std::set<size_t> &found) {
  const std::vector<RequiredLoop> &all = requiredLoops();
  if (LOCATION_LOCUS(at) <= BUILTINS_LOCATION)
    return;
  expanded_location x = expand_location(at);
  Position p = {unsigned(x.line), unsigned(x.column)};
  size_t inner = all.size();
  Position latest;
  for (size_t i = 0; i < all.size(); ++i) {
    const Requirement &r = all[i].requirement;
    Position first = {r.line, r.col};
    if (!x.file || r.file != x.file || p < first || all[i].last < p)
      continue;
    if (r.pragma)
      found.insert(i);
    else if (!(first < latest) || inner == all.size()) {
      // Instantiations of one template share their places: each is its own function's.
      if (inner != all.size() && !(latest < first) && !isOwn(all[i]))
        continue;
      inner = i;
      latest = first;
    }
  }
  if (inner != all.size())
    found.insert(inner);
}

/// The required loops that got into the control flow graph: the front end drops those in if (0).
std::set<size_t> &reachedLoops() {
  static std::set<size_t> indices;
  return indices;
}

/// Drops instantiations of the same loop in other functions, where there is one of this function.
void dropTwins(std::set<size_t> &found) {
  const std::vector<RequiredLoop> &all = requiredLoops();
  std::set<size_t> kept;
  for (size_t i : found) {
    auto isTwin = [&](size_t j) {
      const Requirement &a = all[i].requirement, &b = all[j].requirement;
      return i != j && a.line == b.line && a.col == b.col && a.file == b.file &&
             (isOwn(all[j]) || (j < i && !isOwn(all[i])));
    };
    if (std::none_of(found.begin(), found.end(), isTwin))
      kept.insert(i);
  }
  found = kept;
}

std::set<size_t> requiredFor(class loop *loop) {
  std::set<size_t> found;
  if (requiredLoops().empty())
    return found;
  std::set<location_t> places;
  basic_block *body = get_loop_body(loop);
  for (unsigned i = 0; i < loop->num_nodes; ++i)
    for (gimple_stmt_iterator gsi = gsi_start_bb(body[i]); !gsi_end_p(gsi); gsi_next(&gsi))
      if (!is_gimple_debug(gsi_stmt(gsi)))
        places.insert(gimple_location(gsi_stmt(gsi)));
  free(body);
  for (location_t at : places)
    addAround(at, found);
  dropTwins(found);
  return found;
}

void complainRequired(const RequiredLoop *loop, location_t where, const Complaint &complaint) {
  if (pluginOptions.require == "off")
    return;
  location_t at = loop && loop->at != UNKNOWN_LOCATION ? loop->at : where;
  bool told = true;
  if (pluginOptions.require == "warn")
    told = warning_at(at, 0, "%s [%s]", complaint.message.c_str(), codeOf(complaint.code).c_str());
  else
    error_at(at, "%s [%s]", complaint.message.c_str(), codeOf(complaint.code).c_str());
  for (const std::string &note : complaint.notes)
    if (told)
      inform(at, "%s", note.c_str());
}

} // namespace

void noteRequired(bool after) {
  if (!anyRequired())
    return;
  RequireState &s = requireState();
  if (!after) {
    for (auto loop : loops_list(cfun, 0))
      s.unrolled[loop->num] = requiredFor(loop);
    return;
  }
  for (const auto &[number, required] : s.unrolled) {
    class loop *loop = loops_for_fn(cfun) ? get_loop(cfun, unsigned(number)) : nullptr;
    if (!loop || !loop->header || !loop->latch || !find_edge(loop->latch, loop->header))
      s.settled.insert(required.begin(), required.end());
  }
  s.unrolled.clear();
}

void noteReached() {
  if (requiredLoops().empty())
    return;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
    addAround(gimple_location(gsi_stmt(gsi)), reachedLoops());
}

void notePresent() {
  if (requiredLoops().empty())
    return;
  requireFor(nullptr);
  for (auto loop : loops_list(cfun, 0)) {
    std::set<size_t> found = requiredFor(loop);
    requireState().present.insert(found.begin(), found.end());
    requireState().byLoop[loop] = std::move(found);
  }
}

void settleJoined(const std::set<class loop *> &joined) {
  RequireState &s = requireState();
  for (const auto &[loop, found] : s.byLoop)
    if (joined.count(loop))
      s.settled.insert(found.begin(), found.end());
  s.byLoop.clear();
}

void requireFor(class loop *loop) {
  if (!anyRequired())
    return;
  RequireState &s = requireState();
  s.loop = loop != nullptr;
  s.current = loop ? requiredFor(loop) : std::set<size_t>();
}

void requireJudged(const LoopBinding &binding, const Outcome &outcome) {
  if (!anyRequired())
    return;
  RequireState &s = requireState();
  s.any = true;
  std::set<size_t> about = s.current;
  if (!s.loop) {
    addAround(binding.where, about);
    dropTwins(about);
  }
  for (size_t i : about) {
    const RequiredLoop &loop = requiredLoops()[i];
    s.settled.insert(i);
    // A call inside a loop that has its own verdict is no loop.
    if (!s.loop && outcome.decision.kind == DecisionKind::Kept)
      continue;
    Complaint complaint;
    if (breaks(loop.requirement, binding.loop, outcome, !isOwn(loop), complaint) &&
        s.told.insert({i, binding.where}).second)
      complainRequired(&loop, binding.where, complaint);
  }
}

void finishRequired() {
  if (!anyRequired())
    return;
  RequireState &s = requireState();
  const std::vector<RequiredLoop> &all = requiredLoops();
  bool own = false;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!isOwn(all[i]) || s.settled.count(i) || !all[i].requirement.pragma ||
        !(s.present.count(i) || reachedLoops().count(i)))
      continue;
    own = true;
    complainRequired(&all[i], DECL_SOURCE_LOCATION(current_function_decl),
                     withoutVerdict(all[i].requirement, s.present.count(i) != 0));
  }
  if (hasValue(current_function_decl, "require") && !s.any && s.settled.empty() && !own)
    complainRequired(nullptr, DECL_SOURCE_LOCATION(current_function_decl),
                     withoutCandidate(assemblerName(current_function_decl)));
  s = RequireState();
}

} // namespace memlift
