// generators.c - loops that fill the tables of CRCs, and near misses
//
// The functions are those that test/e2e/generators.test runs.
#include "parity.h"

#define F(name) name
#include "../../e2e/Inputs/generators.c"

PARITY(choice, "crc inlined")
PARITY_ALREADY(choice, "clang-22", "copy lowered", ".crctable", "LLVM 22 makes a table of it itself")
PARITY_BUT(choice, "clang-21", "crc inlined", "LLVM 21 makes no table of it")
PARITY(conditional, "crc inlined")
PARITY_ALREADY(conditional, "clang-22", "copy lowered", ".crctable", "LLVM 22 makes a table of it itself")
PARITY_BUT(conditional, "clang-21", "crc inlined", "LLVM 21 makes no table of it")
PARITY(mask, "crc inlined")
PARITY(to_the_left, "crc inlined")
PARITY_ALREADY(to_the_left, "clang-22", "copy lowered", "[0,4129,8258,12387,16516,",
               "LLVM 22 makes a table of it itself, and constants of that")
PARITY_BUT(to_the_left, "clang-21", "crc inlined", "LLVM 21 makes no table of it")
PARITY(to_the_left32, "crc inlined")
PARITY(bytes, "crc inlined")
PARITY(nibbles, "crc inlined")
PARITY(walked, "crc inlined")
PARITY_ALREADY(walked, "clang-22", "copy lowered", ".crctable", "LLVM 22 makes a table of it itself")
PARITY_BUT(walked, "clang-21", "crc inlined", "LLVM 21 makes no table of it")
PARITY(longs, "crc inlined")
PARITY_ALREADY(longs, "clang-22", "copy lowered", ".crctable", "LLVM 22 makes a table of it itself")
PARITY_BUT(longs, "clang-21", "crc inlined", "LLVM 21 makes no table of it")
PARITY(polynomial, "crc inlined")
PARITY(polynomial16, "crc inlined")
PARITY(reversed_index, "crc inlined")
PARITY(either_way, "crc inlined")
PARITY(two_stores, "crc inlined")
PARITY(swapped_or_not, "crc inlined")
PARITY(two_polynomials, "crc inlined")
PARITY(reflected_around, "crc inlined")
PARITY_BUT(reflected_around, "clang-19", "crc inlined + crc inlined",
           "the eight steps become a look-up first: GCC reads them in the loop around")
PARITY_BUT(reflected_around, "clang-22", "crc inlined + crc inlined",
           "the eight steps become a look-up first: GCC reads them in the loop around")

// --- near misses ---

PARITY(moving_polynomial, "none kept MLF2072")
