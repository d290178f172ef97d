/* spread.h - one loop by several threads: the units of a context compute blocks of its iterations
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For code that is compiled with memlift("spread"); loops written by hand may do the same. The
 * program says once whose units help, and each such loop is then a call:
 *
 *   memlift_spread_bind(context);
 *   ...
 *   uint64_t values[1] = {start};
 *   memlift_spread(&plan, body, &environment, iterations, values);
 *
 * The caller and the units take blocks of iterations until there are none. It returns when all
 * iterations are done, and all that blocks have written is seen. The caller never waits for a unit
 * that has not begun: where all are busy, it does all iterations itself.
 *
 *   in place     The caller computes all iterations by one call of the body where nothing is bound;
 *                the context has no units; the caller is a task, or another loop is spread just
 *                now, as it is where loops are nested; or the loop is short. It is short if its
 *                iterations take less than MEMLIFT_SPREAD_CYCLES by the plan's estimate, or if by
 *                the clock the rest takes less than MEMLIFT_SPREAD_NS once the caller has done a
 *                share of it. After a loop that units have made slower, as others have their CPUs,
 *                loops run in place for 8 times as long as was lost, and after each such loss in a
 *                row for twice as long, up to 256 times.
 *   guarantees   What the body computes for one iteration depends on no other one, but for values
 *                that are joined. It returns, by no other way than its end, and calls nothing that
 *                depends on the thread: no lock, no thread-local variable, no function of tasks. It
 *                may call those of stream.h, which use the thread's store, if it has one.
 *   threads      any. One loop at a time has the units; loops of other threads run in place.
 *   signals      not async-signal-safe while a context is bound. A bad address raises its signal in
 *                the thread that meets it. Units block all signals, so there it ends the program
 *                without a call of a handler.
 *   numbers      Rounding modes and the like are those of the caller in all blocks. Flags of
 *                floating-point exceptions stay with the thread that computes.
 *   fork         a child has no units: its loops run in place
 *   state        errno of the caller is kept; no allocation, but in memlift_spread_bind; one futex
 *                call for each unit that sleeps
 */
#ifndef MEMLIFT_SPREAD_H
#define MEMLIFT_SPREAD_H

#include "memlift.h"
#include "tasks.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Estimated cycles of a loop below which nothing is spread, and no clock is read. */
#define MEMLIFT_SPREAD_CYCLES ((uint64_t)65536)
/* Nanoseconds that the rest of a loop takes at least, so that units are called. With less than half
 * of that a unit's help came too late on average (bench/README.md). */
#define MEMLIFT_SPREAD_NS ((uint64_t)100000)

/* Values that a loop joins, at most. */
#define MEMLIFT_SPREAD_VALUES 8u

/* Joining of values of blocks: modulo 2^64, of 64 bits. A narrower value is its low bits; for the
 * least and the greatest one it is extended to 64 bits, by its sign if the numbers are signed. */
#define MEMLIFT_SPREAD_ADD 0u
#define MEMLIFT_SPREAD_XOR 1u
#define MEMLIFT_SPREAD_AND 2u
#define MEMLIFT_SPREAD_OR 3u
#define MEMLIFT_SPREAD_UMIN 4u /* of unsigned numbers: the least one, the greatest one */
#define MEMLIFT_SPREAD_UMAX 5u
#define MEMLIFT_SPREAD_SMIN 6u /* of signed numbers */
#define MEMLIFT_SPREAD_SMAX 7u

/* Returns the value that changes none when it is joined; a body may start from it. */
static inline uint64_t memlift_spread_neutral(uint8_t join) {
  switch (join) {
  case MEMLIFT_SPREAD_AND:
  case MEMLIFT_SPREAD_UMIN: return UINT64_MAX;
  case MEMLIFT_SPREAD_SMIN: return INT64_MAX;
  case MEMLIFT_SPREAD_SMAX: return (uint64_t)INT64_MAX + 1;
  default: return 0;
  }
}

