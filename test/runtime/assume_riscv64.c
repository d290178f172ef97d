/* assume_riscv64.c - linked into a test: lets an emulator's machine pass for what it can run
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * qemu-user 7.2 runs Zbb, Zbc and vectors but does not know riscv_hwprobe, so the library finds
 * nothing there. MEMLIFT_TEST_RISCV64=zbb,zbc,v,zicboz=64 says what to take for granted. It does
 * not know cbo.zero either: the signal that raises does it here, in blocks of the size given.
 */
#define _GNU_SOURCE
#include "kernels/dispatch.h"
#include "kernels/riscv64/features_riscv64.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

static struct memlift_riscv64_features assumed;

/* cbo.zero (rs1): rs1 in bits 15 to 19. */
#define CBO_ZERO 0x0040200fu
#define CBO_ZERO_MASK 0xfff07fffu

static void emulate(int number, siginfo_t *info, void *context) {
  ucontext_t *u = (ucontext_t *)context;
  unsigned long pc = u->uc_mcontext.__gregs[REG_PC];
  unsigned instruction;
  (void)number, (void)info;
  memcpy(&instruction, (void *)pc, sizeof instruction);
  if ((instruction & CBO_ZERO_MASK) != CBO_ZERO || !assumed.zero_block)
    abort();
  unsigned long at = u->uc_mcontext.__gregs[instruction >> 15 & 31];
  volatile char *block = (volatile char *)(at & ~(unsigned long)(assumed.zero_block - 1));
  for (unsigned i = 0; i < assumed.zero_block; i++)
    block[i] = 0;
  u->uc_mcontext.__gregs[REG_PC] = pc + 4;
}

/* After the constructors of the library. */
__attribute__((constructor(110))) static void assume(void) {
  const char *text = getenv("MEMLIFT_TEST_RISCV64");
  if (!text)
    return;
  const char *zero = strstr(text, "zicboz=");
  assumed.has |= strstr(text, "zbb") ? MEMLIFT_RISCV64_ZBB : 0;
  assumed.has |= strstr(text, "zbc") ? MEMLIFT_RISCV64_ZBC : 0;
  assumed.has |= strchr(text, 'v') ? MEMLIFT_RISCV64_V : 0;
  if (zero) {
    struct sigaction action = {0};
    assumed.has |= MEMLIFT_RISCV64_ZICBOZ;
    assumed.zero_block = (unsigned)atoi(zero + 7);
    action.sa_sigaction = emulate;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGILL, &action, NULL);
  }
  memlift_riscv64_assume(assumed);
  memlift_choose_kernels();
}
