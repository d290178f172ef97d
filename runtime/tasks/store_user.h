/* store_user.h - whose the contents of a local store are, where tasks share the store of their unit
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tasks with stacks of one unit take turns, and each finds its pieces, its transfers and the faults
 * of its tags as it left them. So a store has a current user, pieces and transfers have the number
 * of theirs, and what is told of tags is in the user. A thread that runs no tasks is the store's
 * own user.
 */
#ifndef MEMLIFT_STORE_USER_H
#define MEMLIFT_STORE_USER_H

#include "../include/memlift/local_store.h"

struct memlift_store_user {
  uint32_t number;         /* differs from that of all others who use the store */
  uint32_t left;           /* 1: may have something in the store, or of tags */
  uint32_t loops;          /* 1: is in a loop over blocks */
  uint32_t fenced, faulty; /* bits of tags: memlift_tag_fence; with a fault to be told */
  struct memlift_dma_fault fault[MEMLIFT_TAGS];
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Returns where the user of the calling thread's store stands; NULL: it has none. */
struct memlift_store_user **memlift_store_users(void);

/* Waits for the transfers of a user of the calling thread's store, and frees its pieces. A pointer,
 * set when a store is bound, atomic: a program without a local store brings no transfers. */
extern void (*memlift_store_user_end)(struct memlift_store_user *user);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
