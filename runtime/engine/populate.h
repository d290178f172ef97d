/* populate.h - whether the CPU would meet a signal in some memory
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_POPULATE_H
#define MEMLIFT_POPULATE_H

#include <stddef.h>

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* 1 when all pages are mapped with the right that is asked for, and now present. 0 also on systems
 * that do not tell, those before Linux 5.14. Async-signal-safe; may change errno. */
int memlift_populate_write(void *p, size_t size);
int memlift_populate_read(const void *p, size_t size);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
