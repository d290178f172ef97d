/* spu_printf.h - output of MPU programs, which appears at once
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPU_PRINTF_H
#define SPU_PRINTF_H

#if defined(__cplusplus)
extern "C" {
#endif

/* To the standard output of the host program, and flushed. */
int spu_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#if defined(__cplusplus)
}
#endif

#endif
