// linux.c - text and the way in and out of a program that runs under Linux without a C library
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io.h"

__asm__(".globl _start\n"
        "_start:\n"
        "  .option push\n"
        "  .option norelax\n"
        "  la gp, __global_pointer$\n"
        "  .option pop\n"
        "  call main\n"
        "  li a7, 93\n" // exit
        "  ecall\n");

void put(const char *text) {
  size_t n = 0;
  while (text[n])
    ++n;
  register uintptr_t number __asm__("a7") = 64; // write
  register uintptr_t a0 __asm__("a0") = 1, a1 __asm__("a1") = (uintptr_t)text, a2 __asm__("a2") = n;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(number), "r"(a1), "r"(a2) : "memory");
}