/* Returns two values joined. */
static inline uint64_t memlift_spread_joined(uint8_t join, uint64_t a, uint64_t b) {
  switch (join) {
  case MEMLIFT_SPREAD_XOR: return a ^ b;
  case MEMLIFT_SPREAD_AND: return a & b;
  case MEMLIFT_SPREAD_OR: return a | b;
  case MEMLIFT_SPREAD_UMIN: return a < b ? a : b;
  case MEMLIFT_SPREAD_UMAX: return a > b ? a : b;
  case MEMLIFT_SPREAD_SMIN: return (int64_t)a < (int64_t)b ? a : b;
  case MEMLIFT_SPREAD_SMAX: return (int64_t)a > (int64_t)b ? a : b;
  default: return a + b;
  }
}

struct memlift_spread_plan {
  uint32_t cycles16; /* sixteenths of a cycle that an iteration takes; 0: unknown, 16 */
  uint32_t values;   /* of the loop */
  uint8_t join[MEMLIFT_SPREAD_VALUES]; /* MEMLIFT_SPREAD_ values */
  uint64_t unit; /* blocks begin at multiples of so many iterations; 0: of 1 */
};

/* Computes iterations [first, end), first < end, and joins what they give to values[k]. `values` is
 * NULL if the plan has none. */
typedef void (*memlift_spread_body)(void *environment, uint64_t first, uint64_t end,
                                    uint64_t *values);

/* The number of units that help, 0 while nothing is bound. Compiled code looks here first. */
MEMLIFT_API extern uint32_t memlift_spread_units;

/* Has the units of a context help from now on, or none (NULL). It takes one task of the context for
 * each unit, which the next call gives back. So bind NULL before the context is destroyed: else
 * that may find a unit that is about to leave a loop, and give MEMLIFT_WRONG_STATE.
 *   MEMLIFT_BUSY              a loop is spread just now; nothing done
 *   MEMLIFT_LIMIT             there are MEMLIFT_TASKS; nothing is bound then
 *   MEMLIFT_INVALID_ARGUMENT  no such context; nothing done
 *   MEMLIFT_NOT_PRESENT       its units are processes, which have memory of their own, or there are
 *                             no contexts here; nothing done */
MEMLIFT_API memlift_status memlift_spread_bind(memlift_context *context) MEMLIFT_NOEXCEPT;

/* Has all iterations computed, 0 to iterations - 1, each once. values[k] is joined with what the
 * blocks give; it may be NULL if the plan has none. */
MEMLIFT_API void memlift_spread(const struct memlift_spread_plan *plan, memlift_spread_body body,
                                void *environment, uint64_t iterations,
                                uint64_t *values) MEMLIFT_NOEXCEPT;

/* ---- Sums and checksums ------------------------------------------------------------------------
 *
 * The routines of operations.h of the same name, by blocks. Any alignment; results are the same to
 * the bit. The memory does not change meanwhile. */

MEMLIFT_API uint64_t memlift_spread_sum_u8(const void *p, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_sum_s8(const void *p, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_sum_u16(const void *p, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_sum_s16(const void *p, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_sum_u32(const void *p, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_sum_s32(const void *p, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_sum_u64(const void *p, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_sum_swap_u16(const void *p, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_sum_swap_s16(const void *p, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_sum_swap_u32(const void *p, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_sum_swap_s32(const void *p, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_sum_swap_u64(const void *p, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint32_t memlift_spread_sum_low_u32(const void *p, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_xor_u8(const void *p, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_xor_u16(const void *p, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_xor_u32(const void *p, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_xor_u64(const void *p, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint32_t memlift_spread_inet_sum(const void *p, size_t n,
                                             uint32_t init) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint32_t memlift_spread_ones_sum_u32(const void *p, size_t n,
                                                 uint32_t init) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_ones_sum_u64(const void *p, size_t n,
                                                 uint64_t init) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_modsum_u8(const void *p, size_t n, uint64_t start, uint64_t m,
                                              uint32_t how) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_modsum_u16(const void *p, size_t n, uint64_t start, uint64_t m,
                                               uint32_t how) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_modsum_u32(const void *p, size_t n, uint64_t start, uint64_t m,
                                               uint32_t how) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_modsum_swap_u16(const void *p, size_t n, uint64_t start,
                                                    uint64_t m, uint32_t how) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_modsum_swap_u32(const void *p, size_t n, uint64_t start,
                                                    uint64_t m, uint32_t how) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_spread_crc(uint64_t state, const void *p, size_t n,
                                        const struct memlift_crc_poly *poly) MEMLIFT_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif
