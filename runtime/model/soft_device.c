/* soft_device.c - takes commands from the ring, carries them out, writes completion records
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "memory.h"
#include "soft_device.h"
#include "../engine/masked_thread.h"

#include <time.h>

/* Longest sleep without a look at the registers, should a notification ever get lost. */
#define IDLE_NS 50000000u

/* The record of a command, or NULL when its address is not one of the completion area. */
static unsigned char *record_of(const struct soft_device *device,
                                const struct soft_command *command) {
  uint64_t base = (uintptr_t)device->completions, offset = command->completion - base;
  if (command->completion % MEMLIFT_SOFT_COMP_ALIGN != 0 || command->completion < base ||
      device->completions_size < MEMLIFT_SOFT_COMP_SIZE ||
      offset > device->completions_size - MEMLIFT_SOFT_COMP_SIZE)
    return NULL;
  return device->completions + offset;
}

/* Body first, status last: who sees the status sees the rest, and the data. */
static void complete(struct soft_device *device, const struct soft_command *command, uint8_t status,
                     uint64_t bytes, uint64_t fault) {
  unsigned char *record = record_of(device, command);
  if (!record) {
    device->dropped++;
    return;
  }
  SOFT_PUT(record, SOFT_COMP, BYTES, bytes);
  SOFT_PUT(record, SOFT_COMP, FAULT, fault);
  soft_head_store(record, status, command->sequence);
  memlift_event_notify(&device->registers->completed);
}

static void execute(struct soft_device *device, const struct soft_command *command) {
  uint64_t fault = 0;
  size_t done = 0;
  if (command->opcode != MEMLIFT_SOFT_CMD_OP_NOP)
    done = memlift_soft_transfer(device, command, command->length, &fault);
  complete(device, command,
           done == command->length ? MEMLIFT_SOFT_COMP_STATUS_OK : MEMLIFT_SOFT_COMP_STATUS_FAULT,
           done, fault);
}

/* Stops after fault_byte bytes, or before, where it is told to abort. Beyond them it has written
 * nonsense, as a device may. */
static void execute_with_fault(struct soft_device *device, const struct soft_command *command) {
  struct soft_command rest = *command;
  size_t limit =
      device->faults.fault_byte < command->length ? device->faults.fault_byte : command->length;
  uint64_t fault = 0;
  size_t done = memlift_soft_transfer(device, command, limit, &fault);
  if (done < limit) {
    complete(device, command, MEMLIFT_SOFT_COMP_STATUS_FAULT, done, fault);
    return;
  }
  rest.opcode = MEMLIFT_SOFT_CMD_OP_FILL;
  rest.destination += limit;
  rest.source = 0x5a5a5a5a5a5a5a5au;
  if (limit < command->length)
    memlift_soft_transfer(device, &rest, command->length - limit, &fault);
  complete(device, command, MEMLIFT_SOFT_COMP_STATUS_FAULT, limit, command->destination + limit);
}

/* Deaf to everything for a while, then nonsense over the whole destination, and no completion. */
static void write_late(struct soft_device *device, const struct soft_command *command) {
  struct timespec pause = {0, (long)device->faults.late_ns};
  struct soft_command nonsense = *command;
  uint64_t fault;
  nanosleep(&pause, NULL);
  nonsense.opcode = MEMLIFT_SOFT_CMD_OP_FILL;
  nonsense.source = 0xa5a5a5a5a5a5a5a5u;
  memlift_soft_transfer(device, &nonsense, nonsense.length, &fault);
}

static int lost(const struct soft_faults *faults, uint32_t k) {
  uint32_t count = faults->lose_count ? faults->lose_count : 1;
  return faults->lose_at && k >= faults->lose_at && k - faults->lose_at < count;
}

