/* template_model.h - the template device in software: its registers, on a virtual clock
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Decodes the very bytes of a job when its doorbell is rung, and moves bytes at the virtual time at
 * which it ends; the same seed gives the same run. Time passes when the client reads a register or
 * the clock: no thread, no wall clock. One caller at a time.
 */
#ifndef MEMLIFT_TEMPLATE_MODEL_H
#define MEMLIFT_TEMPLATE_MODEL_H

#include "../engine/template/template_transport.h"

/* Faults to inject. Jobs, and looks at ROOM, are counted from 1 over the life of the model; 0 is
 * never. A count of 0 is 1. */
struct template_faults {
  uint32_t busy_at, busy_count; /* these looks at ROOM find none */
  uint32_t lose_at, lose_count; /* these jobs are dropped without a word */
  uint32_t fault_at;            /* this job stops ... */
  uint64_t fault_byte;          /* ... after so many right bytes, and has spoiled the others */
  uint32_t status_at, status;   /* this one does nothing and says this status, and all its bytes */
  uint32_t tag_at;              /* does nothing, and says OK of another job */
  uint32_t too_many_at;         /* does nothing, and says FAULT after more bytes than it has */
  uint32_t short_at;            /* does half, and says OK of so many bytes */
  uint32_t late_at;             /* hears no STOP, takes ... */
  uint64_t late_ns;             /* ... so much longer, and spoils its destination in the end */
  uint32_t remove_at;           /* with this job the device goes */
  uint32_t per_mille;           /* each job: so likely one of these, but the last */
};

struct template_pending {
  int live, lost, late;
  uint32_t number;
  uint64_t finish;
  unsigned char job[TEMPLATE_JOB];
};

struct template_model {
  struct template_faults faults;
  uint64_t seed;
  uint64_t ask_ns;    /* that a look at a register or the clock takes */
  uint64_t speed;     /* bytes in a microsecond */
  uint64_t jitter_ns; /* a job takes up to so much longer */

  /* From here on the model's own; all 0 at first. */
  uint64_t now, free; /* free: when the device has done all that it has */
  uint64_t jobs_at, records_at;
  uint32_t jobs, looks;
  int is_open, gone, stopping;
  struct template_pending pending[TEMPLATE_PLACES];
  uint32_t refused, overflowed; /* jobs that make no sense, or that there was no room for */
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* The one that the transport drives. */
extern struct template_model *memlift_template_model;
extern const struct template_transport memlift_template_model_transport;

/* 4 GB/s and a little disorder, no faults. */
void memlift_template_model_reset(struct template_model *model, uint64_t seed);

/* Lets so much virtual time pass. */
void memlift_template_model_pass(struct template_model *model, uint64_t nanoseconds);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
