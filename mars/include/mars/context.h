/* mars/context.h - contexts: the MPUs that run a program's tasks
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MARS_CONTEXT_H
#define MARS_CONTEXT_H

#include <stdint.h>

struct mars_context;

#if defined(__cplusplus)
extern "C" {
#endif

#if !defined(MEMLIFT_MPU)
/* Two interfaces have a function mars_context_create, and the number of arguments tells them apart:
 *
 *   mars_context_create(&context, num_mpus, shared)                     MARS 1.1
 *   mars_context_create(&context, num_mpus, spu_priority, ppu_priority) PSL1GHT
 *
 * num_mpus is 1 to 64, whatever the number of CPUs; 0: one for each CPU that the process may use.
 * shared: not 0 gives the one context that all such calls of the process share. The priorities are
 * ignored.
 *   MARS_ERROR_LIMIT  the process has as many contexts as libmemlift can have */
int mars_context_create(struct mars_context **context, uint32_t num_mpus, uint8_t shared);
int memlift_mars_context_create4(struct mars_context **context, uint32_t num_mpus,
                                 uint32_t spu_priority, uint32_t ppu_priority);

/* A child after fork has no contexts but those that it creates: MARS_ERROR_PARAMS for the others.
 * MARS_ERROR_STATE: tasks are left that have been scheduled and have not ended. Others are
 * destroyed. A shared context ends with the last call. */
int mars_context_destroy(struct mars_context *context);

uint32_t mars_context_get_num_mpus(struct mars_context *context);
#endif

#if defined(__cplusplus)
}

#if !defined(MEMLIFT_MPU)
static inline int mars_context_create(struct mars_context **context, uint32_t num_mpus,
                                      uint32_t spu_priority, uint32_t ppu_priority) {
  return memlift_mars_context_create4(context, num_mpus, spu_priority, ppu_priority);
}
#endif
#elif !defined(MEMLIFT_MPU)
#define mars_context_create(...)                                                                   \
  MEMLIFT_MARS_FIFTH(__VA_ARGS__, memlift_mars_context_create4, mars_context_create,               \
                     mars_context_create, mars_context_create)                                     \
  (__VA_ARGS__)
#define MEMLIFT_MARS_FIFTH(a, b, c, d, name, ...) name
#endif

#endif
