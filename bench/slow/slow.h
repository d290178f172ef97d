/* slow.h - a loop in a small program, as bench/slow times it with and without memlift
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A file of loops is compiled once for each compiler, level and side, with BUILD as the prefix of
 * its names. It has programs: functions that run a loop for each of the `Calls` entries of an
 * arena. One entry gives a length and the places of source and destination. A program that is
 * written with FUNCTION has its loop in a function of its own, which is not inlined.
 */
#ifndef MEMLIFT_BENCH_SLOW_H
#define MEMLIFT_BENCH_SLOW_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { Calls = 512, Bytes = 16384, Most = 4096 };

/* Memory of one program. Both sides of a pair have their own, with the same contents and the same
 * place in a page. */
struct __attribute__((aligned(4096))) arena {
  unsigned n[Calls];    /* length of each call, by the distribution */
  unsigned to[Calls];   /* offset in d */
  unsigned from[Calls]; /* offset in s */
  uint64_t sink;        /* results, so that no loop is dead */
  unsigned char d[Bytes] __attribute__((aligned(64)));
  unsigned char s[Bytes] __attribute__((aligned(64)));
};

struct program {
  const char *name;
  void (*run)(struct arena *a);
  unsigned align; /* of the places of source and destination, in bytes */
};

#define JOIN2(a, b) a##_##b
#define JOIN(a, b) JOIN2(a, b)
#define F(name) JOIN(BUILD, name)

typedef unsigned char u8;
typedef signed char s8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef uint64_t u64;

#define HERE static inline __attribute__((always_inline))
#define APART static __attribute__((noinline))
#ifdef __cplusplus
#define PUBLIC extern "C"
#else
#define PUBLIC
#endif

/* INLINE(name) { ... } has the loop in the middle of the loop over all calls. The body sees a,
 * call, n, d and s, and returns a number that is added to the sink. */
#define INLINE(name)                                                                               \
  HERE u64 F(name##_body)(struct arena * a, unsigned call, unsigned n, u8 *d, const u8 *s);        \
  PUBLIC void F(name)(struct arena * a) {                                                          \
    u64 sink = 0;                                                                                  \
    for (unsigned call = 0; call < Calls; call++)                                                  \
      sink += F(name##_body)(a, call, a->n[call], a->d + a->to[call], a->s + a->from[call]);       \
    a->sink += sink;                                                                               \
  }                                                                                                \
  HERE u64 F(name##_body)(struct arena * a, unsigned call, unsigned n, u8 *d, const u8 *s)

/* FUNCTION(name, (parameters), (arguments)) { ... } has it in a function that is called. */
#define FUNCTION(name, parameters, arguments)                                                      \
  APART u64 F(name##_loop) parameters;                                                             \
  INLINE(name) { return F(name##_loop) arguments; }                                                \
  APART u64 F(name##_loop) parameters

#define ANY(name) {#name, F(name), 1},
#define WORDS(name) {#name, F(name), 8},

#endif
