/* touch.h - meets every page of an operation in the program's own thread, before an engine is asked
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Engines work on many pieces at once, so one of them could have written far beyond a page that
 * another one cannot use. Therefore all pages are touched first, from the front: a page that is
 * missing or protected raises its signal here, while the engine is not held and nothing else has
 * been written, and the program's handler may map the page and return, or leave by longjmp.
 *
 * Contract: when a signal is raised, the bytes that have been written lie before the first byte
 * that the program may not access, counted from the front in destination and source, and have their
 * final values. One byte a page is written, so pages are as they would be after the operation, no
 * more of them than it would have used, and no page beyond the fault is touched.
 *
 * Async-signal-safe, lock-free, no system call. 4 to 20 ns a page that is present: bench/README.md.
 */
#ifndef MEMLIFT_TOUCH_H
#define MEMLIFT_TOUCH_H

#include "engine.h"

#include <stdint.h>

/* Writes to the page of p, and changes nothing there, whatever other threads write meanwhile. A
 * whole word, since not every machine has atomic operations on bytes; it lies in the page of p. */
static inline __attribute__((always_inline)) void memlift_touch_byte(void *p) {
  typedef uint32_t __attribute__((may_alias)) word;
  uint32_t zero = 0;
  __asm__ volatile("" : "+r"(zero)); /* a compiler that knows the 0 makes a load of it */
  __atomic_fetch_or((word *)((uintptr_t)p & ~(uintptr_t)3), zero, __ATOMIC_RELAXED);
}

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* For an operation that may begin now: writes the first byte of each page of the destination. */
void memlift_touch(const struct memlift_request *whole);

/* For an operation that comes after others, which may be at work on its memory: loads of the
 * source, and atomic stores to the destination that leave its bytes as they are. */
void memlift_touch_unchanged(const struct memlift_request *whole);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
