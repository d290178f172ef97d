/* bus.h - how the registers of a DMA engine on the same chip are reached: a table of functions
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * bus_bare.c is the chip itself, where addresses are physical; in tests a model takes its place. pdma.c
 * and zdma.c know neither. On a system with virtual memory there is no bus, and no such engine: that
 * takes a driver.
 */
#ifndef MEMLIFT_BUS_H
#define MEMLIFT_BUS_H

#include <stddef.h>
#include <stdint.h>

struct memlift_bus {
  uint32_t (*read)(uintptr_t address);
  void (*write)(uintptr_t address, uint32_t value);
  uint64_t (*read_long)(uintptr_t address);
  void (*write_long)(uintptr_t address, uint64_t value);

  /* For an engine that does not see the caches. share: memory has what was stored, and no line of it is
   * kept that would be written back later. refresh: loads see what the engine has written. */
  void (*share)(const void *p, size_t size);
  void (*refresh)(const void *p, size_t size);

  uint64_t (*now)(void); /* nanoseconds, about */
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* The chip's own; NULL where a system is between. */
extern const struct memlift_bus *const memlift_own_bus;

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
