// drive_test.cpp - the order of the attempts on a nest, a call and a chain
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../idioms/drive/chains.h"
#include "../../idioms/drive/driver.h"

#include <gtest/gtest.h>

using namespace memlift;

namespace {

/// A fill of `n` bytes that is proved.
constexpr char Fill[] = R"(loop "" {
  function "f"
  base d argument align 1
  sym v 8
  sym n 64
  dim trip %n
  store d + 0 step [1] bytes 1 align 1 value %v
})";

/// A fill with an obstacle of the reader.
constexpr char Obstacle[] = R"(loop "" {
  function "f"
  base d argument align 1
  sym v 8
  sym n 64
  dim trip %n
  store d + 0 step [1] bytes 1 align 1 value %v
  obstacle MLF3004 "the loop calls 'g'"
})";

/// A loop with an obstacle and nothing else.
constexpr char Nothing[] = R"(loop "" {
  function "f"
  sym n 64
  dim trip %n
  obstacle MLF3004 "the loop calls 'g'"
})";

/// A loop that is no operation, but whose loads may be clustered.
constexpr char Map[] = R"(loop "" {
  function "f"
  base d argument align 1
  base s argument align 1
  sym n 64
  dim trip %n
  load s + 0 step [1] bytes 1 align 1
  store d + 0 step [1] bytes 1 align 1 value (xor @0 90:8)
})";

/// A map in a function whose loops the compiler makes vectors of.
constexpr char Vectors[] = R"(loop "" {
  function "f" vectorises 128
  base d argument align 1
  base s argument align 1
  sym n 64
  dim trip %n
  load s + 0 step [1] bytes 1 align 1
  store d + 0 step [1] bytes 1 align 1 value (xor @0 90:8)
})";

Loop parsed(const char *text) {
  std::vector<Loop> loops;
  ParseError error;
  EXPECT_TRUE(parseLoops(text, loops, error)) << error.message;
  return loops.at(0);
}

using Log = std::vector<std::string>;

std::unique_ptr<BoundLoop> bound(const char *text) {
  auto binding = std::make_unique<BoundLoop>();
  binding->loop = parsed(text);
  return binding;
}

class Host : public FunctionHost {
public:
  Host(Log &log, bool writes = true) : log(log), writes(writes) {}
  std::string functionId() const override { return "a.c:f"; }
  const Options &options() const override { return settings; }
  bool mayWrite() const override { return writes; }
  void report(const BoundLoop &binding, const Outcome &outcome) override {
    log.push_back("report " + binding.loop.id + " " + nameOf(outcome.decision.kind));
  }
  Options settings;

private:
  Log &log;
  bool writes;
};

/// A nest whose readings are given, from the innermost loop outwards.
class Nest : public NestSource {
public:
  Nest(Log &log, std::vector<const char *> readings, const char *fixed = nullptr)
      : log(log), readings(readings), fixed(fixed) {}
  size_t depth() override { return readings.size(); }
  bool hasStore() override { return stores; }
  bool mayCarryLoads() override { return false; }
  std::unique_ptr<BoundLoop> read(size_t depth) override {
    log.push_back("read " + std::to_string(depth));
    return bound(readings.at(depth - 1));
  }
  std::unique_ptr<BoundLoop> readFixed() override {
    log.push_back("readFixed");
    return fixed ? bound(fixed) : nullptr;
  }
  void restore(bool written) override { log.push_back(written ? "restore written" : "restore"); }
  void write(BoundLoop &, const Outcome &) override { log.push_back("write"); }
  bool stores = true;

private:
  Log &log;
  std::vector<const char *> readings;
  const char *fixed;
};

struct Attempts {
  Log log;
  unsigned ordinal = 0;
  bool done;
  Attempts(std::vector<const char *> readings, const char *fixed = nullptr, bool writes = true,
           bool stores = true, const char *core = nullptr) {
    Host host(log, writes);
    if (core)
      host.settings.core = findCore(core), host.settings.runtime = RuntimeMode::None;
    Nest nest(log, readings, fixed);
    nest.stores = stores;
    done = Driver(host, ordinal).runNest(nest);
  }
};

