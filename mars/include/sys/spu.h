/* sys/spu.h - what host programs of PSL1GHT call before they use MARS
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * There is nothing to prepare: all of it succeeds. SPU threads, images and mailboxes of PSL1GHT are
 * not offered.
 */
#ifndef SYS_SPU_H
#define SYS_SPU_H

#include <ppu-types.h>

static inline int sysSpuInitialize(u32 spus, u32 raw) {
  (void)spus, (void)raw;
  return 0;
}

static inline int sysSpuPrintfInitialize(int priority, void (*entry)(void *)) {
  (void)priority, (void)entry;
  return 0;
}

static inline int sysSpuPrintfFinalize(void) { return 0; }

#endif
