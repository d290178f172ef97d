/* mars/base.h - memory that both sides share, by its effective address
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An effective address (ea) is an address of the process. What is allocated here lies below 4 GiB,
 * as MARS programs keep such addresses in 32 bits. Any thread and any task may call everything.
 */
#ifndef MARS_BASE_H
#define MARS_BASE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if !defined(MEMLIFT_MPU)
#include <alloca.h>
#include <malloc.h>
#endif

#if defined(__cplusplus)
extern "C" {
#endif

/* `size` bytes at an alignment of 64; NULL if there is no memory, or size is 0. */
void *mars_malloc(size_t size);
void *mars_realloc(void *p, size_t size);
void mars_free(void *p); /* NULL and what is not of here are ignored */

/* `boundary` is a power of two, at most 65536. 0: as NULL above, or the boundary is invalid. */
uint64_t mars_ea_memalign(size_t boundary, size_t size);
void mars_ea_free(uint64_t ea);

static inline void *mars_ea_to_ptr(uint64_t ea) { return (void *)(uintptr_t)ea; }
static inline uint64_t mars_ptr_to_ea(const void *p) { return (uint64_t)(uintptr_t)p; }

/* All memory is mapped in both sides, and coherent. */
static inline uint64_t mars_ea_map(void *p, size_t size) {
  (void)size;
  return mars_ptr_to_ea(p);
}
static inline void mars_ea_unmap(uint64_t ea, size_t size) { (void)ea, (void)size; }
static inline void mars_ea_sync(void) { __sync_synchronize(); }

#if defined(MEMLIFT_MPU) /* that memory may be another process's */
void mars_ea_get(uint64_t ea, void *to, size_t size);
void mars_ea_put(uint64_t ea, const void *from, size_t size);
#define MEMLIFT_MARS_EA(bits)                                                                      \
  static inline uint##bits##_t mars_ea_get_uint##bits(uint64_t ea) {                               \
    uint##bits##_t value;                                                                          \
    mars_ea_get(ea, &value, sizeof value);                                                         \
    return value;                                                                                  \
  }                                                                                                \
  static inline void mars_ea_put_uint##bits(uint64_t ea, uint##bits##_t value) {                   \
    mars_ea_put(ea, &value, sizeof value);                                                         \
  }
#else
static inline void mars_ea_get(uint64_t ea, void *to, size_t size) {
  memcpy(to, mars_ea_to_ptr(ea), size);
}
static inline void mars_ea_put(uint64_t ea, const void *from, size_t size) {
  memcpy(mars_ea_to_ptr(ea), from, size);
}

#define MEMLIFT_MARS_EA(bits)                                                                      \
  static inline uint##bits##_t mars_ea_get_uint##bits(uint64_t ea) {                               \
    return *(volatile uint##bits##_t *)mars_ea_to_ptr(ea);                                         \
  }                                                                                                \
  static inline void mars_ea_put_uint##bits(uint64_t ea, uint##bits##_t value) {                   \
    *(volatile uint##bits##_t *)mars_ea_to_ptr(ea) = value;                                        \
  }
#endif
MEMLIFT_MARS_EA(8)
MEMLIFT_MARS_EA(16)
MEMLIFT_MARS_EA(32)
MEMLIFT_MARS_EA(64)
#undef MEMLIFT_MARS_EA

#define mars_ea_work_area_get(ea, boundary, size) mars_ea_to_ptr(ea)
#define mars_alloca_align(boundary, size)                                                          \
  ((void *)(((uintptr_t)alloca((size) + (boundary) - 1) + (boundary) - 1) &                        \
            ~(uintptr_t)((boundary) - 1)))

/* Time in ticks of 79.8 MHz, as the PlayStation 3 has it. Wraps after 53 s. */
uint32_t mars_get_ticks(void);

#if defined(__cplusplus)
}
#endif

#endif
