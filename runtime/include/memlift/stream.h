/* stream.h - blocks of a loop's arrays in the local store, moved while the loop computes
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For code that is compiled with memlift("stream"); loops written by hand may do the same. A
 * counted loop is cut into blocks. While it computes on one block, the next one is brought into the
 * local store of the calling thread, and the one before is put back to memory:
 *
 *   struct memlift_stream stream;
 *   struct memlift_stream_shift shift[2];
 *   memlift_stream_begin(&stream, &plan, accesses, iterations);
 *   for (uint64_t t = 0, m; (m = memlift_stream_next(&stream, shift)) != 0; t += m)
 *     for (uint64_t j = 0; j < m; j++)
 *       the loop's body for iteration t + j, each address p of access k replaced by
 *       p + shift[k].delta + j * shift[k].slope
 *   memlift_stream_end(&stream);
 *
 * A block is local or direct. In a direct one delta and slope are 0: the body works in the
 * program's own memory. So are all blocks where a local store cannot help: the thread has none, no
 * engine moves bytes beside it, or the loop has too few of them. The bytes are right in every case.
 *
 * Units and shapes. An access touches, in iteration t of `iterations`, bytes of the window
 * [base + t*step, base + t*step + bytes), and no others. step is in bytes, negative for an array
 * that is walked backwards, never 0. See the MEMLIFT_STREAM_ values for what else holds.
 *
 * What the caller guarantees, over all iterations of the loop:
 *   - the bytes of an access that is written are apart from those of every other access, from its
 *     lowest window to its highest one;
 *   - nothing in the loop calls a function that might access that memory, synchronises with other
 *     threads or leaves the loop.
 *
 * Alignment: none asked of any address. delta is a multiple of 64, and so is slope: what is known
 * of the alignment of an address up to 64 holds of its local address.
 *
 *   bad addresses A get may read bytes of a window that the loop would not, and before it would; a
 *                 bad address there is no error, it makes its block direct. A bad address of a
 *                 write raises its signal in the calling thread, when all earlier blocks are
 *                 complete and later ones untouched.
 *   late writes   Until memlift_stream_end has returned another thread or a signal handler may see
 *                 memory without the writes of the last blocks.
 *   leaving       A handler that leaves the loop by longjmp leaves the transfers of two blocks
 *                 under way, and the thread's loops are direct until memlift_store_release of
 *                 local_store.h, which ends them.
 *   threads       any number, each with a stream of its own
 *   signals       async-signal-safe and reentrant, also in a child after vfork; a loop in a handler
 *                 that has interrupted another one of the thread gets direct blocks
 *   state         errno is kept; no allocation, no lock but that of async.h; 2 KiB of stack, 8 KiB
 *                 with an engine
 */
#ifndef MEMLIFT_STREAM_H
#define MEMLIFT_STREAM_H

#include "memlift.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Accesses of one loop, at most. */
#define MEMLIFT_STREAM_ACCESSES 8

/* Sums of these say how memory is accessed.
 *   IN    read
 *   OUT   written: every iteration writes all |step| bytes, whatever it computes; with ROWS all
 *         `bytes` bytes. With IN, too: what an iteration reads it reads before it writes it, and no
 *         other iteration touches it.
 *   ROWS  what lies between the windows of two iterations is not moved */
#define MEMLIFT_STREAM_IN 1u
#define MEMLIFT_STREAM_OUT 2u
#define MEMLIFT_STREAM_ROWS 4u

/* One access: an array of the loop. */
struct memlift_stream_access {
  void *base;        /* first byte of the window of iteration 0 */
  int64_t step;      /* bytes from the window of an iteration to that of the next one */
  uint64_t bytes;    /* of a window; with OUT and without ROWS the same as |step| */
  uint32_t how;      /* IN, OUT or both, and perhaps ROWS */
  uint32_t reserved; /* 0 */
};

/* Facts of the loop that are known when it is compiled. */
struct memlift_stream_plan {
  uint32_t count;    /* number of accesses, 1 to MEMLIFT_STREAM_ACCESSES */
  uint32_t cycles16; /* sixteenths of a cycle that computing an iteration takes; 0: unknown */
  uint64_t store;    /* bytes of the local store at most; 0: all that is free */
};

/* Bytes to add to the addresses of an access. */
struct memlift_stream_shift {
  intptr_t delta; /* in the first iteration of the block */
  intptr_t slope; /* more in each later iteration; 0 but for ROWS */
};

/* A loop under way. Its contents are the library's; nothing in it has to be set. */
struct memlift_stream {
  uint64_t opaque[104];
};

/* Number of threads that have a local store. While it is 0 every loop is one direct block: code
 * that finds it so, by a relaxed load, may run its loop as it stands and call none of the functions
 * below. That costs less than a nanosecond, where the calls cost some six. Read only. */
MEMLIFT_API extern uint32_t memlift_stores_bound;

/* Begins a loop of so many iterations. The accesses, plan->count of them, are copied; none of their
 * memory is written yet. A plan or an access that breaks a rule above which can be seen gives one
 * direct block. */
MEMLIFT_API void memlift_stream_begin(struct memlift_stream *stream,
                                      const struct memlift_stream_plan *plan,
                                      const struct memlift_stream_access *accesses,
                                      uint64_t iterations) MEMLIFT_NOEXCEPT;

/* Completes the block before, and returns the number of iterations of the next one, 0 after the
 * last. Fills in plan->count shifts; after the last block they are not touched. */
MEMLIFT_API uint64_t memlift_stream_next(struct memlift_stream *stream,
                                         struct memlift_stream_shift *shifts) MEMLIFT_NOEXCEPT;

/* Ends the loop, and returns when memory has all that it wrote. To be called after the block that
 * is being computed is complete: when memlift_stream_next has returned 0, or earlier, if the caller
 * does not want the iterations that are left. */
MEMLIFT_API void memlift_stream_end(struct memlift_stream *stream) MEMLIFT_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif
