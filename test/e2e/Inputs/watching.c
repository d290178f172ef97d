/* watching.c - a turn of waiting as queue/watch.c takes it, by one kind of instruction: KIND
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "queue/watch_core.h"

int turn(const uint32_t *word, uint32_t seen) {
  memlift_watch_arm(KIND, word);
  if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != seen)
    return 1;
  memlift_watch_pause(KIND);
  return 0;
}
