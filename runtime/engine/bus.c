/* bus.c - where memory is for an engine that knows physical addresses
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "bus.h"

uint64_t memlift_bus_place(const struct memlift_bus *bus, const void *p, size_t most,
                           size_t *bytes) {
  uint64_t at = (uintptr_t)p;
  *bytes = most;
  if (bus->physical)
    at = bus->physical(p, bytes);
  *bytes = *bytes < most ? *bytes : most;
  return at;
}

size_t memlift_bus_extent(const struct memlift_bus *bus, const struct memlift_request *rest,
                          size_t granule) {
  size_t to, from = rest->size;
  memlift_bus_place(bus, rest->destination, rest->size, &to);
  if (rest->operation == MEMLIFT_OPERATION_COPY)
    memlift_bus_place(bus, rest->source, rest->size, &from);
  size_t both = to < from ? to : from;
  return both == rest->size ? both : both & ~(granule - 1);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
