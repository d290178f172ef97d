/* spread_modes.h - the modes of floating-point arithmetic, which a unit takes over from the caller
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rounding, flushing of small numbers, and exceptions that trap; not the flags of exceptions that
 * have been. Where the layouts are from: Intel SDM volume 1, 8.1.5 and 10.2.3 (x87's control word,
 * MXCSR); Arm ARM, FPCR; RISC-V unprivileged ISA, fcsr.
 */
#ifndef MEMLIFT_TASKS_SPREAD_MODES_H
#define MEMLIFT_TASKS_SPREAD_MODES_H

#include <stdint.h>

#if defined(__x86_64__) && defined(__SSE__)
#define MEMLIFT_MXCSR_FLAGS 0x3fu

static inline uint64_t memlift_modes_read(void) {
  uint32_t mxcsr;
  uint16_t control;
  __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr), "=m"(control));
  return (uint64_t)control << 32 | (mxcsr & ~MEMLIFT_MXCSR_FLAGS);
}

static inline void memlift_modes_write(uint64_t modes) {
  uint32_t mxcsr;
  uint16_t control = (uint16_t)(modes >> 32);
  __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
  mxcsr = (mxcsr & MEMLIFT_MXCSR_FLAGS) | (uint32_t)modes;
  __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(mxcsr), "m"(control));
}
#elif defined(__aarch64__)
static inline uint64_t memlift_modes_read(void) {
  uint64_t modes;
  __asm__ volatile("mrs %0, fpcr" : "=r"(modes));
  return modes;
}

static inline void memlift_modes_write(uint64_t modes) {
  __asm__ volatile("msr fpcr, %0" : : "r"(modes));
}
#elif defined(__riscv_flen)
static inline uint64_t memlift_modes_read(void) {
  uint64_t modes;
  __asm__ volatile("frrm %0" : "=r"(modes));
  return modes;
}

static inline void memlift_modes_write(uint64_t modes) {
  __asm__ volatile("fsrm %0" : : "r"(modes));
}
#else
/* Another machine's modes are not known here: those of the unit apply. */
static inline uint64_t memlift_modes_read(void) { return 0; }
static inline void memlift_modes_write(uint64_t modes) { (void)modes; }
#endif

#endif
