/* limits.h - sizes from which the x86 kernels change their method
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From medians on a Zen 5 (48 KiB L1d, 1 MiB L2, 32 MiB L3, 2 busy vCPUs), all methods in turn at
 * each size; other machines get the same values until they are measured there:
 *   copy, vectors     best while both regions fit into L1d: 270 GB/s, then 100 from L2
 *   copy, string      170 GB/s at 32 KiB, 1.15 times vectors at 1-8 MiB
 *   copy, streaming   from three times the L3: nothing of it is read again before it is evicted,
 *                     so the caches are kept for others
 *   copy and checksum in one, streaming: 1.05 to 1.12 times plain stores from 16 MiB on
 *   fill, vectors     250 GB/s while the region fits into L2
 *   fill, string      1.15 times vectors from L3 on, 2 to 3 times for zeros from 16 MiB on
 *   fill, streaming   was never better than string stores, so there is no such kernel
 * Not derived from reported cache sizes: virtual machines report wrong ones.
 */
#ifndef MEMLIFT_X86_LIMITS_H
#define MEMLIFT_X86_LIMITS_H

#include <stddef.h>

#define MEMLIFT_REP_COPY_MIN ((size_t)24 << 10)
#define MEMLIFT_STREAM_COPY_MIN ((size_t)96 << 20)
#define MEMLIFT_STREAM_COPY_INET_MIN ((size_t)16 << 20)
#define MEMLIFT_REP_FILL_MIN ((size_t)1 << 20)

#endif
