/* stats.h - memlift-info --stats: what programs have reported of the engines
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_STATS_H
#define MEMLIFT_STATS_H

/* Prints the sums of all reports in a file that MEMLIFT_STATS named, as text or as one JSON object.
 * Returns the exit code of the program: 0 done, 1 not, with a message on stderr. */
int print_stats(const char *file, int json);

#endif
