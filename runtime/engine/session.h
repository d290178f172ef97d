/* session.h - an engine from its start to its stop, and its one user at a time
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * All engines are started, acquired, released and stopped by the functions of this file. An engine
 * adds what differs: open, close, forget, is_usable, is_callers and before_release (engine.h).
 *
 * Acquiring takes a flag, which is tried and never waited for: a signal handler may have
 * interrupted the thread that holds it, which then cannot go on before the handler returns. A
 * caller that does not get the engine does its work on the CPU.
 *
 * A session also records the process that started the engine. A child after fork has neither the
 * engine's threads nor its mappings, so acquiring fails there until the child has started the
 * engine itself. A child after vfork shares the parent's memory and must not even write to the
 * flag: that is why the process is compared first.
 */
#ifndef MEMLIFT_SESSION_H
#define MEMLIFT_SESSION_H

#include "engine.h"

/* Zero-initialised: not started, in no process. */
struct memlift_session {
  uint32_t held; /* 1 between an acquire and the release */
  int started;   /* 1: the engine is open; written by the holder */
  int64_t owner; /* process that started the engine; 0: none has */
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Starts the engine in this process, and stops it. MEMLIFT_BUSY while it is acquired; of start also
 * what open returns. Stopping an engine that this process has not started is MEMLIFT_OK. Callers
 * exclude each other. Not async-signal-safe. */
memlift_status memlift_session_start(const struct memlift_engine *engine);
memlift_status memlift_session_stop(const struct memlift_engine *engine);

/* Tries to get the engine for this caller: MEMLIFT_OK, MEMLIFT_BUSY (another caller has it, or the
 * code that this signal handler interrupted), or MEMLIFT_NOT_PRESENT (it is not started in this
 * process, or is not usable). */
memlift_status memlift_session_acquire(const struct memlift_engine *engine);

/* memlift_session_acquire without comparing the process, which saves a system call: for a caller
 * that is told of forks. */
memlift_status memlift_session_acquire_here(const struct memlift_engine *engine);

/* Releases the engine, so that the next caller sees everything done under it. */
void memlift_session_release(const struct memlift_engine *engine);

/* Returns 1 in the process, and the thread, that may acquire the engine. Together with is_held it
 * tells whether preparing for the engine is worth while. */
int memlift_session_is_mine(const struct memlift_engine *engine);

/* Returns 1 while the engine is acquired, by whatever thread. */
int memlift_session_is_held(const struct memlift_engine *engine);

/* Closes an engine whose device is no more, with the engine acquired and nothing under way. It is
 * counted as lost, and is not in use any more if it was. Async-signal-safe if close is. */
void memlift_session_lose(const struct memlift_engine *engine);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop
#endif
