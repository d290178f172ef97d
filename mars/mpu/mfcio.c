/* mfcio.c - the channels of an SPU's memory flow controller: spu_mfcio.h
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Strict mode holds a program to Cell Broadband Engine Architecture 1.02, section 7.1 (sizes and
 * alignments of commands).
 */
#include <mars/base.h>
#include <spu_mfcio.h>
#include <string.h>

#include "mpu.h"

#define calls (memlift_mpu_program.calls)

static struct {
  uint32_t mask;         /* of tags that are waited for */
  uint32_t update;       /* MFC_TAG_UPDATE_ */
  uint32_t reserved;     /* tags, by mfc_tag_reserve */
  uint32_t status;       /* of the last atomic command */
  uint32_t ticks, count; /* when the decrementer was written, and what */
  struct memlift_mpu_line line;
} mfc;

static void refuse(const char *what) { calls->refuse(memlift_mpu_program.task, what); }

/* ---- Transfers ---------------------------------------------------- */

static enum memlift_mpu_way way_of(uint32_t command) {
  return command & MFC_GET_CMD ? MEMLIFT_MPU_GET : MEMLIFT_MPU_PUT;
}

static void check_strictly(const volatile void *ls, uint64_t ea, uint32_t size) {
  uint32_t local = (uint32_t)(uintptr_t)ls, memory = (uint32_t)ea;
  if (size > MFC_MAX_DMA_SIZE || (size >= 16 ? size % 16 : size & (size - 1)))
    refuse("the size of a transfer is not 1, 2, 4, 8 or a multiple of 16 up to 16384");
  if ((local ^ memory) & 15)
    refuse("the addresses of a transfer differ modulo 16");
  if (local & (size >= 16 ? 15 : size - 1))
    refuse("an address of a transfer is not aligned to its size, or to 16");
}

static void check_tag(uint32_t tag) {
  if (tag >= 32)
    refuse("the tag of a transfer is not 0 to 31");
}

void memlift_mfc_move(const volatile void *ls, uint64_t ea, uint32_t size, uint32_t tag,
                      uint32_t command) {
  check_tag(tag);
  if (!size)
    return;
  if (calls->is_strict())
    check_strictly(ls, ea, size);
  if (command & 3)
    calls->fence(tag);
  calls->move(way_of(command), (volatile void *)(uintptr_t)ls, ea, size, tag);
}

/* Where an element's bytes are in the local store. */
static uintptr_t place_of(uintptr_t at, const mfc_list_element_t *e) {
  at = (at + 15) & ~(uintptr_t)15;
  return e->size < 16 ? at + (e->eal & 15) : at;
}

void memlift_mfc_list(const volatile void *ls, uint64_t ea, const volatile mfc_list_element_t *list,
                      uint32_t list_size, uint32_t tag, uint32_t command) {
  uintptr_t at = (uintptr_t)ls;
  check_tag(tag);
  if (calls->is_strict() && (list_size % 8 || list_size > MFC_MAX_DMA_LIST_SIZE ||
                             (uintptr_t)list % 8 || (uintptr_t)ls % 16))
    refuse("a list is not aligned to 8, its size is no multiple of 8 up to 16384, or its local "
           "address is not aligned to 16");
  if (command & 3)
    calls->fence(tag);
  for (uint32_t i = 0; i < list_size / sizeof *list; i++) {
    const mfc_list_element_t e = {.size = list[i].size, .eal = list[i].eal};
    if (!e.size)
      continue;
    uintptr_t place = place_of(at, &e);
    uint64_t from = mfc_hl2ea(mfc_ea2h(ea), (uint32_t)e.eal);
    if (calls->is_strict())
      check_strictly((void *)place, from, (uint32_t)e.size);
    calls->move(way_of(command), (void *)place, from, (uint32_t)e.size, tag);
    at = place + e.size;
  }
}

