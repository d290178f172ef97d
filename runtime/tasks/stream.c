/* stream.c - memlift_stream_begin, _next and _end: a loop over arrays, block by block
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * All rounds are one direct block: the loop works in the program's own memory.
 */
#include "../include/memlift/stream.h"

/* The contents of a struct memlift_stream. */
struct __attribute__((may_alias)) state {
  uint64_t rounds; /* that no block has had yet */
  uint32_t count;  /* of accesses */
};

_Static_assert(sizeof(struct state) <= sizeof(struct memlift_stream), "the state has no room");

void memlift_stream_begin(struct memlift_stream *stream, const struct memlift_stream_plan *plan,
                          const struct memlift_stream_access *accesses, uint64_t rounds) {
  struct state *s = (struct state *)(void *)stream;
  (void)accesses;
  s->rounds = rounds;
  s->count = plan->count;
}

uint64_t memlift_stream_next(struct memlift_stream *stream, struct memlift_stream_shift *shifts) {
  struct state *s = (struct state *)(void *)stream;
  uint64_t rounds = s->rounds;
  s->rounds = 0;
  if (rounds)
    for (uint32_t k = 0; k < s->count; k++)
      shifts[k] = (struct memlift_stream_shift){0, 0};
  return rounds;
}

void memlift_stream_end(struct memlift_stream *stream) { (void)stream; }
