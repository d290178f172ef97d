/* attributes.h - what source code may say to memlift; nothing at all to a compiler without it.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For C and C++. The macros expand to an attribute only where a memlift plugin is loaded, so the
 * same source compiles without a warning under any compiler. Needs no library.
 */
#ifndef MEMLIFT_ATTRIBUTES_H
#define MEMLIFT_ATTRIBUTES_H

/* MEMLIFT_OFF - keeps every loop of a function as it is written.
 *
 *     MEMLIFT_OFF void delay(volatile int *p, int n) { ... }
 *
 * Goes in front of a function's declaration or definition and holds for the function's own body,
 * also where that body is inlined. Loops that are kept for it are reported with MLF2008.
 */
/* MEMLIFT_SHAPE - only shapes the loops of a function for the core's pipeline, without a call.
 *
 *     MEMLIFT_SHAPE void *memcpy(void *restrict d, const void *restrict s, size_t n) {
 *       for (size_t i = 0; i < n; i++)
 *         ((char *)d)[i] = ((const char *)s)[i];
 *       return d;
 *     }
 *
 * For functions that implement what a call would go to, and where nothing may be called. Neither
 * memlift nor the compiler makes a call of such a loop; calls that are written stay. The function
 * is not inlined, and may not be always_inline. MEMLIFT_OFF on the same function wins.
 */
/* MEMLIFT_USER - has every access of a copy or a fill survive a fault, as a kernel needs.
 *
 *     MEMLIFT_USER size_t copy_out(char *restrict d, const char *restrict s, size_t n) {
 *       for (size_t i = 0; i < n; i++)
 *         d[i] = s[i];
 *       return 0;             // after a fault: the bytes that were left
 *     }
 *
 * Each access has an entry in the section __ex_table. One loop over bytes, upwards, with restrict;
 * what cannot be covered is an error (MLF0012). Not defined without memlift: no compiler may take
 * the function for an ordinary one. Implies MEMLIFT_SHAPE.
 */
/* MEMLIFT_ASYNC - begins large copies and fills of a function early, and waits for them late.
 *
 *     MEMLIFT_ASYNC unsigned long keep(char *restrict d, const char *restrict s, size_t n) {
 *       memcpy(d, s, n);      // begun here, if an engine runs and n is worth its while
 *       return work();        // a call that d may be known to ends it; one that is pure does not
 *     }
 *
 * Memory and results are as without it, at every point where anybody can look. The function is not
 * inlined; where it is always_inline, what holds for its caller holds for it. Its remarks are MLF1012
 * and MLF3040.
 */
/* MEMLIFT_STREAM - cuts loops of a function over large arrays into blocks for a local store.
 *
 *     MEMLIFT_STREAM void saxpy(float *d, const float *a, float k, size_t n) {
 *       for (size_t i = 0; i < n; i++)
 *         d[i] += k * a[i];     // the next block arrives meanwhile, and the one before leaves
 *     }
 *
 * Results are as without it; another thread may see the writes of a block later. The function is not
 * inlined. Its remarks are MLF1015 and MLF1016, or the rules that a loop breaks.
 */
/* MEMLIFT_SPREAD - has blocks of a function's long loops computed by several threads.
 *
 *     MEMLIFT_SPREAD void saxpy(float *d, const float *a, float k, size_t n) {
 *       for (size_t i = 0; i < n; i++)
 *         d[i] += k * a[i];     // by the caller, and by the units that memlift_spread_bind names
 *     }
 *
 * For loops whose iterations need nothing of one another but a sum or the like, and for checksums.
 * Results are as without it. Where nothing is bound, and below a length, loops run as they are. The
 * function is not inlined. Its remarks are MLF1019 and MLF1021, or the rules that a loop breaks.
 */
#if defined(__has_attribute)
#if __has_attribute(memlift)
#define MEMLIFT_OFF __attribute__((memlift("off")))
#define MEMLIFT_SHAPE __attribute__((memlift("shape")))
#define MEMLIFT_USER __attribute__((memlift("user")))
#define MEMLIFT_ASYNC __attribute__((memlift("async")))
#define MEMLIFT_STREAM __attribute__((memlift("stream")))
#define MEMLIFT_SPREAD __attribute__((memlift("spread")))
#endif
#endif
#ifndef MEMLIFT_OFF
#define MEMLIFT_OFF
#define MEMLIFT_SHAPE
#define MEMLIFT_ASYNC
#define MEMLIFT_STREAM
#define MEMLIFT_SPREAD
#endif

#endif /* MEMLIFT_ATTRIBUTES_H */
