// io.c - numbers as text
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io.h"

void put_number(uint64_t n) {
  char digits[21], *at = digits + 20;
  *at = 0;
  do
    *--at = (char)('0' + n % 10);
  while (n /= 10);
  put(at);
}
