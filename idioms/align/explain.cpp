// explain.cpp - explains in words where an alignment comes from, or what prevents it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explain.h"

#include <set>

namespace memlift {

using Kind = AlignEvidence::Kind;

static std::string at(const std::string &where) { return where.empty() ? "" : " at " + where; }

static std::string orElse(const std::string &name, const char *other) {
  return name.empty() ? other : name;
}

static std::string used(const AlignEvidence &g) {
  switch (g.kind) {
  case Kind::Object: return "declaration of " + orElse(g.name, "a variable");
  case Kind::Argument: return "what is known of " + orElse(g.name, "an argument");
  case Kind::Callers: return "all callers pass " + orElse(g.name, "an argument") + " so";
  case Kind::Returned: return "all that " + orElse(g.name, "the function") + " returns";
  case Kind::Stored: return "all that " + orElse(g.name, "the variable") + " is ever set to";
  case Kind::Result: return "result of " + orElse(g.name, "a call") + at(g.where);
  case Kind::Loaded: return "declaration of what is loaded" + at(g.where);
  case Kind::Test: return "test" + at(g.where);
  case Kind::Assumption: return "assumption" + at(g.where);
  case Kind::Steps: return "steps of the loop" + at(g.where);
  case Kind::Other: return "value computed" + at(g.where);
  }
  return "";
}

static std::string broken(const AlignEvidence &g) {
  std::string put = orElse(g.put, "another pointer");
  switch (g.kind) {
  case Kind::Object: return "declaration of " + orElse(g.name, "a variable");
  case Kind::Argument: return orElse(g.name, "an argument") + " may be anything";
  case Kind::Callers: return "caller" + at(g.putAt) + " passes " + put;
  case Kind::Returned: return orElse(g.name, "the function") + " returns " + put + at(g.putAt);
  case Kind::Stored: return orElse(g.name, "the variable") + " is set to " + put + at(g.putAt);
  case Kind::Result:
    return "result of " + orElse(g.name, "a call") + at(g.where) + " may be anything";
  case Kind::Loaded: return "pointer loaded" + at(g.where) + " may be anything";
  case Kind::Steps: return "steps of the loop" + at(g.where);
  default: return "value computed" + at(g.where);
  }
}

template <typename Text>
static std::string join(const std::vector<AlignEvidence> &list, Text text) {
  std::set<std::string> texts;
  for (const AlignEvidence &g : list)
    texts.insert(text(g));
  std::string all;
  for (const std::string &one : texts)
    all += (all.empty() ? "" : "; ") + one;
  return all;
}

std::string whyAligned(const std::vector<AlignEvidence> &list) {
  return list.empty() ? "computed so" : join(list, used);
}

std::string whyNotAligned(const std::vector<AlignEvidence> &list) {
  return list.empty() ? "computed otherwise" : join(list, broken);
}

std::string operandName(const std::string &callee, unsigned argument) {
  const std::string prefix = "__builtin_";
  std::string name =
      callee.compare(0, prefix.size(), prefix) == 0 ? callee.substr(prefix.size()) : callee;
  if (name == "memlift_aligned")
    return name;
  return (argument == 0 ? "destination of " : "source of ") + name;
}

std::string alignmentLine(const std::string &function, const std::string &place,
                          const std::string &operand, unsigned bits, const std::string &why) {
  return "alignment of " + function + (place.empty() ? "" : ", ") + place + ": " + operand + ": " +
         bytesText(bits) + ": " + why;
}

std::string bytesText(unsigned bits) {
  return bits == 0 ? "1 byte" : std::to_string(uint64_t(1) << bits) + " bytes";
}

} // namespace memlift
