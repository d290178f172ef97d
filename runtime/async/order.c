/* order.c - what comes after what: each operation lists those that wait for it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * So the end of one costs as much as the number of those that come after it, and an operation that
 * has nothing to do with them pays nothing, however many are held.
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "hub.h"

static void link_to(struct memlift_link *link, struct memlift_op *op, struct memlift_op *blocker) {
  link->op = op, link->blocker = blocker;
  link->before = NULL, link->next = blocker->successors;
  if (link->next)
    link->next->before = link;
  blocker->successors = link;
  op->blockers++;
}

static void unlink_one(struct memlift_link *link) {
  if (link->before)
    link->before->next = link->next;
  else
    link->blocker->successors = link->next;
  if (link->next)
    link->next->before = link->before;
  link->blocker = NULL;
  link->op->blockers--;
}

unsigned memlift_op_put_after(struct memlift_op *op, const uint64_t ids[MEMLIFT_LINKS]) {
  op->blockers = 0, op->doomed = 0;
  for (unsigned i = 0; i < MEMLIFT_LINKS; i++) {
    struct memlift_op *other;
    op->after[i].blocker = NULL;
    if (!ids[i] || memlift_op_find(ids[i], &other) != MEMLIFT_OK)
      continue;
    op->doomed |= memlift_op_stage(other) == MEMLIFT_DROPPED;
    if (!memlift_op_is_over(other))
      link_to(&op->after[i], op, other);
  }
  return op->blockers;
}

struct memlift_op *memlift_op_blocker(const struct memlift_op *op) {
  if (memlift_op_stage(op) != MEMLIFT_HELD)
    return NULL;
  for (unsigned i = 0; i < MEMLIFT_LINKS; i++)
    if (op->after[i].blocker)
      return op->after[i].blocker;
  return NULL;
}

void memlift_op_unlink(struct memlift_op *op) {
  for (unsigned i = 0; i < MEMLIFT_LINKS; i++)
    if (op->after[i].blocker)
      unlink_one(&op->after[i]);
}

/* Moves an operation to the ripe ones, once: it leaves the lists of all that it came after. */
static void ripen(struct memlift_op *op) {
  memlift_op_unlink(op);
  memlift_list_append(&memlift_hub.ripe, op);
}

void memlift_op_tell_successors(struct memlift_op *op, int dropped) {
  while (op->successors) {
    struct memlift_op *other = op->successors->op;
    unlink_one(op->successors);
    other->doomed |= dropped;
    if (other->doomed || !other->blockers)
      ripen(other);
  }
}

/* Not by memlift_op_over itself: a chain of a thousand would be as deep on the stack. */
void memlift_hub_settle(void) {
  struct memlift_op *op;
  while ((op = memlift_hub.ripe.first) != NULL) {
    memlift_list_remove(&memlift_hub.ripe, op);
    if (op->doomed)
      memlift_op_over(op, MEMLIFT_DROPPED);
    else
      memlift_op_begin(op);
  }
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
