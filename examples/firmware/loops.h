/* loops.h - the loops of loops.c
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef FIRMWARE_LOOPS_H
#define FIRMWARE_LOOPS_H

#include <stddef.h>
#include <stdint.h>

void copy_bytes(unsigned char *restrict to, const unsigned char *restrict from, size_t n);
void fill_words(uint64_t *p, uint64_t v, size_t n);

#endif
