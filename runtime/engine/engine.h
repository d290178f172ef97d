/* engine.h - what an engine is: something that copies and fills while the CPU could do else
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An engine is one folder with one struct memlift_engine, listed in registry.c; engine/README.md
 * has the recipe. offload.c splits, waits, and finishes on the CPU what an engine did not do, so
 * an engine only says honestly how far it came.
 *
 * Between acquire and release exactly one caller uses the engine. All functions but start and
 * stop are async-signal-safe, allocate nothing and wait for no lock; they may change errno.
 */
#ifndef MEMLIFT_ENGINE_H
#define MEMLIFT_ENGINE_H

#include "../include/memlift/memlift.h"

enum memlift_operation { MEMLIFT_OPERATION_FILL, MEMLIFT_OPERATION_COPY };

/* One piece of work. Regions of a copy are disjoint. */
struct memlift_request {
  enum memlift_operation operation;
  void *destination;
  const void *source; /* copy */
  uint64_t pattern;   /* fill: 8 bytes in memory order */
  size_t size;        /* bytes, 1 to max_bytes */
};

/* Names a submitted piece until it is collected. */
typedef uint32_t memlift_ticket;

/* Pieces that offload.c has in flight at once at most, whatever the engine could take. */
#define MEMLIFT_WINDOW 16

struct memlift_engine {
  const char *name; /* as MEMLIFT_ENGINE spells it */
  size_t alignment; /* of addresses and size, a power of two; 1 is none */
  size_t min_bytes; /* operations smaller than this stay on the CPU */
  size_t max_bytes; /* of one piece; a multiple of 8, so that fills keep their phase */
  unsigned in_flight;
  uint64_t timeout_ns; /* for one window of pieces */

  /* MEMLIFT_OK when this machine has the engine; else *reason says why not (static storage). */
  memlift_status (*probe)(const char **reason);

  /* Not async-signal-safe. stop gives MEMLIFT_BUSY while somebody has it acquired. */
  memlift_status (*start)(void);
  memlift_status (*stop)(void);

  /* Tries to get the engine for this caller: MEMLIFT_OK, MEMLIFT_BUSY (another caller, or the
   * code that this signal handler interrupted), MEMLIFT_NOT_PRESENT (a child process). */
  memlift_status (*acquire)(void);
  void (*release)(void);

  /* MEMLIFT_OK: the piece is under way. Anything else: nothing was started. */
  memlift_status (*submit)(const struct memlift_request *piece, memlift_ticket *ticket);

  /* MEMLIFT_PENDING, or how the piece ended. *done is the number of bytes from the front that
   * are certainly right; the rest may hold anything. */
  memlift_status (*poll)(memlift_ticket ticket, const struct memlift_request *piece, size_t *done);

  /* Sleeps until a piece may have completed, some time within nanoseconds. */
  void (*wait)(memlift_ticket ticket, const struct memlift_request *piece, uint64_t nanoseconds);

  /* Gives up on everything submitted. On return the engine touches no memory of it any more,
   * however late it would have: without that promise the CPU could not take over. */
  void (*abort)(void);
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

extern const struct memlift_engine memlift_engine_cpu;
extern const struct memlift_engine memlift_engine_soft;

/* The engine that large operations go to, NULL for none. */
extern const struct memlift_engine *memlift_engine_active;

/* Counters of offload.c; relaxed atomics. */
extern struct memlift_engine_counters memlift_engine_counted;

/* What MEMLIFT_ENGINE asked for ("" when unset), and how that went. */
extern char memlift_engine_requested[32];
extern memlift_status memlift_engine_request_status;

/* Does the work with `engine`, and on the CPU what that leaves. Zero: nothing was started. */
int memlift_offload(const struct memlift_engine *engine, const struct memlift_request *whole);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
