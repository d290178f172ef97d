/* soft_transfer.c - how the soft device moves bytes
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * engine/remote.h copies between two addresses and says how far it came when a page is missing or
 * protected. That is a DMA engine behind an MMU.
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "soft_device.h"
#include "../engine/remote.h"

/* Bytes moved, 0 when not even one could be. */
static size_t burst(uint64_t to, uint64_t from, size_t size) {
  return memlift_remote_copy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, size);
}

/* A fault of a copy is at the source when that byte cannot be read alone. */
static uint64_t faulting_address(const struct soft_command *command, size_t done) {
  unsigned char byte;
  if (command->opcode == MEMLIFT_SOFT_CMD_OP_COPY &&
      burst((uintptr_t)&byte, command->source + done, 1) == 0)
    return command->source + done;
  return command->destination + done;
}

size_t memlift_soft_transfer(struct soft_device *device, const struct soft_command *command,
                             size_t limit, uint64_t *fault) {
  uint32_t abort_seen = __atomic_load_n(&device->registers->aborted, __ATOMIC_RELAXED);
  size_t done = 0;
  if (command->opcode == MEMLIFT_SOFT_CMD_OP_FILL)
    for (size_t i = 0; i < SOFT_BURST && i < limit; i++)
      device->burst[i] = (unsigned char)(command->source >> (8 * (i % 8)));
  while (done < limit) {
    size_t size = limit - done < SOFT_BURST ? limit - done : SOFT_BURST;
    size_t moved = burst(command->destination + done,
                         command->opcode == MEMLIFT_SOFT_CMD_OP_FILL ? (uintptr_t)device->burst
                                                                     : command->source + done,
                         size);
    done += moved;
    if (moved != size) {
      *fault = faulting_address(command, done);
      break;
    }
    /* Acquire: pairs with the release of the engine's abort. */
    if (__atomic_load_n(&device->registers->abort, __ATOMIC_ACQUIRE) != abort_seen)
      break;
  }
  return done;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
