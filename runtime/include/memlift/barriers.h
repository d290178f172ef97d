/* barriers.h - every memory barrier of the runtime, named by its use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A use that is not listed here gets a name of its own, not a stronger barrier. An architecture
 * that is not listed is an error: a guess would lose data, and only now and then. All of them stop
 * the compiler too: without the "memory" clobber gcc deletes the stores to a command, since no load
 * in the program reads them.
 *
 * Why barriers and not C's release and acquire: those order accesses between CPUs. A device need
 * not take part in the coherence protocol in the way that the compiler assumes, and on ARM and
 * RISC-V its accesses are in another domain (osh, the i and o bits of fence). Between two CPUs,
 * acquire and release at the access are enough, and they stand there.
 *
 *   to_device     Stores to ordinary memory before it are seen by the device before the store
 *                 after it that starts the device (doorbell, ring index).
 *   from_device   A load before it has seen a completion; loads after it see everything that the
 *                 device wrote before that completion.
 *   flush_stream  Non-temporal and write-combining stores before it are seen before any store
 *                 after it. x86 to_device does not cover those.
 *   window        Stores before it, of whatever kind, are seen before any store after it into a
 *                 device's write-combining window or by an instruction that posts a line there
 *                 (MOVDIR64B, ENQCMD); and what was stored into a window before it has left the
 *                 core before any store after it, and is not merged with it. It is an instruction
 *                 on every architecture.
 *   maintain      Cache maintenance before it (clean, invalidate, by address) is complete before
 *                 anything after it. Where there is none to wait for, all accesses of memory and
 *                 devices.
 *   arm           A store before it (I am going to sleep) is seen before the load after it
 *                 (is there really nothing?) is done. The one barrier that orders store to load.
 *   recheck       Loads before it are done before the load after it, which tells whether what they
 *                 have read was overwritten meanwhile (sequence locks between CPUs).
 *   program_order Stores before it are instructions before those of the stores after it. Enough for
 *                 who looks once this process has ended, or from its own CPU.
 *   relax         No ordering: tells the core that this is a waiting loop.
 *
 * Sources: rdma-core util/udma_barrier.h for the idea (window is its mmio_wc_start and
 * mmio_flush_writes); Intel SDM 3A 8.2, Arm ARM B2.3, RISC-V unprivileged ISA 2.7, SPARC V9 manual
 * 8.4.4, ARC HS programmer's reference (DMB, SYNC).
 */
#ifndef MEMLIFT_BARRIERS_H
#define MEMLIFT_BARRIERS_H

#define MEMLIFT_BARRIER(name, instruction)                                                         \
  static inline __attribute__((always_inline)) void memlift_barrier_##name(void) {                 \
    __asm__ volatile(instruction ::: "memory");                                                    \
  }

#if defined(__x86_64__)
MEMLIFT_BARRIER(to_device, "") /* stores are seen in order */
MEMLIFT_BARRIER(from_device, "lfence")
MEMLIFT_BARRIER(flush_stream, "sfence")
MEMLIFT_BARRIER(window, "sfence")
MEMLIFT_BARRIER(maintain, "mfence")
MEMLIFT_BARRIER(arm, "lock orl $0, -4(%%rsp)") /* half of what mfence takes; SDM 3A 8.2.3.9 */
MEMLIFT_BARRIER(recheck, "")                   /* loads are done in order */
MEMLIFT_BARRIER(relax, "pause")
#elif defined(__aarch64__)
MEMLIFT_BARRIER(to_device, "dmb oshst")
MEMLIFT_BARRIER(from_device, "dmb oshld")
MEMLIFT_BARRIER(flush_stream, "dsb st")
MEMLIFT_BARRIER(window, "dsb st")
MEMLIFT_BARRIER(maintain, "dsb sy")
MEMLIFT_BARRIER(arm, "dmb ish")
MEMLIFT_BARRIER(recheck, "dmb ishld")
MEMLIFT_BARRIER(relax, "yield")
#elif defined(__riscv)
MEMLIFT_BARRIER(to_device, "fence ow,ow")
MEMLIFT_BARRIER(from_device, "fence ir,ir")
MEMLIFT_BARRIER(flush_stream, "fence ow,ow")
MEMLIFT_BARRIER(window, "fence ow,ow")
MEMLIFT_BARRIER(maintain, "fence iorw,iorw")
MEMLIFT_BARRIER(arm, "fence rw,rw")
MEMLIFT_BARRIER(recheck, "fence r,r")
MEMLIFT_BARRIER(relax, ".4byte 0x0100000f") /* pause, a fence hint that older cores ignore */
#elif defined(__sparc_v9__) || (defined(__sparc__) && defined(__arch64__))
MEMLIFT_BARRIER(to_device, "membar #StoreStore")
MEMLIFT_BARRIER(from_device, "membar #LoadLoad")
MEMLIFT_BARRIER(flush_stream, "membar #StoreStore")
MEMLIFT_BARRIER(window, "membar #MemIssue")
MEMLIFT_BARRIER(maintain, "membar #Sync")
MEMLIFT_BARRIER(arm, "membar #StoreLoad")
MEMLIFT_BARRIER(recheck, "membar #LoadLoad")
MEMLIFT_BARRIER(relax, "rd %%ccr, %%g0") /* as Linux's cpu_relax: gives the strand away */
#elif defined(__ARCHS__)
MEMLIFT_BARRIER(to_device, "dmb 2")
MEMLIFT_BARRIER(from_device, "dmb 1")
MEMLIFT_BARRIER(flush_stream, "dmb 3")
MEMLIFT_BARRIER(window, "sync")
MEMLIFT_BARRIER(maintain, "sync")
MEMLIFT_BARRIER(arm, "dmb 3")
MEMLIFT_BARRIER(recheck, "dmb 1")
MEMLIFT_BARRIER(relax, "nop")
#elif defined(__ARC700__) || defined(__arc__)
MEMLIFT_BARRIER(to_device, "sync")
MEMLIFT_BARRIER(from_device, "sync")
MEMLIFT_BARRIER(flush_stream, "sync")
MEMLIFT_BARRIER(window, "sync")
MEMLIFT_BARRIER(maintain, "sync")
MEMLIFT_BARRIER(arm, "sync")
MEMLIFT_BARRIER(recheck, "sync")
MEMLIFT_BARRIER(relax, "nop")
#else
#error "memlift: no barriers for this architecture; add a block to it"
#endif
MEMLIFT_BARRIER(program_order, "") /* for the compiler alone, on every architecture */

#undef MEMLIFT_BARRIER

#endif
