/* order.c - dependencies: each operation lists the ones that wait for it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Naive: whenever an operation ends, look through all held ones for those that waited for it. That
 * costs all held operations at each end, also those of other threads.
 *
 * Instead each operation has a list of links, one for each operation that comes after it. Its end
 * costs as much as that list is long, and unrelated operations pay nothing, however many are held.
 * A link is part of the waiting operation, so nothing is allocated; it is in one list at most.
 *
 * An operation whose last blocker has ended becomes ripe. It is begun later, by memlift_hub_settle,
 * from a loop: beginning it here would recurse once for each operation of a chain. A cancelled
 * operation dooms its successors, whose other blockers then no longer matter.
 *
 * Cycles cannot occur: an operation comes after tokens only, and a token exists before it is used.
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "hub.h"

/* Enters op in the list of its blocker. */
static void link_to(struct memlift_link *link, struct memlift_op *op, struct memlift_op *blocker) {
  link->op = op, link->blocker = blocker;
  link->before = NULL, link->next = blocker->successors;
  if (link->next)
    link->next->before = link;
  blocker->successors = link;
  op->blockers++;
}

/* Takes a link out of the list that it is in. */
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

/* A token that has been collected was complete, or cancelled in a call that knows it: no
 * dependency. A token that is DROPPED and not collected dooms op. */
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

/* Moves an operation to the ripe ones. It leaves all lists, so this happens once. */
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

/* Begins or drops ripe operations in a loop. Each may make others ripe, which are appended: a chain
 * of a thousand operations needs no stack. */
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
