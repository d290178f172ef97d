// anchors.S - what a core's pipeline costs, in straight lines of code
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
  .text
  .globl nothing, chase64, chase128, rewrite96, issue96, words64, words192, stores16, atomics
  .globl products32, products64, turns96, loads16, held16

// Leaves the cycles from here to DONE in a0.
  .macro BEGIN
  csrr a5, mcycle
  .endm
  .macro DONE
  csrr a0, mcycle
  sub a0, a0, a5
  ret
  .endm

  .balign 64
nothing:
  BEGIN
  DONE

// Each load's address is what the one before it read: a0. Two registers in turns, as a register
// that is still to be written may not be written again on CVA6.
  .balign 64
chase64:
  BEGIN
  .rept 32
  ld a1, 0(a0)
  ld a0, 0(a1)
  .endr
  DONE

  .balign 64
chase128:
  BEGIN
  .rept 64
  ld a1, 0(a0)
  ld a0, 0(a1)
  .endr
  DONE

  .macro WORDS count // one behind the other, from a0 on
  .set at, 0
  .rept \count
  sd zero, at(a0)
  .set at, at + 8
  .endr
  .endm

  .balign 64
words64:
  BEGIN
  WORDS 64
  DONE

  .balign 64
words192:
  BEGIN
  WORDS 192
  DONE

  .balign 64
rewrite96: // one register, written again and again
  BEGIN
  .rept 96
  li t0, 1
  .endr
  DONE

  .balign 64
issue96: // eight registers in turns: as many instructions as are issued
  BEGIN
  .rept 12
  li t0, 1
  li t1, 1
  li t2, 1
  li t3, 1
  li t4, 1
  li t5, 1
  li t6, 1
  li a1, 1
  .endr
  DONE

  .macro PRODUCTS what // of a0 and a1, eight registers in turns
  BEGIN
  .rept 12
  \what t0, a0, a1
  \what t1, a0, a1
  \what t2, a0, a1
  \what t3, a0, a1
  \what t4, a0, a1
  \what t5, a0, a1
  \what t6, a0, a1
  \what a2, a0, a1
  .endr
  DONE
  .endm

  .balign 64
products32:
  PRODUCTS mulw

  .balign 64
products64:
  PRODUCTS mul

  .balign 64
turns96: // products and what is none in turns, eight registers
  BEGIN
  .rept 12
  mulw t0, a0, a1
  li t1, 1
  mulw t2, a0, a1
  li t3, 1
  mulw t4, a0, a1
  li t5, 1
  mulw t6, a0, a1
  li a2, 1
  .endr
  DONE

  .balign 64
stores16: // (address of the device's registers)
  .set at, 0
  .rept 16
  sd a0, at(a0)
  .set at, at + 8
  .endr
  ret

  .macro LOADS before // of the device, eight registers in turns
  .set at, 0
  .rept 2
  .irp register, t0, t1, t2, t3, t4, t5, t6, a1
  \before \register
  ld \register, at(a0)
  .set at, at + 8
  .endr
  .endr
  ret
  .endm

  .macro NOTHING register
  .endm

  .macro ZERO register
  li \register, 0
  .endm

  .balign 64
loads16: // (address of the device's registers)
  LOADS NOTHING

  .balign 64
held16: // the same, each register written right before its load
  LOADS ZERO

  .balign 64
atomics: // (address of two words): 0, or the number of what was wrong
  li t0, 5
  li t1, -7
  sd t0, 0(a0)
  amoadd.d t2, t1, (a0)  // 5 -> -2
  li a1, 1
  bne t2, t0, 9f
  amoswap.d t2, t0, (a0) // -2 -> 5
  li a1, 2
  li t3, -2
  bne t2, t3, 9f
  amomax.d t2, t1, (a0)  // 5 stays
  amomaxu.d t2, t1, (a0) // 5 -> -7
  li a1, 3
  bne t2, t0, 9f
  amomin.d t2, t0, (a0)  // -7 stays
  amominu.d t2, t0, (a0) // -7 -> 5
  li a1, 4
  bne t2, t1, 9f
  li t3, 6
  amoand.d t2, t3, (a0)  // 5 -> 4
  amoor.d t2, t3, (a0)   // 4 -> 6
  amoxor.d t2, t0, (a0)  // 6 -> 3
  li a1, 5
  bne t2, t3, 9f
  addi a2, a0, 12
  sw t1, 0(a2)
  amoadd.w t2, t3, (a2)  // -7 -> -1
  li a1, 6
  bne t2, t1, 9f
  lw t2, 0(a2)
  li t3, -1
  bne t2, t3, 9f
  lr.d t2, (a0)
  sc.d t4, t0, (a0)      // 3 -> 5
  li a1, 7
  bnez t4, 9f
  sc.d t4, t1, (a0)      // nothing is reserved any more
  li a1, 8
  beqz t4, 9f
  ld t2, 0(a0)
  li a1, 9
  bne t2, t0, 9f
  li a1, 0
9: mv a0, a1
  ret
