/* harts.h - the board: how its harts sleep and wake each other, and what happens at a trap
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef FIRMWARE_HARTS_H
#define FIRMWARE_HARTS_H

#include "../firmware/board.h"
#include "sizes.h"

#include "tasks/harts.h"

extern const struct memlift_board board;
extern struct memlift_hart hart_blocks[HARTS]; /* by their numbers; the start code has them */

/* Hart 0: lets the other harts begin with unit_main, which the program has. */
void start_units(void);
void unit_main(void);

/* A task ends with this, less the number of the trap (mcause), when it traps. */
#define TRAPPED (-100)

/* The serial port; whole lines, for one hart at a time. */
void say(const char *text);
void say_number(uint64_t number);

#endif
