// dax_model_test.cpp - the DAX model is as strict as the documents, and extracts what they say
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks are put together here field by field, not by the engine's encoder.

#include "dax_support.h"

#include <thread>

namespace {

class DaxModel : public DaxTest {
protected:
  void SetUp() override {
    DaxTest::SetUp();
    model.page = uint64_t(1) << 62; // where the allocator puts a buffer decides nothing
    memlift_dax_model_transport.open();
    from = randomBytes(8192, 1), to.assign(8192 + 64, 0);
    out = (reinterpret_cast<uintptr_t>(to.data()) + 63) & ~uintptr_t(63);
  }

  // A copy of 1024 bytes that is right in every bit; tests spoil it.
  void prepare() {
    memset(block, 0, sizeof block);
    MEMLIFT_PUT(block, DAX_CCB, OPCODE, MEMLIFT_DAX_CCB_OP_EXTRACT);
    MEMLIFT_PUT(block, DAX_CCB, OUTPUT_TYPE, MEMLIFT_DAX_CCB_TYPE_VIRTUAL);
    MEMLIFT_PUT(block, DAX_CCB, PRIMARY_TYPE, MEMLIFT_DAX_CCB_TYPE_VIRTUAL);
    MEMLIFT_PUT(block, DAX_CCB, ELEMENT_SIZE, 15);
    MEMLIFT_PUT(block, DAX_CCB, OUTPUT_FORMAT, MEMLIFT_DAX_CCB_OUT_16);
    MEMLIFT_PUT(block, DAX_CCB, LENGTH, 63);
    MEMLIFT_PUT(block, DAX_CCB, PRIMARY, reinterpret_cast<uintptr_t>(from.data()));
    MEMLIFT_PUT(block, DAX_CCB, OUTPUT, out);
    std::fill(to.begin(), to.end(), 0);
  }

  // Status of the completion area; 0x100 + reason when the block is not taken.
  unsigned run() {
    uint32_t why;
    memlift_dax_model_transport.dequeue();
    if (memlift_dax_model_transport.submit(block, 1, 7, &why) == 0)
      return 0x100 + why;
    EXPECT_EQ(area()[0], MEMLIFT_DAX_CA_STATUS_PENDING);
    later();
    return area()[0];
  }
  unsigned error() { return unsigned(MEMLIFT_GET(area(), DAX_CA, ERROR)); }
  const unsigned char *area() {
    return memlift_dax_model_transport.areas() + 7 * MEMLIFT_DAX_CA_SIZE;
  }
  const unsigned char *output() { return reinterpret_cast<unsigned char *>(out); }
  bool untouched() { return to == Bytes(to.size(), 0); }