TEST(Driver, WritesTheWidestNestThatTheVerdictAllows) {
  Attempts all({Obstacle, Fill, Fill});
  EXPECT_TRUE(all.done);
  EXPECT_EQ(all.log, (Log{"read 3", "report a.c:f#0 lowered", "write"}));
  Attempts narrower({Fill, Obstacle});
  EXPECT_TRUE(narrower.done);
  EXPECT_EQ(narrower.log, (Log{"read 2", "read 1", "report a.c:f#0 lowered", "write"}));
}

TEST(Driver, KeptLoopHasOneRemarkAndItsCodeAgain) {
  Attempts kept({Obstacle}, Obstacle);
  EXPECT_FALSE(kept.done);
  EXPECT_EQ(kept.log, (Log{"read 1", "readFixed", "restore", "report a.c:f#0 kept"}));
  EXPECT_EQ(kept.ordinal, 1u);
}

TEST(Driver, FixedValuesAreTriedBeforeTheLoopIsKept) {
  Attempts fixed({Obstacle, Obstacle}, Fill);
  EXPECT_TRUE(fixed.done);
  EXPECT_EQ(fixed.log, (Log{"read 2", "read 1", "readFixed", "report a.c:f#0 lowered", "write",
                            "restore written"}));
}

TEST(Driver, LoadsAreClusteredLastAndOnlyWhereThatHelps) {
  Attempts clustered({Map, Map}, Obstacle, true, true, "generic-inorder");
  EXPECT_TRUE(clustered.done);
  EXPECT_EQ(clustered.log, (Log{"read 2", "read 1", "readFixed", "restore", "read 1",
                                "report a.c:f#0 guarded", "write"}));
  Attempts impossible({Obstacle}, nullptr, true, true, "generic-inorder");
  EXPECT_EQ(impossible.log, (Log{"read 1", "readFixed", "read 1", "report a.c:f#0 kept"}));
  Attempts reorders({Map}, nullptr, true, true, "generic");
  EXPECT_EQ(reorders.log,
            (Log{"read 1", "readFixed", "read 1", "report a.c:f#0 guarded", "write"}));
  Attempts vectors({Vectors}, nullptr, true, true, "generic");
  EXPECT_EQ(vectors.log, (Log{"read 1", "readFixed", "report a.c:f#0 kept"}));
}

TEST(Driver, PrintingAloneWritesNothing) {
  Attempts plain({Fill}, nullptr, false);
  EXPECT_TRUE(plain.done);
  EXPECT_EQ(plain.log, (Log{"read 1", "report a.c:f#0 lowered"}));
  Attempts fixed({Obstacle}, Fill, false);
  EXPECT_EQ(fixed.log, (Log{"read 1", "readFixed", "report a.c:f#0 lowered", "restore"}));
}

TEST(Driver, LoopWithoutStoreIsReportedIfItIsWritten) {
  Attempts nothing({Nothing}, Fill, true, false);
  EXPECT_EQ(nothing.log, Log{"read 1"});
  EXPECT_EQ(nothing.ordinal, 0u);
  Attempts call({Fill}, nullptr, true, false);
  EXPECT_EQ(call.log, (Log{"read 1", "report a.c:f#0 lowered", "write"}));
}

TEST(Driver, OrdinalsCountTheRemarksOfAllPasses) {
  Log log;
  unsigned ordinal = 0;
  Host host(log);
  Nest nothing(log, {Nothing}), kept(log, {Obstacle});
  nothing.stores = false;
  Driver first(host, ordinal);
  first.runNest(nothing);
  first.runNest(kept);
  auto call = bound(Fill), multiEntry = bound(Obstacle);
  Driver second(host, ordinal);
  EXPECT_TRUE(second.runCall(*call, [&](const Outcome &) { log.push_back("write call"); }));
  second.runKept(*multiEntry);
  EXPECT_EQ(log, (Log{"read 1", "read 1", "readFixed", "report a.c:f#0 kept",
                      "report a.c:f#1 lowered", "write call", "report a.c:f#2 kept"}));
}

