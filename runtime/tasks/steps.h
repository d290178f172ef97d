/* steps.h - each atomic access of a library for a board in a model is a step of the model
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Before each access of memory that harts share, and where the order of stores matters because a
 * unit may be lost between them, another hart may have its turn, or the hart may
 * stop for good (model/harts_model.h). A name that a macro of its own expands to is not expanded
 * again, so the built-in is what is called.
 */
#ifndef MEMLIFT_TASKS_STEPS_H
#define MEMLIFT_TASKS_STEPS_H

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif
void memlift_model_step(void);

/* Lets the others go on for a nanosecond, as the caller spins. */
void memlift_model_give_way(void);
#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#define __atomic_load_n(...) (memlift_model_step(), __atomic_load_n(__VA_ARGS__))
#define __atomic_store_n(...) (memlift_model_step(), __atomic_store_n(__VA_ARGS__))
#define __atomic_exchange_n(...) (memlift_model_step(), __atomic_exchange_n(__VA_ARGS__))
#define __atomic_compare_exchange_n(...)                                                           \
  (memlift_model_step(), __atomic_compare_exchange_n(__VA_ARGS__))
#define __atomic_fetch_add(...) (memlift_model_step(), __atomic_fetch_add(__VA_ARGS__))
#define __atomic_fetch_sub(...) (memlift_model_step(), __atomic_fetch_sub(__VA_ARGS__))
#define __atomic_fetch_or(...) (memlift_model_step(), __atomic_fetch_or(__VA_ARGS__))
#define __atomic_fetch_and(...) (memlift_model_step(), __atomic_fetch_and(__VA_ARGS__))
#define __atomic_add_fetch(...) (memlift_model_step(), __atomic_add_fetch(__VA_ARGS__))

#endif
