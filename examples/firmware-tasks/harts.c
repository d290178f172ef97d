/* harts.c - the board: CLINT, traps, serial port
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A hart that waits enables its software interrupt, and its timer's where it has a limit, but not
 * interrupts as such: wfi ends as soon as one is pending, and nothing is called. One that was rung
 * before has it pending already.
 */
#include "harts.h"

#define MSIE 8u   /* mie and mip: software interrupt */
#define MTIE 128u /* timer */

static unsigned char __attribute__((aligned(64))) memory[(size_t)4 << 20];

static uint64_t now(void) {
  return *(volatile uint64_t *)(uintptr_t)CLINT_TIME * CLINT_NANOSECONDS;
}

static volatile uint32_t *software_interrupt(uint64_t hart) { return board_register(CLINT) + hart; }

static void wait(uint64_t nanoseconds) {
  uint64_t hart = memlift_hart_self()->number, ticks = nanoseconds / CLINT_NANOSECONDS + 1;
  volatile uint64_t *compare = (volatile uint64_t *)(uintptr_t)CLINT_COMPARE + hart;
  *compare = *(volatile uint64_t *)(uintptr_t)CLINT_TIME + ticks;
  __asm__ volatile("csrw mie, %0\n wfi\n csrw mie, zero" : : "r"(MSIE | MTIE) : "memory");
  *software_interrupt(hart) = 0;
  *compare = UINT64_MAX;
}

static void ring(uint64_t hart) { *software_interrupt(hart) = 1; }

const struct memlift_board board = {memory, sizeof memory, HARTS - 1, now, wait, ring};

void start_units(void) {
  for (uint64_t hart = 0; hart < HARTS; hart++)
    hart_blocks[hart] = (struct memlift_hart){.number = hart};
  __asm__ volatile("fence rw, rw\n fence w, o" ::: "memory");
  for (uint64_t hart = 1; hart < HARTS; hart++)
    ring(hart);
}

/* ---- The serial port ------------------------------------------------------------------------- */

void say(const char *text) {
  for (; *text; text++)
    board_put(*text);
}

void say_number(uint64_t number) {
  char digits[24];
  unsigned at = sizeof digits - 1;
  digits[at] = 0;
  do
    digits[--at] = (char)('0' + number % 10);
  while (number /= 10);
  say(digits + at);
}

/* ---- Traps ----------------------------------------------------------------------------------- */

/* Handles a trap, on the stack of what has trapped. A task ends, and its unit takes the next one.
 * Where no task runs, the library or this program is wrong, and the hart stops. */
__attribute__((noreturn)) void trapped(uint64_t cause, uint64_t pc, uint64_t value);
void trapped(uint64_t cause, uint64_t pc, uint64_t value) {
  if (memlift_task_self().id)
    memlift_task_exit(TRAPPED - (int32_t)cause);
  say("firmware: FAILED: trap "), say_number(cause), say(" on hart ");
  say_number(memlift_hart_self()->number), say(" at "), say_number(pc), say(", ");
  say_number(value), say("\n");
  for (;;)
    __asm__ volatile("wfi");
}
