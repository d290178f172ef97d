/* dax_transport.h - how control blocks reach a DAX: a table of functions
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * dax_linux.c is /dev/oradax1 and 2, model/dax_model.c a device in software; dax.c knows neither.
 * All functions but probe are async-signal-safe and, but for close, do not wait for long; they may
 * change errno.
 */
#ifndef MEMLIFT_DAX_TRANSPORT_H
#define MEMLIFT_DAX_TRANSPORT_H

#include "../../include/memlift/memlift.h"
#include "dax_spec.h"

/* Why a submission was not accepted whole: a MEMLIFT_DAX_EXEC value, or the device is no more. */
#define DAX_GONE UINT32_MAX

enum dax_answer {
  DAX_ANSWERED,  /* the question was answered */
  DAX_ASK_AGAIN, /* no answer now */
  DAX_NOT_YOURS, /* the device is another thread's: it alone is answered */
  DAX_NO_DEVICE  /* the device is no more; see close */
};

struct dax_transport {
  /* MEMLIFT_OK, else *reason says why not (static storage). */
  memlift_status (*probe)(const char **reason);
  memlift_status (*open)(void);

  /* On return the device touches no memory of ours any more, whatever was under way. Async-signal-
   * safe: an abort ends here when a device has gone, or is another thread's. Closing twice is
   * allowed. */
  void (*close)(void);

  /* 1 in the thread of this process that opened the device last: the only one that may submit,
   * kill, ask for information and dequeue, as long as the device is open. */
  int (*mine)(void);

  /* DAX_COMPLETION_AREAS areas, read-only; NULL when not open. */
  const unsigned char *(*areas)(void);

  /* Submits count blocks, 1 to 15, whose completion areas are area, area + 1 ... Returns how many
   * were accepted, in order; when not all were, *why is the reason for the first that was not. All
   * areas are of one open device: area / DAX_AREAS_OF_ONE. */
  unsigned (*submit)(const unsigned char *blocks, unsigned count, unsigned area, uint32_t *why);

  /* Kills the block of an area. Once it has answered, the block touches memory no more; *action is
   * a MEMLIFT_DAX_KILLED value. */
  enum dax_answer (*kill)(unsigned area, uint32_t *action);

  /* Where the block of an area is: *state is a MEMLIFT_DAX_INFO value. */
  enum dax_answer (*info)(unsigned area, uint32_t *state);

  /* Unpins the memory of all blocks that have completed. */
  void (*dequeue)(void);

  /* Nanoseconds on the clock that time-outs are measured with. */
  uint64_t (*now)(void);

  /* Sleeps until the status byte of an area has changed from pending, at most so long. */
  void (*pause)(unsigned area, uint64_t nanoseconds);

  /* Lets so much time pass, about. */
  void (*rest)(uint64_t nanoseconds);
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

extern const struct dax_transport memlift_dax_linux;

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
