// saxpy.c - the loop that is cut into blocks by memlift, and as it stands
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "saxpy.h"

void saxpy(int32_t *restrict d, const int32_t *restrict a, size_t n, int32_t k) {
  for (size_t i = 0; i < n; i++)
    d[i] += a[i] * k;
}

__attribute__((memlift("stream"))) void
saxpy_streamed(int32_t *restrict d, const int32_t *restrict a, size_t n, int32_t k) {
  for (size_t i = 0; i < n; i++)
    d[i] += a[i] * k;
}
