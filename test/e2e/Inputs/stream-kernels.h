// stream-kernels.h - what the kernels of stream-kernels.c work on
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stddef.h>
#include <stdint.h>

struct job {
  void *d;               // written, and perhaps read
  const void *a, *b;     // read
  const uint8_t *table;  // 256 bytes
  size_t n, w, h, pitch; // elements; and of an image, pitch >= w
};

struct kernel {
  const char *name;
  uint64_t (*run)(struct job *);
  size_t element; // bytes: pointers are multiples of it
};

extern const struct kernel plain[], blocks[];
