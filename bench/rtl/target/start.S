// start.S - from reset to main(), and out by the device; traps; the clock
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define DEVICE 0x40000000

  .section .text.start, "ax"
  .globl _start
_start:
  la t0, trap
  csrw mtvec, t0
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la sp, stack_end
  call main
exit: // with the status in a0
  li t0, DEVICE
  sd a0, 0(t0)
1: j 1b

  .balign 4
trap: // nothing here traps on purpose: tells the cause and where, and ends with 3
  la sp, stack_end
  la a0, trapped
  call put
  csrr a0, mcause
  call put_number
  la a0, trapped_at
  call put
  csrr a0, mepc
  call put_number
  la a0, newline
  call put
  li a0, 3
  j exit

  .text
  .globl timed
timed: // (function, a, b, c, result)
  addi sp, sp, -32
  sd ra, 0(sp)
  sd s0, 8(sp)
  sd s1, 16(sp)
  mv s1, a4
  mv t0, a0
  mv a0, a1
  mv a1, a2
  mv a2, a3
  li t1, 100
1: addi t1, t1, -1 // stores before it reach memory
  bnez t1, 1b
  csrr s0, mcycle
  jalr t0
  csrr t1, mcycle
  beqz s1, 2f
  sd a0, 0(s1)
2: sub a0, t1, s0
  ld ra, 0(sp)
  ld s0, 8(sp)
  ld s1, 16(sp)
  addi sp, sp, 32
  ret

  .section .rodata
trapped: .asciz "trap: cause "
trapped_at: .asciz " at "
newline: .asciz "\n"

  .bss
  .balign 16
  .skip 16384
stack_end:
