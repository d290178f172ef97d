/* barriers.h - the named barriers, which are a public header: memlift/barriers.h
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../include/memlift/barriers.h"
