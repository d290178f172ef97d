/* config.h - features of the target, decided by the compiler's own macros
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * No configure step: each file compiles with nothing but -I. A freestanding build (kernels,
 * firmware) has the CPU kernels and neither environment nor engines, but those of bare metal with
 * -DMEMLIFT_BARE_METAL.
 */
#ifndef MEMLIFT_CONFIG_H
#define MEMLIFT_CONFIG_H

#if defined(__linux__) && __STDC_HOSTED__ && !defined(MEMLIFT_FREESTANDING)
#define MEMLIFT_HAVE_ENVIRONMENT 1
#else
#define MEMLIFT_HAVE_ENVIRONMENT 0
#endif

/* Engines need threads, futex, process_vm_readv and 64-bit atomics without a helper library. */
#if MEMLIFT_HAVE_ENVIRONMENT && __SIZEOF_POINTER__ == 8
#define MEMLIFT_HAVE_ENGINES 1
#else
#define MEMLIFT_HAVE_ENGINES 0
#endif

/* Bare metal with 64-bit addresses that are physical: MEMLIFT_BARE_METAL asks for its engines,
 * which need none of that. */
#if defined(MEMLIFT_BARE_METAL) && !MEMLIFT_HAVE_ENVIRONMENT && __SIZEOF_POINTER__ == 8
#define MEMLIFT_BARE 1
#else
#define MEMLIFT_BARE 0
#endif

/* 1 where size matters most: units of bare metal, by -Os and -Oz. Short paths for what happens most
 * often are left out then, and what is left does the same. */
#if !defined(MEMLIFT_SMALL)
#if MEMLIFT_BARE && defined(__OPTIMIZE_SIZE__)
#define MEMLIFT_SMALL 1
#else
#define MEMLIFT_SMALL 0
#endif
#endif

/* 1 when large copies and fills may go to an engine at all. */
#define MEMLIFT_HAVE_OFFLOAD (MEMLIFT_HAVE_ENGINES || MEMLIFT_BARE)

/* 1 where contexts of tasks can be created: units are threads there, or harts of bare metal. */
#define MEMLIFT_HAVE_TASKS (MEMLIFT_HAVE_ENGINES || MEMLIFT_BARE)

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Value of a variable, NULL when unset or when the program runs with more rights than its user.
 * For constructors only. */
const char *memlift_environment(const char *name);

/* Copies the value of a variable, cut to size - 1 characters, to text and returns that: "" when
 * there is no value. For constructors only. */
const char *memlift_environment_text(const char *name, char *text, unsigned size);

/* 1 when two strings are equal. Ours, so that kernels and dispatch call no libc. */
int memlift_same_text(const char *a, const char *b);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
