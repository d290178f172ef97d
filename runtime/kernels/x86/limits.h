/* limits.h - sizes from which the x86 kernels change their method
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Starting values, from medians on a Zen 5 (32 MiB L3, 2 vCPUs): string instructions leave the
 * line-fill work to the microcode, which avoids reading lines that are overwritten whole; vector
 * loops win while the data stays in L2. Past twice the L3 nothing is read again soon, so
 * non-temporal stores keep the caches for others. Not derived from reported cache sizes: virtual
 * machines report wrong ones.
 */
#ifndef MEMLIFT_X86_LIMITS_H
#define MEMLIFT_X86_LIMITS_H

#include <stdint.h>

#define MEMLIFT_REP_COPY_MIN ((size_t)1 << 20)
#define MEMLIFT_STREAM_COPY_MIN ((size_t)96 << 20)
#define MEMLIFT_REP_FILL_MIN ((size_t)1 << 20)
#define MEMLIFT_STREAM_FILL_MIN SIZE_MAX

#endif