/* Returns 1 when a fault has replaced the execution of command number k. */
static int inject(struct soft_device *device, const struct soft_command *command, uint32_t k) {
  const struct soft_faults *faults = &device->faults;
  if (lost(faults, k))
    return 1;
  if (k == faults->fault_at)
    execute_with_fault(device, command);
  else if (k == faults->wrong_status_at)
    complete(device, command, faults->wrong_status, command->length, 0);
  else if (k == faults->too_many_bytes_at)
    complete(device, command, MEMLIFT_SOFT_COMP_STATUS_FAULT, command->length + 8, 0);
  else if (k == faults->wrong_sequence_at) {
    struct soft_command other = *command;
    other.sequence--;
    complete(device, &other, MEMLIFT_SOFT_COMP_STATUS_OK, command->length, 0);
  } else if (k == faults->late_at)
    write_late(device, command);
  else
    return 0;
  return 1;
}

/* Random faults of a command become those that are asked for by number. */
static void draw_fault(struct soft_faults *f, const struct soft_command *command, uint32_t k) {
  if (!f->per_mille || memlift_model_random(&f->seed) % 1000 >= f->per_mille)
    return;
  uint64_t drawn = memlift_model_random(&f->seed);
  switch (memlift_model_random(&f->seed) % 6) {
  case 0: f->lose_at = k, f->lose_count = 1 + drawn % 3; break;
  case 1: f->fault_at = k, f->fault_byte = drawn % (command->length + 1); break;
  case 2:
    f->wrong_status_at = k, f->wrong_status = (uint8_t)drawn;
    if (f->wrong_status <= MEMLIFT_SOFT_COMP_STATUS_FAULT) /* these would mean something */
      f->wrong_status = MEMLIFT_SOFT_COMP_STATUS_BAD_COMMAND;
    break;
  case 3: f->wrong_sequence_at = k; break;
  case 4: f->too_many_bytes_at = k; break;
  default: f->late_at = k, f->late_ns = (uint32_t)(drawn % 5000000);
  }
}

static int abort_requested(struct soft_device *device) {
  struct soft_registers *registers = device->registers;
  /* Acquire: pairs with the release of the engine's abort. */
  uint32_t request = __atomic_load_n(&registers->abort, __ATOMIC_ACQUIRE);
  if (request == __atomic_load_n(&registers->aborted, __ATOMIC_RELAXED))
    return 0;
  uint32_t header;
  while (memlift_ring_take(device->slots, device->depth, device->taken, &header))
    device->taken++;
  memlift_ring_return(&registers->returned, device->taken);
  /* Release: all our writes are done before the client takes the memory back. */
  __atomic_store_n(&registers->aborted, request, __ATOMIC_RELEASE);
  memlift_event_notify(&registers->completed);
  return 1;
}

int memlift_soft_step(struct soft_device *device) {
  uint32_t header;
  struct soft_command command;
  unsigned char bytes[MEMLIFT_SLOT_BYTES];
  if (abort_requested(device))
    return 1;
  const struct memlift_slot *slot =
      memlift_ring_take(device->slots, device->depth, device->taken, &header);
  if (!slot)
    return 0;
  soft_put(bytes, 4, soft_header(header));
  for (unsigned i = 4; i < MEMLIFT_SLOT_BYTES; i++)
    bytes[i] = slot->bytes[i];
  device->taken++;
  uint32_t k = ++device->commands;
  if (!device->faults.busy_from || k < device->faults.busy_from)
    memlift_ring_return(&device->registers->returned, device->taken);
  if (memlift_soft_decode(bytes, &command) != MEMLIFT_SOFT_COMP_STATUS_OK)
    complete(device, &command, MEMLIFT_SOFT_COMP_STATUS_BAD_COMMAND, 0, 0);
  else if (!record_of(device, &command))
    device->dropped++;
  else {
    draw_fault(&device->faults, &command, k);
    if (!inject(device, &command, k))
      execute(device, &command);
  }
  return 1;
}

void memlift_soft_run(struct soft_device *device) {
  struct soft_registers *registers = device->registers;
  /* Acquire: pairs with the release of the engine's stop. */
  while (!__atomic_load_n(&registers->stop, __ATOMIC_ACQUIRE)) {
    uint32_t seen = memlift_event_read(&registers->bell);
    if (memlift_soft_step(device) || __atomic_load_n(&registers->stop, __ATOMIC_ACQUIRE))
      continue;
    memlift_event_wait(&registers->bell, seen, IDLE_NS);
    if (memlift_event_read(&registers->bell) == seen)
      memlift_masked_thread_exit_if_alone();
  }
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