/// Links that fill `n` bytes each, one after the other. Those in `gaps` do not follow the one
/// before; a chain that is longer than `readable` cannot be read.
class Chains : public ChainSearch {
public:
  Chains(Driver &driver, Log &log, std::vector<size_t> gaps, size_t readable)
      : ChainSearch(driver), log(log), gaps(gaps), readable(readable) {}
  void run(size_t links) { search(links); }

private:
  Log &log;
  std::vector<size_t> gaps;
  size_t readable;
  std::vector<BoundLoop> bindings;

  bool mayContinue(size_t k) override {
    return std::find(gaps.begin(), gaps.end(), k + 1) == gaps.end();
  }
  void giveBlock(size_t) override {}
  bool isChain(size_t, size_t) override { return true; }
  std::vector<BoundLoop *> read(size_t first, size_t count) override {
    log.push_back("read " + std::to_string(first) + "+" + std::to_string(count));
    bindings.clear();
    if (count > readable)
      return {};
    bindings.resize(count);
    std::vector<BoundLoop *> list;
    for (size_t k = 0; k < count; ++k) {
      Loop &loop = bindings[k].loop = parsed(Fill);
      loop.follows = k != 0;
      ExprGraph &g = loop.exprs;
      loop.accesses[0].offset = g.mul(g.constant(k, 64), loop.dims[0].trip);
      list.push_back(&bindings[k]);
    }
    return list;
  }
  BoundLoop &bind(const Joined &joined) override {
    bindings.back().loop = joined.loop;
    return bindings.back();
  }
  void write(BoundLoop &, const Joined &) override { log.push_back("write"); }
  void take(size_t first, size_t count) override {
    log.push_back("take " + std::to_string(first) + "+" + std::to_string(count));
  }
  void undo() override { log.push_back("undo"); }
};

Log searched(size_t links, std::vector<size_t> gaps, size_t readable, bool writes = true) {
  Log log;
  unsigned ordinal = 0;
  Host host(log, writes);
  Driver driver(host, ordinal);
  Chains(driver, log, gaps, readable).run(links);
  return log;
}

TEST(Chains, LongestIsTriedFirstAndItsLinksAreTaken) {
  EXPECT_EQ(searched(3, {}, 4),
            (Log{"read 0+3", "report a.c:f#0 lowered", "write", "take 0+3", "undo"}));
  EXPECT_EQ(searched(3, {}, 2),
            (Log{"read 0+3", "read 0+2", "report a.c:f#0 lowered", "write", "take 0+2", "undo"}));
}

TEST(Chains, SearchGoesOnAfterAGap) {
  EXPECT_EQ(searched(4, {1}, 4),
            (Log{"read 1+3", "report a.c:f#0 lowered", "write", "take 1+3", "undo"}));
  EXPECT_EQ(searched(4, {2}, 4),
            (Log{"read 0+2", "report a.c:f#0 lowered", "write", "take 0+2", "read 2+2",
                 "report a.c:f#1 lowered", "write", "take 2+2", "undo"}));
}

TEST(Chains, KeptLinksAreUndoneAndPrintingWritesNothing) {
  EXPECT_EQ(searched(2, {}, 0), (Log{"read 0+2", "undo"}));
  EXPECT_EQ(searched(2, {}, 2, false),
            (Log{"read 0+2", "report a.c:f#0 lowered", "take 0+2", "undo"}));
}

TEST(Chains, FunctionsOfTooManyLinksAreNotSearched) { EXPECT_EQ(searched(65, {}, 4), Log{"undo"}); }

} // namespace
