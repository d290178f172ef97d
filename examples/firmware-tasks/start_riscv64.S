/* start_riscv64.S - all harts: a stack and a thread pointer each; traps
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Hart 0 zeroes the variables and calls main. The others sleep until it rings them, and call
 * unit_main. Harts that a program has no use for sleep for ever.
 *
 * A hart's struct memlift_hart ends where its thread pointer points to (runtime/tasks/harts.h).
 */
#include "sizes.h"

  .section .start, "ax"
  .globl _start
_start:
  csrr a0, mhartid
  csrw mie, zero
  la t0, trap_entry
  csrw mtvec, t0
  li t0, HARTS
  bgeu a0, t0, rest
  /* a0 + 1 steps above the first */
  addi t1, a0, 1
  la tp, hart_blocks
  li t0, HART_BYTES
  mul t0, t0, t1
  add tp, tp, t0
  la sp, hart_stacks
  li t0, HART_STACK
  mul t0, t0, t1
  add sp, sp, t0
  bnez a0, other
  la t0, bss_begin
  la t1, bss_end
1:
  bgeu t0, t1, 2f
  sd zero, 0(t0)
  addi t0, t0, 8
  j 1b
2:
  call main
  j rest

/* mip.MSIP tells that hart 0 has come so far; the CLINT has a word for each hart. */
other:
  li t0, 8 /* MSIE: what ends wfi */
  csrw mie, t0
1:
  wfi
  csrr t1, mip
  andi t1, t1, 8
  beqz t1, 1b
  li t0, CLINT
  slli t1, a0, 2
  add t0, t0, t1
  sw zero, 0(t0)
  fence
  li t0, 0x2000 /* FS: initial; floating-point registers may be used */
  csrs mstatus, t0
  call unit_main
rest:
  csrw mie, zero
  wfi
  j rest

/* Interrupts are never enabled, so a trap is a mistake of what was running. trapped() is called in
 * its place and on its stack: it ends the task that runs there, or the hart. */
  .align 2
trap_entry:
  csrr a0, mcause
  csrr a1, mepc
  csrr a2, mtval
  la t0, trapped
  csrw mepc, t0
  li t0, 0x1800 /* MPP: machine mode */
  csrs mstatus, t0
  mret

/* Beyond the variables that are zeroed: in use by all harts from their first instruction on. */
  .section .noinit, "aw", @nobits
  .balign 64
  .globl hart_blocks
hart_blocks:
  .space HARTS * HART_BYTES
  .balign 64
hart_stacks:
  .space HARTS * HART_STACK
