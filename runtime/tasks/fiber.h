/* fiber.h - telling sanitizers that the stack changes
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Interfaces: sanitizer/common_interface_defs.h, sanitizer/tsan_interface.h of compiler-rt. Empty
 * in builds without them.
 */
#ifndef MEMLIFT_FIBER_H
#define MEMLIFT_FIBER_H

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MEMLIFT_FIBER_ADDRESS 1
#endif
#if __has_feature(thread_sanitizer)
#define MEMLIFT_FIBER_THREAD 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define MEMLIFT_FIBER_ADDRESS 1
#endif
#if defined(__SANITIZE_THREAD__)
#define MEMLIFT_FIBER_THREAD 1
#endif

#define MEMLIFT_FIBER_BYTES 64 /* room for the struct, so that the stack below stays aligned */

struct memlift_fiber {
  void *tsan;         /* TSan's fiber */
  void *fake;         /* ASan's fake stack, while the fiber is left */
  const void *bottom; /* of the stack */
  size_t size;
};

#if defined(MEMLIFT_FIBER_ADDRESS)
void __sanitizer_start_switch_fiber(void **fake, const void *bottom, size_t size);
void __sanitizer_finish_switch_fiber(void *fake, const void **bottom, size_t *size);
void __asan_unpoison_memory_region(const volatile void *begin, size_t size);
#endif
#if defined(MEMLIFT_FIBER_THREAD)
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
#endif

static inline void memlift_fiber_create(struct memlift_fiber *f, const void *bottom, size_t size) {
  (void)f, (void)bottom, (void)size;
#if defined(MEMLIFT_FIBER_ADDRESS)
  f->bottom = bottom, f->size = size;
#endif
#if defined(MEMLIFT_FIBER_THREAD)
  f->tsan = __tsan_create_fiber(0);
#endif
}

static inline void memlift_fiber_destroy(struct memlift_fiber *f) {
  (void)f;
#if defined(MEMLIFT_FIBER_THREAD)
  __tsan_destroy_fiber(f->tsan);
#endif
}

/* Before a stack is used from its beginning, or given back: frames that were left for good are
 * still poisoned. */
static inline void memlift_fiber_renew(void *stack, size_t size) {
  (void)stack, (void)size;
#if defined(MEMLIFT_FIBER_ADDRESS)
  __asan_unpoison_memory_region(stack, size);
#endif
}

/* Before a thread leaves its own stack for that of a task. */
static inline void memlift_fiber_note_thread(struct memlift_fiber *f) {
  (void)f;
#if defined(MEMLIFT_FIBER_THREAD)
  f->tsan = __tsan_get_current_fiber();
#endif
}

/* Before a switch. `ends`: the one that is left does not go on. */
static inline void memlift_fiber_leave(struct memlift_fiber *from, struct memlift_fiber *to,
                                       int ends) {
  (void)from, (void)to, (void)ends;
#if defined(MEMLIFT_FIBER_ADDRESS)
  __sanitizer_start_switch_fiber(ends ? NULL : &from->fake, to->bottom, to->size);
#endif
#if defined(MEMLIFT_FIBER_THREAD)
  __tsan_switch_to_fiber(to->tsan, 0);
#endif
}

/* After a switch, on the stack that was switched to. `from`: a thread's own that was left for it,
 * to learn where that is; or NULL. */
static inline void memlift_fiber_arrive(struct memlift_fiber *me, struct memlift_fiber *from) {
  (void)me, (void)from;
#if defined(MEMLIFT_FIBER_ADDRESS)
  const void *bottom;
  size_t size;
  __sanitizer_finish_switch_fiber(me->fake, &bottom, &size);
  me->fake = NULL;
  if (from)
    from->bottom = bottom, from->size = size;
#endif
}

#endif
