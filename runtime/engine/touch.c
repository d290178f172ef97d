/* touch.c - meets every page of an operation in the program's own thread, before an engine is asked
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "touch.h"

#include <unistd.h>

/* Offset of the byte that is touched after the one at `at`: the first byte of the destination's
 * next page, or the operation's last byte. Each page of the source has one of these offsets in it,
 * too, since they are a page apart at most. size when there is none. */
static size_t next(const struct memlift_request *whole, size_t at, size_t page) {
  size_t step = page - (((uintptr_t)whole->destination + at) & (page - 1));
  if (step < whole->size - at) /* sizes that wrap the address space are no exception */
    return at + step;
  return at == whole->size - 1 ? whole->size : whole->size - 1;
}

static unsigned char value(const struct memlift_request *whole, size_t at) {
  if (whole->operation == MEMLIFT_OPERATION_COPY)
    return ((const volatile unsigned char *)whole->source)[at];
  return ((const unsigned char *)&whole->pattern)[at % sizeof whole->pattern];
}

void memlift_touch(const struct memlift_request *whole) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  volatile unsigned char *to = (volatile unsigned char *)whole->destination;
  for (size_t at = 0; at < whole->size; at = next(whole, at, page))
    to[at] = value(whole, at);
}

/* Other operations write the bytes meanwhile, by whatever means they have, and a word may reach
 * beyond the first and the last byte. */
__attribute__((no_sanitize("address", "thread"))) void
memlift_touch_unchanged(const struct memlift_request *whole) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const volatile unsigned char *from = (const volatile unsigned char *)whole->source;
  for (size_t at = 0; at < whole->size; at = next(whole, at, page)) {
    if (whole->operation == MEMLIFT_OPERATION_COPY)
      (void)from[at];
    memlift_touch_byte((unsigned char *)whole->destination + at);
  }
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
