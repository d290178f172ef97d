// asyncremark.cpp - describes in words the work that overlaps an operation, and its waits
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "asyncremark.h"

namespace memlift {
namespace {

void fillIn(std::string &text, const char *word, const std::string &with) {
  size_t at = text.find(word);
  if (at != std::string::npos)
    text.replace(at, std::string(word).size(), with);
}

std::string counted(uint64_t n, const char *what) {
  return n ? std::to_string(n) + " " + what + (n == 1 ? "" : "s") : "";
}

/// Describes overlapped work: "2 loops and 1 other operation, worth about 600
/// statements".
std::string companyOf(const AsyncPlan &plan) {
  std::string text = counted(plan.loops, "loop");
  std::string others = counted(plan.others, "other operation");
  if (!others.empty())
    text += (text.empty() ? "" : " and ") + others;
  std::string work = "about " + counted(plan.work, "statement");
  return text.empty() ? work : text + ", " + work + " in all";
}

std::string untilOf(const AsyncWait &wait, const std::function<SourceLoc(FlowPoint)> &locOf) {
  SourceLoc loc = locOf(wait.cause);
  std::string text = textOf(wait.stop);
  return loc.line ? text + " at " + loc.file + ":" + std::to_string(loc.line) : text;
}

} // namespace

/// Builds the remark; each wait is a fact, so that the programmer sees what limits
/// the overlap.
Remark asyncRemark(const AsyncSubject &subject, const AsyncPlan &plan,
                   const std::function<SourceLoc(FlowPoint)> &locOf) {
  Remark r;
  Diag code = plan.worthIt ? Diag::AsyncBegun : Diag::AsyncAlone;
  r.kind = plan.worthIt ? RemarkKind::Passed : RemarkKind::Missed;
  r.name = nameOf(code);
  r.loc = subject.loc;
  r.function = subject.function;
  r.message = plan.worthIt ? textOf(code)
                           : "call of {symbol} is not begun early: " + std::string(textOf(code)) +
                                 " until {until}";
  std::string until;
  for (const AsyncWait &w : plan.waits)
    if (std::string text = untilOf(w, locOf); until.find(text) == std::string::npos)
      until += (until.empty() ? "" : "; or until ") + text;
  fillIn(r.message, "{symbol}", subject.symbol);
  fillIn(r.message, "{company}", companyOf(plan));
  fillIn(r.message, "{until}", until.empty() ? "the program ends" : until);
  r.message += " [" + codeOf(code) + "]";
  r.args = {{"Idiom", nameOf(subject.idiom)},
            {"Decision", plan.worthIt ? "offloaded" : "kept"},
            {"Code", codeOf(code)},
            {"LoopId", subject.id}};
  for (const AsyncWait &w : plan.waits) {
    bool good = plan.worthIt;
    r.args.push_back({"Fact", "waited for"});
    r.args.push_back({"Verdict", nameOf(good ? Verdict::Proved : Verdict::Failed)});
    if (!good)
      r.args.push_back({"Code", codeOf(code)});
    r.args.push_back({"Need", "as late as possible: before its memory is used"});
    r.args.push_back({"Have", untilOf(w, locOf)});
  }
  return r;
}

} // namespace memlift
