// stream_layout_test.cpp - compiled loops assume the layouts of stream.h and spread.h
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../idioms/decide/decide.h"

#include <memlift/spread.h>
#include <memlift/stream.h>

#include <cstddef>
#include <gtest/gtest.h>
#include <string>

using namespace memlift;

namespace {

TEST(StreamLayout, IsThatOfTheHeader) {
  EXPECT_EQ(StreamAbi::stateBytes, sizeof(memlift_stream));
  EXPECT_EQ(StreamAbi::planBytes, sizeof(memlift_stream_plan));
  EXPECT_EQ(StreamAbi::accessBytes, sizeof(memlift_stream_access));
  EXPECT_EQ(StreamAbi::shiftBytes, sizeof(memlift_stream_shift));
  EXPECT_EQ(0u, offsetof(memlift_stream_access, base));
  EXPECT_EQ(StreamAbi::step, offsetof(memlift_stream_access, step));
  EXPECT_EQ(StreamAbi::bytes, offsetof(memlift_stream_access, bytes));
  EXPECT_EQ(StreamAbi::how, offsetof(memlift_stream_access, how));
  EXPECT_EQ(0u, offsetof(memlift_stream_plan, count));
  EXPECT_EQ(StreamAbi::cycles16, offsetof(memlift_stream_plan, cycles16));
  EXPECT_EQ(StreamAbi::store, offsetof(memlift_stream_plan, store));
  EXPECT_EQ(0u, offsetof(memlift_stream_shift, delta));
  EXPECT_EQ(StreamAbi::slope, offsetof(memlift_stream_shift, slope));
}

TEST(SpreadLayout, IsThatOfTheHeader) {
  EXPECT_EQ(SpreadAbi::planBytes, sizeof(memlift_spread_plan));
  EXPECT_EQ(0u, offsetof(memlift_spread_plan, cycles16));
  EXPECT_EQ(SpreadAbi::values, offsetof(memlift_spread_plan, values));
  EXPECT_EQ(SpreadAbi::join, offsetof(memlift_spread_plan, join));
  EXPECT_EQ(SpreadAbi::unit, offsetof(memlift_spread_plan, unit));
  EXPECT_EQ(unsigned(SpreadAbi::mostValues), unsigned(MEMLIFT_SPREAD_VALUES));
  EXPECT_EQ(unsigned(Carry::Add), MEMLIFT_SPREAD_ADD);
  EXPECT_EQ(unsigned(Carry::Xor), MEMLIFT_SPREAD_XOR);
  EXPECT_EQ(unsigned(Carry::And), MEMLIFT_SPREAD_AND);
  EXPECT_EQ(unsigned(Carry::Or), MEMLIFT_SPREAD_OR);
  EXPECT_EQ(unsigned(Carry::UMin), MEMLIFT_SPREAD_UMIN);
  EXPECT_EQ(unsigned(Carry::UMax), MEMLIFT_SPREAD_UMAX);
  EXPECT_EQ(unsigned(Carry::SMin), MEMLIFT_SPREAD_SMIN);
  EXPECT_EQ(unsigned(Carry::SMax), MEMLIFT_SPREAD_SMAX);
}

TEST(StreamLayout, NumbersAreThoseOfTheHeader) {
  EXPECT_EQ(unsigned(StreamAbi::mostAccesses), unsigned(MEMLIFT_STREAM_ACCESSES));
  EXPECT_EQ(unsigned(StreamAccess::In), MEMLIFT_STREAM_IN);
  EXPECT_EQ(unsigned(StreamAccess::Out), MEMLIFT_STREAM_OUT);
  EXPECT_EQ(unsigned(StreamAccess::Rows), MEMLIFT_STREAM_ROWS);
}

} // namespace