  alignas(64) unsigned char block[64];
  Bytes from, to;
  uintptr_t out = 0;
};

TEST_F(DaxModel, ObeysARightBlock) {
  prepare();
  ASSERT_EQ(run(), unsigned(MEMLIFT_DAX_CA_STATUS_OK));
  EXPECT_EQ(memcmp(output(), from.data(), 1024), 0);
  EXPECT_EQ(output()[1024], 0);
  EXPECT_EQ(MEMLIFT_GET(area(), DAX_CA, ELEMENTS), 64u);
  EXPECT_EQ(MEMLIFT_GET(area(), DAX_CA, OUTPUT_SIZE), 1024u);
}

TEST_F(DaxModel, RefusesEveryReservedBit) {
  unsigned reserved = 0;
  for (unsigned bit = 0; bit < 512; ++bit) {
    static const struct {
      unsigned offset, bytes;
      uint64_t mask;
    } words[] = {
#define WORD(offset, bytes, mask) {offset, bytes, mask},
        MEMLIFT_DAX_CCB_WORDS(WORD)
#undef WORD
    };
    for (const auto &word : words) {
      if (bit / 8 < word.offset || bit / 8 >= word.offset + word.bytes)
        continue;
      unsigned in_word = (word.bytes - 1 - (bit / 8 - word.offset)) * 8 + bit % 8;
      if (word.mask >> in_word & 1)
        continue;
      ++reserved;
      prepare();
      block[bit / 8] |= static_cast<unsigned char>(1u << bit % 8);
      ASSERT_EQ(run(), unsigned(MEMLIFT_DAX_CA_STATUS_FAILED)) << "bit " << bit;
      ASSERT_EQ(error(), unsigned(MEMLIFT_DAX_CA_ERROR_DECODE));
      ASSERT_TRUE(untouched()) << "bit " << bit;
    }
  }
  EXPECT_EQ(reserved, 3u + 9 + 8 + 4); // of header, control, and access twice: table 36.1, 36.2.1.2
}

#define SPOIL(field, value) [](unsigned char *block) { MEMLIFT_PUT(block, DAX_CCB, field, value); }

TEST_F(DaxModel, RefusesWhatMakesNoSense) {
  using Spoil = void (*)(unsigned char *);
  const Spoil wrong[] = {SPOIL(LONG, 1),
                         SPOIL(CONDITIONAL, 1),
                         SPOIL(PIPELINE, 1),
                         SPOIL(COMPLETION_TYPE, 3),
                         SPOIL(TABLE_TYPE, 3),
                         SPOIL(OUTPUT_TYPE, 0),
                         SPOIL(PRIMARY_TYPE, 0),
                         SPOIL(PRIMARY_FORMAT, 2),
                         SPOIL(PRIMARY_FORMAT, 3),
                         SPOIL(PRIMARY_FORMAT, 8),
                         SPOIL(PRIMARY_FORMAT, 4),
                         SPOIL(ELEMENT_SIZE, 16),
                         SPOIL(BIT_OFFSET, 1),
                         SPOIL(SECONDARY_ENCODING, 1),
                         SPOIL(SECONDARY_OFFSET, 1),
                         SPOIL(SECONDARY_SIZE, 1),
                         SPOIL(OUTPUT_FORMAT, 5),
                         SPOIL(OUTPUT_FORMAT, 15),
                         SPOIL(COMPLETION_ADI, 1),
                         SPOIL(COMPLETION_INTERRUPT, 1),
                         SPOIL(COMPLETION_ADDRESS, 1),
                         SPOIL(INTERRUPT_NUMBER, 1),
                         SPOIL(FLOW, 1),
                         SPOIL(PIPELINE_TARGET, 1),
                         SPOIL(OUTPUT_BLOCKS, 1),
                         SPOIL(CACHE, 3),
                         SPOIL(LENGTH_FORMAT, 3),
                         SPOIL(SECONDARY, 1),
                         SPOIL(OPERANDS, 1),
                         SPOIL(TABLE, 1),
                         SPOIL(LENGTH, 62)};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    prepare();
    wrong[i](block);
    ASSERT_EQ(run(), unsigned(MEMLIFT_DAX_CA_STATUS_FAILED)) << i;
    EXPECT_EQ(error(), unsigned(MEMLIFT_DAX_CA_ERROR_DECODE)) << i;
    EXPECT_TRUE(untouched()) << i;
  }
  for (uintptr_t skew : {1, 16, 32, 63}) {
    prepare();
    MEMLIFT_PUT(block, DAX_CCB, OUTPUT, out + skew);
    EXPECT_EQ(run(), unsigned(MEMLIFT_DAX_CA_STATUS_FAILED)) << skew;
    EXPECT_TRUE(untouched());
  }
}

