// saxpy.h - d[i] += a[i] * k, of integers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stddef.h>
#include <stdint.h>

void saxpy(int32_t *restrict d, const int32_t *restrict a, size_t n, int32_t k);
void saxpy_streamed(int32_t *restrict d, const int32_t *restrict a, size_t n, int32_t k);
