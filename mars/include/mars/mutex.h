/* mars/mutex.h - mutexes of either side
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Errors: MARS_ERROR_NULL, MARS_ERROR_ALIGN. Who waits does not leave its MPU to others, unless it
 * is a task with a save area: then it yields.
 */
#ifndef MARS_MUTEX_H
#define MARS_MUTEX_H

#include <mars/error.h>
#include <mars/mutex_types.h>

#if defined(__cplusplus)
extern "C" {
#endif

#if !defined(MEMLIFT_MPU)
int mars_mutex_create(uint64_t *mutex_ea);
int mars_mutex_destroy(uint64_t mutex_ea);
int mars_mutex_reset(uint64_t mutex_ea); /* unlocked, whatever it was */
#endif
int mars_mutex_lock(uint64_t mutex_ea);
int mars_mutex_unlock(uint64_t mutex_ea); /* MARS_ERROR_STATE: it is not locked */

/* With the 124 bytes after the status: got after it is locked, put before it is unlocked. */
int mars_mutex_lock_get(uint64_t mutex_ea, struct mars_mutex *mutex);
int mars_mutex_unlock_put(uint64_t mutex_ea, struct mars_mutex *mutex);

#if defined(__cplusplus)
}
#endif

#endif