TEST_F(DaxModel, TheDriverRefusesBlocks) {
  const unsigned bad = 0x100 + MEMLIFT_DAX_EXEC_BAD_BLOCK;
  for (unsigned opcode = 6; opcode < 256; ++opcode) {
    prepare();
    MEMLIFT_PUT(block, DAX_CCB, OPCODE, opcode);
    unsigned known = opcode >= 0x12 && opcode <= 0x14; // the inverted ones
    ASSERT_EQ(run(), known ? 0x100u + MEMLIFT_DAX_EXEC_UNAVAILABLE : bad) << opcode;
  }
  for (unsigned type : {1u, 2u, 4u, 7u}) {
    prepare();
    MEMLIFT_PUT(block, DAX_CCB, OUTPUT_TYPE, type);
    EXPECT_EQ(run(), bad);
    prepare();
    MEMLIFT_PUT(block, DAX_CCB, PRIMARY_TYPE, type);
    EXPECT_EQ(run(), bad);
    prepare();
    MEMLIFT_PUT(block, DAX_CCB, SECONDARY_TYPE, type);
    EXPECT_EQ(run(), bad);
  }
  prepare();
  MEMLIFT_PUT(block, DAX_CCB, VERSION, 1);
  EXPECT_EQ(run(), bad);
  prepare();
  MEMLIFT_PUT(block, DAX_CCB, OUTPUT, 64); // unmapped memory
  EXPECT_EQ(run(), 0x100u + MEMLIFT_DAX_EXEC_NO_ACCESS);
  prepare();
  MEMLIFT_PUT(block, DAX_CCB, SECONDARY_TYPE, 3);
  EXPECT_EQ(run(), 0x100u + MEMLIFT_DAX_EXEC_NO_ACCESS);
  MEMLIFT_PUT(block, DAX_CCB, SECONDARY, reinterpret_cast<uintptr_t>(from.data()));
  EXPECT_EQ(run(), unsigned(MEMLIFT_DAX_CA_STATUS_FAILED)); // an input that nothing asks for
  EXPECT_TRUE(untouched());
  prepare();
  MEMLIFT_PUT(block, DAX_CCB, PRIMARY, 64);
  EXPECT_EQ(run(), 0x100u + MEMLIFT_DAX_EXEC_NO_ACCESS);
}

TEST_F(DaxModel, AreasAndCountsAreChecked) {
  uint32_t why;
  alignas(64) unsigned char blocks[16][64];
  for (auto &b : blocks) {
    prepare();
    memcpy(b, block, sizeof b);
  }
  const auto &door = memlift_dax_model_transport;
  EXPECT_EQ(door.submit(blocks[0], 0, 0, &why), 0u);
  EXPECT_EQ(door.submit(blocks[0], 16, 0, &why), 0u);
  EXPECT_EQ(why, unsigned(MEMLIFT_DAX_EXEC_BAD_ARGUMENT));
  EXPECT_EQ(door.submit(blocks[0], 15, DAX_COMPLETION_AREAS - 14, &why), 0u);
  EXPECT_EQ(why, unsigned(MEMLIFT_DAX_EXEC_NO_COMPLETION_AREA));
  EXPECT_EQ(door.submit(blocks[0], 15, DAX_COMPLETION_AREAS - 15, &why), 15u);
  EXPECT_EQ(door.submit(blocks[0], 1, DAX_COMPLETION_AREAS - 8, &why), 0u);
  EXPECT_EQ(why, unsigned(MEMLIFT_DAX_EXEC_NO_COMPLETION_AREA));
  later();
  EXPECT_EQ(door.submit(blocks[0], 1, DAX_COMPLETION_AREAS - 8, &why), 1u);
}

TEST_F(DaxModel, NothingCrossesAPage) {
  Guarded memory(64 * 1024);
  uintptr_t page = (reinterpret_cast<uintptr_t>(memory.begin()) + 8191) & ~uintptr_t(8191);
  unsigned char *p = reinterpret_cast<unsigned char *>(page);
  unsigned char *source = p + 4 * 8192; // not where an allocator's may cross a page
  memcpy(source, from.data(), 1024);
  model.page = 8192;
  prepare();
  MEMLIFT_PUT(block, DAX_CCB, PRIMARY, reinterpret_cast<uintptr_t>(source));
  MEMLIFT_PUT(block, DAX_CCB, OUTPUT, page + 8192 - 512);
  ASSERT_EQ(run(), unsigned(MEMLIFT_DAX_CA_STATUS_FAILED));
  EXPECT_EQ(error(), unsigned(MEMLIFT_DAX_CA_ERROR_PAGE));
  EXPECT_EQ(memcmp(p + 8192 - 512, from.data(), 512), 0);
  EXPECT_EQ(p[8192], 0);
  memset(p, 0, 16384);
  prepare();
  MEMLIFT_PUT(block, DAX_CCB, OUTPUT, page);
  MEMLIFT_PUT(block, DAX_CCB, PRIMARY, page + 16384 - 1023); // a byte too many
  ASSERT_EQ(run(), unsigned(MEMLIFT_DAX_CA_STATUS_FAILED));
  EXPECT_EQ(error(), unsigned(MEMLIFT_DAX_CA_ERROR_PAGE));
  MEMLIFT_PUT(block, DAX_CCB, PRIMARY, page + 16384 - 1024);
  EXPECT_EQ(run(), unsigned(MEMLIFT_DAX_CA_STATUS_OK));
}

