/* dma/spu_dma.h - transfers of MPU programs by the names of PSL1GHT
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * spu_dma_X is mfc_X of spu_mfcio.h. Its rules of sizes and alignments are those of strict mode.
 * small: 1, 2, 4 or 8 bytes; large: any size.
 */
#ifndef SPU_DMA_H
#define SPU_DMA_H

#include <stdint.h>
#include <spu_mfcio.h>
#include <spu_intrinsics.h>

#define MAX_DMA_BLOCK_SIZE 16384

#if defined(__cplusplus)
extern "C" {
#endif

typedef mfc_list_element_t spu_dma_list_element;

#define MEMLIFT_SPU_DMA(name, move)                                                                \
  static inline void spu_dma_##name(const void *ls, uint64_t ea, uint32_t size, uint32_t tag,      \
                                    uint32_t tid, uint32_t rid) {                                  \
    mfc_##move(ls, ea, size, tag, tid, rid);                                                       \
  }
MEMLIFT_SPU_DMA(put, put)
MEMLIFT_SPU_DMA(putb, putb)
MEMLIFT_SPU_DMA(putf, putf)
MEMLIFT_SPU_DMA(get, get)
MEMLIFT_SPU_DMA(getb, getb)
MEMLIFT_SPU_DMA(getf, getf)
MEMLIFT_SPU_DMA(small_put, put)
MEMLIFT_SPU_DMA(small_putb, putb)
MEMLIFT_SPU_DMA(small_putf, putf)
MEMLIFT_SPU_DMA(small_get, get)
MEMLIFT_SPU_DMA(small_getb, getb)
MEMLIFT_SPU_DMA(small_getf, getf)
#undef MEMLIFT_SPU_DMA

/* In pieces of MAX_DMA_BLOCK_SIZE. */
#define MEMLIFT_SPU_DMA(name, move)                                                                \
  static inline void spu_dma_large_##name(const void *ls, uint64_t ea, uint32_t size,              \
                                          uint32_t tag, uint32_t tid, uint32_t rid) {              \
    for (uint32_t at = 0; at < size; at += MAX_DMA_BLOCK_SIZE)                                     \
      mfc_##move((const char *)ls + at, ea + at,                                                   \
                 size - at < MAX_DMA_BLOCK_SIZE ? size - at : MAX_DMA_BLOCK_SIZE, tag, tid, rid);  \
  }
MEMLIFT_SPU_DMA(put, put)
MEMLIFT_SPU_DMA(putb, putb)
MEMLIFT_SPU_DMA(putf, putf)
MEMLIFT_SPU_DMA(get, get)
MEMLIFT_SPU_DMA(getb, getb)
MEMLIFT_SPU_DMA(getf, getf)
#undef MEMLIFT_SPU_DMA

#define MEMLIFT_SPU_DMA(name, move)                                                                \
  static inline void spu_dma_list_##name(const void *ls, uint64_t ea,                              \
                                         const spu_dma_list_element *list, uint32_t list_size,     \
                                         uint32_t tag, uint32_t tid, uint32_t rid) {               \
    mfc_##move(ls, ea, list, list_size, tag, tid, rid);                                            \
  }
MEMLIFT_SPU_DMA(put, putl)
MEMLIFT_SPU_DMA(putb, putlb)
MEMLIFT_SPU_DMA(putf, putlf)
MEMLIFT_SPU_DMA(get, getl)
MEMLIFT_SPU_DMA(getb, getlb)
MEMLIFT_SPU_DMA(getf, getlf)
#undef MEMLIFT_SPU_DMA

static inline void spu_dma_getllar(void *ls, uint64_t ea, uint32_t tid, uint32_t rid) {
  mfc_getllar(ls, ea, tid, rid);
}
static inline void spu_dma_putllc(const void *ls, uint64_t ea, uint32_t tid, uint32_t rid) {
  mfc_putllc(ls, ea, tid, rid);
}
static inline void spu_dma_putlluc(const void *ls, uint64_t ea, uint32_t tid, uint32_t rid) {
  mfc_putlluc(ls, ea, tid, rid);
}
static inline void spu_dma_putqlluc(const void *ls, uint64_t ea, uint32_t tag, uint32_t tid,
                                    uint32_t rid) {
  mfc_putqlluc(ls, ea, tag, tid, rid);
}
#define spu_dma_wait_atomic_status() mfc_read_atomic_status()

static inline uint32_t spu_dma_wait_tag_status_all(uint32_t mask) {
  mfc_write_tag_mask(mask);
  return mfc_read_tag_status_all();
}
static inline uint32_t spu_dma_wait_tag_status_any(uint32_t mask) {
  mfc_write_tag_mask(mask);
  return mfc_read_tag_status_any();
}
static inline uint32_t spu_dma_wait_tag_status_immediate(uint32_t mask) {
  mfc_write_tag_mask(mask);
  return mfc_read_tag_status_immediate();
}

/* Values by themselves: waited for. */
#define MEMLIFT_SPU_DMA(bits)                                                                      \
  static inline void spu_dma_put_uint##bits(uint##bits##_t value, uint64_t ea, uint32_t tag,       \
                                            uint32_t tid, uint32_t rid) {                          \
    unsigned char line[32] __attribute__((aligned(16)));                                           \
    __builtin_memcpy(line + (ea & 15), &value, sizeof value);                                      \
    mfc_put(line + (ea & 15), ea, sizeof value, tag, tid, rid);                                    \
    spu_dma_wait_tag_status_all(1u << tag);                                                        \
  }                                                                                                \
  static inline uint##bits##_t spu_dma_get_uint##bits(uint64_t ea, uint32_t tag, uint32_t tid,     \
                                                      uint32_t rid) {                              \
    uint##bits##_t value;                                                                          \
    unsigned char line[32] __attribute__((aligned(16)));                                           \
    mfc_get(line + (ea & 15), ea, bits / 8, tag, tid, rid);                                        \
    spu_dma_wait_tag_status_all(1u << tag);                                                        \
    __builtin_memcpy(&value, line + (ea & 15), sizeof value);                                      \
    return value;                                                                                  \
  }
MEMLIFT_SPU_DMA(8)
MEMLIFT_SPU_DMA(16)
MEMLIFT_SPU_DMA(32)
MEMLIFT_SPU_DMA(64)
#undef MEMLIFT_SPU_DMA

#if defined(__cplusplus)
}
#endif

#endif
