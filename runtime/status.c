/* status.c - texts of the status codes, and the version of the library
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "include/memlift/memlift.h"

#define TEXT_OF(x) TEXT(x)
#define TEXT(x) #x

/* A switch rather than a table of pointers: needs no relocation, and a compiler that is asked to
 * warns about a status without a text. */
const char *memlift_strerror(memlift_status status) {
  switch (status) {
  case MEMLIFT_OK: return "success";
  case MEMLIFT_PENDING: return "accepted, not complete yet";
  case MEMLIFT_BUSY: return "the engine has no room now";
  case MEMLIFT_INVALID_ARGUMENT: return "invalid argument";
  case MEMLIFT_MISALIGNED: return "address or size breaks the engine's alignment rule";
  case MEMLIFT_UNKNOWN_ENGINE: return "no engine of that name in this build";
  case MEMLIFT_NOT_PRESENT: return "this machine has no such engine";
  case MEMLIFT_FAULT: return "the engine met an address that it could not use";
  case MEMLIFT_TIMED_OUT: return "the engine did not complete in time";
  case MEMLIFT_BAD_COMMAND: return "the engine refused the command";
  case MEMLIFT_PROTOCOL: return "the engine gave an answer that means nothing";
  case MEMLIFT_NO_RESOURCES: return "the system gave no thread or no memory";
  case MEMLIFT_COLLECTED: return "the token has been collected before";
  case MEMLIFT_CANCELLED: return "the operation was cancelled";
  case MEMLIFT_LIMIT: return "all places are taken";
  case MEMLIFT_WRONG_STATE: return "not in the state that this call is for";
  case MEMLIFT_WRONG_SIDE: return "a call of tasks on the host, or of the host in a task";
  case MEMLIFT_CANNOT_SWITCH: return "a run-complete task would have to wait";
  case MEMLIFT_LOST: return "who had it ended without giving it back";
  }
  return "unknown status";
}

unsigned memlift_version(void) { return MEMLIFT_VERSION; }

const char *memlift_version_string(void) {
  return TEXT_OF(MEMLIFT_VERSION_MAJOR) "." TEXT_OF(MEMLIFT_VERSION_MINOR) "." TEXT_OF(
      MEMLIFT_VERSION_PATCH);
}
