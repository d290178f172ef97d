/* limits.h - sizes from which the x86 kernels change their method
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From medians on a Zen 5 (48 KiB L1d, 1 MiB L2, 32 MiB L3, 2 busy vCPUs), all methods in turn at
 * each size; memlift-info --calibrate measures them elsewhere:
 *   copy, vectors     best while both regions fit into L1d: 200 GB/s of misaligned ones at 20 KiB,
 *                     where string instructions reach 132; 85 from L2
 *   copy, string      118 GB/s at 32 KiB, 1.0 to 1.15 times vectors to 8 MiB; of 2 to 4 KiB 1.1
 *                     to 1.2 times vectors when the second cache holds them, 1.03 to 1.06 times
 *                     when the third does, and 0.5 to 0.8 times when the first does, as most do
 *                     that loops have just written
 *   copy, streaming   with the source fetched ahead 1.3 to 1.5 times string instructions at 16 to
 *                     32 MiB; from 64 MiB on 1.05 to 1.5 times, better without fetching
 *   copy and checksum in one, streaming: 1.05 to 1.12 times plain stores from 16 MiB on
 *   fill, vectors     240 GB/s while the region fits into L2
 *   fill, string      1.2 to 1.4 times vectors from 1 MiB on with one byte; with words as fast as
 *                     those at 2 MiB, half of it at 8 to 16, 1.3 times from 32 MiB on
 *   fill, repeated    (repeat.h) words 1.1 to 1.3 times vectors from 2 MiB on
 *   fill, streaming   a third of string stores below 32 MiB and as fast from there on, so there is
 *                     no such kernel
 * And on a Zen 4 (32 KiB L1d), the fastest of 40 rounds, GB/s of misaligned copies at 1,500 B, 4
 * KiB, 16 KiB, 1 MiB and 16 MiB: vectors 105, 113, 73, 49, 25; string 70, 81, 59, 52, 27; streaming
 * 27 at 16 MiB. Fills of one byte at 8, 16, 24, 48, 64, 128 and 256 MiB: vectors 101, 70, 50, 31,
 * 30, 24, 23; string 100, 84, 53, 46, 75, 69, 57. Of words at 48, 64, 128 and 256 MiB: vectors 34,
 * 31, 22, 21; string 32, 30, 28, 28. Repeated at 1, 4, 16 and 64 MiB 55, 41, 21, 18, streaming 28
 * everywhere. So copies leave string instructions alone there, fills take them from 32 MiB on, and
 * fills are repeated only where that was seen to be faster, which is on a Zen 5.
 * And on a Zen 3 (32 KiB L1d, 512 KiB L2), the fastest of 25 rounds, bytes a tick of 0.4 ns, copies
 * of 64 KiB and 1 MiB: vectors 20.7 and 14, at any distance; string 20.7 and 14.7 where distances
 * are multiples of 32 bytes, else 19 and 11.6, and 1.3 where the destination lies 1 to 31 bytes
 * above the source, whole pages aside. Streaming from 16 MiB on 6 to 7, vectors 3 to 6. Fills of
 * one byte at 8, 16, 24 and 64 MiB: vectors 15 to 27, 7 to 12, 6 to 8, 5 to 6; string 15 to 25, 6,
 * 6, 14 to 17. So its limits are those of a Zen 4.
 * And on a Sapphire Rapids (48 KiB L1d, 2 MiB L2), the fastest of 100 rounds, ns of aligned
 * copies of 2,304, 6,305, 14,307, 18,308 and 22,309 bytes: vectors 9.3, 26.3, 57, 73, 120; string
 * 15.4, 28, 58, 74, 104; from L2 string instructions take 0.95 to 0.98 of the time of vectors. Of
 * 20, 32 and 52 MiB: string 2.7, 4.6, 11.5 ms, streaming 2.8, 4.6, 8.0 (32 MiB in another run 3.8
 * and 4.9).
 * Not derived from reported cache sizes: virtual machines report wrong ones.
 */
#ifndef MEMLIFT_X86_LIMITS_H
#define MEMLIFT_X86_LIMITS_H

#include <stddef.h>

#define MEMLIFT_REP_COPY_MIN ((size_t)26 << 10)
#define MEMLIFT_REP_COPY_INTEL_MIN ((size_t)20 << 10)
/* No copy or fill of this size or less looks at a limit. */
#define MEMLIFT_VECTORS_MOST ((size_t)2 << 10)
#define MEMLIFT_STREAM_COPY_MIN ((size_t)16 << 20)
#define MEMLIFT_STREAM_COPY_INTEL_MIN ((size_t)48 << 20)
#define MEMLIFT_STREAM_COPY_PLAIN_MIN ((size_t)64 << 20)
#define MEMLIFT_STREAM_COPY_INET_MIN ((size_t)16 << 20)
#define MEMLIFT_REP_FILL_MIN ((size_t)1 << 20)
#define MEMLIFT_REP_FILL_ZEN4_MIN ((size_t)32 << 20) /* a Zen 3, too */
#define MEMLIFT_REP_FILL_WORDS_MIN ((size_t)32 << 20)
#define MEMLIFT_REPEAT_FILL_MIN ((size_t)2 << 20)

/* Vectors up to which fills of odd periods are stored across lines: it takes longer to look up
 * where aligned ones are in the value. Where 64 bytes are two halves, 4 KiB take 0.86 of the time
 * with fewer. */
#define MEMLIFT_PATTERN_STEPS 96
#define MEMLIFT_PATTERN_STEPS_HALVES 18
#pragma GCC visibility push(hidden)
extern size_t memlift_pattern_steps; /* read and written relaxed */
#pragma GCC visibility pop

#endif
