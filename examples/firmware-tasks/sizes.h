/* sizes.h - numbers that the start code and the program share
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sources: SiFive FU540-C000 manual, chapters 5, 9 and 11; PolarFire SoC technical reference
 * manual; QEMU's machines sifive_u and microchip-icicle-kit.
 */
#ifndef FIRMWARE_SIZES_H
#define FIRMWARE_SIZES_H

#define HARTS 5         /* an E51 without floating point, the host; and four U54, the units */
#define HART_BYTES 32   /* of a struct memlift_hart */
#define HART_STACK 8192 /* of the host, and of each unit for run-complete tasks */

#define CLINT 0x2000000         /* a word for each hart: its software interrupt */
#define CLINT_COMPARE 0x2004000 /* a double word for each: when its timer interrupt comes */
#define CLINT_TIME 0x200bff8    /* the clock, of 1 MHz */
#define CLINT_NANOSECONDS 1000

#define L2_LIM 0x8000000 /* memory that is part of the second-level cache */
#define STORE 0x40000    /* bytes of it for each unit: its local store */

#endif
