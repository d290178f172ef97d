// mpu.c - transfers of all kinds; or counts in a line that others count in, too
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../check.h"
#include <dma/spu_dma.h>

static uint8_t local[32768] __attribute__((aligned(128)));
static uint64_t line[16] __attribute__((aligned(128)));
static mfc_list_element_t list[8] __attribute__((aligned(8)));

static uint8_t right(uint32_t i) { return (uint8_t)(i ^ i >> 8); }

static void wait(uint32_t tag) {
  mfc_write_tag_mask(1u << tag);
  EQUAL(mfc_read_tag_status_all(), 1u << tag);
}

static void get_and_put(uint64_t ea) {
  mfc_get(local + 3, ea + 20001, 1000, 7, 0, 0); // any alignment, unless it is strict
  wait(7);
  for (uint32_t i = 0; i < 1000; i++) {
    EQUAL(local[3 + i], right(20001 + i));
    local[3 + i] = (uint8_t)~local[3 + i];
  }
  mfc_put(local + 3, ea + 40000, 1000, 7, 0, 0);
  // With a fence it gets what was put; a barrier holds for what is begun later, too.
  mfc_getf(local + 2000, ea + 40000, 1000, 7, 0, 0);
  mfc_putb(local + 3, ea + 40000, 1000, 7, 0, 0);
  mfc_get(local + 4000, ea + 40000, 1000, 7, 0, 0);
  wait(7);
  EQUAL(memcmp(local + 2000, local + 3, 1000), 0);
  EQUAL(memcmp(local + 4000, local + 3, 1000), 0);
  spu_dma_large_get(local, ea, 32768, 31, 0, 0);
  EQUAL(spu_dma_wait_tag_status_all(1u << 31), 1u << 31);
  for (uint32_t i = 0; i < 32768; i++)
    EQUAL(local[i], right(i));
  local[16] = 0;
  spu_mfcdma64(local, mfc_ea2h(ea), mfc_ea2l(ea), 64, 2, MFC_GET_CMD);
  mfc_write_tag_mask(1u << 2 | 1u << 31);
  mfc_write_tag_update_any();
  CHECK(mfc_read_tag_status() != 0);
  mfc_write_tag_update_all();
  EQUAL(mfc_read_tag_status(), 1u << 2 | 1u << 31);
  EQUAL(mfc_stat_tag_status(), 1);
  EQUAL(mfc_read_tag_status_immediate(), 1u << 2 | 1u << 31);
  EQUAL(mfc_read_tag_mask(), 1u << 2 | 1u << 31);
  EQUAL(local[16], right(16));
  mfc_get(local, ea, 0, 2, 0, 0); // nothing
  EQUAL(spu_dma_get_uint32(ea + 4, 1, 0, 0), 0x07060504);
  EQUAL(spu_dma_get_uint16(ea + 6, 1, 0, 0), 0x0706);
  EQUAL(spu_dma_get_uint8(ea + 15, 1, 0, 0), 15);
}

static void lists(uint64_t ea) {
  // Pieces of 4, 32 and 8 bytes: each at a multiple of 16, small ones at their place in it.
  list[0] = (mfc_list_element_t){.size = 4, .eal = mfc_ea2l(ea + 68)};
  list[1] = (mfc_list_element_t){.size = 32, .eal = mfc_ea2l(ea + 128)};
  list[2] = (mfc_list_element_t){.size = 0, .eal = 0};
  list[3] = (mfc_list_element_t){.size = 8, .eal = mfc_ea2l(ea + 24)};
  for (int i = 0; i < 64; i++)
    local[i] = (uint8_t)(i + 1);
  mfc_putl(local, ea, list, 4 * sizeof *list, 4, 0, 0);
  wait(4);
  EQUAL(mars_ea_get_uint8(ea + 68), 5); // from local + 4
  EQUAL(mars_ea_get_uint8(ea + 71), 8);
  EQUAL(mars_ea_get_uint8(ea + 72), 0);
  EQUAL(mars_ea_get_uint8(ea + 128), 17);
  EQUAL(mars_ea_get_uint8(ea + 159), 48);
  EQUAL(mars_ea_get_uint8(ea + 24), 57); // from local + 48 + 8
  memset(local, 0, 64);
  spu_dma_list_getf(local, ea, list, 4 * sizeof *list, 4, 0, 0);
  wait(4);
  EQUAL(local[3] || local[8], 0);
  EQUAL(local[4], 5);
  EQUAL(local[16], 17);
  EQUAL(local[47], 48);
  EQUAL(local[56], 57);
}

