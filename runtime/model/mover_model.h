/* mover_model.h - a mover in software, on a virtual clock: exact times, faults, and a checker
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One or two channels move transfers one after the other, each for `setup` nanoseconds and so many
 * for its bytes. Time passes when a wait or the test lets it. The same seed gives the same run.
 *
 * It is the worst device that keeps the rules of mover.h: it reads the source of a transfer at its
 * end, and spoils the destination from its beginning. So whoever writes a source or reads a
 * destination too early gets wrong bytes. The checker also tells of such accesses by themselves:
 * mover_model_use says what the program accesses, and each start is compared with all transfers
 * under way.
 *
 * Not thread-safe: a mover belongs to one thread.
 */
#ifndef MEMLIFT_MOVER_MODEL_H
#define MEMLIFT_MOVER_MODEL_H

#include "../tasks/mover.h"

/* Faults to inject. Transfers are counted from 1; 0 is never. Of those per mille each transfer gets
 * one by chance. */
struct mover_faults {
  const unsigned char *bad, *bad_end; /* addresses in memory that no transfer can access */
  uint32_t fail_at;                   /* this transfer meets a bad address ... */
  size_t fail_byte;                   /* ... after so many bytes, all of them at most */
  uint32_t lose_at;                   /* this transfer never ends */
  uint32_t busy_at;                   /* this transfer is not taken */
  uint32_t fail_per_mille, lose_per_mille, busy_per_mille;
};

#define MOVER_MODEL_TRANSFERS 64

struct mover_pending {
  int live, lost, over;
  struct memlift_transfer transfer;
  size_t fails; /* bytes after which it meets a bad address; all of them: it does not */
  uint64_t finish;
};

struct mover_model {
  struct memlift_mover mover;
  uint64_t setup;      /* nanoseconds of a transfer, on its channel */
  uint64_t ns_per_kib; /* more for each 1024 bytes */
  unsigned channels;   /* 1: for both directions; 2: one for each */
  uint64_t jitter;     /* nanoseconds more at most, at random */
  int reorders;        /* 1: transfers do not wait for each other, and end in any order */
  uint64_t seed;       /* state of the generator */
  struct mover_faults faults;

  /* From here on the model's own. */
  uint64_t now;
  uint64_t channel_free[2];
  uint32_t started, busy, failed, lost, aborted; /* transfers */
  uint64_t moved[2];                             /* bytes of gets and of puts */
  unsigned under_way, most_under_way;
  uint32_t violations;   /* that the checker has found */
  const char *violation; /* the first one; NULL: none */
  struct mover_pending pending[MOVER_MODEL_TRANSFERS];
};

#if defined(__cplusplus)
extern "C" {
#endif

/* Makes it a mover with no transfer under way, and with the times and faults of an idle one: free,
 * on one channel, in order. What differs is set afterwards. */
void mover_model_init(struct mover_model *model, uint64_t seed);

/* Lets time pass, as the program computes. */
void mover_model_compute(struct mover_model *model, uint64_t nanoseconds);

/* Says that the program accesses `size` bytes, writing them or not: no transfer may touch them
 * meanwhile in a way that disagrees. */
void mover_model_use(struct mover_model *model, const void *p, size_t size, int writes);

#if defined(__cplusplus)
}
#endif

#endif
