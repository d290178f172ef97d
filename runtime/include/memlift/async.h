/* async.h - copies, fills and copies with a checksum that run beside the program
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Submitting returns when the engine in use (memlift_engine_start, MEMLIFT_ENGINE) has been rung;
 * the token that it gives stands for the operation until it is collected, by a wait that answers
 * MEMLIFT_OK or by memlift_cancel. Each token is collected exactly once.
 *
 *   memory        From submission until its token is collected an operation's destination is not
 *                 touched, and its source not written, by anything that is not submitted after it
 *                 (`after`). Its pages stay mapped; if several threads wait for it, until all of
 *                 these calls have returned.
 *   who works     The engine, as far as it can. The CPU does the rest: in the thread that submits
 *                 (no engine, it is in use, too few bytes), or in a thread that waits for the
 *                 operation or for one after it (the engine is full, a fault, a time-out, a lost
 *                 command, the device gone; or operations of other threads would delay it for
 *                 longer than the CPU takes). The bytes are right in every case;
 *                 memlift_engine_count counts the cases. No thread of the library takes part:
 *                 pieces that did not fit into the engine at once are submitted by the next call,
 *                 of whatever thread.
 *   bad addresses as in memlift_copy: a signal, in the thread that submits, before anything of the
 *                 operation is written; a handler may leave it by longjmp, then nothing was
 *                 submitted. Memory that is taken away later raises it in a thread that waits.
 *   leaving       A signal handler may leave memlift_wait, memlift_wait_any, memlift_cancel,
 *                 memlift_begin_copy, memlift_begin_fill and memlift_end by siglongjmp or
 *                 pthread_exit, wherever they are, and the thread may be cancelled there: others go
 *                 on, and wait for the same token. memlift_try_wait and the submitting functions
 *                 may be left for a bad address only.
 *   threads       any number; any thread may wait for, cancel and name in `after` any token.
 *                 Several that wait for the same one: one collects it, the others are told, by
 *                 MEMLIFT_CANCELLED if it was cancelled, else by MEMLIFT_COLLECTED.
 *   fork          The child has the tokens too, and memory as it was in the middle: there the CPU
 *                 does all of what is waited for; what another thread was cancelling is cancelled.
 *                 A handler may fork whatever it has interrupted. Not to be called in a child of
 *                 vfork.
 *   signals       not async-signal-safe (memlift_copy and the others still are)
 *   state         errno is kept; no allocation; 8 KiB of stack
 *   limit         MEMLIFT_TOKENS at once; then MEMLIFT_BUSY, and nothing was started
 *
 * Errors of all functions: MEMLIFT_INVALID_ARGUMENT, for a NULL, a value out of range, or a token
 * that was never given out. In builds without engines everything is done when submitted.
 */
#ifndef MEMLIFT_ASYNC_H
#define MEMLIFT_ASYNC_H

#include "memlift.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Tokens that are not collected yet, of the whole process. */
#define MEMLIFT_TOKENS 1024

/* Stands for one operation. {0} is no token: as `after` it means at once. */
typedef struct memlift_token {
  uint64_t id;
} memlift_token;

#define MEMLIFT_AFTERS 4

/* One operation of a batch. Members that the operation has no use for are not looked at. */
struct memlift_submission {
  uint32_t operation; /* a MEMLIFT_SUBMIT_ value */
  uint32_t flags;     /* 0, or some of the MEMLIFT_SUBMITTED_ values */
  void *destination;
  const void *source;
  size_t size;      /* bytes */
  uint64_t pattern; /* fill: as memlift_fill_pattern */
  uint32_t period;  /* fill: 1 to 8 */
  uint32_t init;    /* of the sum */
  uint32_t *sum;    /* where it goes; valid when the token has been collected */
  memlift_token after[MEMLIFT_AFTERS];
};
#define MEMLIFT_SUBMIT_COPY 1u              /* memlift_copy */
#define MEMLIFT_SUBMIT_FILL 2u              /* memlift_fill_pattern */
#define MEMLIFT_SUBMIT_COPY_INET_SUM 3u     /* memlift_copy_inet_sum */
#define MEMLIFT_SUBMITTED_AFTER_PREVIOUS 1u /* after the one before it in the list, too */
#define MEMLIFT_SUBMITTED_ANY_SIZE 2u       /* to the engine, though it would not pay */

