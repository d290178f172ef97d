// claim_test.cpp - a decision that is not what the loop does is refused, not believed
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes every loop model of this folder's lit tests, and puts one fault after the
// other into the decision that was made about it. The faults are put in here:
// the shipped plugins have no way to be wrong on purpose.
#include "../../idioms/remark.h"
#include "../../idioms/verify.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

using namespace memlift;

namespace {

/// Changes a decision; false if it has nothing of the kind.
struct Fault {
  const char *name;
  std::function<bool(Loop &, Match &, Decision &)> inject;
};

bool add(Loop &loop, ExprId &id, uint64_t n) {
  id = loop.exprs.add(id, loop.exprs.constant(n, loop.exprs.width(id)));
  return true;
}

const Fault faults[] = {
    {"one byte too many",
     [](Loop &l, Match &, Decision &d) {
       return d.routine != Routine::None && add(l, d.args.back(), 1);
     }},
    {"one byte further",
     [](Loop &l, Match &, Decision &d) {
       return d.routine != Routine::None && add(l, d.args[0], 1);
     }},
    {"a value that is off by one",
     [](Loop &l, Match &m, Decision &d) {
       return d.routine != Routine::None && m.idiom == Idiom::Fill && add(l, d.args[1], 1);
     }},
    {"a source one byte further",
     [](Loop &l, Match &m, Decision &d) {
       return d.routine != Routine::None && m.idiom != Idiom::Fill && add(l, d.args[1], 1);
     }},
    {"a result that is off by one",
     [](Loop &l, Match &, Decision &d) {
       return !d.results.empty() && add(l, d.results[0].value, 1);
     }},
    {"the last result forgotten",
     [](Loop &l, Match &, Decision &d) {
       if (d.results.empty())
         return false;
       LiveOutResult &r = d.results.back();
       const Recurrence &rec = l.recs[size_t(l.liveOuts[r.index].rec)];
       r.value = rec.init;
       return true;
     }},
    {"a search that ends one iteration later",
     [](Loop &l, Match &, Decision &d) { return d.skip.skips() && add(l, d.skip.to, 1); }},
    {"another polynomial",
     [](Loop &, Match &, Decision &d) {
       if (d.calls.empty() || !d.calls[0].crc.width)
         return false;
       d.calls[0].crc.poly ^= uint64_t(1) << d.calls[0].crc.width / 2;
       return true;
     }},
    {"the inline words one byte further",
     [](Loop &, Match &, Decision &d) {
       for (InlineWord &w : d.words)
         w.offset += 1;
       return !d.words.empty();
     }},
    {"the first inline word missing",
     [](Loop &, Match &, Decision &d) {
       if (d.words.empty())
         return false;
       d.words.erase(d.words.begin());
       return !d.words.empty();
     }},
};

std::vector<Loop> bindings() {
  std::set<std::filesystem::path> files; // in the same order on every machine
  for (const char *folder : {MEMLIFT_LOOP_TEXTS, MEMLIFT_LOOP_TEXTS_MADE})
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".loop")
        files.insert(entry.path());
  std::vector<Loop> all;
  for (const std::filesystem::path &file : files) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    ParseError e;
    EXPECT_TRUE(parseLoops(text.str(), all, e)) << file << ":" << e.line << ": " << e.message;
  }
  return all;
}

/// Sanitizers make the interpreter ten times slower: every sixth loop model, then.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr unsigned loopStep = 6;
#else
constexpr unsigned loopStep = 1;
#endif

/// Every decision stands; every fault in one of them is seen, in each loop model.
TEST(Claims, FaultsAreSeenAndOnlyFaults) {
  std::map<std::string, unsigned> injected;
  unsigned turn = 0;
  for (Loop &loop : bindings()) {
    if (++turn % loopStep)
      continue;
    Options options;
    options.verifyTrials = 0;
    const Outcome o = judge(loop, options);
    Outcome same = o;
    EXPECT_FALSE(refuteClaim(loop, same, 64)) << makeRemark(loop, same).message << "\n"
                                              << print(loop);
    if (!isDone(o.decision.kind))
      continue;
    EXPECT_GT(verify(loop, o.match, o.decision, 64, 1).runs, 0u)
        << "no trial meets the facts: the claim is not tried at all\n"
        << print(loop);
    for (const Fault &f : faults) {
      Outcome bad = o;
      if (!f.inject(loop, bad.match, bad.decision))
        continue;
      ++injected[f.name];
      EXPECT_TRUE(refuteClaim(loop, bad, 64)) << f.name << "\n" << print(loop);
    }
  }
  for (const Fault &f : faults)
    EXPECT_GT(injected[f.name], 0u) << f.name;
}

/// Checks a refused claim: the loop is kept for MLF3020, with the loop model as evidence.
TEST(Claims, TheRecordAsksForAReport) {
  bool seen = false;
  unsigned turn = 0;
  for (Loop &loop : bindings()) {
    if (++turn % loopStep)
      continue;
    Outcome o = judge(loop, Options());
    if (o.decision.guard == NoExpr || o.decision.routine == Routine::None)
      continue;
    o.decision.guard = NoExpr;
    if (!refuteClaim(loop, o, 64))
      continue;
    seen = true;
    EXPECT_EQ(o.decision.kind, DecisionKind::Kept);
    EXPECT_EQ(o.decision.code, Diag::ClaimRefuted);
    EXPECT_FALSE(isDone(o.decision.kind));
    EXPECT_EQ(makeRemark(loop, o).kind, RemarkKind::Missed);
    EXPECT_NE(makeRemark(loop, o).message.find("a bug in memlift, please report it"),
              std::string::npos)
        << makeRemark(loop, o).message;
    std::string yaml = toYaml(makeRemark(loop, o));
    EXPECT_NE(yaml.find("(seed "), std::string::npos) << yaml;
    EXPECT_NE(yaml.find("loop \"" + loop.id), std::string::npos) << yaml;
  }
  EXPECT_TRUE(seen);
}

} // namespace
