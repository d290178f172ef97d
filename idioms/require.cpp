// require.cpp - checks verdicts against what the source requires
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "require.h"

#include <algorithm>

namespace memlift {
namespace {

constexpr char separator = '\t';

std::vector<std::string> fieldsOf(const std::string &text) {
  std::vector<std::string> fields(1);
  for (char c : text)
    if (c == separator)
      fields.emplace_back();
    else
      fields.back() += c;
  return fields;
}

void addChain(std::vector<std::string> &notes, const std::vector<Fact> &facts) {
  for (const Fact &f : facts) {
    if (f.verdict != Verdict::Failed)
      continue;
    std::string line = f.name + ": need " + f.need + ", have " + f.have;
    if (!f.evidence.empty())
      line += " (" + f.evidence + ")";
    if (f.code != Diag::None)
      line += " [" + codeOf(f.code) + "]";
    notes.push_back(line);
  }
}

/// Returns the chain of reasons: all facts that failed, then what would change the verdict.
std::vector<std::string> chainOf(const Outcome &outcome) {
  std::vector<std::string> notes;
  addChain(notes, outcome.match.facts);
  addChain(notes, outcome.decision.facts);
  for (const std::string &s : outcome.suggestions)
    notes.push_back("suggestion: " + s);
  std::string advice = adviceOf(outcome.decision.code);
  if (outcome.suggestions.empty() && !advice.empty())
    notes.push_back("advice: " + advice);
  return notes;
}

std::string byWhom(const Requirement &r) {
  return r.pragma ? "#pragma memlift require" : "memlift(\"require\")";
}

bool isIdiom(const Requirement &r, const Match &match) {
  if (r.idiom.empty() || r.idiom == nameOf(match.idiom))
    return true;
  for (const Match &one : match.sequence())
    if (r.idiom == nameOf(one.idiom))
      return true;
  return false;
}

} // namespace

std::string encode(const Requirement &r) {
  std::string text = std::to_string(r.line);
  for (const std::string &field :
       {std::to_string(r.col), std::string(r.pragma ? "p" : "a"), r.idiom, r.function, r.file})
    text += separator + field;
  return text;
}

bool decodeRequirement(const std::string &text, Requirement &r) {
  std::vector<std::string> fields = fieldsOf(text);
  auto isNumber = [](const std::string &s) {
    return !s.empty() && s.size() < 10 && s.find_first_not_of("0123456789") == std::string::npos;
  };
  if (fields.size() != 6 || !isNumber(fields[0]) || !isNumber(fields[1]))
    return false;
  r.line = unsigned(std::stoul(fields[0]));
  r.col = unsigned(std::stoul(fields[1]));
  r.pragma = fields[2] == "p";
  r.idiom = fields[3];
  r.function = fields[4];
  r.file = fields[5];
  return true;
}

std::vector<std::string> requirableNames() {
  std::vector<std::string> names;
  const std::string none = nameOf(Idiom::None);
  for (uint8_t i = 1; nameOf(Idiom(i)) != none; ++i)
    names.push_back(nameOf(Idiom(i)));
  return names;
}

bool isRequirable(const std::string &name) {
  std::vector<std::string> names = requirableNames();
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string whyBadPragma(const std::vector<std::string> &words) {
  if (words.empty() || words[0] != "require")
    return "expected 'require', not '" + (words.empty() ? "" : words[0]) + "'";
  if (words.size() > 2)
    return "expected one operation after 'require'";
  if (words.size() == 1 || isRequirable(words[1]))
    return "";
  std::string why = "no operation is named '" + words[1] + "': name one of";
  for (const std::string &name : requirableNames())
    why += " " + name;
  return why;
}

bool breaks(const Requirement &r, const Loop &loop, const Outcome &outcome, bool copy,
            Complaint &complaint) {
  const Decision &d = outcome.decision;
  if (loop.function.off && d.code == Diag::SwitchedOff)
    return false;
  if (d.kind == DecisionKind::Kept) {
    if (copy && d.code == Diag::TooShort)
      return false;
    // The attribute is for loops that memlift may lower without being asked to.
    if (!r.pragma && d.code == Diag::SearchMayBeShort)
      return false;
    complaint.code = Diag::RequiredKept;
    complaint.message =
        toolMessage(complaint.code, {{"by", byWhom(r)},
                                     {"reason", textOf(d.code) + (" [" + codeOf(d.code) + "]")}});
    complaint.notes = chainOf(outcome);
    return true;
  }
  // Only a verdict of memlift has an idiom: loops that the compiler replaced have lost their form.
  if (d.kind == DecisionKind::Already || isIdiom(r, outcome.match))
    return false;
  complaint.code = Diag::RequiredOther;
  complaint.message =
      toolMessage(complaint.code, {{"idiom", r.idiom}, {"have", nameOf(outcome.match.idiom)}});
  complaint.notes = {adviceOf(complaint.code)};
  return true;
}

Complaint withoutVerdict(const Requirement &r, bool present) {
  Complaint c;
  c.code = Diag::RequiredAbsent;
  c.message = toolMessage(
      c.code,
      {{"what", "loop"},
       {"by", byWhom(r)},
       {"reason", present ? "is no candidate: it writes no memory, and computes no value from "
                            "memory that is used after it"
                          : "the compiler deleted it: nothing that it does is used, or it is "
                            "never reached"}});
  c.notes = {adviceOf(c.code)};
  return c;
}

Complaint withoutCandidate(const std::string &function) {
  Complaint c;
  c.code = Diag::RequiredAbsent;
  c.message = toolMessage(c.code, {{"what", "function '" + function + "'"},
                                   {"by", "memlift(\"require\")"},
                                   {"reason", "no loop or call of it is a candidate"}});
  c.notes = {adviceOf(c.code)};
  return c;
}

} // namespace memlift
