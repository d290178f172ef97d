// numbers.h - the functions of numbers.c
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stddef.h>
#include <stdint.h>

#define READ(X)                                                                                    \
  X(be4) X(be8) X(be4_of_8) X(be4_after) X(le8_by_shifts) X(le8_down) X(be8_by_pairs)              \
  X(three) X(le3_after) X(five) X(be6) X(le6_by_shifts) X(be6_by_pairs)
#define WRITTEN(X) X(put_be8) X(put_be4) X(put_le8)
#define READ_OTHERWISE(X)                                                                          \
  X(every_other) X(nibbles) X(signs) X(middle_endian) X(seven) X(six_turned) X(six_of_other_places)
#define WRITTEN_OTHERWISE(X) X(put_be6) X(put_every_other) X(put_nibbles) X(put_read)
