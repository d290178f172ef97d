// report.cpp - sends a verdict to each place that the user asked for
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat.h"
#include "options.h"
#include "report.h"

namespace memlift {

bool remarksEnabled() {
  return pluginOptions.printLoops || !pluginOptions.remarks.empty() || dump_enabled_p() ||
         pluginOptions.judge.verifyTrials;
}

void printModel(const LoopBinding &binding, const Outcome &outcome) {
  if (!pluginOptions.printLoops && outcome.decision.code != Diag::ClaimRefuted)
    return;
  std::string text = print(binding.loop);
  text += std::string("; ") + nameOf(outcome.match.idiom) + " " + nameOf(outcome.decision.kind) +
          " " + codeOf(outcome.decision.code);
  for (Diag code : failedCodes(outcome.match.facts))
    if (code != outcome.decision.code)
      text += " " + codeOf(code);
  fprintf(stderr, "%s\n", text.c_str());
}

static void dump(const Remark &remark, location_t at) {
  if (!dump_enabled_p())
    return;
  dump_flags_t kind = remark.kind == RemarkKind::Passed   ? MSG_OPTIMIZED_LOCATIONS
                      : remark.kind == RemarkKind::Missed ? MSG_MISSED_OPTIMIZATION
                                                          : MSG_NOTE;
  dump_user_location_t where = dump_user_location_t::from_location_t(at);
  dump_printf_loc(kind, where, "memlift: %s\n", remark.message.c_str());
}

void report(const LoopBinding &binding, const Outcome &outcome) {
  if (pluginOptions.judge.quiet)
    return;
  Remark remark = makeRemark(binding.loop, outcome);
  remark.hotness = binding.hotness;
  report(remark, binding.where);
}

void report(const Remark &remark, location_t where) {
  if (pluginOptions.judge.quiet)
    return;
  dump(remark, where);
  if (pluginOptions.remarks.empty())
    return;
  std::string problem = appendToFile(pluginOptions.remarks, toYaml(remark));
  static bool told = false;
  if (problem.empty() || told)
    return;
  told = true;
  error("memlift: %s [%s]", problem.c_str(), codeOf(Diag::RemarksUnwritable).c_str());
}

} // namespace memlift
