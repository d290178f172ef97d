/* workloads.h - the programs of the units
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef FIRMWARE_WORKLOADS_H
#define FIRMWARE_WORKLOADS_H

#include "sizes.h"
#include "watched.h"

#include <memlift/sync.h>

#define UNITS (HARTS - 1)
#define BLOCK 4096 /* bytes that are moved at once */

extern struct watched watched[UNITS];

/* Workloads that a unit has done, transfers of a next block that did not begin before its
 * predecessor was computed, and wrong things of any kind. */
extern uint64_t done[UNITS], late[UNITS], wrong;

/* Arguments: source, destination, bytes. Writes each byte of the source, and 1, to the
 * destination; by blocks in the local store. */
int32_t add_one(const uint64_t args[4]);

/* Objects and counters that the tasks with stacks share. */
struct shared {
  struct memlift_barrier barrier;
  struct memlift_mutex mutex;
  struct memlift_semaphore two;
  struct memlift_queue in, out;
  struct memlift_events events;
  uint64_t counter, inside, rounds[8];
};

/* Arguments: the shared ones, and a number below 8. */
int32_t meet(const uint64_t args[4]);

/* Arguments: the shared ones. Adds 1000 to what comes from a queue, and gives it on to another. */
int32_t echo(const uint64_t args[4]);

/* Arguments: 0, an instruction that is none; 1, an address that is none. */
int32_t trap(const uint64_t args[4]);

/* Has the host double its argument. */
int32_t ask_host(const uint64_t args[4]);

#endif
