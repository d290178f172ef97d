/* sys/spu_printf.h - spu_printf, where PSL1GHT has it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SYS_SPU_PRINTF_H
#define SYS_SPU_PRINTF_H

#include <spu_printf.h>

#endif
