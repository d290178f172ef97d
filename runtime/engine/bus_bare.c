/* bus_bare.c - registers and caches from bare metal: RV64 in machine mode, AArch64 at EL1 to EL3
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Time-outs are of a second: cycles are taken for nanoseconds where nothing else is to be had
 * without a device tree.
 */
#include "../config.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "../queue/barriers.h"
#include "bus.h"

#if MEMLIFT_BARE
static uint32_t read_word(uintptr_t address) { return *(volatile uint32_t *)address; }
static void write_word(uintptr_t address, uint32_t value) { *(volatile uint32_t *)address = value; }
static uint64_t read_long(uintptr_t address) { return *(volatile uint64_t *)address; }
static void write_long(uintptr_t address, uint64_t value) { *(volatile uint64_t *)address = value; }

#if defined(__riscv)
/* The DMA engines of these chips see the caches. */
static void share(const void *p, size_t size) { (void)p, (void)size; }
static void refresh(const void *p, size_t size) { (void)p, (void)size; }

static uint64_t now(void) {
  uint64_t cycles;
  __asm__ volatile("csrr %0, mcycle" : "=r"(cycles));
  return cycles;
}
#elif defined(__aarch64__)
/* Clean and invalidate by address, to the point of coherency: CTR_EL0 has the smallest line. */
static void share(const void *p, size_t size) {
  uint64_t type, line;
  __asm__ volatile("mrs %0, ctr_el0" : "=r"(type));
  line = (uint64_t)4 << (type >> 16 & 15);
  for (uintptr_t at = (uintptr_t)p & -line; at < (uintptr_t)p + size; at += line)
    __asm__ volatile("dc civac, %0" ::"r"(at) : "memory");
  memlift_barrier_maintain();
}

static void refresh(const void *p, size_t size) { share(p, size); }

static uint64_t now(void) {
  uint64_t ticks, hertz;
  __asm__ volatile("isb\n mrs %0, cntpct_el0\n mrs %1, cntfrq_el0" : "=r"(ticks), "=r"(hertz));
  return hertz ? ticks / hertz * 1000000000u + ticks % hertz * 1000000000u / hertz : ticks;
}
#else
static void share(const void *p, size_t size) { (void)p, (void)size; }
static void refresh(const void *p, size_t size) { (void)p, (void)size; }
static uint64_t now(void) {
  static uint64_t looks;
  return looks += 100;
}
#endif

static const struct memlift_bus bare = {read_word, write_word, read_long, write_long,
                                        share,     refresh,    now,       NULL};
const struct memlift_bus *const memlift_own_bus = &bare;
#else
const struct memlift_bus *const memlift_own_bus = 0;
#endif
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
