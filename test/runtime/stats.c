/* stats.c - two operations here and two in a child: what info.sh looks for in the statistics
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Here they are done twice, by the call that waits and by the one that submits; the child has no
 * engine, and reports nothing of what its parent did. A message is sent before and one after the
 * fork, and one by the child.
 */
#include <memlift/async.h>
#include <memlift/mbox.h>

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SMALL ((size_t)256 << 10)
#define LARGE ((size_t)1 << 20)

/* Sends a message of 5 bytes to the sender itself. */
static int send_message(void) {
  memlift_ni_address to;
  char text[8];
  MBOX *box = MBOX_ATTACH("soft", NULL, NULL);
  return !box || memlift_ni_own_address(box, 0, &to) != MEMLIFT_OK ||
         MBOX_ENQUEUE(box, to, "12345", 5) != 0 || MBOX_DEQUEUE(box, text, sizeof text) != 5 ||
         MBOX_DETACH(box) != 0;
}

int main(void) {
  static unsigned char from[LARGE], to[LARGE];
  memlift_token token;
  int status = -1;
  memlift_copy(to, from, SMALL);
  memlift_fill8(to, 1, LARGE);
  if (send_message())
    return 1;
  pid_t child = fork();
  if (child == 0)
    exit(send_message()); /* not _exit: it reports */
  if (memlift_submit_copy(to, from, SMALL, (memlift_token){0}, &token) != MEMLIFT_OK ||
      memlift_wait(token, UINT64_MAX) != MEMLIFT_OK ||
      memlift_submit_fill(to, 2, 1, LARGE, (memlift_token){0}, &token) != MEMLIFT_OK ||
      memlift_wait(token, UINT64_MAX) != MEMLIFT_OK)
    return 1;
  return send_message() || waitpid(child, &status, 0) != child || status != 0;
}
