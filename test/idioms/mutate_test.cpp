// mutate_test.cpp - every loop model of the lit tests, with something in it changed
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One to three words of a loop model become other ones: a constant off by one, a
// step, a width, another operation, another operand, two lines exchanged, one
// missing or there twice. Most are near misses. Whatever the recogniser still
// claims must hold on random memory; what is no loop model must be an error, never
// a crash. A new family is covered as soon as it has a lit test here.
#include "../../idioms/remark.h"
#include "../../idioms/verify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace memlift;

namespace {

using Words = std::vector<std::string>;

/// The loop models of one file as texts of their own.
void split(const std::string &text, std::vector<std::string> &out) {
  std::istringstream lines(text);
  std::string line, binding;
  while (std::getline(lines, line)) {
    if (line.compare(0, 5, "loop ") == 0)
      binding.clear();
    binding += line + "\n";
    if (line == "}")
      out.push_back(binding);
  }
}

std::vector<std::string> corpus() {
  std::vector<std::string> all;
  for (const char *folder : {MEMLIFT_LOOP_TEXTS, MEMLIFT_LOOP_TEXTS_MADE})
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".loop") {
        std::stringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        split(text.str(), all);
      }
  std::sort(all.begin(), all.end()); // the order of a folder is anybody's guess
  return all;
}

class Mutator {
public:
  explicit Mutator(uint64_t seed) : rng(seed) {}
  std::string change(const std::string &text);

private:
  std::mt19937_64 rng;
  uint64_t below(uint64_t n) { return rng() % n; }
  std::string number(const std::string &digits);
  bool word(std::string &w, const Words &names);
  std::string lines(const std::string &text);
};

/// Names of operations and facts that may stand for each other.
const Words kinds[] = {{"add", "sub", "mul", "and", "or", "xor"},
                       {"shl", "lshr", "ashr"},
                       {"zext", "sext", "trunc"},
                       {"eq", "ne", "ult", "ule"},
                       {"load", "store"},
                       {"none", "may"},
                       {"noalias", "nonzero"}};

/// True for what begins the name of a value.
bool isSigil(char c) { return c == '%' || c == '$' || c == '@' || c == '&'; }

bool isNamed(char c) { return std::isalnum((unsigned char)c) || c == '_' || isSigil(c); }

std::string Mutator::number(const std::string &digits) {
  uint64_t n = std::strtoull(digits.c_str(), nullptr, 0);
  switch (below(8)) {
  case 0: return std::to_string(n + 1);
  case 1: return std::to_string(n ? n - 1 : 1);
  case 2: return std::to_string(n * 2);
  case 3: return std::to_string(n / 2);
  case 4: return std::to_string(n ^ uint64_t(1) << below(8));
  case 5: return std::to_string(below(9));
  case 6: return "8";
  default: return std::to_string(~n);
  }
}

bool Mutator::word(std::string &w, const Words &names) {
  if (std::isdigit((unsigned char)w[0])) {
    w = number(w);
    return true;
  }
  if (isSigil(w[0]) && w.size() > 1) {
    w = names[below(names.size())];
    return true;
  }
  for (const Words &kind : kinds)
    for (const std::string &k : kind)
      if (w == k) {
        w = kind[below(kind.size())];
        return true;
      }
  return false;
}

/// Two lines exchanged, or one left out or said twice.
std::string Mutator::lines(const std::string &text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    all.push_back(line);
  size_t a = 1 + below(all.size() - 1), b = 1 + below(all.size() - 1);
  switch (below(3)) {
  case 0: std::swap(all[a], all[b]); break;
  case 1: all.erase(all.begin() + long(a)); break;
  default: all.insert(all.begin() + long(a), all[b]);
  }
  std::string out;
  for (const std::string &line : all)
    out += line + "\n";
  return out;
}

