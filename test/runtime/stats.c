/* stats.c - two operations here and two in a child: what info.sh looks for in the statistics
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Here they are done twice, by the call that waits and by the one that submits; the child has no
 * engine, and reports nothing of what its parent did. A message is sent before and one after the
 * fork, and one by the child. Both run one task on a unit, which gets 4096 bytes twice.
 */
#include <memlift/async.h>
#include <memlift/local_store.h>
#include <memlift/mbox.h>
#include <memlift/tasks.h>

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

/* In the local store of the unit. */
static int32_t get_twice(const uint64_t args[4]) {
  static unsigned char from[4096];
  (void)args;
  unsigned char *local = (unsigned char *)memlift_store_alloc(sizeof from, 64);
  int bad = !local;
  for (int i = 0; i < 2 && !bad; i++)
    bad = memlift_get(local, from, sizeof from, 0) != MEMLIFT_OK;
  return bad || memlift_tags_wait(1, MEMLIFT_TAGS_ALL, UINT64_MAX, NULL, NULL) != MEMLIFT_OK;
}

/* Runs one task on the one unit. */
static int run_task(void) {
  struct memlift_context_options options = {.units = 1};
  struct memlift_task_options on = {.units = 1};
  memlift_context *context;
  memlift_task task;
  int32_t code = 1;
  return memlift_context_create(&context, &options, sizeof options) != MEMLIFT_OK ||
         memlift_task_create(context, &task, get_twice, &on, sizeof on) != MEMLIFT_OK ||
         memlift_task_schedule(task, NULL, 0) != MEMLIFT_OK ||
         memlift_task_wait(task, MEMLIFT_FOR_EVER, &code) != MEMLIFT_OK ||
         memlift_context_destroy(context) != MEMLIFT_OK || code;
}

int main(void) {
  static unsigned char from[LARGE], to[LARGE];
  memlift_token token;
  int status = -1;
  memlift_copy(to, from, SMALL);
  memlift_fill8(to, 1, LARGE);
  if (send_message() || run_task())
    return 1;
  pid_t child = fork();
  if (child == 0)
    exit(send_message() || run_task()); /* not _exit: it reports */
  if (memlift_submit_copy(to, from, SMALL, (memlift_token){0}, &token) != MEMLIFT_OK ||
      memlift_wait(token, UINT64_MAX) != MEMLIFT_OK ||
      memlift_submit_fill(to, 2, 1, LARGE, (memlift_token){0}, &token) != MEMLIFT_OK ||
      memlift_wait(token, UINT64_MAX) != MEMLIFT_OK)
    return 1;
  return send_message() || waitpid(child, &status, 0) != child || status != 0;
}
