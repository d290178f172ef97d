/* watch.h - waiting in the core until a line of memory is written, without asking the system
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A core that can watch a line is told which (arm), looks at the memory once more, and then stands
 * still until somebody writes to the line, a CPU or a device, or a limit is reached (pause). What
 * is written between arm and pause ends the pause at once, so nothing is missed; a pause may also
 * end for no reason. Where a core has nothing of the kind, or the system does not let it, there is
 * a poll with ever longer gaps between its looks.
 *
 *   name     arm             pause                limit of one pause       where
 *   umwait   umonitor        umwait, C0.1         16,384 of the TSC      x86-64 with WAITPKG
 *   mwaitx   monitorx        mwaitx               the same                 x86-64 by AMD
 *   wfe      ldxrb           wfe                  the system's event       AArch64, when Linux says
 *                                                 stream, 100 us           that (HWCAP_EVTSTRM)
 *   wrs      lr.w            wrs.sto              the core's own           RV64 with Zawrs
 *   mwait    lduba, ASI 84   wr %asr28            20 us                    SPARC M7: known once a
 *                                                                          DAX has been opened
 *
 * Sources: Intel SDM 2B (UMONITOR, UMWAIT), AMD APM 3 (MONITORX, MWAITX), Arm ARM D1.6.1 and
 * Linux's arm64/elf_hwcaps.rst, RISC-V unprivileged ISA (Zawrs) and Linux's riscv/hwprobe.rst,
 * Linux's sparc/oradax/oracle-dax.rst.
 */
#ifndef MEMLIFT_WATCH_H
#define MEMLIFT_WATCH_H

#include <stdint.h>

enum memlift_watch_kind {
  MEMLIFT_WATCH_POLL,
  MEMLIFT_WATCH_UMWAIT,
  MEMLIFT_WATCH_MWAITX,
  MEMLIFT_WATCH_WFE,
  MEMLIFT_WATCH_WRS,
  MEMLIFT_WATCH_MWAIT,
  MEMLIFT_WATCH_KINDS
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Returns 1 when the 1 or 4 bytes (aligned) at `at` are no longer `seen`, which is an acquire, and
 * 0 after about `nanoseconds`: after 0 when it has polled for some microseconds. Async-signal-safe.
 * */
int memlift_watch(const void *at, unsigned bytes, uint32_t seen, uint64_t nanoseconds);

/* What memlift_watch does on this machine, asked once: poll where MEMLIFT_WAIT=poll. */
enum memlift_watch_kind memlift_watch_in_use(void);

/* "umwait", ...; and what the environment asked for, "" when nothing. */
const char *memlift_watch_name(enum memlift_watch_kind kind);
extern char memlift_watch_requested[16];

/* For who has found out that the core can do it, and for tests: kind from now on. */
void memlift_watch_use(enum memlift_watch_kind kind);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
