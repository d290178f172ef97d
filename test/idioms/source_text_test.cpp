// source_text_test.cpp - expressions in messages are C, not the text of loop models
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../idioms/source_text.h"

#include <gtest/gtest.h>

using namespace memlift;

namespace {

/// Returns `value` as messages show it. It may use %n, %m (64 bits), %k (32 bits), &s, &d, &total
/// (a variable), $sum (32 bits), loads @0 of s[i], @1 of s[i + 1], @2 of pairs[2 * j + 1] in rows,
/// @3 of total, and table crc. `dims` is the depth of the nest.
std::string shown(const std::string &value, unsigned width, unsigned dims = 1) {
  std::string bits = std::to_string(width), rows = dims > 1 ? "%n " : "",
              still = dims > 1 ? "0 " : "";
  std::string text = R"(loop "t" {
  base s argument align 1
  base d argument align 1
  base total global align 4
  base pairs argument align 4
  sym n 64
  sym m.1 64
  sym k 32
  sym flag 1
)";
  for (unsigned k = 0; k < dims; ++k)
    text += "  dim trip %n\n";
  text += "  table crc 32 [0 1]\n  rec sum 32 init 0:32\n";
  text += "  rec v " + bits + " init 0:" + bits + "\n";
  text += "  load s + 0 step [" + still + "1] bytes 1 align 1\n";
  text += "  load s + 1 step [" + still + "1] bytes 1 align 1\n";
  text += "  load pairs + 4 step [" + rows + "8] bytes 4 align 4\n";
  text += "  load total + 0 step [" + still + "0] bytes 4 align 4\n";
  text += "  load pairs + 2 step [" + still + "3] bytes 2 align 1\n";
  text += "  next sum $sum\n  next v " + value + "\n}\n";
  std::vector<Loop> loops;
  ParseError error;
  if (!parseLoops(text, loops, error))
    return std::to_string(error.line) + ": " + error.message;
  EXPECT_EQ(loops[0].exprs.width(loops[0].recs[1].next), width) << value;
  return sourceText(loops[0], loops[0].recs[1].next);
}

TEST(SourceText, SumsAreInOrderAndWithoutConversions) {
  EXPECT_EQ(shown("%n", 64), "n");
  EXPECT_EQ(shown("(add (add %n -1) 1)", 64), "n");
  EXPECT_EQ(shown("(add %n -1)", 64), "n - 1");
  EXPECT_EQ(shown("(sub 7 %n)", 64), "7 - n");
  EXPECT_EQ(shown("(mul %n -1)", 64), "-n");
  EXPECT_EQ(shown("(sub 1:1 (ult %n %m.1))", 1), "m <= n");
  EXPECT_EQ(shown("(zext 32 (sub 0:1 (ult %n %m.1)))", 32), "n < m");
  EXPECT_EQ(shown("(mul (zext 64 (add (add %k 4294967295:32) 1:32)) 4)", 64), "4 * k");
  EXPECT_EQ(shown("(add (mul &s -1) &d)", 64), "d - s");
  EXPECT_EQ(shown("(add (mul %m.1 %n) (mul %n 8))", 64), "8 * n + m * n");
  EXPECT_EQ(shown("(zext 64 (sub 4294967295:32 %k))", 64), "0xffffffff - k");
  EXPECT_EQ(shown("(shl %n 2)", 64), "4 * n");
  EXPECT_EQ(shown("(lshr (mul %n 4) 2)", 64), "n");
  EXPECT_EQ(shown("(mul (sub %n (urem %n 3)) -6148914691236517205)", 64), "n / 3");
  EXPECT_EQ(shown("(mul (add (mul (mul %n 3) -6148914691236517205) 2) 3)", 64), "3 * n + 6");
}

TEST(SourceText, ConstantsAreNumbersAndMasks) {
  EXPECT_EQ(shown("0", 64), "0");
  EXPECT_EQ(shown("-5", 64), "-5");
  EXPECT_EQ(shown("4096", 64), "4096");
  EXPECT_EQ(shown("255:8", 8), "255");
  EXPECT_EQ(shown("16909060:32", 32), "0x1020304");
  EXPECT_EQ(shown("(and %n -8)", 64), "n & ~7");
  EXPECT_EQ(shown("(and %k 255:32)", 32), "k & 0xff");
  EXPECT_EQ(shown("(xor %k 4294967295:32)", 32), "~k");
  EXPECT_EQ(shown("(xor (lshr $sum 1:32) 3988292384:32)", 32), "sum >> 1 ^ 0xedb88320");
  EXPECT_EQ(shown("(urem $sum 65521:32)", 32), "sum % 65521");
}

TEST(SourceText, AccessesAreElements) {
  EXPECT_EQ(shown("@0", 8), "s[i]");
  EXPECT_EQ(shown("@1", 8), "s[i + 1]");
  EXPECT_EQ(shown("@2", 32), "pairs[2 * i + 1]");
  EXPECT_EQ(shown("@3", 32), "total");
  EXPECT_EQ(shown("@4", 16), "*(uint16_t *)((char *)pairs + 3 * i + 2)");
  EXPECT_EQ(shown("@0", 8, 2), "s[j]");
  EXPECT_EQ(shown("@2", 32, 2), "*(uint32_t *)((char *)pairs + 8 * j + i * n + 4)");
  EXPECT_EQ(shown("(memory 32 (add &s 8))", 32), "s[2]");
  EXPECT_EQ(shown("(memory 32 &s)", 32), "*s");
  EXPECT_EQ(shown("(table crc (zext 64 (trunc 8 (xor $sum (zext 32 @0)))))", 32),
            "crc[(uint8_t)(sum ^ s[i])]");
}

TEST(SourceText, ParenthesesAreThoseOfC) {
  EXPECT_EQ(shown("(add $sum (zext 32 @0))", 32), "sum + s[i]");
  EXPECT_EQ(shown("(or (shl (zext 32 @0) 8:32) (zext 32 @1))", 32), "s[i] << 8 | s[i + 1]");
  EXPECT_EQ(shown("(mul (add %n 1) (add %n 1))", 64), "2 * n + n * n + 1");
  EXPECT_EQ(shown("(mul (lshr (add %n -3) 1) 2)", 64), "2 * ((n - 3) / 2)");
  EXPECT_EQ(shown("(lshr (add $sum 3:32) 1:32)", 32), "(sum + 3) >> 1");
  EXPECT_EQ(shown("(and (add $sum 3:32) 15:32)", 32), "(sum + 3) & 0xf");
  EXPECT_EQ(shown("(bswap $sum)", 32), "bswap32(sum)");
}

TEST(SourceText, ConditionsKeepTheirWidths) {
  EXPECT_EQ(shown("(ult %n 8)", 1), "n < 8");
  EXPECT_EQ(shown("(ult 7 %n)", 1), "n > 7");
  EXPECT_EQ(shown("(xor (ule %n %m.1) 1:1)", 1), "m < n");
  EXPECT_EQ(shown("(ult 2147483647:32 (xor (sub %k 32:32) 2147483648:32))", 1), "k - 32 > -1");
  EXPECT_EQ(shown("(ule %k 4294967294:32)", 1), "k <= 0xfffffffe");
  EXPECT_EQ(shown("(eq (zext 64 %k) (add (zext 64 (add %k 1:32)) -1))", 1),
            "k == (uint32_t)(k + 1) - 1");
  EXPECT_EQ(shown("(ult (sext 64 (add %k 1:32)) %n)", 1), "(int32_t)(k + 1) < n");
  EXPECT_EQ(shown("(or (eq %n 0) (and %flag (ne %m.1 0)))", 1), "n == 0 || (flag && m != 0)");
}

TEST(SourceText, ConditionalsAndLimits) {
  EXPECT_EQ(shown("(select (ult %n %m.1) %n %m.1)", 64), "min(m, n)");
  EXPECT_EQ(shown("(select (ult %n %m.1) %m.1 %n)", 64), "max(m, n)");
  EXPECT_EQ(shown("(add (select %flag 0 %n) 1)", 64), "(flag ? 0 : n) + 1");
  EXPECT_EQ(shown("(select (xor (eq %n 0) 1:1) %n 1)", 64), "(n != 0 ? n : 1)");
  EXPECT_EQ(shown("(xor %flag 1:1)", 1), "!flag");
  EXPECT_EQ(shown("?3:32", 32), "...");
}

TEST(SourceText, LongExpressionsLoseTheirInnermostParts) {
  Loop loop;
  loop.recs.push_back({"sum", 32});
  ExprGraph &g = loop.exprs;
  ExprId x = g.leaf(Op::Rec, 0, 32), one = g.constant(1, 32), zero = g.constant(0, 32);
  for (int bit = 0; bit < 64; ++bit)
    x = g.binary(Op::Xor, g.binary(Op::LShr, x, one),
                 g.select(g.binary(Op::Eq, g.binary(Op::And, x, one), zero), zero,
                          g.constant(0xedb88320, 32)));
  std::string text = sourceText(loop, x);
  EXPECT_LE(text.size(), 160u);
  EXPECT_NE(text.find("..."), std::string::npos);
}

TEST(SourceText, SymbolsOfCompilersAreShownAsTheSourceComputesThem) {
  auto source = std::make_shared<Loop>();
  source->syms.push_back({"n", 64});
  ExprId n = source->exprs.leaf(Op::Sym, 0, 64);
  Loop loop;
  loop.syms.push_back({"e0", 64});
  loop.syms[0].source = source->exprs.add(n, source->exprs.constant(~uint64_t(0), 64));
  loop.source = source;
  ExprId e0 = loop.exprs.leaf(Op::Sym, 0, 64);
  EXPECT_EQ(sourceText(loop, loop.exprs.add(e0, loop.exprs.constant(1, 64))), "n");
}

} // namespace
