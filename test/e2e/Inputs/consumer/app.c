/* app.c - one loop that memlift lowers to a call, and a check that it did the right thing.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

__attribute__((noinline)) void fill(uint32_t *to, uint32_t value, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = value;
}

static uint32_t words[1000];

int main(void) {
  fill(words + 1, 0x01020304, 998);
  for (int i = 0; i < 1000; i++)
    if (words[i] != (i > 0 && i < 999 ? 0x01020304u : 0u)) {
      printf("word %d is %08x\n", i, (unsigned)words[i]);
      return 1;
    }
  puts("filled");
  return 0;
}
