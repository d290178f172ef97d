// numbers.c - numbers that are read and written byte by byte, and near misses
//
// The functions are those that test/e2e/numbers.test runs.
#include "parity.h"

#define F(name) name
#include "../../e2e/Inputs/numbers.c"

PARITY(be4, "copy_swap inlined")
PARITY(be8, "copy_swap inlined")
PARITY(be4_of_8, "copy_swap inlined")
PARITY(be4_after, "copy_swap inlined")
PARITY(le8_by_shifts, "copy inlined")
PARITY(le8_down, "copy inlined")
PARITY(be8_by_pairs, "copy_swap inlined")
PARITY(three, "copy_swap inlined")
PARITY(le3_after, "copy inlined")
PARITY(five, "copy_swap inlined")
PARITY(be6, "copy_swap inlined")
PARITY(le6_by_shifts, "copy inlined")
PARITY(be6_by_pairs, "copy_swap inlined")
PARITY(put_be8, "fill inlined")
PARITY(put_be4, "fill inlined")
PARITY(put_le8, "fill inlined")

// --- near misses ---

PARITY(seven, "crc kept MLF2043")
PARITY(six_turned, "crc kept MLF2043")
PARITY(six_of_other_places, "none kept MLF2030")
PARITY(every_other, "crc kept MLF2043")
PARITY(nibbles, "none kept MLF2040")
PARITY(signs, "none kept MLF2040")
PARITY(middle_endian, "crc kept MLF2043")
PARITY(put_be6, "none kept MLF2072")
PARITY(put_every_other, "none kept MLF2021 MLF2072")
PARITY(put_nibbles, "none kept MLF2072")
PARITY(put_read, "none kept MLF2072")
