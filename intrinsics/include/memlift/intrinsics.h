/* intrinsics.h - what source code may ask memlift while it is compiled.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For C and C++. Needs no library: where no plugin answers, plain C does.
 */
#ifndef MEMLIFT_INTRINSICS_H
#define MEMLIFT_INTRINSICS_H

#include <stddef.h>
#include <stdint.h>

/* memlift_aligned(p, n) - 1 if it is proved that every execution of this place has p aligned to n
 * bytes, else 0. An int.
 *
 *     if (memlift_aligned(d, 8) && n % 8 == 0)
 *       copy_words(d, s, n / 8);
 *     else
 *       memcpy(d, s, n);
 *
 * p       any object pointer; it is not followed, and evaluated at most once
 * n       a constant power of two (MLF0025, MLF0026)
 *
 * With a memlift plugin it is __builtin_memlift_aligned, decided after inlining and from all that
 * the compiler sees: declarations, masks, tests on the way, callers. The branch that is not taken
 * costs nothing. Without one it is what the compiler itself can prove of the lowest bits of p.
 */
#if defined(__has_attribute)
#if __has_attribute(memlift)
#define MEMLIFT_HAS_ALIGNED 1
#endif
#endif
#ifdef MEMLIFT_HAS_ALIGNED
#ifdef __cplusplus
extern "C"
#endif
int __builtin_memlift_aligned(const volatile void *p, size_t n)
#ifdef __cplusplus
    noexcept
#endif
    __attribute__((__const__, __nothrow__));
#define memlift_aligned(p, n) (__builtin_memlift_aligned((p), (n)))
#else
#define memlift_aligned(p, n)                                                                     \
  (__extension__({                                                                                 \
    uintptr_t memlift_low_ = (uintptr_t)(p) & ((uintptr_t)(n) - 1);                                \
    __builtin_constant_p(memlift_low_) && memlift_low_ == 0;                                       \
  }))
#endif

#endif /* MEMLIFT_INTRINSICS_H */
