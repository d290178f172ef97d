/* start_bigendian.c - start code of smoke.c on big-endian machines without a C library here
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
int smoke(void);
int start(void);

int start(void) { return smoke(); }

#if defined(__s390x__)
/* The ABI wants 160 bytes of stack for a callee; system call 1 is exit, its argument in r2. */
__asm__(".globl _start\n"
        "_start:\n"
        "  aghi %r15, -160\n"
        "  brasl %r14, start\n"
        "  lghi %r1, 1\n"
        "  svc 0\n");
#elif defined(__aarch64__)
/* System call 93 is exit, its argument in x0. */
__asm__(".globl _start\n"
        "_start:\n"
        "  bl start\n"
        "  mov x8, #93\n"
        "  svc #0\n");
#elif defined(__sparc__) && defined(__arch64__)
/* 176 bytes of frame for a callee's window and arguments; the stack is biased by 2047. System call
 * 1 is exit, its argument in %o0. */
__asm__(".globl _start\n"
        "_start:\n"
        "  sub %sp, 176, %sp\n"
        "  call start\n"
        "  nop\n"
        "  mov 1, %g1\n"
        "  ta 0x6d\n");
#else
#error "no start code for this machine"
#endif
