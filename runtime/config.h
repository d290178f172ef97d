/* config.h - what the target offers to the runtime, decided by the compiler's own macros
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * No configure step: each file compiles with nothing but -I. A freestanding build (kernels,
 * firmware) has the CPU kernels and neither environment nor engines.
 */
#ifndef MEMLIFT_CONFIG_H
#define MEMLIFT_CONFIG_H

#if defined(__linux__) && __STDC_HOSTED__ && !defined(MEMLIFT_FREESTANDING)
#define MEMLIFT_HAVE_ENVIRONMENT 1
#define MEMLIFT_HAVE_ENGINES 0
#else
#define MEMLIFT_HAVE_ENVIRONMENT 0
#define MEMLIFT_HAVE_ENGINES 0
#endif

#pragma GCC visibility push(hidden)

/* Value of a variable, NULL when unset or when the program runs with more rights than its user.
 * For constructors only. */
const char *memlift_environment(const char *name);

#pragma GCC visibility pop

#endif
