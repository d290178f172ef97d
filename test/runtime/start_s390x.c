/* start_s390x.c - start code of smoke.c on s390x, a big-endian machine without a C library here
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
int smoke(void);
int start(void);

int start(void) { return smoke(); }

/* The ABI wants 160 bytes of stack for a callee; system call 1 is exit, its argument in r2. */
__asm__(".globl _start\n"
        "_start:\n"
        "  aghi %r15, -160\n"
        "  brasl %r14, start\n"
        "  lghi %r1, 1\n"
        "  svc 0\n");
