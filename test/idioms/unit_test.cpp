// unit_test.cpp - the pieces under the recogniser: expressions, names, remarks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../idioms/algebra/ones.h"
#include "../../idioms/align/align.h"
#include "../../idioms/cycles.h"
#include "../../idioms/remark.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

using namespace memlift;

namespace {

TEST(Expr, PolynomialsAreEqualWhateverTheirSpelling) {
  ExprGraph g;
  ExprId a = g.leaf(Op::Sym, 0, 64), b = g.leaf(Op::Sym, 1, 64);
  ExprId two = g.constant(2, 64), four = g.constant(4, 64);
  EXPECT_TRUE(g.equal(g.mul(g.add(a, b), four), g.add(g.mul(four, a), g.binary(Op::Shl, b, two))));
  EXPECT_TRUE(g.equal(g.sub(g.add(a, b), b), a));
  EXPECT_FALSE(g.equal(g.mul(a, b), g.mul(a, a)));
  int64_t d;
  EXPECT_TRUE(g.constantDifference(g.sub(a, four), g.add(a, two), d));
  EXPECT_EQ(d, -6);
  EXPECT_FALSE(g.constantDifference(a, b, d));
}

TEST(Expr, ArithmeticWrapsAtItsWidth) {
  ExprGraph g;
  ExprId big = g.constant(0xffffffff, 32), one = g.constant(1, 32);
  EXPECT_TRUE(g.isConst(g.add(big, one), 0));
  EXPECT_TRUE(g.isConst(g.cast(Op::SExt, big, 64), ~uint64_t(0)));
  EXPECT_TRUE(g.isConst(g.cast(Op::ZExt, big, 64), 0xffffffff));
  EXPECT_TRUE(g.isConst(g.cast(Op::BSwap, g.constant(0x1234, 16), 16), 0x3412));
  // A narrow sum that may wrap is not the wide sum.
  ExprId x = g.leaf(Op::Sym, 0, 32);
  ExprId inner = g.cast(Op::ZExt, g.add(x, one), 64);
  ExprId outer = g.add(g.cast(Op::ZExt, x, 64), g.constant(1, 64));
  EXPECT_FALSE(g.equal(inner, outer));
}

using Cycle = std::vector<std::vector<unsigned>>;

TEST(Expr, QuotientsAreThoseOfTheIntegers) {
  ExprGraph g;
  for (uint64_t by : {1u, 2u, 3u, 6u, 48u, 255u, 32768u, 65535u})
    for (uint64_t x = 0; x < 65536; x += x % 251 ? 97 : 1)
      ASSERT_TRUE(g.isConst(g.quotient(g.constant(x, 16), by), x / by)) << x << " / " << by;
  for (uint64_t by : {uint64_t(65535), uint64_t(10000000000), ~uint64_t(0)})
    for (uint64_t x : {uint64_t(0), by - 1, by, 2 * by, ~uint64_t(0)})
      EXPECT_TRUE(g.isConst(g.quotient(g.constant(x, 64), by), x / by)) << x << " / " << by;
}

TEST(Expr, ExactQuotientsHaveASign) {
  ExprGraph g;
  for (uint64_t by : {1u, 2u, 3u, 4u, 6u, 12u, 40u, 255u})
    for (int64_t q = -100; q <= 100; ++q) {
      uint64_t x = uint64_t(q) * by;
      EXPECT_TRUE(g.isConst(g.exactQuotient(g.constant(x, 64), by), uint64_t(q))) << q << " " << by;
      EXPECT_TRUE(g.isConst(g.exactQuotient(g.constant(x & 0xffff, 16), by), uint64_t(q) & 0xffff))
          << q << " " << by;
    }
}

TEST(Cycles, ThoseEnteredInSeveralPlaces) {
  // Duff's device: a switch into each block of a loop.
  EXPECT_EQ(multiEntryCycles({{1, 2, 3}, {2}, {3}, {1, 4}, {}}), (Cycle{{1, 2, 3}}));
  // A goto into the middle, inside of a loop that has one entry.
  EXPECT_EQ(multiEntryCycles({{1}, {2, 3}, {3}, {2, 4}, {1, 5}, {}}), (Cycle{{2, 3}}));
  // The block where control comes in is an entry, too.
  EXPECT_EQ(multiEntryCycles({{1}, {0, 2}, {}}), Cycle());
  EXPECT_EQ(multiEntryCycles({{1, 2}, {2}, {1}}), (Cycle{{1, 2}}));
}

TEST(Cycles, NaturalLoopsAndWhatHoldsACycleAreNot) {
  EXPECT_EQ(multiEntryCycles({}), Cycle());
  EXPECT_EQ(multiEntryCycles({{1}, {1, 2}, {}}), Cycle());
  EXPECT_EQ(multiEntryCycles({{1}, {2}, {2, 3}, {1, 4}, {}}), Cycle());
  // Two entries, 1 and 4, with a loop of block 2 alone between them.
  EXPECT_EQ(multiEntryCycles({{1, 4}, {2}, {2, 3}, {4}, {1, 5}, {}}), Cycle());
}

TEST(Align, AProofNeedsEveryTerm) {
  Loop loop;
  loop.bases.push_back({"p", BaseKind::Argument, 16, 0, false});
  loop.syms.push_back({"i", 64});
  ExprId i = loop.exprs.leaf(Op::Sym, 0, 64);
  auto times = [&](uint64_t k) { return loop.exprs.mul(i, loop.word(k)); };
  EXPECT_EQ(alignmentOf(loop, 0, loop.word(0)), 16u);
  EXPECT_EQ(alignmentOf(loop, 0, loop.word(8)), 8u);
  EXPECT_EQ(alignmentOf(loop, 0, times(4)), 4u);
  EXPECT_EQ(alignmentOf(loop, 0, times(24)), 8u);
  EXPECT_EQ(alignmentOf(loop, 0, loop.exprs.add(times(8), loop.word(2))), 2u);
  EXPECT_EQ(alignmentOf(loop, 0, i), 1u);
}

TEST(Names, IdiomsAreKnownByName) {
  for (const char *name :
       {"memcpy", "__memcpy", "memset", "__GI_memmove", "__memcpy_avx_unaligned", "__aeabi_memclr8",
        "bcopy", "memlift_fill8", "_memset", "__memset16", "bzero"})
    EXPECT_TRUE(implementsIdiom(name, "")) << name;
  for (const char *name : {"memcpy_from_header", "copy", "my_memcpy", "memsetup", "main", "",
                           "fill", "_start", "memory"})
    EXPECT_FALSE(implementsIdiom(name, "")) << name;
  EXPECT_TRUE(implementsIdiom("my_memcpy", "a,my_memcpy"));
  EXPECT_FALSE(implementsIdiom("my_mem", "a,my_memcpy"));
  EXPECT_FALSE(implementsIdiom("", ",,"));
}

TEST(Guards, WhatAsksForBytesFailsWhereThereAreNone) {
  ExprGraph g;
  ExprId n = g.leaf(Op::Sym, 0, 64), m = g.leaf(Op::Sym, 1, 64), k = g.leaf(Op::Sym, 2, 32);
  auto least = [&](uint64_t bytes, ExprId of) {
    return g.binary(Op::ULe, g.constant(bytes, 64), of);
  };
  EXPECT_TRUE(failsWithout(g, least(32, n), n));
  EXPECT_TRUE(failsWithout(g, least(32, g.mul(n, g.constant(4, 64))), n));
  EXPECT_TRUE(failsWithout(g, least(1, g.mul(n, m)), n));
  EXPECT_TRUE(failsWithout(g, least(32, g.cast(Op::ZExt, k, 64)), k));
  EXPECT_TRUE(failsWithout(g, g.binary(Op::And, least(8, m), least(32, n)), n));
  EXPECT_FALSE(failsWithout(g, least(32, n), m));
  EXPECT_FALSE(failsWithout(g, least(32, g.add(n, g.constant(31, 64))), n));
  EXPECT_FALSE(failsWithout(g, least(32, g.sub(n, m)), n));
  EXPECT_FALSE(failsWithout(g, g.binary(Op::Or, least(8, m), least(32, n)), n));
  EXPECT_FALSE(failsWithout(g, g.binary(Op::ULe, n, m), n));
  EXPECT_FALSE(failsWithout(g, least(32, n), k));
}

TEST(Cores, AlignedOnlyChangesNothingElse) {
  const Core &a53 = *findCore("cortex-a53"), &aligned = alignedOnly(a53);
  EXPECT_EQ(a53.unaligned, Unaligned::Fast);
  EXPECT_EQ(aligned.unaligned, Unaligned::Trap);
  EXPECT_STREQ(aligned.name, a53.name);
  EXPECT_EQ(aligned.groupWords, a53.groupWords);
  EXPECT_EQ(aligned.issueWidth, a53.issueWidth);
  EXPECT_EQ(&alignedOnly(a53), &aligned);
}

TEST(Cores, NamesAndDefaults) {
  ASSERT_TRUE(findCore("sifive-u74"));
  EXPECT_EQ(findCore("sifive-u74"), findCore("sifive-7-series"));
  EXPECT_EQ(findCore("u7"), nullptr);
  EXPECT_EQ(findCore(""), nullptr);
  EXPECT_STREQ(defaultCore("riscv64-linux-gnu").name, "generic-inorder");
  EXPECT_STREQ(defaultCore("x86_64-pc-linux-gnu").name, "generic");
}

TEST(Map, EveryPrototypeIsUnderstood) {
  auto check = [](Routine r, const char *symbol) {
    for (unsigned bits : {32, 64}) {
      CFunction f = typeOf(r, bits);
      EXPECT_NE(f.result.kind, CType::Other) << symbol;
      EXPECT_FALSE(f.params.empty()) << symbol;
      for (const CType &p : f.params)
        EXPECT_TRUE(p.kind == CType::Pointer || (p.kind == CType::Int && p.bits)) << symbol;
      EXPECT_TRUE(fits(f, f, true)) << symbol;
      EXPECT_EQ(prototypeOf(r, "own").find("memlift_"),
                takesPolynomial(r) ? prototypeOf(r, "own").find("memlift_crc_poly")
                                   : std::string::npos);
    }
  };
  for (const Operation &o : LibraryOperations())
    check(o.routine, o.symbol);
}

TEST(Map, TypesThatFit) {
  CFunction want = typeOf(Routine::InetSum, 64), have = want;
  have.params[2].isSigned = true; // int for uint32_t
  EXPECT_FALSE(fits(want, have, true));
  EXPECT_TRUE(fits(want, have, false));
  have = want;
  have.params[1].isSigned = true; // in a whole register, the sign is nothing
  EXPECT_TRUE(fits(want, have, true));
  have.params[1].bits = 32;
  EXPECT_FALSE(fits(want, have, false));
  have = want;
  have.variadic = true;
  EXPECT_FALSE(fits(want, have, true));
  have = want;
  have.known = false;
  EXPECT_FALSE(fits(want, have, true));
  have = want;
  have.result = {CType::Void, 0, false};
  EXPECT_FALSE(fits(want, have, true));
  want = typeOf(Routine::Copy, 64);
  have = want;
  have.result = {CType::Pointer, 0, false}; // memcpy's
  EXPECT_TRUE(fits(want, have, true));
  have.params.pop_back();
  EXPECT_FALSE(fits(want, have, true));
  EXPECT_EQ(describe(typeOf(Routine::InetSum, 64), "f"), "uint32_t f(void *, uint64_t, uint32_t)");
}

/// The most folds that any number of the width needs, tried one by one.
unsigned mostFolds(int width, int k, bool isSigned) {
  long most = 0, low = isSigned ? -(1L << (width - 1)) : 0;
  for (long v = low; v < low + (1L << width); ++v) {
    long folds = 0;
    for (long s = v; s >> k; ++folds)
      s = (s & ((1L << k) - 1)) + (s >> k);
    most = std::max(most, folds);
  }
  return unsigned(most);
}

TEST(Ones, FoldsEndAfterSoManyWithASignToo) {
  for (int width = 2; width <= 14; ++width)
    for (int k = 1; 2 * k <= width; ++k) {
      EXPECT_EQ(foldsToEnd(unsigned(width), unsigned(k)), mostFolds(width, k, false))
          << width << " " << k;
      EXPECT_LE(mostFolds(width, k, true), foldsToEnd(unsigned(width), unsigned(k)))
          << width << " " << k;
    }
}

TEST(Remark, YamlQuotesWhatItMust) {
  Remark r;
  r.kind = RemarkKind::Missed;
  r.name = "TripCountUnknown";
  r.message = "it's \"kept\":\n- really";
  r.function = "f: 'g'";
  r.loc = {"dir/it's.c", 3, 7};
  r.args = {{"Idiom", "fill"}};
  EXPECT_EQ(toYaml(r), "--- !Missed\n"
                       "Pass:            memlift\n"
                       "Name:            TripCountUnknown\n"
                       "DebugLoc:        { File: 'dir/it''s.c', Line: 3, Column: 7 }\n"
                       "Function:        'f: ''g'''\n"
                       "Args:\n"
                       "  - String:          'it''s \"kept\": - really'\n"
                       "  - Idiom:           'fill'\n"
                       "...\n");
}

TEST(Remark, FilesAreAppendedToOrComplainedAbout) {
  std::string path = testing::TempDir() + "memlift-unit-remarks.yaml";
  std::remove(path.c_str());
  EXPECT_EQ(appendToFile(path, "one\n"), "");
  EXPECT_EQ(appendToFile(path, "two\n"), "");
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "one\ntwo\n");
  std::remove(path.c_str());
  std::string error = appendToFile("/nonexistent/remarks.yaml", "x");
  EXPECT_NE(error.find("/nonexistent/remarks.yaml"), std::string::npos);
  EXPECT_NE(error.find("No such file"), std::string::npos);
}

} // namespace
