// device.c - text on the simulator's standard output
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io.h"

void put(const char *text) {
  while (*text)
    DEVICE_PUT = (unsigned char)*text++;
}
