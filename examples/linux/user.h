/* user.h - what the kernel routines of this directory need, inside the kernel and outside
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef EXAMPLES_LINUX_USER_H
#define EXAMPLES_LINUX_USER_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stddef.h>
#include <stdint.h>
#endif

/* The name of a function as a string, after the kernel's build renamed it for a core. */
#define TEXT(name) #name
#define NAME(name) TEXT(name)

/* Loops that call nothing; accesses that may fault, too. */
#define SHAPE __attribute__((memlift("shape")))
#define USER __attribute__((memlift("user")))

/* Begins where half a line of an instruction cache does. On Rocket a loop over bytes takes a cycle
 * more for each if it begins between two words of a fetch, and more where a line ends in it.
 */
#define HALF_LINE __attribute__((aligned(32)))

/* Allow and forbid the kernel accesses to pages of programs: sstatus.SUM. A program, which may not
 * execute these, has instructions of the same number, so that counts can be compared.
 */
#if defined(SUM) /* of a benchmark in machine mode */
#elif !defined(__riscv)
#define SUM(instruction) "# %0"
#elif defined(__KERNEL__)
#define SUM(instruction) instruction " sstatus, %0"
#else
#define SUM(instruction) "nop # %0"
#endif

/* Returns what close_user() is given, so that one register holds it from the first to the last. */
static inline unsigned long open_user(void) {
  unsigned long sum = 0x40000;
  __asm__("" : "+r"(sum));
  __asm__ volatile(SUM("csrs") : : "r"(sum) : "memory");
  return sum;
}

static inline void close_user(unsigned long sum) {
  __asm__ volatile(SUM("csrc") : : "r"(sum) : "memory");
}

#endif
