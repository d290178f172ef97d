/* switch.c - going from one stack to another, and out of a call of any depth
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sources of what is kept over a call: System V ABI, AMD64 supplement 3.2.1; AAPCS64 6.1; RISC-V
 * calling convention 1.1 and 1.2. A task's stack starts with a return address of 0, where
 * debuggers end a backtrace.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "fiber.h"
#include "switch.h"

#define ASM_FUNCTION(name)                                                                         \
  ".text\n.p2align 4\n.globl " #name "\n.hidden " #name "\n.type " #name ", @function\n" #name ":" \
  "\n"
#define ASM_END(name) ".size " #name ", . - " #name "\n"

#if defined(__x86_64__) && !defined(MEMLIFT_SWITCH_PORTABLE)
/* mxcsr, x87 control word, r15 to r12, rbx, rbp, return address. The condition flags of mxcsr, bits
 * 5 to 0, are not kept over a call. */
__asm__(ASM_FUNCTION(
    memlift_switch) "endbr64\n"
                    "pushq %rbp\n pushq %rbx\n pushq %r12\n pushq %r13\n pushq %r14\n pushq %r15\n"
                    "subq $8, %rsp\n stmxcsr (%rsp)\n fnstcw 4(%rsp)\n"
                    "movl (%rsp), %eax\n movzwl 4(%rsp), %ecx\n"
                    "movq %rsp, (%rdi)\n movq %rsi, %rsp\n"
                    "xorl (%rsp), %eax\n xorw 4(%rsp), %cx\n"
                    "andl $0xffc0, %eax\n orl %ecx, %eax\n je 1f\n"
                    "ldmxcsr (%rsp)\n fldcw 4(%rsp)\n"
                    "1: addq $8, %rsp\n"
                    "popq %r15\n popq %r14\n popq %r13\n popq %r12\n popq %rbx\n popq %rbp\n"
                    "ret\n" ASM_END(memlift_switch));

#define WORDS 9 /* of a new stack: what a switch pops, and a return address of 0 for entry */

void *memlift_switch_new(void *stack, size_t size, void (*entry)(void)) {
  /* entry finds the stack as after a call: 8 bytes from a multiple of 16. */
  uintptr_t end = ((uintptr_t)stack + size) & ~(uintptr_t)15;
  uint64_t *sp = (uint64_t *)end - WORDS;
  uint32_t mxcsr;
  uint16_t control;
  for (unsigned i = 0; i < WORDS; i++)
    sp[i] = 0;
  __asm__ volatile("stmxcsr %0\n fnstcw %1" : "=m"(mxcsr), "=m"(control));
  sp[0] = mxcsr | (uint64_t)control << 32;
  sp[WORDS - 2] = (uintptr_t)entry;
  return sp;
}

/* The shadow stack pointer is 0, as rdssp is a no-operation without one. */
int memlift_switch_works(void) {
  uint64_t ssp = 0;
  __asm__ volatile("rdsspq %0" : "+r"(ssp));
  return ssp == 0;
}

#elif defined(__aarch64__) && !defined(MEMLIFT_SWITCH_PORTABLE)
__asm__(ASM_FUNCTION(
    memlift_switch) "hint #34\n" /* bti c */
                    "sub sp, sp, #176\n"
                    "stp x19, x20, [sp]\n stp x21, x22, [sp, #16]\n stp x23, x24, [sp, #32]\n"
                    "stp x25, x26, [sp, #48]\n stp x27, x28, [sp, #64]\n stp x29, x30, [sp, #80]\n"
                    "stp d8, d9, [sp, #96]\n stp d10, d11, [sp, #112]\n"
                    "stp d12, d13, [sp, #128]\n stp d14, d15, [sp, #144]\n"
                    "mrs x9, fpcr\n str x9, [sp, #160]\n"
                    "mov x10, sp\n str x10, [x0]\n mov sp, x1\n"
                    "ldr x10, [sp, #160]\n cmp x9, x10\n b.eq 1f\n msr fpcr, x10\n"
                    "1: ldp x19, x20, [sp]\n ldp x21, x22, [sp, #16]\n ldp x23, x24, [sp, #32]\n"
                    "ldp x25, x26, [sp, #48]\n ldp x27, x28, [sp, #64]\n ldp x29, x30, [sp, #80]\n"
                    "ldp d8, d9, [sp, #96]\n ldp d10, d11, [sp, #112]\n"
                    "ldp d12, d13, [sp, #128]\n ldp d14, d15, [sp, #144]\n"
                    "add sp, sp, #176\n ret\n" ASM_END(memlift_switch));

/* A new stack: calls x19 with a return address of 0. */
void memlift_switch_begin(void) __attribute__((visibility("hidden")));
__asm__(ASM_FUNCTION(memlift_switch_begin) "mov x16, x19\n mov x30, xzr\n br x16\n" ASM_END(
    memlift_switch_begin));

#define WORDS 22

void *memlift_switch_new(void *stack, size_t size, void (*entry)(void)) {
  uintptr_t end = ((uintptr_t)stack + size) & ~(uintptr_t)15;
  uint64_t *sp = (uint64_t *)end - WORDS, control;
  for (unsigned i = 0; i < WORDS; i++)
    sp[i] = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  sp[0] = (uintptr_t)entry;                 /* x19 */
  sp[11] = (uintptr_t)memlift_switch_begin; /* x30 */
  sp[20] = control;
  return sp;
}

int memlift_switch_works(void) { return 1; }

