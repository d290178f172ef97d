// stream_layout_test.cpp - the layout that compiled loops assume is that of memlift/stream.h
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../idioms/decide/decide.h"

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

TEST(StreamLayout, NumbersAreThoseOfTheHeader) {
  EXPECT_EQ(unsigned(StreamAbi::mostAccesses), unsigned(MEMLIFT_STREAM_ACCESSES));
  EXPECT_EQ(unsigned(StreamAccess::In), MEMLIFT_STREAM_IN);
  EXPECT_EQ(unsigned(StreamAccess::Out), MEMLIFT_STREAM_OUT);
  EXPECT_EQ(unsigned(StreamAccess::Rows), MEMLIFT_STREAM_ROWS);
}

} // namespace
