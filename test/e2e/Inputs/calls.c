// calls.c - calls of every size that matters, their alignment proved by a test in front of them
#include "calls.h"

#include <string.h>

#define SIZES(X, a)                                                                               \
  X(1, a) X(2, a) X(3, a) X(4, a) X(7, a) X(8, a) X(9, a) X(12, a) X(15, a) X(16, a) X(17, a)     \
  X(20, a) X(24, a) X(31, a) X(32, a) X(33, a) X(40, a) X(56, a) X(60, a) X(63, a) X(64, a)       \
  X(65, a) X(68, a) X(72, a) X(100, a) X(120, a) X(127, a) X(128, a) X(129, a) X(132, a)          \
  X(136, a) X(144, a) X(200, a) X(203, a) X(248, a) X(252, a) X(255, a) X(256, a) X(257, a)       \
  X(260, a) X(264, a) X(512, a)
#if defined(CHECK_ALIGNMENT) // which is on for multiples of 8 and 16 only
#define ALL(X) SIZES(X, 8) SIZES(X, 16)
#else
#define ALL(X) SIZES(X, 1) SIZES(X, 2) SIZES(X, 4) SIZES(X, 8) SIZES(X, 16)
#endif

#define BAD(p, a) ((uintptr_t)(p) & ((a) - 1))

#define FUNCTIONS(n, a)                                                                           \
  static void zero_##n##_##a(char *d, const char *s, int value) {                                 \
    (void)s, (void)value;                                                                         \
    if (BAD(d, a))                                                                                \
      return;                                                                                     \
    memset(d, 0, n);                                                                              \
  }                                                                                               \
  static void set_##n##_##a(char *d, const char *s, int value) {                                  \
    (void)s;                                                                                      \
    if (BAD(d, a))                                                                                \
      return;                                                                                     \
    memset(d, value, n);                                                                          \
  }                                                                                               \
  static void copy_##n##_##a(char *d, const char *s, int value) {                                 \
    (void)value;                                                                                  \
    if (BAD(d, a) || BAD(s, a))                                                                   \
      return;                                                                                     \
    memcpy(d, s, n);                                                                              \
  }                                                                                               \
  static void move_##n##_##a(char *d, const char *s, int value) {                                 \
    (void)value;                                                                                  \
    if (((uintptr_t)d | (uintptr_t)s) & ((a) - 1))                                                \
      return;                                                                                     \
    memmove(d, s, n);                                                                             \
  }
ALL(FUNCTIONS)

#define ENTRIES(n, a)                                                                             \
  {SetZero, n, a, zero_##n##_##a}, {SetValue, n, a, set_##n##_##a},                               \
      {Copy, n, a, copy_##n##_##a}, {Move, n, a, move_##n##_##a},
const struct call calls[] = {ALL(ENTRIES)};
const size_t call_count = sizeof calls / sizeof *calls;
