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

#if MEMLIFT_HAVE_TASKS
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
#define FLOATS(op)                                                                                 \
  op " fs0, 104(sp)\n" op " fs1, 112(sp)\n" op " fs2, 120(sp)\n" op " fs3, 128(sp)\n" op           \
     " fs4, 136(sp)\n" op " fs5, 144(sp)\n" op " fs6, 152(sp)\n" op " fs7, 160(sp)\n" op           \
     " fs8, 168(sp)\n" op " fs9, 176(sp)\n" op " fs10, 184(sp)\n" op " fs11, 192(sp)\n"

#if !defined(__riscv_float_abi_double) /* no registers that are kept, and no modes */
#define FRAME "112"
#define SAVE_FLOATS ""
#define LOAD_FLOATS ""
#define LEAVE_FLOATS ""
#elif MEMLIFT_BARE
/* The hart says in mstatus.FS whether its floating-point registers were written: 3, dirty. Only
 * then they are saved, with their modes, and the task that comes next starts clean: with 0 as its
 * modes, unless it has saved others. The state goes into its frame. A hart without such registers,
 * or with FS 0, never is dirty. */
#define FRAME "224"
#define SAVE_FLOATS                                                                                \
  "csrr t0, mstatus\n li t2, 0x6000\n and t0, t0, t2\n sd t0, 200(sp)\n bne t0, t2, 1f\n" FLOATS(  \
      "fsd") "frcsr t1\n sd t1, 208(sp)\n 1:"
#define LOAD_FLOATS                                                                                \
  "ld t1, 200(sp)\n beq t1, t2, 2f\n bne t0, t2, 3f\n"                                             \
  "fscsr zero\n lui t1, 2\n csrc mstatus, t1\n j 3f\n"                                             \
  "2: csrs mstatus, t2\n" FLOATS("fld") "ld t1, 208(sp)\n fscsr t1\n 3:"
#define LEAVE_FLOATS "li t2, 0x6000\n ld t1, 200(sp)\n bne t1, t2, 2f\n" FLOATS("fld") "2:"
#else
#define FRAME "208"
#define SAVE_FLOATS FLOATS("fsd") "frrm t0\n sd t0, 200(sp)\n"
#define LOAD_FLOATS "ld t1, 200(sp)\n beq t0, t1, 1f\n fsrm t1\n 1:" FLOATS("fld")
#define LEAVE_FLOATS FLOATS("fld")
#endif
#define KEEP(op)                                                                                   \
  op " ra, 0(sp)\n" op " s0, 8(sp)\n" op " s1, 16(sp)\n" op " s2, 24(sp)\n" op " s3, 32(sp)\n" op  \
     " s4, 40(sp)\n" op " s5, 48(sp)\n" op " s6, 56(sp)\n" op " s7, 64(sp)\n" op                   \
     " s8, 72(sp)\n" op " s9, 80(sp)\n" op " s10, 88(sp)\n" op " s11, 96(sp)\n"

__asm__(ASM_FUNCTION(memlift_switch) "addi sp, sp, -" FRAME "\n" KEEP("sd") SAVE_FLOATS
        "sd sp, 0(a0)\n mv sp, a1\n" LOAD_FLOATS KEEP("ld") "addi sp, sp, " FRAME
                                                            "\n ret\n" ASM_END(memlift_switch));

/* A new stack: calls s0 with a return address of 0. */
void memlift_switch_begin(void) __attribute__((visibility("hidden")));
__asm__(ASM_FUNCTION(memlift_switch_begin) "mv t0, s0\n li s0, 0\n li ra, 0\n jr t0\n" ASM_END(
    memlift_switch_begin));

#define WORDS 28

void *memlift_switch_new(void *stack, size_t size, void (*entry)(void)) {
  uintptr_t end = ((uintptr_t)stack + size) & ~(uintptr_t)15;
  uint64_t *sp = (uint64_t *)end - WORDS;
  for (unsigned i = 0; i < WORDS; i++)
    sp[i] = 0;
  sp[0] = (uintptr_t)memlift_switch_begin; /* ra */
  sp[1] = (uintptr_t)entry;                /* s0 */
#if defined(__riscv_float_abi_double) && !MEMLIFT_BARE
  __asm__ volatile("frrm %0" : "=r"(sp[25]));
#endif
  return sp;
}

int memlift_switch_works(void) { return 1; }

#elif MEMLIFT_BARE /* no tasks with a stack */
void memlift_switch(void **save, void *load) {
  (void)save, (void)load;
  __builtin_trap();
}

