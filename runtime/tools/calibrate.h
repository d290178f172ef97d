/* calibrate.h - memlift-info --calibrate: measures where copies and fills should change method
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_CALIBRATE_H
#define MEMLIFT_CALIBRATE_H

/* Measures, prints a table and the setting of MEMLIFT_LIMITS that follows from it; writes the
 * setting into a file too if output is not NULL. Some seconds, up to 512 MiB. Returns the exit code
 * of the program: 0 done, 1 not, with a message on stderr. */
int calibrate(const char *output);

#endif