std::string Mutator::change(const std::string &text) {
  if (below(8) == 0)
    return lines(text);
  // Words, with what separates them in between.
  Words words, names;
  for (size_t at = 0, end; at < text.size(); at = end) {
    for (end = at + 1; isNamed(text[at]) && isNamed(text[end]) && !isSigil(text[end]);)
      ++end;
    words.push_back(text.substr(at, end - at));
    if (words.back().size() > 1 && isSigil(text[at]))
      names.push_back(words.back());
  }
  unsigned left = 1 + unsigned(below(3)) / 2;
  for (unsigned tries = 0; left && tries < 400; ++tries)
    left -= word(words[below(words.size())], names);
  std::string out;
  for (const std::string &w : words)
    out += w;
  return out;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr unsigned mutants = 800;
#else
constexpr unsigned mutants = 8000;
#endif

/// Returns the first seed and the number of them; the environment overrides both.
std::pair<unsigned, unsigned> range(unsigned usual) {
  const char *from = std::getenv("MEMLIFT_MUTANTS_FROM"), *count = std::getenv("MEMLIFT_MUTANTS");
  return {from ? unsigned(std::atoi(from)) : 1, count ? unsigned(std::atoi(count)) : usual};
}

TEST(Mutants, WhatIsClaimedHolds) {
  std::vector<std::string> seeds = corpus();
  ASSERT_GT(seeds.size(), 50u);
  const auto [first, count] = range(mutants);
  unsigned bindings = 0, claims = 0, grouped = 0, runs = 0, wrong = 0;
  for (uint64_t seed = first; seed < first + count && wrong < 10; ++seed) {
    std::string text = Mutator(seed).change(seeds[seed % seeds.size()]);
    std::vector<Loop> loops;
    ParseError error;
    if (!parseLoops(text, loops, error)) {
      EXPECT_GT(error.line, 0u);
      continue;
    }
    for (Loop &loop : loops) {
      ++bindings;
      Options options;
      options.verifyTrials = 0;
      Outcome o = judge(loop, options);
      options.runtime = RuntimeMode::None;
      options.core = findCore(seed % 2 ? "cva6" : "cortex-a53");
      options.target = [] {
        TargetFacts has;
        has.clears = true;
        return has;
      };
      if (seed / 2 % 2) // loops in place
        o = judge(loop, options);
      if (!isDone(o.decision.kind) && !judgeGroups(loop, options, loop, o))
        continue;
      ++claims;
      grouped += isGrouped(o.decision);
      VerifyResult v = verify(loop, o.match, o.decision, 12, seed);
      runs += v.runs;
      wrong += !v.mismatch.empty();
      EXPECT_EQ(v.mismatch, "") << "seed " << seed << "\n" << text << makeRemark(loop, o).message;
    }
  }
  std::printf("%u loop models, %u claims, %u of grouped loads, %u runs\n", bindings, claims,
              grouped, runs);
  EXPECT_GT(bindings, count / 3);
  EXPECT_GT(claims, count / 12);
  EXPECT_GT(runs, claims);
}

/// Asks for blocks in every loop of the corpus. Transfers are as early and late as can be
/// (verify/streams.cpp), so each rule of decide/stream.cpp that is left out shows here.
TEST(Mutants, BlocksOfAnyLoopHold) {
  std::vector<std::string> seeds = corpus();
  const auto [first, count] = range(mutants / 4);
  unsigned streamed = 0, guarded = 0, runs = 0, fast = 0, wrong = 0;
  for (uint64_t seed = first; seed < first + count && wrong < 10; ++seed) {
    std::string text = Mutator(seed).change(seeds[seed % seeds.size()]);
    std::vector<Loop> loops;
    ParseError error;
    if (!parseLoops(text, loops, error))
      continue;
    for (Loop &loop : loops) {
      loop.function.stream = loop.resumable = true;
      if (loop.origin != Origin::Loop || loop.follows)
        continue;
      Options options;
      options.verifyTrials = 0;
      Outcome o;
      if (!judgeStream(loop, options, loop, o, /*last=*/true))
        continue;
      ++streamed;
      guarded += o.decision.guard != NoExpr;
      VerifyResult v = verify(loop, o.match, o.decision, 12, seed);
      runs += v.runs;
      fast += v.fast;
      wrong += !v.mismatch.empty();
      EXPECT_EQ(v.mismatch, "") << "seed " << seed << "\n"
                                << print(loop) << makeRemark(loop, o).message;
    }
  }
  std::printf("%u loops in blocks, %u guarded, %u runs, %u by blocks\n", streamed, guarded, runs,
              fast);
  EXPECT_GT(streamed, count / 12);
  EXPECT_GT(guarded, count / 50);
  EXPECT_GT(fast, streamed);
}

} // namespace
