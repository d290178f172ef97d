/* stream_state.h - a loop over blocks that is under way: what struct memlift_stream holds
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_STREAM_STATE_H
#define MEMLIFT_STREAM_STATE_H

#include "../include/memlift/stream.h"
#include "store.h"

/* Instead of the number of a slot: nothing is under way; the block cannot be local. */
#define MEMLIFT_NO_SLOT 0xff
#define MEMLIFT_FAILED 0xfe

/* An access. */
struct memlift_lane {
  unsigned char *base; /* as in struct memlift_stream_access */
  int64_t step;
  uint64_t bytes;
  unsigned char *buffer; /* the first of its buffers, aligned to MEMLIFT_STORE_ALIGNMENT */
  size_t stride;         /* from a buffer to the next one */
  size_t pitch;          /* of rows in a buffer, |step| modulo 64; 0: a block is contiguous */
  unsigned char in, out; /* 1: it is read, written */
  unsigned char buffers; /* number of them; block t has number t modulo that */
  unsigned char get[2];  /* slots of the gets of blocks of even and odd number */
  unsigned char put;     /* slot of the one put under way */
};

/* Contents of a struct memlift_stream. Without a store only `iterations` and `count` are used. */
struct __attribute__((may_alias)) memlift_stream_state {
  uint64_t iterations;         /* without a store: left; with one: of the loop */
  struct memlift_store *store; /* NULL: what is left is one direct block */
  uint32_t count;              /* of accesses */
  unsigned char computes;      /* 1: the block that is being computed is local, and has to be put */
  unsigned char gives_up;      /* 1: a transfer was lost; all further blocks are direct */
  uint64_t block;              /* iterations of a block, but of the last one */
  uint64_t blocks;             /* number of them */
  uint64_t next;               /* number of the block that memlift_stream_next returns next */
  unsigned char *piece;        /* all buffers */
  struct memlift_lane lane[MEMLIFT_STREAM_ACCESSES];
};

_Static_assert(sizeof(struct memlift_stream_state) <= sizeof(struct memlift_stream),
               "struct memlift_stream has no room");

/* Returns |step|. */
static inline uint64_t memlift_lane_step(const struct memlift_lane *lane) {
  return lane->step < 0 ? 0 - (uint64_t)lane->step : (uint64_t)lane->step;
}

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* stream_plan.c: cuts the loop into blocks, and allocates the buffers; 0: it is better one direct
 * block. s->store and s->iterations are set. */
int memlift_stream_cut(struct memlift_stream_state *s, const struct memlift_stream_plan *plan,
                       const struct memlift_stream_access *accesses);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
