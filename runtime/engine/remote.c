/* remote.c - remote access: memory copied by the system, never through a pointer of this thread
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * process_vm_writev on our own process copies between two addresses. When a page is missing or
 * protected it returns how far it came. The system pins the destination's pages during the call.
 * The process is named by the number of this thread: the number of the process is that of its first
 * thread, which has no memory any more once it has ended.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "remote.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

size_t memlift_remote_copy(void *to, const void *from, size_t size) {
  struct iovec here = {(void *)from, size}, there = {to, size};
  ssize_t moved = process_vm_writev((pid_t)syscall(SYS_gettid), &here, 1, &there, 1, 0);
  return moved < 0 ? 0 : (size_t)moved;
}

int memlift_remote_is_available(const char **reason) {
  unsigned char from = 1, to = 0;
  int saved_errno = errno;
  size_t moved = memlift_remote_copy(&to, &from, 1);
  errno = saved_errno;
  *reason = moved == 1 && to == 1 ? "" : "process_vm_writev is refused by this system";
  return moved == 1 && to == 1;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
