/* soft.h - the devices of transport "soft", for tests
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_NI_SOFT_H
#define MEMLIFT_NI_SOFT_H

#include "../model/ni_model.h"

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Settings of the devices that are made from now on; NULL: no faults, the system's clock. */
void memlift_ni_soft_configure(const struct ni_settings *settings);

/* The device of that name; NULL: no page of it is attached. */
struct ni_model *memlift_ni_soft_model(const char *name);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