static void lines(uint64_t ea) {
  mfc_getllar(line, ea, 0, 0);
  EQUAL(mfc_read_atomic_status(), MFC_GETLLAR_STATUS);
  line[3] = 33;
  mfc_putllc(line, ea, 0, 0);
  EQUAL(mfc_read_atomic_status(), MFC_PUTLLC_SUCCESS);
  EQUAL(mars_ea_get_uint64(ea + 24), 33);
  mfc_putllc(line, ea, 0, 0);
  EQUAL(mfc_read_atomic_status(), MFC_PUTLLC_STATUS); // no reservation is left
  mfc_getllar(line, ea, 0, 0);
  mars_ea_put_uint64(ea + 32, 44);
  line[3] = 55;
  mfc_putllc(line, ea, 0, 0);
  EQUAL(mfc_read_atomic_status(), MFC_PUTLLC_STATUS); // the line has changed
  EQUAL(mars_ea_get_uint64(ea + 24), 33);
  mfc_getllar(line, ea, 0, 0);
  mfc_putlluc(line, ea, 0, 0);
  EQUAL(mfc_read_atomic_status(), MFC_PUTLLUC_STATUS);
  mfc_putllc(line, ea, 0, 0);
  EQUAL(mfc_read_atomic_status(), MFC_PUTLLC_STATUS); // a store, though of the same
  mfc_getllar(line, ea, 0, 0);
  mfc_getllar(line, ea + 128, 0, 0);
  mfc_putllc(line, ea, 0, 0);
  EQUAL(mfc_read_atomic_status(), MFC_PUTLLC_STATUS); // there is one reservation
  mfc_getllar(line, ea, 0, 0);
  line[0]++, line[5] = 6, line[15] = 16; // several words
  mfc_putllc(line, ea, 0, 0);
  EQUAL(mfc_read_atomic_status(), MFC_PUTLLC_SUCCESS);
  EQUAL(mars_ea_get_uint64(ea + 120), 16);
}

// Another task stores to a line what it had already: that ends a reservation, too.
static void stores_of_others(uint64_t ea, uint64_t id_ea) {
  struct mars_task_id other;
  struct mars_task_args args = {.type.u64 = {ea, 0, 2, 0}};
  mars_ea_get(id_ea, &other, sizeof other);
  mfc_getllar(line, ea, 0, 0);
  EQUAL(mars_task_schedule(&other, &args, 0), MARS_SUCCESS);
  EQUAL(mars_task_wait(&other, NULL), MARS_SUCCESS);
  line[1]++;
  mfc_putllc(line, ea, 0, 0);
  EQUAL(mfc_read_atomic_status(), MFC_PUTLLC_STATUS);
}

static void store_the_same(uint64_t ea) {
  mfc_getllar(line, ea, 0, 0);
  mfc_putlluc(line, ea, 0, 0);
}

static void tags_and_time(void) {
  uint32_t first = mfc_tag_reserve(), count = 1;
  while (mfc_tag_reserve() != MFC_TAG_INVALID)
    count++;
  EQUAL(count, 32);
  EQUAL(mfc_tag_release(first), MFC_TAG_VALID);
  EQUAL(mfc_tag_release(first), MFC_TAG_INVALID);
  EQUAL(mfc_tag_reserve(), first);
  spu_write_decrementer(1000000000);
  while (spu_read_decrementer() > 1000000000 - 79) // a microsecond
    ;
  CHECK(spu_read_decrementer() > 1000000000u - 79800000 * 10u);
}

// Counts up a word of its own, one that all tasks count, and one that the host counts as well.
static void count(uint64_t ea, uint32_t self) {
  for (int i = 0; i < 500; i++) {
    do {
      mfc_getllar(line, ea, 0, 0);
      line[self]++, line[14]++;
      mfc_putllc(line, ea, 0, 0);
    } while (mfc_read_atomic_status());
    do {
      spu_dma_getllar(line, ea, 0, 0);
      line[15]++;
      spu_dma_putllc(line, ea, 0, 0);
    } while (spu_dma_wait_atomic_status());
  }
}

int mars_task_main(const struct mars_task_args *args) {
  if (args->type.u64[2] == 1) {
    count(args->type.u64[0], (uint32_t)args->type.u64[3]);
    return 0;
  }
  if (args->type.u64[2] == 2) {
    store_the_same(args->type.u64[0]);
    return 0;
  }
  get_and_put(args->type.u64[0]);
  lists(args->type.u64[1]);
  lines(args->type.u64[1] + 1024);
  stores_of_others(args->type.u64[1] + 1024, args->type.u64[3]);
  tags_and_time();
  return 0;
}
