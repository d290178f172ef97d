/* stay.h - a library that has started an engine is not unloaded any more
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_STAY_H
#define MEMLIFT_STAY_H

#pragma GCC visibility push(hidden)

/* Makes dlclose leave the library that this code is in where it is. Not async-signal-safe. */
void memlift_stay(void);

#pragma GCC visibility pop

#endif
