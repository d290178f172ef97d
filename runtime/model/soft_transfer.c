/* soft_transfer.c - how the soft device reaches memory: through the system, never by a pointer
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * process_vm_readv and process_vm_writev on our own process copy between two addresses and report
 * how far they came when a page is missing or protected. That is a DMA engine behind an MMU.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "soft_device.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

static struct iovec span(uint64_t address, size_t size) {
  struct iovec vector = {(void *)(uintptr_t)address, size};
  return vector;
}

/* Bytes moved, 0 when not even one could be. */
static size_t write_burst(const unsigned char *from, uint64_t to, size_t size) {
  struct iovec local = span((uintptr_t)from, size), remote = span(to, size);
  ssize_t moved = process_vm_writev(getpid(), &local, 1, &remote, 1, 0);
  return moved < 0 ? 0 : (size_t)moved;
}

static size_t copy_burst(uint64_t from, uint64_t to, size_t size) {
  struct iovec local = span(to, size), remote = span(from, size);
  ssize_t moved = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  return moved < 0 ? 0 : (size_t)moved;
}

/* A fault of a copy is at the source when that byte cannot be read alone. */
static uint64_t faulting_address(const struct soft_command *command, size_t done) {
  unsigned char byte;
  if (command->opcode == MEMLIFT_SOFT_CMD_OP_COPY &&
      copy_burst(command->source + done, (uintptr_t)&byte, 1) == 0)
    return command->source + done;
  return command->destination + done;
}

size_t soft_transfer(struct soft_device *device, const struct soft_command *command, size_t limit,
                     uint64_t *fault) {
  uint32_t abort_seen = __atomic_load_n(&device->registers->aborted, __ATOMIC_RELAXED);
  size_t done = 0;
  if (command->opcode == MEMLIFT_SOFT_CMD_OP_FILL)
    for (size_t i = 0; i < SOFT_BURST && i < limit; i++)
      device->burst[i] = (unsigned char)(command->source >> (8 * (i % 8)));
  while (done < limit) {
    size_t size = limit - done < SOFT_BURST ? limit - done : SOFT_BURST;
    size_t moved = command->opcode == MEMLIFT_SOFT_CMD_OP_FILL
                       ? write_burst(device->burst, command->destination + done, size)
                       : copy_burst(command->source + done, command->destination + done, size);
    done += moved;
    if (moved != size) {
      *fault = faulting_address(command, done);
      break;
    }
    if (__atomic_load_n(&device->registers->abort, __ATOMIC_ACQUIRE) != abort_seen)
      break;
  }
  return done;
}

int soft_works_here(const char **reason) {
  unsigned char from = 1, to = 0;
  int saved_errno = errno;
  size_t moved = copy_burst((uintptr_t)&from, (uintptr_t)&to, 1);
  errno = saved_errno;
  *reason = moved == 1 && to == 1 ? "" : "process_vm_readv is refused by this system";
  return moved == 1 && to == 1;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
