/* watch.h - waiting in the core until a line of memory is written, without asking the system
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A core that can watch a cache line is told which one (arm), reads the memory once more, and then
 * stands still (pause) until a CPU or a device writes to the line, or a limit is reached. A write
 * between arm and pause ends the pause at once, so none is missed. A pause may also end for no
 * reason. A core without such instructions, or whose system forbids them, polls with growing gaps.
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

/* The methods of the table; MEMLIFT_WATCH_POLL is the one of any core. */
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

/* Returns the monotonic clock in nanoseconds. */
uint64_t memlift_now(void);

/* Watches the 1 or 4 bytes (aligned) at `at`. Returns 1 when they are no longer `seen`, which is an
 * acquire, and 0 after about `nanoseconds`; with 0, after polling for some microseconds.
 * Async-signal-safe. */
int memlift_watch(const void *at, unsigned bytes, uint32_t seen, uint64_t nanoseconds);

/* Returns the method of this machine, which is looked up once; poll with MEMLIFT_WAIT=poll. */
enum memlift_watch_kind memlift_watch_in_use(void);

/* Returns the name of a method: "umwait", ... */
const char *memlift_watch_name(enum memlift_watch_kind kind);

/* Value of MEMLIFT_WAIT, "" when unset. */
extern char memlift_watch_requested[16];

/* Sets the method from now on: for an engine that has found out that the core supports it, and for
 * tests. */
void memlift_watch_use(enum memlift_watch_kind kind);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
