/* stats.c - two operations here and two in a child: what info.sh looks for in the statistics
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Here they are done twice, by the call that waits and by the one that submits; the child has no
 * engine, and reports nothing of what its parent did.
 */
#include <memlift/async.h>

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SMALL ((size_t)256 << 10)
#define LARGE ((size_t)1 << 20)

int main(void) {
  static unsigned char from[LARGE], to[LARGE];
  memlift_token token;
  int status = -1;
  memlift_copy(to, from, SMALL);
  memlift_fill8(to, 1, LARGE);
  pid_t child = fork();
  if (child == 0)
    exit(0); /* not _exit: it reports */
  if (memlift_submit_copy(to, from, SMALL, (memlift_token){0}, &token) != MEMLIFT_OK ||
      memlift_wait(token, UINT64_MAX) != MEMLIFT_OK ||
      memlift_submit_fill(to, 2, 1, LARGE, (memlift_token){0}, &token) != MEMLIFT_OK ||
      memlift_wait(token, UINT64_MAX) != MEMLIFT_OK)
    return 1;
  return waitpid(child, &status, 0) != child || status != 0;
}
