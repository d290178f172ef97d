// stack.h - how much stack a function uses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_TEST_STACK_H
#define MEMLIFT_TEST_STACK_H

#include <cstddef>
#include <cstring>
#include <ucontext.h>

// Stack use, measured on a painted stack. Sanitizers have frames of their own, and no business
// with a switched stack.
inline ucontext_t mainContext, workContext;
inline void (*work)();

inline void runWork() { work(); }

// Bytes that a function uses, as far as it writes to them.
inline size_t stackUsed(void (*function)()) {
  static unsigned char stack[64 << 10];
  memset(stack, 0x77, sizeof stack);
  work = function;
  getcontext(&workContext);
  workContext.uc_stack.ss_sp = stack;
  workContext.uc_stack.ss_size = sizeof stack;
  workContext.uc_link = &mainContext;
  makecontext(&workContext, runWork, 0);
  swapcontext(&mainContext, &workContext);
  size_t untouched = 0;
  while (untouched < sizeof stack && stack[untouched] == 0x77)
    ++untouched;
  return sizeof stack - untouched;
}

#endif
