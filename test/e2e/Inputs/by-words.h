// by-words.h - the functions of by-words.c
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef BY_WORDS_H
#define BY_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* The name, and the bytes of an element. The regions may overlap. */
#define ELEMENTS(X)                                                                                \
  X(mask, 1)                                                                                       \
  X(three, 1)                                                                                      \
  X(clear, 1)                                                                                      \
  X(inverted, 1)                                                                                   \
  X(key, 1)                                                                                        \
  X(added, 1)                                                                                      \
  X(counted, 1)                                                                                    \
  X(walked, 1)                                                                                     \
  X(halves, 2)                                                                                     \
  X(words, 4)                                                                                      \
  X(table, 1)                                                                                      \
  X(product, 1)                                                                                    \
  X(delta, 1)                                                                                      \
  X(rolling, 1)

#endif
