/* stdint.h - the types of C for headers that the module shares with programs
 *
 * SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_KERNEL_STDINT_H
#define MEMLIFT_KERNEL_STDINT_H

#include <linux/types.h>

#define UINT32_C(number) number##U
#define UINT64_C(number) number##ULL

#endif
