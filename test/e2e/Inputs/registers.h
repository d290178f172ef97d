// registers.h - the functions of registers.c: X(name, result, types of the arguments)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each takes a register and a word of data. WORDS become look-ups; KEPT are near misses.
#include <stdint.h>

#define WORDS(X)                                                                                   \
  X(coremark, uint16_t, uint8_t)                                                                   \
  X(avr16, uint16_t, uint8_t)                                                                      \
  X(xmodem, uint16_t, uint8_t)                                                                     \
  X(ibutton, uint8_t, uint8_t)                                                                     \
  X(smbus, uint16_t, uint8_t)                                                                      \
  X(modbus, uint16_t, uint8_t)                                                                     \
  X(mmc7, uint8_t, uint8_t)                                                                        \
  X(wide16, int, uint8_t)                                                                          \
  X(counted32, uint32_t, uint8_t)                                                                  \
  X(mask32, uint32_t, uint8_t)                                                                     \
  X(word32, uint32_t, uint32_t)                                                                    \
  X(halfword16, uint16_t, uint16_t)                                                                \
  X(byte64, uint64_t, uint8_t)                                                                     \
  X(word64, uint64_t, uint64_t)                                                                    \
  X(in_memory, uint16_t, uint8_t)                                                                  \
  X(in_field, uint32_t, uint8_t)                                                                   \
  X(usb5, uint8_t, uint16_t)                                                                       \
  X(kermit, uint16_t, uint8_t)                                                                     \
  X(moving_mask, uint16_t, uint8_t)                                                                \
  X(both_left, uint32_t, uint32_t)                                                                 \
  X(scrambler, uint32_t, uint8_t)                                                                  \
  X(two_bytes, uint8_t, uint16_t)                                                                  \
  X(from_port, uint16_t, uint8_t)                                                                  \
  X(two_around, uint32_t, uint8_t)                                                                 \
  X(kept_above, uint32_t, uint8_t)                                                                 \
  X(all_above, uint64_t, uint8_t)                                                                  \
  X(known_start, uint32_t, uint8_t)                                                                \
  X(entered_whole, uint8_t, uint8_t)

#define KEPT(X)                                                                                    \
  X(times_two, uint8_t, uint8_t)                                                                   \
  X(any_polynomial, uint16_t, uint16_t)                                                            \
  X(product, uint8_t, uint8_t)                                                                     \
  X(bits, uint32_t, uint32_t)                                                                      \
  X(reversed, uint8_t, uint8_t)                                                                    \
  X(reversed_by_tests, uint8_t, uint8_t)                                                           \
  X(turned_once, uint8_t, uint8_t)                                                                 \
  X(some_steps, uint16_t, uint8_t)                                                                 \
  X(leaves_early, uint16_t, uint8_t)                                                               \
  X(mixes_all, uint32_t, uint32_t)                                                                 \
  X(above_twice, uint64_t, uint8_t)
