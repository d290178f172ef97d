/* local_store.h - a local store of a thread, and transfers between it and memory
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A local store is memory that a thread computes in while an engine moves other parts of it: a
 * scratchpad beside the core, or ordinary memory that stays in its cache. memlift_store_bind gives
 * one to the calling thread. From then on memlift_get and memlift_put begin transfers for it, and
 * loops that are compiled with memlift("stream") go through it by blocks (stream.h).
 *
 *   memory        From its begin until memlift_tags_wait has told that its tag is done, nothing but
 *                 the transfer touches its destination or writes its source.
 *   who works     The engine in use (memlift_engine_start), where a transfer is large enough for
 *                 it. Else the CPU, in the function that begins it. The bytes are the same.
 *   alignment     none asked of any address, size or pitch; equal alignment modulo 64 of both
 *                 addresses is fastest
 *   n == 0        allowed, pointers are then not looked at
 *   tags          0 to 31; each stands for all transfers begun with it. Transfers are in no order,
 *                 of different tags or of one; memlift_tag_fence and memlift_tags_wait make one.
 *   bad addresses Without MEMLIFT_STORE_CHECKED what the CPU moves raises a signal, as memlift_copy
 *                 does. With it, and where an engine moves, memlift_tags_wait tells of it.
 *   threads       A store is its thread's alone: all functions are about that of the calling
 *                 thread. A thread unbinds before it ends.
 *   signals       not async-signal-safe (stream.h is)
 *   fork          The child's one thread has the store, too. Transfers that were under way are
 *                 complete there when memlift_tags_wait has said so.
 *   state         errno is kept; no allocation; 2 KiB of stack, 8 KiB with an engine
 *
 * Errors of all functions: MEMLIFT_INVALID_ARGUMENT for a NULL or a value out of range, and
 * MEMLIFT_NOT_PRESENT for a thread without a local store.
 */
#ifndef MEMLIFT_LOCAL_STORE_H
#define MEMLIFT_LOCAL_STORE_H

#include "memlift.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* ---- The store ----------------------------------------------------------------------------- */

/* A local store's descriptor, apart from its memory. The library owns the contents; nothing in it
 * has to be set. */
struct memlift_local_store {
  uint64_t opaque[1088];
};

/* A bad address in memlift_get and memlift_put is told by memlift_tags_wait and raises no signal,
 * whoever moves. The CPU then moves by a system call. */
#define MEMLIFT_STORE_CHECKED 1u

#define MEMLIFT_STORE_ALIGNMENT 64 /* of whatever is allocated */
#define MEMLIFT_STORE_PIECES 128   /* allocated at once, at most */
#define MEMLIFT_STORES 256         /* threads that have one at once, at most */

/* Gives the calling thread a local store of `size` bytes at `memory`; what lies before the first
 * and after the last multiple of 64 is not used. flags is 0 or MEMLIFT_STORE_CHECKED. *store and
 * the memory are the library's until memlift_store_unbind.
 *   MEMLIFT_BUSY          the thread has one
 *   MEMLIFT_NO_RESOURCES  MEMLIFT_STORES threads have one
 *   MEMLIFT_NOT_PRESENT   this system cannot check addresses */
MEMLIFT_API memlift_status memlift_store_bind(struct memlift_local_store *store, void *memory,
                                              size_t size, uint32_t flags) MEMLIFT_NOEXCEPT;

/* Takes the thread's store away again, after memlift_store_release. */
MEMLIFT_API memlift_status memlift_store_unbind(void) MEMLIFT_NOEXCEPT;

/* Frees everything in the store. Transfers under way are given up: on return none of them touches
 * anything, and what they would have written may hold anything. Also for a thread that has left a
 * loop over blocks by longjmp. */
MEMLIFT_API memlift_status memlift_store_release(void) MEMLIFT_NOEXCEPT;

/* Allocates bytes of the store; alignment is a power of two, and 64 if it is less. NULL: there is
 * no room, size is 0, or the thread has no store. */
MEMLIFT_API void *memlift_store_alloc(size_t size, size_t alignment) MEMLIFT_NOEXCEPT;

/* Frees what memlift_store_alloc returned; anything else is ignored. */
MEMLIFT_API void memlift_store_free(void *p) MEMLIFT_NOEXCEPT;

/* Bytes of the largest piece that could be allocated now, with an alignment of 64. */
MEMLIFT_API size_t memlift_store_left(void) MEMLIFT_NOEXCEPT;

/* ---- Transfers ----------------------------------------------------------------------------- */

#define MEMLIFT_TAGS 32

/* Begin to move bytes to the local store, and to memory. */
MEMLIFT_API memlift_status memlift_get(void *local, const void *from, size_t size,
                                       unsigned tag) MEMLIFT_NOEXCEPT;
MEMLIFT_API memlift_status memlift_put(void *to, const void *local, size_t size,
                                       unsigned tag) MEMLIFT_NOEXCEPT;

/* Begin to move `rows` rows of `width` bytes. A pitch is the bytes from the beginning of a row to
 * that of the next one; rows of a destination are apart. */
MEMLIFT_API memlift_status memlift_get_2d(void *local, ptrdiff_t pitch, const void *from,
                                          ptrdiff_t from_pitch, size_t width, size_t rows,
                                          unsigned tag) MEMLIFT_NOEXCEPT;
MEMLIFT_API memlift_status memlift_put_2d(void *to, ptrdiff_t to_pitch, const void *local,
                                          ptrdiff_t pitch, size_t width, size_t rows,
                                          unsigned tag) MEMLIFT_NOEXCEPT;

/* A piece of memory for memlift_get_list and memlift_put_list, which begin to move several of them.
 * The pieces lie one after the other in the local store. */
struct memlift_piece {
  void *address; /* in memory */
  size_t size;   /* bytes */
};
MEMLIFT_API memlift_status memlift_get_list(void *local, const struct memlift_piece *pieces,
                                            unsigned count, unsigned tag) MEMLIFT_NOEXCEPT;
MEMLIFT_API memlift_status memlift_put_list(const struct memlift_piece *pieces, unsigned count,
                                            const void *local, unsigned tag) MEMLIFT_NOEXCEPT;

/* Orders the tag's transfers: those that are begun from now on come after those that are under way.
 * The next transfer waits for them before it begins. */
MEMLIFT_API memlift_status memlift_tag_fence(unsigned tag) MEMLIFT_NOEXCEPT;

/* A transfer that met a bad address. */
struct memlift_dma_fault {
  const void *address; /* in memory, the first that could not be accessed, as far as is known */
  size_t bytes;        /* of the transfer, or the list's piece, before it: they are right */
  uint32_t tag;
  uint32_t put; /* 1: of a put; 0: of a get */
};

#define MEMLIFT_TAGS_ALL 0u
#define MEMLIFT_TAGS_ANY 1u

/* Waits until all tags of `mask`, bit n being tag n, are done, or any of them, for about `ns`
 * nanoseconds at most; UINT64_MAX: without limit. A tag is done when nothing of it is under way.
 * *done is the bits of mask whose tags are done; done and fault may be NULL.
 *   MEMLIFT_OK       it is so
 *   MEMLIFT_FAULT    it is so, and a transfer of one of the tags that are done met a bad address;
 *                    *fault is the first such of its tag. Told once; then the next tag's, if any
 *   MEMLIFT_PENDING  the time is over
 *   MEMLIFT_BUSY     ns is 0, and it is not so */
MEMLIFT_API memlift_status memlift_tags_wait(uint32_t mask, uint32_t how, uint64_t ns,
                                             uint32_t *done,
                                             struct memlift_dma_fault *fault) MEMLIFT_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif
