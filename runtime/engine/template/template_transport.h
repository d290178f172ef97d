/* template_transport.h - how the template device is reached: a table of functions
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * model/template_model.c is a device in software. A real one has a file beside this one that opens
 * it and maps its registers, as dsa_linux.c does; template.c knows neither. All functions but
 * probe, open and close are async-signal-safe and do not wait; they may change errno. One caller at
 * a time.
 */
#ifndef MEMLIFT_TEMPLATE_TRANSPORT_H
#define MEMLIFT_TEMPLATE_TRANSPORT_H

#include "template_spec.h"

struct template_transport {
  /* MEMLIFT_OK, else *reason says why not (static storage). */
  memlift_status (*probe)(const char **reason);
  memlift_status (*open)(void);
  void (*close)(void); /* nothing is under way */

  /* A register, by its offset: of 4 bytes, or of 8 for addresses. */
  uint32_t (*read)(unsigned offset);
  void (*write)(unsigned offset, uint64_t value);

  /* Nanoseconds on the clock that time-outs are measured with. */
  uint64_t (*now)(void);
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* The way that the next start takes; NULL: there is none, and no such engine. Not thread-safe. */
void memlift_template_use(const struct template_transport *transport);

extern const struct memlift_engine memlift_engine_template;

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