/* Submits one operation, to begin when that of `after` is complete, and gives its token. */
MEMLIFT_API memlift_status memlift_submit_copy(void *dst, const void *src, size_t n,
                                               memlift_token after,
                                               memlift_token *token) MEMLIFT_NOEXCEPT;
MEMLIFT_API memlift_status memlift_submit_fill(void *dst, uint64_t pattern, size_t period, size_t n,
                                               memlift_token after,
                                               memlift_token *token) MEMLIFT_NOEXCEPT;
MEMLIFT_API memlift_status memlift_submit_copy_inet_sum(void *dst, const void *src, size_t n,
                                                        uint32_t init, uint32_t *sum,
                                                        memlift_token after,
                                                        memlift_token *token) MEMLIFT_NOEXCEPT;

/* Submits count operations, 1 to MEMLIFT_TOKENS, in order; tokens has room for as many. size is
 * sizeof *list as the caller was compiled. All of them, or none. */
MEMLIFT_API memlift_status memlift_submit(const struct memlift_submission *list, size_t size,
                                          unsigned count, memlift_token *tokens) MEMLIFT_NOEXCEPT;

/* Waits for at most about so many nanoseconds; UINT64_MAX: without limit.
 *   MEMLIFT_OK         complete, and collected by this call
 *   MEMLIFT_PENDING    not complete in that time; the token is as good as before
 *   MEMLIFT_CANCELLED  cancelled, by another thread meanwhile or as one that it comes after was;
 *                      collected
 *   MEMLIFT_COLLECTED  another call has collected the token; if that was while this one waited, the
 *                      operation is complete */
MEMLIFT_API memlift_status memlift_wait(memlift_token token, uint64_t nanoseconds) MEMLIFT_NOEXCEPT;

/* memlift_wait with a limit of 0: does not wait. The CPU may do a part of what is left to it, 256
 * KiB at most, as between two looks at the clock in a wait of limited time. Also sends on pieces
 * that did not fit into the engine before. */
MEMLIFT_API memlift_status memlift_try_wait(memlift_token token) MEMLIFT_NOEXCEPT;

/* Waits for the first of count tokens; *which is the index of the one that was collected. Tokens
 * that are collected already, and {0}, are passed over; MEMLIFT_COLLECTED when there is no
 * other. */
MEMLIFT_API memlift_status memlift_wait_any(const memlift_token *tokens, unsigned count,
                                            uint64_t nanoseconds, unsigned *which) MEMLIFT_NOEXCEPT;

/* Gives an operation up and collects its token; returns when nothing touches its memory any more.
 *   MEMLIFT_CANCELLED  it is not complete; the destination may hold anything if it had begun
 *   MEMLIFT_OK         too late: it is complete
 *   MEMLIFT_COLLECTED  another call has collected the token
 * Operations after one that was cancelled never begin. */
MEMLIFT_API memlift_status memlift_cancel(memlift_token token) MEMLIFT_NOEXCEPT;

/* ---- What compilers call ----------------------------------------------------------------- */

/* For code that is compiled with memlift("async"): like memlift_move and memlift_fill_pattern, but
 * that the bytes may be written until memlift_end of what is returned. 0: all is done, as it is of
 * 0 bytes, whatever dst and src are, and where the engine would not pay, or cannot be asked: no
 * engine, no free token, a child after vfork, a signal handler in the middle of a call of this
 * library. memlift_end(0) does nothing; any other value is ended once. Async-signal-safe where
 * memlift_copy is. */
MEMLIFT_API uint64_t memlift_begin_copy(void *dst, const void *src, size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API uint64_t memlift_begin_fill(void *dst, uint64_t pattern, size_t period,
                                        size_t n) MEMLIFT_NOEXCEPT;
MEMLIFT_API void memlift_end(uint64_t token) MEMLIFT_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif
