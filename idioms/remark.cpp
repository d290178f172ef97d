// remark.cpp - a verdict as a remark: message, fixed keys, YAML
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "remark.h"
#include "decide/group.h"
#include "decide/suggest.h"
#include "source_text.h"
#include "verify.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace memlift {

static void replaceAll(std::string &s, const std::string &what, const std::string &with) {
  for (size_t at = 0; (at = s.find(what, at)) != std::string::npos; at += with.size())
    s.replace(at, what.size(), with);
}

/// Returns the C library's name for a call or an assignment.
static const char *originOf(const Loop &loop, const Match &match) {
  if (loop.origin == Origin::Assignment)
    return "an aggregate assignment";
  if (match.idiom == Idiom::Fill || loop.accesses.size() == 1)
    return "memset";
  if (match.idiom == Idiom::None)
    return loop.aliases.empty() ? "memmove" : "memcpy";
  return match.idiom == Idiom::Move ? "memmove" : "memcpy";
}

static std::string bytesText(const Loop &loop, const Match &match) {
  if (!match.ok)
    return "";
  std::vector<std::string> sizes;
  std::string all;
  for (const Match &one : match.sequence().empty() ? std::vector<Match>{match} : match.sequence())
    sizes.push_back(loop.exprs.isConst(one.bytes) ? std::to_string(loop.exprs[one.bytes].value)
                                                  : sourceText(loop, one.bytes));
  for (size_t i = 0; i < sizes.size(); ++i)
    if (std::find(sizes.begin(), sizes.begin() + long(i), sizes[i]) == sizes.begin() + long(i))
      all += (i ? " and " : "") + sizes[i];
  return all;
}

/// Lists all routines that are called, each once.
static std::string calledSymbols(const Decision &d) {
  std::vector<std::string> names;
  for (const ReturningCall &c : d.calls)
    names.push_back(calleeOf(c));
  if (d.routine != Routine::None)
    names.push_back(calleeOf(d));
  for (const Decision &one : d.sequence)
    names.push_back(one.routine != Routine::None ? calleeOf(one) : "inline words");
  std::string all;
  for (size_t i = 0; i < names.size(); ++i)
    if (std::find(names.begin(), names.begin() + long(i), names[i]) == names.begin() + long(i))
      all += (i ? " and " : "") + names[i];
  return all;
}

static std::string messageOf(const Loop &loop, const Match &match, const Decision &d) {
  std::string text = textOf(d.code);
  if (text.empty())
    text = nameOf(d.code);
  std::string symbol = d.routine == Routine::None ? originOf(loop, match) : calleeOf(d);
  if (!d.calls.empty() || !d.sequence.empty()) // also if a word is stored after them
    symbol = calledSymbols(d);
  else if (!d.words.empty() || d.wordLoop.iterations)
    symbol = "inline words";
  if (loop.origin == Origin::Assignment) // it is no call
    replaceAll(text, "call of {callee}", "{callee}");
  if (loop.origin == Origin::Assignment && d.code == Diag::Already)
    replaceAll(text, "a call of {symbol}", "{symbol}");
  replaceAll(text, "{symbol}", symbol);
  replaceAll(text, "{shape}", d.shape);
  replaceAll(text, "{callee}", originOf(loop, match));
  replaceAll(text, "{bytes}", bytesText(loop, match));
  if (d.kind != DecisionKind::Kept)
    return text + " [" + codeOf(d.code) + "]";
  std::string what = match.idiom == Idiom::None ? "" : nameOf(match.idiom);
  std::string message = loop.origin != Origin::Loop ? "call kept: "
                        : what.empty()              ? "loop kept: "
                                                    : what + " loop kept: ";
  message += text + " [" + codeOf(d.code) + "]";
  std::vector<Diag> codes = failedCodes(match.facts);
  for (Diag more : failedCodes(d.facts))
    codes.push_back(more);
  if (codes.size() > 1) {
    message += "; also";
    for (Diag c : codes)
      if (c != d.code)
        message += " " + codeOf(c);
  }
  return message;
}

static RemarkKind kindOf(const Match &match, const Decision &d) {
  switch (d.kind) {
  case DecisionKind::Already: return RemarkKind::Analysis;
  case DecisionKind::Kept:
    return match.idiom == Idiom::None ? RemarkKind::Analysis : RemarkKind::Missed;
  default: return RemarkKind::Passed;
  }
}

