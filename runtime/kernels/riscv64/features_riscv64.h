/* features_riscv64.h - optional features of an RV64 machine, as Linux reports them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_FEATURES_RISCV64_H
#define MEMLIFT_FEATURES_RISCV64_H

#include <stddef.h>
#include <stdint.h>

#define MEMLIFT_RISCV64_ZBB 1u
#define MEMLIFT_RISCV64_ZBC 2u /* with Zbb, without which there is no Zbc in any core */
#define MEMLIFT_RISCV64_ZICBOZ 4u
#define MEMLIFT_RISCV64_V 8u
#define MEMLIFT_RISCV64_ZAWRS 16u /* no kernel's: queue/watch.c's */

struct memlift_riscv64_features {
  uint32_t has;
  uint32_t zero_block; /* bytes that cbo.zero clears; 0 without Zicboz */
};

/* A key and its value, as riscv_hwprobe(2) has them. */
struct memlift_hwprobe {
  int64_t key;
  uint64_t value;
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Returns the features of this machine, asked once. Async-signal-safe. */
struct memlift_riscv64_features memlift_riscv64_features(void);

/* Translates answers of riscv_hwprobe; keys that the system does not know are -1. vectors is the
 * result of prctl(PR_RISCV_V_GET_CONTROL), or an error below 0. */
struct memlift_riscv64_features memlift_riscv64_from_probe(const struct memlift_hwprobe *answers,
                                                           size_t count, long vectors);

/* For tests, on emulators whose system does not tell: takes these for what the machine has. The
 * caller chooses the kernels again. */
void memlift_riscv64_assume(struct memlift_riscv64_features features);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
