/* bus.h - how the registers of a DMA engine on the same chip are reached: a table of functions
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * bus_bare.c is the chip itself, where addresses are physical; in tests a model takes its place.
 * pdma.c and zdma.c know neither. On a system with virtual memory there is no bus, and no such
 * engine: that takes a driver.
 */
#ifndef MEMLIFT_BUS_H
#define MEMLIFT_BUS_H

#include "engine.h"

#include <stddef.h>
#include <stdint.h>

struct memlift_bus {
  uint32_t (*read)(uintptr_t address);
  void (*write)(uintptr_t address, uint32_t value);
  uint64_t (*read_long)(uintptr_t address);
  void (*write_long)(uintptr_t address, uint64_t value);

  /* For an engine that does not see the caches. share: memory has what was stored, and no line of
   * it is kept that would be written back later. refresh: loads see what the engine has written. */
  void (*share)(const void *p, size_t size);
  void (*refresh)(const void *p, size_t size);

  uint64_t (*now)(void); /* nanoseconds, about */

  /* Where the engine finds the byte at p, and in *bytes how many from there on, 1 or more, follow
   * one another for the engine too. NULL: addresses are physical, and all do. */
  uint64_t (*physical)(const void *p, size_t *bytes);
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* The chip's own; NULL where a system is between. */
extern const struct memlift_bus *const memlift_own_bus;

/* As physical, with *bytes no more than `most`. */
uint64_t memlift_bus_place(const struct memlift_bus *bus, const void *p, size_t most,
                           size_t *bytes);

/* Bytes from the front of a request that follow one another for the engine, in its destination and
 * its source; whole granules of the engine, or all. */
size_t memlift_bus_extent(const struct memlift_bus *bus, const struct memlift_request *rest,
                          size_t granule);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