static void addFacts(Remark &r, const std::vector<Fact> &facts) {
  for (const Fact &f : facts) {
    r.args.push_back({"Fact", f.name});
    r.args.push_back({"Verdict", nameOf(f.verdict)});
    if (f.code != Diag::None)
      r.args.push_back({"Code", codeOf(f.code)});
    r.args.push_back({"Need", f.need});
    r.args.push_back({"Have", f.have});
    if (!f.evidence.empty())
      r.args.push_back({"Evidence", f.evidence});
  }
}

/// Adds the keys by which calls are counted. For a call that may not be touched, only
/// its presence is known.
static void describeCall(Remark &r, const Loop &loop, const Match &match, const Decision &d) {
  bool assigns = loop.origin == Origin::Assignment;
  r.args.push_back({"Operation", assigns ? "assignment" : originOf(loop, match)});
  if (!match.ok)
    return;
  r.args.push_back({"Bytes", loop.exprs.isConst(match.bytes)
                                 ? std::to_string(loop.exprs[match.bytes].value)
                                 : "unknown"});
  r.args.push_back({"DestinationAlign", std::to_string(match.dstAlign)});
  if (match.src != NoExpr)
    r.args.push_back({"SourceAlign", std::to_string(match.srcAlign)});
  r.args.push_back({"Words", d.kind == DecisionKind::Inlined ? "memlift"
                             : d.compilersWords              ? "compiler"
                                                : "none"}); // "no" would be a boolean of YAML
}

/// Adds the expected gain, and the iterations that it is for.
static void addGain(Remark &r, const Gain &gain) {
  if (gain.cycles) {
    r.args.push_back({"GainCycles", std::to_string(gain.cycles)});
    r.args.push_back({"Iterations", std::to_string(gain.iterations)});
  }
  if (!gain.model.empty())
    r.args.push_back({"GainModel", gain.model});
}

Remark makeRemark(const Loop &loop, const Outcome &outcome) {
  const Match &match = outcome.match;
  const Decision &d = outcome.decision;
  Remark r;
  r.kind = kindOf(match, d);
  r.name = nameOf(d.code);
  r.message = messageOf(loop, match, d);
  r.loc = loop.loc;
  r.function = loop.function.name;
  r.args = {{"Idiom", nameOf(match.idiom)},
            {"Decision", nameOf(d.kind)},
            {"Code", codeOf(d.code)},
            {"LoopId", loop.id}};
  if (loop.origin != Origin::Loop)
    describeCall(r, loop, match, d);
  addFacts(r, match.facts);
  addFacts(r, d.facts);
  for (const std::string &s : outcome.suggestions)
    r.args.push_back({"Suggestion", s});
  addGain(r, outcome.gain);
  return r;
}

void renameLoop(Remark &remark, const std::string &id) {
  for (RemarkArg &arg : remark.args)
    if (arg.key == "LoopId")
      arg.value = id;
}

/// Writes a YAML single-quoted scalar: only the quote itself is special in it.
static std::string scalar(const std::string &s) {
  std::string r = "'";
  for (char c : s) {
    if (c == '\'')
      r += '\'';
    r += (unsigned char)c < 0x20 ? ' ' : c;
  }
  return r + "'";
}

std::string toYaml(const Remark &remark) {
  static const char *const tags[] = {"!Passed", "!Missed", "!Analysis"};
  std::string y = std::string("--- ") + tags[unsigned(remark.kind)] + "\n";
  y += "Pass:            memlift\n";
  y += "Name:            " + remark.name + "\n";
  if (remark.loc.line)
    y += "DebugLoc:        { File: " + scalar(remark.loc.file) +
         ", Line: " + std::to_string(remark.loc.line) +
         ", Column: " + std::to_string(remark.loc.col) + " }\n";
  y += "Function:        " + scalar(remark.function) + "\n";
  if (remark.hotness >= 0)
    y += "Hotness:         " + std::to_string(remark.hotness) + "\n";
  y += "Args:\n  - String:          " + scalar(remark.message) + "\n";
  for (const RemarkArg &a : remark.args) {
    std::string key = "  - " + a.key + ":";
    key.resize(key.size() < 21 ? 21 : key.size() + 1, ' ');
    y += key + scalar(a.value) + "\n";
  }
  return y + "...\n";
}

std::string appendToFile(const std::string &path, const std::string &text) {
  int fd = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0)
    return "cannot write remarks to '" + path + "': " + std::strerror(errno);
  std::string problem;
  ssize_t written = write(fd, text.data(), text.size());
  if (written < 0 || size_t(written) != text.size())
    problem = "cannot write remarks to '" + path +
              "': " + (written < 0 ? std::strerror(errno) : "the disk is full");
  close(fd);
  return problem;
}

} // namespace memlift
