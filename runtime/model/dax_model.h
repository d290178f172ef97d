/* dax_model.h - a DAX in software: driver, hypervisor and units, on a virtual clock
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Decodes the very blocks, refuses what the documents refuse, and moves bytes at the virtual time
 * at which a unit ends; the same seed gives the same run. Time passes when the client asks for it,
 * waits or calls: no thread, no wall clock. memlift_dax_model_transport is its door.
 *
 * A command is what one submission brings; it goes to the unit that is free first and runs block
 * after block there. Not thread-safe. The thread that opened it uses it, as with Linux's driver:
 * others may pass time, look at the areas and close.
 */
#ifndef MEMLIFT_DAX_MODEL_H
#define MEMLIFT_DAX_MODEL_H

#include "../engine/dax/dax_transport.h"
#include "dax_decode.h"

/* Nanoseconds, and bytes in a microsecond. */
struct dax_costs {
  uint64_t submit;     /* of the caller's time, a submission */
  uint64_t ask;        /* of the caller's time: a look at the clock, info, kill */
  uint64_t start;      /* of the caller's time, a submission while all units are idle */
  uint64_t wake;       /* from the end of a block to the caller, if it sleeps */
  uint64_t block;      /* of a unit's time, a block */
  uint64_t unit_speed; /* bytes in a microsecond */
  uint64_t jitter;     /* at most, at random, on top of each block */
};

/* Faults to inject. Blocks and submissions are counted from 1 over the life of the model; 0 is
 * never. Those that take a count last for so many, 0 being 1. */
struct dax_faults {
  uint32_t accept_at, accept_most; /* this submission: only so many blocks are taken */
  uint32_t busy_at, busy_count;    /* these submissions: none is taken, WOULD_BLOCK */
  uint32_t refuse_at, refuse_why;  /* this submission: none is taken, this answer */
  uint32_t lose_at, lose_count;    /* these blocks are taken and never run */
  uint32_t fail_at, fail_error;    /* this block fails with this error ... */
  uint64_t fail_byte;              /* ... after so many right bytes; the others it spoils */
  uint32_t status_at, status;      /* this block does nothing and says this status */
  uint32_t short_at;               /* this block says success with an element too few, and so did */
  uint32_t late_at;                /* this block takes ... */
  uint64_t late_ns;                /* ... so much longer, cannot be killed until then, is not found
                                    * by info, and spoils its output in the end */
  uint32_t deaf_at, deaf_count;    /* these kills are to be asked again */
  uint32_t remove_at;              /* before this submission the device goes */
  uint32_t remove_later;           /* at this look at the clock it goes */
  uint32_t per_mille;              /* each block and submission: so likely one of all these */
};

#define DAX_MODEL_UNITS 16
#define DAX_MODEL_AREAS 1024

struct dax_pending {
  unsigned char live, lost, late;
  uint32_t number;        /* of the block, counted from 1 */
  uint64_t begin, finish; /* on the virtual clock */
  unsigned char block[DAX_BLOCK];
  struct dax_command command;
};

struct dax_model {
  struct dax_costs costs;
  struct dax_faults faults;
  uint64_t seed;       /* state of the generator */
  unsigned units;      /* up to DAX_MODEL_UNITS */
  unsigned in_flight;  /* commands that the hypervisor queues */
  unsigned area_count; /* DAX_COMPLETION_AREAS as Linux has them; a kernel may have more */
  uint64_t page;       /* size of all pages, a power of two */
  int dry;             /* moves no bytes: for times only */

  /* From here on the model's own; all 0 at first. */
  uint64_t now;
  uint64_t unit_free[DAX_MODEL_UNITS];
  uint64_t command_ends[256]; /* of commands that may be under way */
  uint32_t blocks, submissions, kills, looks;
  int is_open, gone;
  uint64_t thread;
  struct dax_pending pending[DAX_MODEL_AREAS];
  unsigned char areas[DAX_MODEL_AREAS][MEMLIFT_DAX_CA_SIZE] __attribute__((aligned(128)));
  /* Counted for tests. */
  uint32_t ran, failed, lost, killed, refused, decode_errors, dequeues, opens;
  uint32_t strangers; /* calls by threads that did not open it: refused */
  uint64_t bytes;
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* The one that the transport drives. */
extern struct dax_model *memlift_dax_model;
extern const struct dax_transport memlift_dax_model_transport;

/* A T7 with 8 units and no faults, pages of `page` bytes. */
void memlift_dax_model_reset(struct dax_model *model, uint64_t seed, uint64_t page);

/* Lets so much virtual time pass: whatever ends by then takes effect, in the order of its end. */
void memlift_dax_model_pass(struct dax_model *model, uint64_t nanoseconds);

/* Carries out one block, dax_run.c: bytes, then the completion area, its status last. */
void memlift_dax_model_run(struct dax_model *model, unsigned area);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