// Extract by its definition, one bit and one byte at a time.
Bytes extracted(const Bytes &primary, unsigned bits, unsigned offset,
                const std::vector<unsigned> &runs, size_t elements, unsigned outBytes, bool left) {
  Bytes result;
  for (size_t i = 0; i < elements; ++i) {
    std::vector<bool> element;
    for (size_t b = 0; b < bits; ++b) {
      size_t at = offset + i * bits + b;
      element.push_back(primary[at / 8] >> (7 - at % 8) & 1);
    }
    while (element.size() % 8)
      element.insert(element.begin(), false);
    Bytes bytes;
    for (size_t b = 0; b < element.size(); b += 8) {
      unsigned byte = 0;
      for (size_t k = 0; k < 8; ++k)
        byte = byte << 1 | element[b + k];
      bytes.push_back(static_cast<unsigned char>(byte));
    }
    while (bytes.size() < outBytes)
      bytes.insert(left ? bytes.begin() : bytes.end(), 0);
    bytes.resize(outBytes);
    for (unsigned r = 0; r < (runs.empty() ? 1 : runs[i]); ++r)
      result.insert(result.end(), bytes.begin(), bytes.end());
  }
  return result;
}

TEST_F(DaxModel, ExtractsEveryFormat) {
  std::mt19937_64 random(testSeed());
  for (int round = 0; round < (sanitized ? 800 : 3000); ++round) {
    bool bitwise = random() % 2, withRuns = random() % 2, left = random() % 2, less = random() % 2;
    unsigned width = 1 + random() % (bitwise ? 15 : 16), bits = bitwise ? width : 8 * width;
    unsigned offset = bitwise ? random() % 8 : 0, format = random() % 5, outBytes = 1u << format;
    unsigned runSize = withRuns ? random() % 4 : 0, runOffset = withRuns ? random() % 8 : 0;
    size_t elements = (1 + random() % 4) * 64; // whole granules, in bits and in bytes
    Bytes secondary = randomBytes(elements + 2, random());
    std::vector<unsigned> runs;
    for (size_t i = 0; withRuns && i < elements; ++i) {
      unsigned run = 0;
      for (unsigned b = 0; b < 1u << runSize; ++b) {
        size_t at = runOffset + (i << runSize) + b;
        run = run << 1 | (secondary[at / 8] >> (7 - at % 8) & 1);
      }
      runs.push_back(run + less);
    }
    Bytes expected = extracted(from, bits, offset, runs, elements, outBytes, left);
    prepare();
    to.assign(expected.size() + 192, 0);
    out = (reinterpret_cast<uintptr_t>(to.data()) + 63) & ~uintptr_t(63);
    MEMLIFT_PUT(block, DAX_CCB, OUTPUT, out);
    MEMLIFT_PUT(block, DAX_CCB, PRIMARY_FORMAT, (bitwise ? 1u : 0u) | (withRuns ? 4u : 0u));
    MEMLIFT_PUT(block, DAX_CCB, ELEMENT_SIZE, width - 1);
    MEMLIFT_PUT(block, DAX_CCB, BIT_OFFSET, offset);
    MEMLIFT_PUT(block, DAX_CCB, OUTPUT_FORMAT, format);
    MEMLIFT_PUT(block, DAX_CCB, PAD_LEFT, left);
    MEMLIFT_PUT(block, DAX_CCB, LENGTH_FORMAT, withRuns || random() % 2 ? (bitwise ? 2u : 1u) : 0u);
    uint64_t unit = MEMLIFT_GET(block, DAX_CCB, LENGTH_FORMAT);
    MEMLIFT_PUT(block, DAX_CCB, LENGTH,
                (unit == 0   ? elements
                 : unit == 1 ? elements * width
                             : elements * bits) -
                    1);
    if (withRuns) {
      MEMLIFT_PUT(block, DAX_CCB, SECONDARY_TYPE, MEMLIFT_DAX_CCB_TYPE_VIRTUAL);
      MEMLIFT_PUT(block, DAX_CCB, SECONDARY, reinterpret_cast<uintptr_t>(secondary.data()));
      MEMLIFT_PUT(block, DAX_CCB, SECONDARY_SIZE, runSize);
      MEMLIFT_PUT(block, DAX_CCB, SECONDARY_OFFSET, runOffset);
      MEMLIFT_PUT(block, DAX_CCB, SECONDARY_ENCODING, less ? 0u : 1u);
    }
    unsigned status = run();
    if (expected.size() % 64) {
      ASSERT_EQ(status, unsigned(MEMLIFT_DAX_CA_STATUS_FAILED));
      continue;
    }
    ASSERT_EQ(status, unsigned(MEMLIFT_DAX_CA_STATUS_OK)) << round << ", seed " << testSeed();
    ASSERT_EQ(memcmp(output(), expected.data(), expected.size()), 0)
        << round << ", seed " << testSeed();
    ASSERT_EQ(output()[expected.size()], 0);
  }
}

