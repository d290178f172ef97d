/* spread-kernels.h - arrays and lists of the kernels of spread-kernels.c
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPREAD_KERNELS_H
#define SPREAD_KERNELS_H

#include <stddef.h>
#include <stdint.h>

struct pair {
  uint32_t first, second;
};

struct arrays {
  float *f, *g;
  uint32_t *w, *d, *a, *table;
  uint16_t *h;
  uint8_t *b;
  struct pair *pairs;
};

struct kernel {
  const char *name;
  uint64_t (*run)(struct arrays *s, size_t n);
};

#endif
