// dsa_format_test.cpp - our DSA words are the structs of <linux/idxd.h>, byte for byte
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends Formats.td against a slip: Linux's structs are bit-fields, which mean what they should on
// a little-endian machine only, and that is where this runs.

#include "support.h"

#include "engine/dsa/dsa_spec.h"

#include <linux/idxd.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
namespace {

Bytes bytesOf(const dsa_hw_desc &descriptor) {
  const unsigned char *p = reinterpret_cast<const unsigned char *>(&descriptor);
  return Bytes(p, p + sizeof descriptor);
}

template <typename Put> Bytes ours(Put put) {
  Bytes bytes(DSA_DESCRIPTOR, 0xa5);
  put(bytes.data());
  return bytes;
}

// Values whose every byte differs, and random ones.
struct Operands {
  uint64_t destination, source, record;
  uint32_t size;
};

std::vector<Operands> operands() {
  std::vector<Operands> all = {
      {0x0102030405060708u, 0x1112131415161718u, 0x2122232425262720u, 0x31323334u},
      {0, 0, 0, 0},
      {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT32_MAX}};
  std::mt19937_64 random(testSeed());
  for (int i = 0; i < 1000; ++i)
    all.push_back({random(), random(), random(), static_cast<uint32_t>(random())});
  return all;
}

constexpr unsigned asked = IDXD_OP_FLAG_CRAV | IDXD_OP_FLAG_RCR;

TEST(DsaFormat, AMoveIsLinuxsStruct) {
  for (const Operands &o : operands()) {
    dsa_hw_desc theirs = {};
    theirs.opcode = DSA_OPCODE_MEMMOVE;
    theirs.flags = asked;
    theirs.completion_addr = o.record;
    theirs.src_addr = o.source;
    theirs.dst_addr = o.destination;
    theirs.xfer_size = o.size;
    ASSERT_EQ(bytesOf(theirs), ours([&](unsigned char *d) {
                memlift_dsa_put_move(d, o.destination, o.source, o.size, o.record);
              }))
        << "seed " << testSeed();
  }
}

TEST(DsaFormat, AFillIsLinuxsStruct) {
  for (const Operands &o : operands()) {
    dsa_hw_desc theirs = {};
    theirs.opcode = DSA_OPCODE_MEMFILL;
    theirs.flags = asked;
    theirs.completion_addr = o.record;
    theirs.pattern = o.source;
    theirs.dst_addr = o.destination;
    theirs.xfer_size = o.size;
    ASSERT_EQ(bytesOf(theirs), ours([&](unsigned char *d) {
                memlift_dsa_put_fill(d, o.destination, o.source, o.size, o.record);
              }))
        << "seed " << testSeed();
  }
}

TEST(DsaFormat, ABatchIsLinuxsStruct) {
  for (const Operands &o : operands()) {
    dsa_hw_desc theirs = {};
    theirs.opcode = DSA_OPCODE_BATCH;
    theirs.flags = asked;
    theirs.completion_addr = o.record;
    theirs.desc_list_addr = o.source;
    theirs.desc_count = o.size;
    ASSERT_EQ(bytesOf(theirs),
              ours([&](unsigned char *d) { memlift_dsa_put_batch(d, o.source, o.size, o.record); }))
        << "seed " << testSeed();
  }
}

TEST(DsaFormat, EveryFieldIsWhereLinuxHasIt) {
  Bytes bytes(DSA_DESCRIPTOR);
  MEMLIFT_PUT(bytes.data(), DSA_DESC, PASID, 0xabcde);
  MEMLIFT_PUT(bytes.data(), DSA_DESC, PRIVILEGED, 1);
  MEMLIFT_PUT(bytes.data(), DSA_DESC, FLAGS, 0x123456);
  MEMLIFT_PUT(bytes.data(), DSA_DESC, OPCODE, 0x77);
  MEMLIFT_PUT(bytes.data(), DSA_DESC, INTERRUPT, 0x4711);
  MEMLIFT_PUT(bytes.data(), DSA_DESC, CRC_SEED, 0xdeadbeef);
  dsa_hw_desc theirs = {};
  theirs.pasid = 0xabcde;
  theirs.priv = 1;
  theirs.flags = 0x123456;
  theirs.opcode = 0x77;
  theirs.int_handle = 0x4711;
  theirs.crc_seed = 0xdeadbeef;
  EXPECT_EQ(bytesOf(theirs), bytes);
}

TEST(DsaFormat, ACompletionRecordIsLinuxsStruct) {
  dsa_completion_record theirs = {};
  theirs.status = 0x83;
  theirs.result = 0x5a;
  theirs.bytes_completed = 0x01020304;
  theirs.fault_addr = 0x1112131415161718u;
  theirs.crc_val = 0x21222324u;
  unsigned char record[DSA_RECORD];
  static_assert(sizeof theirs == sizeof record, "size of a completion record");
  memcpy(record, &theirs, sizeof record);
  EXPECT_EQ(MEMLIFT_GET(record, DSA_COMP, STATUS), 0x83u);
  EXPECT_EQ(MEMLIFT_GET(record, DSA_COMP, RESULT), 0x5au);
  EXPECT_EQ(MEMLIFT_GET(record, DSA_COMP, BYTES), 0x01020304u);
  EXPECT_EQ(MEMLIFT_GET(record, DSA_COMP, FAULT), 0x1112131415161718u);
  EXPECT_EQ(MEMLIFT_GET(record, DSA_COMP, CRC), 0x21222324u);
}

TEST(DsaFormat, NumbersAreLinuxs) {
  EXPECT_EQ(MEMLIFT_DSA_DESC_OP_NOP, DSA_OPCODE_NOOP);
  EXPECT_EQ(MEMLIFT_DSA_DESC_OP_DRAIN, DSA_OPCODE_DRAIN);
  EXPECT_EQ(MEMLIFT_DSA_DESC_OP_COMPARE, DSA_OPCODE_COMPARE);
  EXPECT_EQ(MEMLIFT_DSA_DESC_OP_DUALCAST, DSA_OPCODE_DUALCAST);
  EXPECT_EQ(MEMLIFT_DSA_DESC_OP_CRC, DSA_OPCODE_CRCGEN);
  EXPECT_EQ(MEMLIFT_DSA_DESC_OP_COPY_CRC, DSA_OPCODE_COPY_CRC);
  EXPECT_EQ(MEMLIFT_DSA_DESC_FLAG_FENCE, IDXD_OP_FLAG_FENCE);
  EXPECT_EQ(MEMLIFT_DSA_DESC_FLAG_BLOCK_ON_FAULT, IDXD_OP_FLAG_BOF);
  EXPECT_EQ(MEMLIFT_DSA_DESC_FLAG_CACHE, IDXD_OP_FLAG_CC);
  EXPECT_EQ(MEMLIFT_DSA_COMP_STATUS_NONE, DSA_COMP_NONE);
  EXPECT_EQ(MEMLIFT_DSA_COMP_STATUS_OK, DSA_COMP_SUCCESS);
  EXPECT_EQ(MEMLIFT_DSA_COMP_STATUS_FALSE, DSA_COMP_SUCCESS_PRED);
  EXPECT_EQ(MEMLIFT_DSA_COMP_STATUS_PAGE_FAULT, DSA_COMP_PAGE_FAULT_NOBOF);
  EXPECT_EQ(MEMLIFT_DSA_COMP_STATUS_BATCH_FAILED, DSA_COMP_BATCH_FAIL);
  EXPECT_EQ(MEMLIFT_DSA_COMP_STATUS_BATCH_FAULT, DSA_COMP_BATCH_PAGE_FAULT);
  EXPECT_EQ(MEMLIFT_DSA_COMP_STATUS_BAD_OPCODE, DSA_COMP_BAD_OPCODE);
  EXPECT_EQ(MEMLIFT_DSA_COMP_STATUS_BAD_FLAGS, DSA_COMP_INVALID_FLAGS);
  EXPECT_EQ(MEMLIFT_DSA_COMP_STATUS_RESERVED, DSA_COMP_NOZERO_RESERVE);
  EXPECT_EQ(MEMLIFT_DSA_COMP_STATUS_BAD_SIZE, DSA_COMP_XFER_ERANGE);
  EXPECT_EQ(MEMLIFT_DSA_COMP_STATUS_BAD_COUNT, DSA_COMP_DESC_CNT_ERANGE);
  EXPECT_EQ(MEMLIFT_DSA_COMP_STATUS_OVERLAP, DSA_COMP_OVERLAP_BUFFERS);
  EXPECT_EQ(MEMLIFT_DSA_COMP_STATUS_LIST_ALIGN, DSA_COMP_DESCLIST_ALIGN);
  EXPECT_EQ(MEMLIFT_DSA_COMP_STATUS_RECORD_ADDRESS, DSA_COMP_CRA_XLAT);
  EXPECT_EQ(MEMLIFT_DSA_COMP_STATUS_RECORD_ALIGN, DSA_COMP_CRA_ALIGN);
  EXPECT_EQ(MEMLIFT_DSA_COMP_STATUS_HARDWARE, DSA_COMP_HW_ERR1);
  EXPECT_EQ(DSA_STATUS_MASK, unsigned(DSA_COMP_STATUS_MASK));
  EXPECT_EQ(MEMLIFT_DSA_COMP_STATUS_WRITE, DSA_COMP_STATUS_WRITE);
}

} // namespace
#endif
