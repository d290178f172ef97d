// mpu_two.c - the program of mpu_one.c in an image of its own, which begins with another number
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define FIRST 2000
#include "mpu_one.c"
