// crcinplace_test.cpp - CRCs in place: every width and direction, by what a target may have
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random polynomials, bit by bit in a loop model; what is decided runs beside the loop model at
// lengths up to 300. Then each part of it is left out, which has to show.
#include "../../idioms/remark.h"
#include "../../idioms/verify.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

using namespace memlift;

namespace {

std::mt19937_64 generator(7);

/// A register of `width` bits in 64, `trip` bytes.
std::string modelOf(const CrcPoly &crc, const std::string &trip, const char *facts = "") {
  std::ostringstream s;
  s << "loop \"t:f#0\" {\n  function \"f\" " << facts
    << "\n  base p argument align 1\n  sym n 64\n  sym c0 64\n  dim trip " << trip
    << "\n  rec c 64 init (and %c0 " << int64_t(maskOf(crc.width)) << ":64)"
    << "\n  load p + 0 step [1] bytes 1 align 1\n  let 0 (xor $c (shl (zext 64 @0) "
    << (crc.reflected ? 0 : crc.width - 8) << ":64))\n";
  for (int i = 0; i < 8; ++i) {
    std::string c = "#" + std::to_string(i);
    s << "  let " << i + 1 << " ";
    if (crc.reflected)
      s << "(select (ne (and " << c << " 1:64) 0:64) (xor (lshr " << c << " 1:64) " << crc.poly
        << ":64) (lshr " << c << " 1:64))\n";
    else
      s << "(and (select (ne (and " << c << " " << (uint64_t(1) << (crc.width - 1))
        << ":64) 0:64) (xor (shl " << c << " 1:64) " << crc.poly << ":64) (shl " << c << " 1:64)) "
        << maskOf(crc.width) << ":64)\n";
  }
  s << "  next c #8\n  liveout \"c\" rec c\n}\n";
  return s.str();
}

Loop parsed(const std::string &text) {
  std::vector<Loop> loops;
  ParseError e;
  EXPECT_TRUE(parseLoops(text, loops, e)) << e.line << ":" << e.col << ": " << e.message << text;
  return loops.empty() ? Loop() : loops[0];
}

Outcome judged(Loop &loop, TargetFacts facts, const char *core) {
  Options options;
  options.runtime = RuntimeMode::None;
  options.runtimeGiven = true;
  options.core = findCore(core);
  options.verifyTrials = 0;
  options.target = [facts] { return facts; };
  return judge(loop, options);
}

/// x^0 is in every generator: as most significant bit where reflected.
CrcPoly randomPoly(unsigned width, bool reflected) {
  uint64_t poly = generator() & maskOf(width);
  poly |= reflected ? uint64_t(1) << (width - 1) : 1;
  return {width, reflected, poly};
}

constexpr TargetFacts withProducts{true, false, false, "-mproducts"};
constexpr TargetFacts withAll{true, true, true, "-mproducts"};
constexpr TargetFacts withSteps{false, true, true, "-mproducts"};

/// Sanitizers make the interpreter ten times slower: every fourteenth width, then.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr unsigned widthStep = 14;
#else
constexpr unsigned widthStep = 1;
#endif

TEST(CrcInPlace, EveryWidthByProducts) {
  for (unsigned width = 8; width <= 64; width += widthStep)
    for (bool reflected : {false, true})
      for (const char *core : {"generic", "generic-inorder"}) {
        CrcPoly crc = randomPoly(width, reflected);
        Loop loop = parsed(modelOf(crc, "%n"));
        Outcome o = judged(loop, withProducts, core);
        ASSERT_EQ(o.decision.kind, DecisionKind::Inlined) << makeRemark(loop, o).message;
        EXPECT_NE(makeRemark(loop, o).message.find("carry-less products"), std::string::npos);
        EXPECT_TRUE(o.decision.tables.empty());
        VerifyResult v = verify(loop, o.match, o.decision, 40, width);
        EXPECT_EQ(v.mismatch, "") << width << " " << reflected << " " << crc.poly << " " << core;
        EXPECT_GT(v.fast, 12u);
      }
}

TEST(CrcInPlace, KnownLengths) {
  CrcPoly crc{16, false, 0x1021};
  for (unsigned n = 16; n < 200; n += 1 + n / 16) {
    Loop loop = parsed(modelOf(crc, std::to_string(n)));
    Outcome o = judged(loop, withProducts, "generic");
    ASSERT_EQ(o.decision.kind, DecisionKind::Inlined) << n;
    // Short ones do without four accumulators.
    EXPECT_EQ(o.decision.loops[0].step == 64, n >= 128) << n;
    EXPECT_EQ(verify(loop, o.match, o.decision, 20, n).mismatch, "") << n;
  }
}

TEST(CrcInPlace, TheInstruction) {
  for (uint64_t poly : {crc32Poly, crc32cPoly})
    for (const TargetFacts &facts : {withAll, withSteps})
      for (const char *core : {"generic", "generic-inorder"}) {
        Loop loop = parsed(modelOf({32, true, poly}, "%n"));
        Outcome o = judged(loop, facts, core);
        ASSERT_EQ(o.decision.kind, DecisionKind::Inlined) << makeRemark(loop, o).message;
        EXPECT_NE(makeRemark(loop, o).message.find("CRC instruction"), std::string::npos);
        EXPECT_EQ(verify(loop, o.match, o.decision, widthStep > 1 ? 100 : 300, 1).mismatch, "");
      }
}

/// Beside products the instruction has what is known to be short to itself.
TEST(CrcInPlace, ShortOnesByTheInstruction) {
  for (unsigned n : {40u, 255u, 256u, 300u}) {
    Loop loop = parsed(modelOf({32, true, crc32cPoly}, std::to_string(n)));
    Outcome o = judged(loop, withAll, "generic");
    EXPECT_EQ(o.decision.shape, n < 256 ? "the CRC instruction, 8 bytes at a time"
                                        : "carry-less products, and the CRC instruction");
    EXPECT_EQ(verify(loop, o.match, o.decision, 20, n).mismatch, "") << n;
  }
}

/// Each near miss says why it is no better than it is.
TEST(CrcInPlace, ATableSaysWhy) {
  struct {
    const char *facts;
    TargetFacts target;
    const char *shape, *why;
  } cases[] = {
      {"", TargetFacts(), "a table of 256 entries", "the target has none"},
      {"", {false, false, false, "-mx"}, "a table of 256 entries", "-mx allows it"},
      {"optsize", withProducts, "a table of 16 entries", "optimised for size"},
      {"\n  target 64 big", withAll, "a table of 256 entries", "byte order"},
  };
  for (auto &c : cases) {
    Loop loop = parsed(modelOf({16, false, 0x1021}, "%n", c.facts));
    Outcome o = judged(loop, c.target, "generic");
    ASSERT_EQ(o.decision.kind, DecisionKind::Inlined) << makeRemark(loop, o).message;
    EXPECT_EQ(o.decision.shape, c.shape);
    bool told = false;
    for (const Fact &f : o.decision.facts)
      told |= f.code == Diag::TableInPlace && f.have.find(c.why) != std::string::npos;
    EXPECT_TRUE(told) << c.why;
    EXPECT_EQ(verify(loop, o.match, o.decision, 50, 1).mismatch, "");
  }
  Loop turned = parsed(modelOf({32, true, crc32Poly}, "%n", "\n  target 64 big"));
  EXPECT_EQ(judged(turned, withAll, "generic").decision.shape, "a table of 256 entries");
  // Another 32-bit polynomial, or the same one in the other direction, is no instruction's.
  for (const CrcPoly &other : {CrcPoly{32, true, 0xeb31d82e}, CrcPoly{32, false, 0x04c11db7}}) {
    Loop loop = parsed(modelOf(other, "%n"));
    EXPECT_EQ(judged(loop, withSteps, "generic").decision.shape, "a table of 256 entries");
  }
}

/// A decision with `bit` of the second factor of product `id` the other way; false if
/// scalar `k` of loop `i` does not need that product.
bool changed(Loop &loop, Decision &d, size_t i, size_t k, ExprId id, unsigned bit) {
  const Expr e = loop.exprs[id];
  ExprId wrong = loop.exprs.constant(loop.exprs[e.b].value ^ uint64_t(1) << bit, 64);
  std::map<ExprId, ExprId> with = {{id, loop.exprs.binary(Op::ClMul, e.a, wrong)}};
  ExprId &next = d.loops[i].scalars[k].next, before = next;
  next = loop.exprs.substitute(next, with);
  return next != before;
}

/// A loop left out shows, and so does any constant that is another one: not in each of
/// its bits, as few bytes do not reach them all.
TEST(CrcInPlace, FaultsAreSeen) {
  for (bool reflected : {false, true}) {
    if (widthStep > 1 && reflected)
      break;
    Loop loop = parsed(modelOf(randomPoly(40, reflected), "%n"));
    const Outcome o = judged(loop, withProducts, "generic-inorder");
    ASSERT_EQ(o.decision.kind, DecisionKind::Inlined);
    auto shows = [&](const Decision &bad) {
      return !verify(loop, o.match, bad, 300, 1).mismatch.empty();
    };
    unsigned constants = 0;
    for (size_t i = 0; i < o.decision.loops.size(); ++i) {
      Decision without = o.decision;
      without.loops[i].trip = loop.word(0);
      EXPECT_TRUE(shows(without)) << "loop " << i;
      for (size_t k = 0; k < o.decision.loops[i].scalars.size(); ++k)
        for (ExprId id = 0, end = ExprId(loop.exprs.size()); id < end; ++id) {
          if (loop.exprs[id].op != Op::ClMul || !loop.exprs.isConst(loop.exprs[id].b))
            continue;
          bool used = false, seen = false;
          for (unsigned bit : {63, 0}) {
            Decision bad = o.decision;
            used |= changed(loop, bad, i, k, id, bit);
            seen |= used && shows(bad);
          }
          constants += used;
          EXPECT_TRUE(seen || !used) << "loop " << i << ": " << printExpr(loop, id);
        }
    }
    EXPECT_GE(constants, 20u);
  }
}

TEST(CrcInPlace, Operations) {
  uint64_t low, high;
  clMul(0x8000000000000003, 0x8000000000000001, low, high);
  EXPECT_EQ(low, 0x8000000000000003u ^ 0x8000000000000000u);
  EXPECT_EQ(high, 0x4000000000000001u);
  ExprGraph g;
  ExprId a = g.leaf(Op::Rec, 0, 64), b = g.leaf(Op::Rec, 1, 64), p = g.pair(a, b);
  EXPECT_EQ(g.width(p), 128u);
  EXPECT_EQ(g.half(p, 0), a);
  EXPECT_EQ(g.half(p, 1), b);
  EXPECT_EQ(g.binary(Op::ClMul, a, b), g.binary(Op::ClMul, b, a));
  // As text, and back.
  std::string text = "loop \"t:f#0\" {\n  function \"f\"\n  base p argument align 1\n"
                     "  dim trip 9\n  rec c 32 init 0:32\n  rec w 128 init (pair 1:64 2:64)\n"
                     "  load p + 0 step [8] bytes 8 align 1\n"
                     "  next c (crc32c (crc32 $c @0) (trunc 16 @0))\n"
                     "  next w (xor $w (clmul @0 (trunc 64 $w)))\n}\n";
  Loop loop = parsed(text);
  std::string printed = print(loop);
  EXPECT_EQ(print(parsed(printed)), printed);
  EXPECT_NE(printed.find("(crc32c (crc32 $c @0) (trunc 16 @0))"), std::string::npos) << printed;
  for (const char *bad : {"(clmul $c $c)", "(pair $c $c)", "(crc32 @0 @0)", "(crc32 $c $w)"}) {
    std::vector<Loop> none;
    ParseError e;
    std::string wrong = text;
    wrong.replace(wrong.find("(crc32c"), std::string("(crc32c (crc32 $c @0) (trunc 16 @0))").size(),
                  bad);
    EXPECT_FALSE(parseLoops(wrong, none, e)) << bad;
  }
}

} // namespace
