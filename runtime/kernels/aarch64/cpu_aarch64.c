/* cpu_aarch64.c - features of the processor beyond NEON, as the system reports them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A program cannot ask the processor itself: the registers that tell (ID_AA64ISAR0_EL1) are the
 * system's, and reading them traps on old kernels. The system tells in the auxiliary vector, which
 * libc keeps; it is asked by a constructor, and calls before that do without. What the compiler was
 * told to count on is there from the start.
 *
 * Bits of AT_HWCAP: Linux, Documentation/arch/arm64/elf_hwcaps.rst and asm/hwcap.h.
 */
#include "../dispatch.h"

#if defined(__aarch64__) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "../../config.h"
#include "features_aarch64.h"

#define AUXV_HWCAP 16
#define HWCAP_PMULL (1u << 4)
#define HWCAP_CRC32 (1u << 7)

#if defined(__ARM_FEATURE_AES) || defined(__ARM_FEATURE_CRYPTO)
#define COUNTED_ON_PMULL MEMLIFT_AARCH64_PMULL
#else
#define COUNTED_ON_PMULL 0u
#endif
#if defined(__ARM_FEATURE_CRC32)
#define COUNTED_ON_CRC32 MEMLIFT_AARCH64_CRC32
#else
#define COUNTED_ON_CRC32 0u
#endif

static unsigned features = COUNTED_ON_PMULL | COUNTED_ON_CRC32;

unsigned memlift_aarch64_features(void) { return __atomic_load_n(&features, __ATOMIC_RELAXED); }

#if MEMLIFT_HAVE_ENVIRONMENT
#include <sys/auxv.h>

int memlift_look_at_machine(void) {
  unsigned long hwcap = getauxval(AUXV_HWCAP);
  unsigned found = COUNTED_ON_PMULL | COUNTED_ON_CRC32;
  found |= hwcap & HWCAP_PMULL ? MEMLIFT_AARCH64_PMULL : 0;
  found |= hwcap & HWCAP_CRC32 ? MEMLIFT_AARCH64_CRC32 : 0;
  int news = found != memlift_aarch64_features();
  __atomic_store_n(&features, found, __ATOMIC_RELAXED);
  return news;
}
#else
int memlift_look_at_machine(void) { return 0; }
#endif

enum memlift_level memlift_best_level(void) {
  return memlift_aarch64_features() ? MEMLIFT_LEVEL_CRYPTO : MEMLIFT_LEVEL_NEON;
}
#endif

typedef int memlift_cpu_aarch64; /* a translation unit must not be empty */