void spu_mfcdma64(volatile void *ls, uint32_t eah, uint32_t eal, uint32_t size, uint32_t tag,
                  uint32_t command) {
  uint64_t ea = mfc_hl2ea(eah, eal);
  switch (command & 0xff) {
  case MFC_PUT_CMD:
  case MFC_PUTB_CMD:
  case MFC_PUTF_CMD:
  case MFC_GET_CMD:
  case MFC_GETB_CMD:
  case MFC_GETF_CMD: memlift_mfc_move(ls, ea, size, tag, command & 0xff); break;
  case MFC_PUTL_CMD:
  case MFC_PUTLB_CMD:
  case MFC_PUTLF_CMD:
  case MFC_GETL_CMD:
  case MFC_GETLB_CMD:
  case MFC_GETLF_CMD:
    memlift_mfc_list(ls, mfc_hl2ea(eah, 0), (mfc_list_element_t *)(uintptr_t)eal, size, tag,
                     command & 0xff);
    break;
  case MFC_GETLLAR_CMD: memlift_mfc_getllar(ls, ea); break;
  case MFC_PUTLLC_CMD: memlift_mfc_putllc(ls, ea); break;
  case MFC_PUTLLUC_CMD:
  case MFC_PUTQLLUC_CMD: memlift_mfc_putlluc(ls, ea); break;
  default: refuse("spu_mfcdma64 has a command that memlift has not");
  }
}

void mfc_barrier(uint32_t tag) {
  check_tag(tag);
  calls->fence(tag);
}

/* ---- Tags ---------------------------------------------------- */

void mfc_write_tag_mask(uint32_t mask) { mfc.mask = mask; }
uint32_t mfc_read_tag_mask(void) { return mfc.mask; }
void mfc_write_tag_update(uint32_t how) { mfc.update = how; }

uint32_t mfc_read_tag_status(void) {
  return calls->tags_wait(mfc.mask, mfc.update == MFC_TAG_UPDATE_ALL   ? 1
                                    : mfc.update == MFC_TAG_UPDATE_ANY ? 0
                                                                       : -1);
}

uint32_t mfc_stat_tag_status(void) {
  uint32_t done = calls->tags_wait(mfc.mask, -1);
  return mfc.update == MFC_TAG_UPDATE_ALL   ? done == mfc.mask
         : mfc.update == MFC_TAG_UPDATE_ANY ? done != 0 || !mfc.mask
                                            : 1;
}

uint32_t mfc_tag_reserve(void) {
  if (!~mfc.reserved)
    return MFC_TAG_INVALID;
  uint32_t tag = (uint32_t)__builtin_ctz(~mfc.reserved);
  mfc.reserved |= 1u << tag;
  return tag;
}

uint32_t mfc_tag_release(uint32_t tag) {
  if (tag >= 32 || !(mfc.reserved >> tag & 1))
    return MFC_TAG_INVALID;
  mfc.reserved &= ~(1u << tag);
  return MFC_TAG_VALID;
}

/* ---- Atomic lines ---------------------------------------------------- */

static void check_line(const volatile void *ls, uint64_t ea) {
  if (ea % 128 || (calls->is_strict() && (uintptr_t)ls % 128))
    refuse("an address of an atomic line is no multiple of 128");
}

void memlift_mfc_getllar(volatile void *ls, uint64_t ea) {
  check_line(ls, ea);
  calls->line_get(&mfc.line, ls, ea);
  mfc.status = MFC_GETLLAR_STATUS;
}

void memlift_mfc_putllc(const volatile void *ls, uint64_t ea) {
  check_line(ls, ea);
  mfc.status = calls->line_put(&mfc.line, ls, ea, 0) ? MFC_PUTLLC_SUCCESS : MFC_PUTLLC_STATUS;
}

void memlift_mfc_putlluc(const volatile void *ls, uint64_t ea) {
  check_line(ls, ea);
  calls->line_put(&mfc.line, ls, ea, 1);
  mfc.status = MFC_PUTLLUC_STATUS;
}

uint32_t mfc_read_atomic_status(void) { return mfc.status; }

/* ---- The decrementer ---------------------------------------------------- */

void spu_write_decrementer(uint32_t count) { mfc.count = count, mfc.ticks = calls->get_ticks(); }

uint32_t spu_read_decrementer(void) { return mfc.count - (calls->get_ticks() - mfc.ticks); }