TEST_F(DaxModel, TheSameSeedIsTheSameRun) {
  auto times = [this](uint64_t seed) {
    memlift_dax_model_reset(&model, seed, DAX_LARGEST_PAGE);
    memlift_dax_model_transport.open();
    std::vector<uint64_t> ends;
    uint32_t why;
    for (unsigned i = 0; i < 100; ++i) {
      prepare();
      EXPECT_EQ(memlift_dax_model_transport.submit(block, 1, i, &why), 1u);
      ends.push_back(model.pending[i].finish);
    }
    return ends;
  };
  auto first = times(1);
  EXPECT_EQ(first, times(1));
  EXPECT_NE(first, times(2));
  EXPECT_FALSE(std::is_sorted(first.begin(), first.end())); // they overtake each other
}

TEST_F(DaxModel, SyncCompletes) {
  memset(block, 0, sizeof block);
  EXPECT_EQ(run(), unsigned(MEMLIFT_DAX_CA_STATUS_OK));
  block[4] = 0x80; // a sync
  EXPECT_EQ(run(), unsigned(MEMLIFT_DAX_CA_STATUS_OK));
  block[16] = 1;
  EXPECT_EQ(run(), unsigned(MEMLIFT_DAX_CA_STATUS_FAILED));
}

// As Linux's driver, which answers EUSERS to all but the thread that opened it.
TEST_F(DaxModel, AnswersOnlyTheThreadThatOpenedIt) {
  const dax_transport &door = memlift_dax_model_transport;
  ASSERT_EQ(door.open(), MEMLIFT_OK);
  std::thread([&] {
    uint32_t value = 0;
    alignas(64) unsigned char block[64] = {};
    EXPECT_FALSE(door.mine());
    EXPECT_EQ(door.submit(block, 1, 0, &value), 0u);
    EXPECT_EQ(value, unsigned(MEMLIFT_DAX_EXEC_WRONG_THREAD));
    EXPECT_EQ(door.kill(0, &value), DAX_NOT_YOURS);
    EXPECT_EQ(door.info(0, &value), DAX_NOT_YOURS);
    door.dequeue();
  }).join();
  EXPECT_TRUE(door.mine());
  EXPECT_EQ(model.strangers, 4u);
  EXPECT_EQ(model.dequeues, 0u);
  EXPECT_EQ(model.kills, 0u);
  door.close();
}

} // namespace
