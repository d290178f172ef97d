/* start_aarch64.S - the first core gets a stack and zeroed variables and calls main; the others sleep
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The kernels use vector registers: at EL3 nothing traps them once CPTR_EL3 says so, at EL1 CPACR_EL1.
 */
  .section .start, "ax"
  .globl _start
_start:
  mrs x0, mpidr_el1
  and x0, x0, #0xff
  cbnz x0, sleep
  mrs x0, currentel
  cmp x0, #0xc
  b.ne 1f
  msr cptr_el3, xzr
1:
  mov x0, #0x300000
  msr cpacr_el1, x0
  isb
  adrp x0, stack_end
  add x0, x0, :lo12:stack_end
  mov sp, x0
  adrp x0, bss_begin
  add x0, x0, :lo12:bss_begin
  adrp x1, bss_end
  add x1, x1, :lo12:bss_end
2:
  cmp x0, x1
  b.hs 3f
  str xzr, [x0], #8
  b 2b
3:
  bl main
sleep:
  wfi
  b sleep
