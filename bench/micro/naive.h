/* naive.h - the table that each build of naive.c exports
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_BENCH_NAIVE_H
#define MEMLIFT_BENCH_NAIVE_H

#include <stddef.h>
#include <stdint.h>

/* The last entry's name is NULL. A loop over words sees addresses that are multiples of `align`. */
struct naive_loop {
  const char *name;
  uint64_t (*run)(unsigned char *to, const unsigned char *from, size_t n);
  size_t align;
};

#endif
