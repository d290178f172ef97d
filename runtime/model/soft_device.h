/* soft_device.h - the first soft device: decodes real command bytes, obeys, and fails on demand
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The device knows the ring, its registers and the completion area. Every other address is data
 * out of a command: it is accessed through the system (engine/remote.h), as a DMA engine accesses
 * memory through an MMU, so a bad address is a fault in a completion record and no signal.
 *
 * One thread at a time drives a device: the thread of soft.c, or a test by memlift_soft_step.
 */
#ifndef MEMLIFT_SOFT_DEVICE_H
#define MEMLIFT_SOFT_DEVICE_H

#include "../engine/soft/soft_spec.h"
#include "../queue/ring.h"

#include <stddef.h>

/* Faults to inject. Commands are counted from 1 over the life of the device; 0 is never. */
struct soft_faults {
  uint32_t busy_from;         /* from this command on no slot is given back until an abort */
  uint32_t lose_at;           /* this command is dropped without a word */
  uint32_t lose_count;        /* how many from there on; 0 counts as 1 */
  uint32_t fault_at;          /* this command stops ... */
  uint64_t fault_byte;        /* ... after so many bytes, which it has spoiled beyond ... */
  uint32_t wrong_status_at;   /* this command does nothing and answers ... */
  uint8_t wrong_status;       /* ... this status */
  uint32_t wrong_sequence_at; /* does nothing; says OK under another command's number */
  uint32_t too_many_bytes_at; /* does nothing; faults with more BYTES than LENGTH */
  uint32_t late_at;           /* the device is deaf, even to an abort, for ... */
  uint32_t late_ns;           /* ... so long, then spoils the destination, and is silent */
  uint32_t per_mille;         /* each command: so likely one of these but busy_from ... */
  uint64_t seed;              /* ... the same ones for the same seed */
};

/* Bytes that one transfer of the device moves: after each it looks for an abort. */
#define SOFT_BURST 65536

struct soft_device {
  struct soft_registers *registers;
  struct memlift_slot *slots;
  uint32_t depth;
  unsigned char *completions; /* the completion area, 32-byte records */
  size_t completions_size;    /* bytes */
  struct soft_faults faults;

  uint32_t taken;    /* commands read from the ring */
  uint32_t commands; /* the same, but counted from 1 and never wrapped back by an abort */
  uint32_t dropped;  /* commands without a usable completion address */
  unsigned char burst[SOFT_BURST]; /* pattern of a fill */
};

/* A command as fields. */
struct soft_command {
  uint32_t opcode, sequence;
  uint64_t destination, source, length, completion;
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Reads a command's 64 bytes. Returns MEMLIFT_SOFT_COMP_STATUS_OK or _BAD_COMMAND; the fields are
 * filled in either case, since SEQUENCE and COMPLETION are needed to refuse it. */
uint8_t memlift_soft_decode(const unsigned char *bytes, struct soft_command *command);

/* Does one thing: an abort, or one command. Returns 0 when there was nothing to do. */
int memlift_soft_step(struct soft_device *device);

/* Steps until the stop register is set; the body of the device's thread. */
void memlift_soft_run(struct soft_device *device);

/* Moves bytes for a command; returns how many were done before the first that could not be, and
 * the address of that one in *fault. */
size_t memlift_soft_transfer(struct soft_device *device, const struct soft_command *command,
                             size_t limit, uint64_t *fault);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
