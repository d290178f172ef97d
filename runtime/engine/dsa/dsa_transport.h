/* dsa_transport.h - how descriptors reach a DSA: a table of functions
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * dsa_linux.c is a work queue of Linux's idxd driver, model/dsa_model.c a device in software; dsa.c
 * knows neither. All functions but probe are async-signal-safe and do not wait for long, but for
 * close; they may change errno. One caller at a time.
 */
#ifndef MEMLIFT_DSA_TRANSPORT_H
#define MEMLIFT_DSA_TRANSPORT_H

#include "../../include/memlift/memlift.h"
#include "dsa_spec.h"

/* Limits of a work queue. */
struct dsa_limits {
  size_t max_bytes;   /* of one descriptor */
  unsigned depth;     /* descriptors in the queue at once */
  unsigned max_batch; /* descriptors of one batch; 0 or 1: no batches */
};

enum dsa_taken {
  DSA_TAKEN, /* the descriptor is in the queue; a dedicated queue that is full has dropped it */
  DSA_QUEUE_FULL, /* it is not, and may be tried again */
  DSA_GONE        /* the device is no more; see close */
};

struct dsa_transport {
  /* MEMLIFT_OK, else *reason says why not (static storage). */
  memlift_status (*probe)(const char **reason);
  memlift_status (*open)(struct dsa_limits *limits);

  /* Waits until nothing that was submitted is under way, however long that is; on return the device
   * touches no memory of ours any more. There is no other way to take a descriptor back. Closing
   * twice is allowed. */
  void (*close)(void);

  /* Posts 64 bytes. All stores before it are seen by the device before them. */
  enum dsa_taken (*submit)(const unsigned char *descriptor);

  /* Nanoseconds on the clock that time-outs are measured with. */
  uint64_t (*now)(void);

  /* Sleeps until the status byte of a record has changed from none, at most so long. */
  void (*pause)(const unsigned char *record, uint64_t nanoseconds);
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

extern const struct dsa_transport memlift_dsa_linux;

/* The way that the next start takes; NULL: Linux. Not thread-safe. */
void memlift_dsa_use(const struct dsa_transport *transport);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
