/* watch_core.h - the instructions by which a core watches a line: arm and pause, by architecture
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Only queue/watch.c uses them. It reads the memory once more between arm and pause; both are
 * compiler barriers, so that the read stays there. watch.h has the table and the sources.
 */
#ifndef MEMLIFT_WATCH_CORE_H
#define MEMLIFT_WATCH_CORE_H

#include "watch.h"

#define MEMLIFT_WATCH_INLINE static inline __attribute__((always_inline)) void

#if defined(__x86_64__)
/* Limit of one pause, 4 to 10 us. The system may set a lower one for umwait (IA32_UMWAIT_CONTROL;
 * Linux: 100,000). */
#define MEMLIFT_WATCH_TSC_TICKS 16384u
#define MEMLIFT_UMWAIT_C01 1u   /* the lighter of the two states, sooner back */
#define MEMLIFT_MWAITX_C0 0xf0u /* no deeper state */
#define MEMLIFT_MWAITX_WITH_TIMER 2u

MEMLIFT_WATCH_INLINE memlift_watch_arm(enum memlift_watch_kind kind, const void *at) {
  if (kind == MEMLIFT_WATCH_UMWAIT)
    __asm__ volatile("umonitor %0" : : "r"(at) : "memory");
  else
    __asm__ volatile("monitorx" : : "a"(at), "c"(0), "d"(0) : "memory");
}

MEMLIFT_WATCH_INLINE memlift_watch_pause(enum memlift_watch_kind kind) {
  if (kind == MEMLIFT_WATCH_UMWAIT) {
    uint64_t end = __builtin_ia32_rdtsc() + MEMLIFT_WATCH_TSC_TICKS;
    __asm__ volatile("umwait %0"
                     :
                     : "r"(MEMLIFT_UMWAIT_C01), "a"((uint32_t)end), "d"((uint32_t)(end >> 32))
                     : "memory", "cc");
  } else {
    __asm__ volatile("mwaitx"
                     :
                     : "a"(MEMLIFT_MWAITX_C0), "b"(MEMLIFT_WATCH_TSC_TICKS),
                       "c"(MEMLIFT_MWAITX_WITH_TIMER)
                     : "memory");
  }
}

#elif defined(__aarch64__)
/* A store by any other agent clears the exclusive monitor, and that generates an event. */
MEMLIFT_WATCH_INLINE memlift_watch_arm(enum memlift_watch_kind kind, const void *at) {
  unsigned value;
  (void)kind;
  __asm__ volatile("ldxrb %w0, [%1]" : "=r"(value) : "r"(at) : "memory");
}

MEMLIFT_WATCH_INLINE memlift_watch_pause(enum memlift_watch_kind kind) {
  (void)kind;
  __asm__ volatile("wfe" ::: "memory");
}

#elif defined(__riscv)
/* Reserves the word that holds the byte, as there is no lr.b. */
MEMLIFT_WATCH_INLINE memlift_watch_arm(enum memlift_watch_kind kind, const void *at) {
  uintptr_t word = (uintptr_t)at & ~(uintptr_t)3;
  unsigned value;
  (void)kind;
  __asm__ volatile("lr.w %0, (%1)" : "=r"(value) : "r"(word) : "memory");
}

MEMLIFT_WATCH_INLINE memlift_watch_pause(enum memlift_watch_kind kind) {
  (void)kind;
  /* wrs.sto, which older assemblers do not know */
  __asm__ volatile(".4byte 0x01d00073" ::: "memory");
}

#elif defined(__sparc__) && defined(__arch64__)
#define MEMLIFT_WATCH_NANOSECONDS 20000u

/* A load through ASI_MONITOR_PRIMARY arms; a write to %asr28, the limit in nanoseconds, pauses. */
MEMLIFT_WATCH_INLINE memlift_watch_arm(enum memlift_watch_kind kind, const void *at) {
  unsigned value;
  (void)kind;
  __asm__ volatile("lduba [%1] 0x84, %0" : "=r"(value) : "r"(at) : "memory");
}

MEMLIFT_WATCH_INLINE memlift_watch_pause(enum memlift_watch_kind kind) {
  (void)kind;
  __asm__ volatile("wr %0, 0, %%asr28" : : "r"((uint64_t)MEMLIFT_WATCH_NANOSECONDS) : "memory");
}

#else /* no such instruction: the core polls */
MEMLIFT_WATCH_INLINE memlift_watch_arm(enum memlift_watch_kind kind, const void *at) {
  (void)kind, (void)at;
}

MEMLIFT_WATCH_INLINE memlift_watch_pause(enum memlift_watch_kind kind) { (void)kind; }
#endif

#undef MEMLIFT_WATCH_INLINE

#endif
