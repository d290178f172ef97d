/* start_riscv64.S - hart 0 gets a stack and zeroed variables and calls main; the others sleep
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
  .section .start, "ax"
  .globl _start
_start:
  csrr t0, mhartid
  bnez t0, sleep
  la sp, stack_end
  la t0, bss_begin
  la t1, bss_end
1:
  bgeu t0, t1, 2f
  sd zero, 0(t0)
  addi t0, t0, 8
  j 1b
2:
  call main
sleep:
  wfi
  j sleep
