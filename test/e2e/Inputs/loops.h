/* loops.h - the loops of loops.c as a table, once plain, once through memlift.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef LOOPS_H
#define LOOPS_H

#include <stddef.h>
#include <stdint.h>

/* Arguments of every loop: destination, source, number of elements, a value to fill with.
 * Pointers are aligned to the element, nothing more is promised. */
typedef void loop_function(void *to, const void *from, size_t count, uint64_t value);

struct loop {
  const char *name;
  loop_function *run;
  unsigned element; /* bytes of the destination an element covers */
  int reads;        /* whether the source is read */
  int restricted;   /* whether the two must not overlap */
};

extern const struct loop plain_loops[], memlift_loops[]; /* a name of 0 ends them */

#endif
