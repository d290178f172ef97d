// generators.h - the functions of generators.c
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GENERATORS_H
#define GENERATORS_H

#include <stdint.h>

/* Each fills a table at `table`; `poly` is for those that take a polynomial. The name, and the bytes
 * of the table. */
#define FILLED(X)                                                                                  \
  X(choice, 1024)                                                                                  \
  X(conditional, 2048)                                                                             \
  X(mask, 1024)                                                                                    \
  X(to_the_left, 512)                                                                              \
  X(to_the_left32, 1024)                                                                           \
  X(bytes, 256)                                                                                    \
  X(nibbles, 1024)                                                                                 \
  X(walked, 1024)                                                                                  \
  X(downwards, 1024)                                                                               \
  X(longs, 2048)                                                                                   \
  X(polynomial, 1024)                                                                              \
  X(polynomial16, 512)                                                                             \
  X(inverted, 1024)                                                                                \
  X(long_table, 4096)                                                                              \
  X(reversed_index, 1024)                                                                          \
  X(either_way, 1024)                                                                              \
  X(two_stores, 1024)                                                                              \
  X(swapped_or_not, 1024)                                                                          \
  X(two_polynomials, 1024)                                                                         \
  X(reflected_around, 1024)

/* Near misses, which fill something else. */
#define OTHER(X)                                                                                   \
  X(last_wrong, 1024)                                                                              \
  X(first_wrong, 1024)                                                                             \
  X(one_more, 1028)                                                                                \
  X(added, 1024)                                                                                   \
  X(moving_polynomial, 1024)                                                                       \
  X(gaps, 2048)                                                                                    \
  X(some_steps, 1024)                                                                              \
  X(turning, 1024)                                                                                 \
  X(turning_stores, 1024)                                                                          \
  X(two_places, 1024)                                                                              \
  X(read_between, 1024)                                                                            \
  X(some_stores, 1024)                                                                             \
  X(turning_polynomials, 1024)                                                                     \
  X(reflected_wrong, 1024)

#endif
