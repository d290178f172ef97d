/* direct.c - a program that calls the runtime itself.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <memlift/memlift.h>
#include <stdio.h>

int main(void) {
  unsigned char bytes[9] = {0};
  memlift_fill16(bytes, 0x4141, 8);
  puts((char *)bytes);
  return 0;
}
