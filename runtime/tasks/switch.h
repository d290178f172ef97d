/* switch.h - going from one stack to another, and out of a call of any depth
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * On x86-64, AArch64 and RV64 a switch saves what the calling convention keeps over a call: integer
 * and floating-point registers, and the rounding modes, which are written only if they differ.
 * Elsewhere it is swapcontext(3), with its system call.
 */
#ifndef MEMLIFT_SWITCH_H
#define MEMLIFT_SWITCH_H

#include "../include/memlift/tasks.h"

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Leaves the stack in use, to go on from *save later, and goes on at `load`. */
void memlift_switch(void **save, void *load);

/* Makes a stack on which `entry` is called by the first switch to what this returns. entry must not
 * return. */
void *memlift_switch_new(void *stack, size_t size, void (*entry)(void));

/* 1 where stacks can be switched: not under a shadow stack. */
int memlift_switch_works(void);

/* Calls a task; *leave is where memlift_switch_leave goes with the code. */
int32_t memlift_switch_call(memlift_task_function function, const uint64_t *args, void **leave);
__attribute__((noreturn)) void memlift_switch_leave(void *leave, int32_t code);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
