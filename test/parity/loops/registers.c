// registers.c - steps of a shift register in scalars, and near misses
//
// The functions are those that test/e2e/registers.test runs.
#include "parity.h"

#define F(name) name
#include "../../e2e/Inputs/registers.c"

PARITY(avr16, "crc inlined")
PARITY_ALREADY(avr16, "clang-22", "untouched", ".crctable", "LLVM 22 makes a table of it itself")
PARITY_BUT(avr16, "clang-21", "crc inlined", "LLVM 21 makes no table of it")
PARITY(modbus, "crc inlined")
PARITY(mmc7, "crc inlined")
PARITY(wide16, "crc inlined")
PARITY(counted32, "crc inlined")
PARITY(mask32, "crc inlined")
PARITY(word32, "crc inlined")
PARITY(byte64, "crc inlined")
PARITY(usb5, "crc inlined")
PARITY(kermit, "crc inlined")
PARITY(moving_mask, "crc inlined")
PARITY(both_left, "crc inlined")
PARITY(scrambler, "crc inlined")
PARITY(kept_above, "crc inlined")
PARITY(all_above, "crc inlined")
PARITY(entered_whole, "crc inlined")

// --- near misses ---

PARITY(times_two, "untouched")
PARITY(any_polynomial, "untouched")
PARITY(product, "untouched")
PARITY(bits, "untouched")
PARITY(reversed, "untouched")
PARITY(reversed_by_tests, "untouched")
PARITY(turned_once, "untouched")
PARITY(some_steps, "untouched")
PARITY(leaves_early, "untouched")
PARITY(mixes_all, "untouched")
PARITY(above_twice, "crc kept MLF3016")
