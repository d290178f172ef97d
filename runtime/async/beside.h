/* beside.h - a copy that is begun only if the engine can have it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_BESIDE_H
#define MEMLIFT_BESIDE_H

#include "../include/memlift/async.h"

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* memlift_begin_copy of any size between regions that are apart; but 0 means that nothing has been
 * done, as no engine is in use or it cannot be asked now. The token is collected as every other. */
uint64_t memlift_begin_beside(void *dst, const void *src, size_t n);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