#elif defined(__riscv) && __riscv_xlen == 64 && !defined(MEMLIFT_SWITCH_PORTABLE)
#if defined(__riscv_float_abi_double)
#define KEEP_FLOATS(op)                                                                            \
  op " fs0, 104(sp)\n" op " fs1, 112(sp)\n" op " fs2, 120(sp)\n" op " fs3, 128(sp)\n" op           \
     " fs4, 136(sp)\n" op " fs5, 144(sp)\n" op " fs6, 152(sp)\n" op " fs7, 160(sp)\n" op           \
     " fs8, 168(sp)\n" op " fs9, 176(sp)\n" op " fs10, 184(sp)\n" op " fs11, 192(sp)\n"
#define SAVE_MODE "frrm t0\n sd t0, 200(sp)\n"
#define LOAD_MODE "ld t1, 200(sp)\n beq t0, t1, 1f\n fsrm t1\n"
#else /* no registers that are kept, and no modes */
#define KEEP_FLOATS(op) ""
#define SAVE_MODE ""
#define LOAD_MODE ""
#endif
#define KEEP(op)                                                                                   \
  op " ra, 0(sp)\n" op " s0, 8(sp)\n" op " s1, 16(sp)\n" op " s2, 24(sp)\n" op " s3, 32(sp)\n" op  \
     " s4, 40(sp)\n" op " s5, 48(sp)\n" op " s6, 56(sp)\n" op " s7, 64(sp)\n" op                   \
     " s8, 72(sp)\n" op " s9, 80(sp)\n" op " s10, 88(sp)\n" op " s11, 96(sp)\n"

__asm__(ASM_FUNCTION(memlift_switch) "addi sp, sp, -208\n" KEEP("sd") KEEP_FLOATS("fsd") SAVE_MODE
        "sd sp, 0(a0)\n mv sp, a1\n" LOAD_MODE "1:\n" KEEP("ld")
            KEEP_FLOATS("fld") "addi sp, sp, 208\n ret\n" ASM_END(memlift_switch));

/* A new stack: calls s0 with a return address of 0. */
void memlift_switch_begin(void) __attribute__((visibility("hidden")));
__asm__(ASM_FUNCTION(memlift_switch_begin) "mv t0, s0\n li s0, 0\n li ra, 0\n jr t0\n" ASM_END(
    memlift_switch_begin));

#define WORDS 26

void *memlift_switch_new(void *stack, size_t size, void (*entry)(void)) {
  uintptr_t end = ((uintptr_t)stack + size) & ~(uintptr_t)15;
  uint64_t *sp = (uint64_t *)end - WORDS;
  for (unsigned i = 0; i < WORDS; i++)
    sp[i] = 0;
  sp[0] = (uintptr_t)memlift_switch_begin; /* ra */
  sp[1] = (uintptr_t)entry;                /* s0 */
#if defined(__riscv_float_abi_double)
  __asm__ volatile("frrm %0" : "=r"(sp[25]));
#endif
  return sp;
}

int memlift_switch_works(void) { return 1; }

#else
#include <ucontext.h>

void memlift_switch(void **save, void *load) {
  ucontext_t here;
  *save = &here;
  swapcontext(&here, (ucontext_t *)load);
}

void *memlift_switch_new(void *stack, size_t size, void (*entry)(void)) {
  uintptr_t end = ((uintptr_t)stack + size - sizeof(ucontext_t)) & ~(uintptr_t)63;
  ucontext_t *context = (ucontext_t *)end;
  getcontext(context);
  context->uc_stack.ss_sp = stack;
  context->uc_stack.ss_size = end - (uintptr_t)stack;
  context->uc_link = NULL;
  makecontext(context, entry, 0);
  return context;
}

int memlift_switch_works(void) { return 1; }
#endif

/* ---- Calls of run-complete tasks ---------------------------------------------------- */

#if defined(__x86_64__) && !defined(MEMLIFT_SWITCH_PORTABLE) && !defined(MEMLIFT_FIBER_ADDRESS) && \
    !defined(MEMLIFT_FIBER_THREAD)
__asm__(ASM_FUNCTION(
    memlift_switch_call) "endbr64\n"
                         "pushq %rbp\n pushq %rbx\n pushq %r12\n pushq %r13\n pushq %r14\n pushq "
                         "%r15\n"
                         "subq $8, %rsp\n movq %rsp, (%rdx)\n"
                         "movq %rdi, %rax\n movq %rsi, %rdi\n call *%rax\n"
                         "1: addq $8, %rsp\n"
                         "popq %r15\n popq %r14\n popq %r13\n popq %r12\n popq %rbx\n popq %rbp\n"
                         "ret\n" ASM_END(memlift_switch_call) ASM_FUNCTION(
                             memlift_switch_leave) "endbr64\n"
                                                   "movq %rdi, %rsp\n movl %esi, %eax\n jmp "
                                                   "1b\n" ASM_END(memlift_switch_leave));
#else
#include <setjmp.h>

struct leave {
  jmp_buf to;
  int32_t code;
};

int32_t memlift_switch_call(memlift_task_function function, const uint64_t *args, void **leave) {
  struct leave here;
  *leave = &here;
  if (_setjmp(here.to) == 0)
    return function(args);
  return here.code;
}

void memlift_switch_leave(void *leave, int32_t code) {
  struct leave *to = (struct leave *)leave;
  to->code = code;
  longjmp(to->to, 1);
}
#endif
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
