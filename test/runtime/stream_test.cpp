// stream_test.cpp - loops over blocks: direct where no local store is, whatever the plan
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.h"

#include <memlift/stream.h>

namespace {

constexpr memlift_stream_shift junk{-1, -1};

TEST(StreamWithoutStore, IsOneDirectBlock) {
  std::vector<uint32_t> in(1000), out(1000);
  memlift_stream_plan plan{2, 0, 0};
  memlift_stream_access accesses[] = {{in.data(), 4, 4, MEMLIFT_STREAM_IN, 0},
                                      {out.data(), 4, 4, MEMLIFT_STREAM_OUT, 0}};
  for (uint64_t iterations : {1, 2, 1000}) {
    memlift_stream stream;
    memlift_stream_shift shifts[] = {junk, junk, junk};
    memlift_stream_begin(&stream, &plan, accesses, iterations);
    ASSERT_EQ(memlift_stream_next(&stream, shifts), iterations);
    for (int k = 0; k < 2; ++k) {
      EXPECT_EQ(shifts[k].delta, 0);
      EXPECT_EQ(shifts[k].slope, 0);
    }
    EXPECT_EQ(shifts[2].delta, -1) << "there is no third access";
    EXPECT_EQ(memlift_stream_next(&stream, shifts), 0u);
    EXPECT_EQ(memlift_stream_next(&stream, shifts), 0u);
    memlift_stream_end(&stream);
  }
}

TEST(StreamWithoutStore, HasNoBlockOfNoIterations) {
  memlift_stream_plan plan{1, 0, 0};
  memlift_stream_access access{nullptr, 4, 4, MEMLIFT_STREAM_IN, 0};
  memlift_stream stream;
  memlift_stream_shift shift = junk;
  memlift_stream_begin(&stream, &plan, &access, 0);
  EXPECT_EQ(memlift_stream_next(&stream, &shift), 0u);
  EXPECT_EQ(shift.delta, -1) << "there is no block whose shift this could be";
  memlift_stream_end(&stream);
}

// Compiled code reserves the state on its stack, and fills the structs in.
TEST(StreamLayout, IsWhatCompiledCodeUses) {
  EXPECT_EQ(sizeof(memlift_stream), 832u);
  EXPECT_EQ(sizeof(memlift_stream_access), 32u);
  EXPECT_EQ(offsetof(memlift_stream_access, step), 8u);
  EXPECT_EQ(offsetof(memlift_stream_access, bytes), 16u);
  EXPECT_EQ(offsetof(memlift_stream_access, how), 24u);
  EXPECT_EQ(sizeof(memlift_stream_plan), 16u);
  EXPECT_EQ(offsetof(memlift_stream_plan, cycles16), 4u);
  EXPECT_EQ(offsetof(memlift_stream_plan, store), 8u);
  EXPECT_EQ(sizeof(memlift_stream_shift), 2 * sizeof(void *));
}

} // namespace
