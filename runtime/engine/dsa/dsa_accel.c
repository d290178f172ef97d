/* dsa_accel.c - which DSA work queues there are, by libaccel-config
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For builds that ask for it (-DMEMLIFT_ACCEL_CONFIG=ON); without it dsa_linux.c reads what this
 * library reads, so that libmemlift needs none. Those who have it get what later versions of the
 * driver and of the library tell in other ways.
 */
#include "../../config.h"

#if MEMLIFT_HAVE_ENGINES && defined(MEMLIFT_HAVE_ACCEL_CONFIG)
#include "dsa_linux.h"

#include <accel-config/libaccel_config.h>

/* 1 when a program may use this queue; it is then in *q. */
static int look_at(struct accfg_wq *wq, struct dsa_queue *q) {
  if (accfg_wq_get_state(wq) != ACCFG_WQ_ENABLED || accfg_wq_get_type(wq) != ACCFG_WQT_USER ||
      accfg_wq_get_user_dev_path(wq, q->path, sizeof q->path) < 0)
    return 0;
  q->shared = accfg_wq_get_mode(wq) == ACCFG_WQ_SHARED;
  int threshold = accfg_wq_get_threshold(wq);
  q->limits.depth =
      q->shared ? (unsigned)(threshold > 0 ? threshold : 0) : (unsigned)accfg_wq_get_size(wq);
  q->limits.max_bytes = (size_t)accfg_wq_get_max_transfer_size(wq);
  q->limits.max_batch = accfg_wq_get_max_batch_size(wq);
  return memlift_dsa_is_usable(q);
}

static int next_of(struct accfg_ctx *context, unsigned *at, struct dsa_queue *q) {
  struct accfg_device *device;
  struct accfg_wq *wq;
  unsigned number = 0;
  accfg_device_foreach(context, device) {
    if (accfg_device_get_type(device) != ACCFG_DEVICE_DSA)
      continue;
    accfg_wq_foreach(device, wq) {
      if (number++ < *at)
        continue;
      *at = number;
      q->node = accfg_device_get_numa_node(device);
      if (look_at(wq, q))
        return 1;
    }
  }
  return 0;
}

int memlift_dsa_next_by_accel_config(unsigned *at, struct dsa_queue *q) {
  struct accfg_ctx *context;
  if (accfg_new(&context) < 0)
    return 0;
  int found = next_of(context, at, q);
  accfg_unref(context);
  return found;
}
#endif

typedef int memlift_dsa_accel; /* a translation unit must not be empty */
