/* engine.h - interface of an engine: a device or thread that copies and fills beside the CPU
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An engine is one folder with one struct memlift_engine, listed in registry.c; engine/README.md
 * has the recipe. offload.c splits, waits, and finishes on the CPU what an engine did not do, so
 * an engine only says honestly how far it came.
 *
 * Between acquire and release exactly one caller uses the engine. All functions but open and close
 * are async-signal-safe, allocate nothing and wait for no lock; they may change errno.
 */
#ifndef MEMLIFT_ENGINE_H
#define MEMLIFT_ENGINE_H

#include "../config.h"
#include "../../intrinsics/generated/memlift_engines.h"
#include "../include/memlift/memlift.h"
#include "../queue/watch.h"

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

/* Pieces that offload.c has in flight at once at most, and hands over in one go, whatever the
 * engine could take. */
#define MEMLIFT_WINDOW 256
#define MEMLIFT_BATCH 15

/* Time-outs that an engine gets on top of the first while it says that it is at work. */
#define MEMLIFT_EXTENSIONS 7u

struct memlift_session;

struct memlift_engine {
  const char *name; /* as MEMLIFT_ENGINE spells it */
  /* of addresses and size, a power of two; 1 is none: what breaks it, the CPU does */
  size_t alignment;
  size_t granule; /* pieces start and end at multiples of it in the destination, a power of two of 8
                     * or more; the CPU does what lies before and after. 0 or 1 is none */
  size_t min_bytes;   /* operations smaller than this stay on the CPU */
  size_t max_bytes;   /* of one piece; a multiple of 8, so that fills keep their phase */
  unsigned in_flight; /* pieces */
  unsigned units;     /* that work side by side: pieces are handed out so that all end together; 0:
                        * each piece as long as it may be */
  /* how many of them the start has found, from 1 on; NULL: all of units */
  const unsigned *units_found;
  size_t min_batch;    /* bytes; with units: no less is handed out at once, but at the end */
  uint64_t timeout_ns; /* without any piece completing */
  int copies_only;     /* fills are the CPU's */
  /* the device writes to the pages of the time of submission, whatever fork does */
  int pins;
  int one_thread;  /* only the thread that acquired it may submit and ask; any may poll, wait,
                        * abort, and release */
  uint64_t *sizes; /* MEMLIFT_SIZE_CLASSES counters: see memlift_engine_sizes */
  int shares;      /* the CPU works from the end while the engine does from the front */

  /* MEMLIFT_OK when this machine has the engine; else *reason says why not (static storage). */
  memlift_status (*probe)(const char **reason);

  /* Who uses the engine: session.h, which calls the six functions below with the engine acquired,
   * is_callers excepted. NULL: there is nothing to start, and any number of callers at a time. */
  struct memlift_session *session;

  /* Not async-signal-safe. open makes the engine ready for pieces, and close, when nothing is under
   * way, gives back what open got. forget is called before open in a child after fork, where what
   * open got is the parent's. close and forget may be NULL: nothing to do. */
  memlift_status (*open)(void);
  void (*close)(void);
  void (*forget)(void);

  /* Returns 1 while an open engine can be used, asked at each acquire. NULL: always. */
  int (*is_usable)(void);

  /* Returns 1 in a thread that may use the engine, without acquiring it. NULL: all may. */
  int (*is_callers)(void);

  /* The last use by a caller before its release. NULL: nothing to do. */
  void (*before_release)(void);

  /* Bytes of the longest piece that `rest` may start with, a multiple of granule or all of it; 0:
   * the engine cannot do its first granule. NULL: max_bytes. Called in the order of the pieces,
   * again for those that were not taken. */
  size_t (*longest)(const struct memlift_request *rest);

  /* Returns how many of count pieces, from the first on, are under way; of the others nothing was
   * started, and *status says why: MEMLIFT_BUSY when it may be tried again once some piece has
   * completed. count is at most MEMLIFT_BATCH, and 1 for an engine without units. */
  unsigned (*submit)(const struct memlift_request *pieces, unsigned count, memlift_ticket *tickets,
                     memlift_status *status);

  /* MEMLIFT_PENDING, or how the piece ended. *done is the number of bytes from the front that
   * are certainly right; the rest may hold anything. */
  memlift_status (*poll)(memlift_ticket ticket, const struct memlift_request *piece, size_t *done);

  /* Sleeps until a piece may have completed, some time within nanoseconds. Any thread may be in it
   * at any time, and some never come back: also of a piece that has completed, and while another
   * thread submits, aborts, stops or starts the engine. So it touches only memory that stays, and
   * returns early or late. */
  void (*wait)(memlift_ticket ticket, const struct memlift_request *piece, uint64_t nanoseconds);

  /* 1 when the piece is known to be under way still, so that more time is worth while. NULL: that
   * is never known. */
  int (*is_coming)(memlift_ticket ticket);

  /* Gives up on everything submitted. On return the engine touches no memory of it any more,
   * however late it would have: without that promise the CPU could not take over. */
  void (*abort)(void);

  /* The clock of timeout_ns; NULL: memlift_now. What the CPU does of an operation; NULL: the
   * kernels. A model with a clock of its own has its own. */
  uint64_t (*now)(void);
  void (*cpu)(const struct memlift_request *piece);
};

/* Nanoseconds on the engine's clock: a model's is virtual. */
static inline uint64_t memlift_clock_of(const struct memlift_engine *engine) {
#if MEMLIFT_BARE
  return engine->now();
#else
  return engine->now ? engine->now() : memlift_now();
#endif
}

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

#define MEMLIFT_ENGINE(identifier, source)                                                         \
  extern const struct memlift_engine memlift_engine_##identifier;
#include "../../intrinsics/generated/Engines.inc"

/* The engine that large operations go to, NULL for none. */
extern const struct memlift_engine *memlift_engine_active;

/* Counters of offload.c; relaxed atomics. */
extern struct memlift_engine_counters memlift_engine_counted;

/* Adds to a counter of memlift_engine_counted. */
static inline void memlift_count(uint64_t *counter, uint64_t by) {
  __atomic_fetch_add(counter, by, __ATOMIC_RELAXED);
}

/* statistics.c: counts an operation of so many bytes, not 0, for an engine. */
void memlift_count_size(const struct memlift_engine *engine, size_t size);

/* Value of MEMLIFT_ENGINE ("" when unset), and the result of starting that engine. */
extern char memlift_engine_requested[32];
extern memlift_status memlift_engine_request_status;

/* Forks of this process since an engine was first started, as far as pthread_atfork tells. */
extern uint32_t memlift_forks;

/* Number of forks between this process and the one in which an engine was first started. Code that
 * finds it changed in the middle of something runs in a child that a signal handler has made. */
extern uint32_t memlift_generation;

/* Does the work with `engine`, and on the CPU what that leaves. Zero: nothing was started. */
int memlift_offload(const struct memlift_engine *engine, const struct memlift_request *whole);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
