/* soft.h - knobs of the soft engine that tests turn before they start it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_SOFT_H
#define MEMLIFT_SOFT_H

#include "../../model/soft_device.h"

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Faults of the device that the next start creates; NULL takes them back. Not thread-safe. */
void memlift_soft_inject(const struct soft_faults *faults);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
