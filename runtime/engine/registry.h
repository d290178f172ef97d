/* registry.h - finding an engine, and the one in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_REGISTRY_H
#define MEMLIFT_REGISTRY_H

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

struct memlift_engine;

/* NULL when this build has no engine of that name. */
const struct memlift_engine *memlift_find_engine(const char *name);

const char *memlift_active_engine_name(void);

/* No engine is asked any more, and none is stopped: for the last moments of a process. */
void memlift_engine_forget(void);

/* No build has more engines than so many. */
#define MEMLIFT_ENGINES_MOST 32u

/* Engine number index of this build, NULL past the last. */
const struct memlift_engine *memlift_engine_at(unsigned index);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
