/* dsa_model.h - a DSA in software: a queue and engines, on a virtual clock
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Decodes the very descriptors, refuses what the documents refuse, and moves bytes at the virtual
 * time at which an engine ends; the same seed gives the same run. Time passes when the client asks
 * for it, waits or calls: no thread, no wall clock. One caller at a time.
 */
#ifndef MEMLIFT_DSA_MODEL_H
#define MEMLIFT_DSA_MODEL_H

#include "../engine/dsa/dsa_transport.h"

/* Nanoseconds, and bytes in a microsecond. */
struct dsa_costs {
  uint64_t submit, ask, descriptor, engine_speed, jitter;
};

/* Faults to inject. Descriptors (those of batches too), batches and submissions are counted from 1
 * over the life of the model; 0 is never. A count of 0 is 1. */
struct dsa_faults {
  uint32_t no_room_at, no_room_count; /* these submissions are to be tried again */
  uint32_t drop_at, drop_count;       /* these descriptors are taken and never run */
  uint32_t fault_at, fault_count;     /* these page-fault, though the page is there ... */
  uint64_t fault_byte;                /* ... after so many right bytes; the others are spoiled */
  uint32_t status_at, status;         /* this one does nothing and says this status */
  uint32_t too_many_at;               /* this one faults with more bytes than it has */
  uint32_t late_at;                   /* this one takes ... */
  /* ... so much longer, and spoils its destination in the end */
  uint64_t late_ns;
  uint32_t batch_at, batch_status; /* of this batch nothing is run; its record says this */
  uint32_t remove_at;              /* before this submission the device goes */
  uint32_t per_mille;              /* each descriptor and submission: so likely one of these */
};

#define DSA_MODEL_ENGINES 8
#define DSA_MODEL_QUEUE 256

struct dsa_pending {
  unsigned char live, dropped, late, injected;
  uint32_t number;
  int batch; /* index of the batch it belongs to, or -1 */
  uint64_t finish;
  unsigned char bytes[DSA_DESCRIPTOR];
};

struct dsa_model {
  struct dsa_costs costs;
  struct dsa_faults faults;
  struct dsa_limits limits;
  uint64_t seed;
  unsigned engines;
  int dedicated; /* drops what there is no room for */

  /* From here on the model's own; all 0 at first. */
  uint64_t now;
  uint64_t engine_free[DSA_MODEL_ENGINES];
  uint32_t descriptors, batches, submissions;
  int is_open, gone;
  int64_t process; /* that opened it: no other one may submit */
  struct dsa_pending pending[DSA_MODEL_QUEUE];
  struct {
    unsigned char live;
    unsigned left, failed;
    uint64_t record;
  } batch[64];
  uint32_t ran, refused, overflowed, strangers; /* counted for tests */
  uint64_t bytes;
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* The one that the transport drives. */
extern struct dsa_model *memlift_dsa_model;
extern const struct dsa_transport memlift_dsa_model_transport;

/* A queue of 32 descriptors of 2 MiB, four engines, batches, no faults. */
void memlift_dsa_model_reset(struct dsa_model *model, uint64_t seed);

/* Lets so much virtual time pass. */
void memlift_dsa_model_pass(struct dsa_model *model, uint64_t nanoseconds);

/* dsa_run.c. What a descriptor is refused with, 0 when it is right: without a look at memory. */
uint32_t memlift_dsa_model_check(const struct dsa_model *model, const unsigned char *descriptor);

/* Carries one out: bytes, then its record, the status last. Returns the status; 0: nothing was
 * said. */
uint32_t memlift_dsa_model_run(struct dsa_model *model, struct dsa_pending *pending);

/* Writes a completion record, if its address is one. */
void memlift_dsa_model_complete(uint64_t record, uint32_t status, uint64_t bytes, uint64_t fault);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