void *memlift_switch_new(void *stack, size_t size, void (*entry)(void)) {
  (void)size, (void)entry;
  return stack;
}

int memlift_switch_works(void) { return 0; }

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

/* A task that returns has kept the registers itself; one that leaves has not. */

#if defined(__x86_64__) && !defined(MEMLIFT_SWITCH_PORTABLE) && !defined(MEMLIFT_FIBER_ADDRESS) && \
    !defined(MEMLIFT_FIBER_THREAD)
__asm__(ASM_FUNCTION(
    memlift_switch_call) "endbr64\n"
                         "pushq %rbp\n pushq %rbx\n pushq %r12\n pushq %r13\n pushq %r14\n pushq "
                         "%r15\n"
                         "subq $8, %rsp\n movq %rsp, (%rdx)\n"
                         "movq %rdi, %rax\n movq %rsi, %rdi\n call *%rax\n"
                         "addq $56, %rsp\n ret\n" ASM_END(memlift_switch_call));
__asm__(ASM_FUNCTION(
    memlift_switch_leave) "endbr64\n"
                          "movq %rdi, %rsp\n movl %esi, %eax\n addq $8, %rsp\n"
                          "popq %r15\n popq %r14\n popq %r13\n popq %r12\n popq %rbx\n popq %rbp\n"
                          "ret\n" ASM_END(memlift_switch_leave));
#elif defined(__aarch64__) && !defined(MEMLIFT_SWITCH_PORTABLE) &&                                 \
    !defined(MEMLIFT_FIBER_ADDRESS) && !defined(MEMLIFT_FIBER_THREAD)
__asm__(ASM_FUNCTION(
    memlift_switch_call) "hint #34\n sub sp, sp, #160\n"
                         "stp x19, x20, [sp]\n stp x21, x22, [sp, #16]\n stp x23, x24, [sp, #32]\n"
                         "stp x25, x26, [sp, #48]\n stp x27, x28, [sp, #64]\n"
                         "stp x29, x30, [sp, #80]\n stp d8, d9, [sp, #96]\n"
                         "stp d10, d11, [sp, #112]\n stp d12, d13, [sp, #128]\n"
                         "stp d14, d15, [sp, #144]\n"
                         "mov x9, sp\n str x9, [x2]\n mov x9, x0\n mov x0, x1\n blr x9\n"
                         "ldr x30, [sp, #88]\n add sp, sp, #160\n ret\n" ASM_END(
                             memlift_switch_call));
__asm__(ASM_FUNCTION(
    memlift_switch_leave) "hint #34\n mov sp, x0\n mov w0, w1\n"
                          "ldp x19, x20, [sp]\n ldp x21, x22, [sp, #16]\n ldp x23, x24, [sp, #32]\n"
                          "ldp x25, x26, [sp, #48]\n ldp x27, x28, [sp, #64]\n"
                          "ldp x29, x30, [sp, #80]\n ldp d8, d9, [sp, #96]\n"
                          "ldp d10, d11, [sp, #112]\n ldp d12, d13, [sp, #128]\n"
                          "ldp d14, d15, [sp, #144]\n"
                          "add sp, sp, #160\n ret\n" ASM_END(memlift_switch_leave));
#elif defined(__riscv) && __riscv_xlen == 64 && !defined(MEMLIFT_SWITCH_PORTABLE) &&               \
    !defined(MEMLIFT_FIBER_ADDRESS) && !defined(MEMLIFT_FIBER_THREAD)
__asm__(ASM_FUNCTION(memlift_switch_call) "addi sp, sp, -" FRAME "\n" KEEP("sd") SAVE_FLOATS
        "sd sp, 0(a2)\n mv t0, a0\n mv a0, a1\n jalr t0\n"
        "ld ra, 0(sp)\n addi sp, sp, " FRAME "\n ret\n" ASM_END(memlift_switch_call));
__asm__(ASM_FUNCTION(memlift_switch_leave) "mv sp, a0\n mv a0, a1\n" LEAVE_FLOATS KEEP(
    "ld") "addi sp, sp, " FRAME "\n ret\n" ASM_END(memlift_switch_leave));
#elif MEMLIFT_BARE
int32_t memlift_switch_call(memlift_task_function function, const uint64_t *args, void **leave) {
  *leave = NULL;
  return function(args);
}

/* Nothing here knows the way back. */
void memlift_switch_leave(void *leave, int32_t code) {
  (void)leave, (void)code;
  __builtin_trap();
}
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
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
