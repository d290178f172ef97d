/* board.h - the boards: where the serial port is, and which engine there is
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One of BOARD_SIFIVE_U, BOARD_ICICLE, BOARD_ZCU102 is defined. Sources: the manuals of the chips,
 * and QEMU's machines sifive_u, microchip-icicle-kit and xlnx-zcu102.
 */
#ifndef FIRMWARE_BOARD_H
#define FIRMWARE_BOARD_H

#include <stdint.h>

static inline volatile uint32_t *board_register(uintptr_t address) {
  return (volatile uint32_t *)address;
}

#if defined(BOARD_SIFIVE_U)
#define BOARD_NAME "sifive_u"
#define BOARD_ENGINE "pdma"
static inline void board_start_serial(void) { *board_register(0x10010008) = 1; }
static inline void board_put(char c) {
  while (*board_register(0x10010000) >> 31) {
  }
  *board_register(0x10010000) = (unsigned char)c;
}
#elif defined(BOARD_ICICLE)
#define BOARD_NAME "microchip-icicle-kit"
#define BOARD_ENGINE "pdma"
static inline void board_start_serial(void) {}
static inline void board_put(char c) {
  while (!(*board_register(0x20000014) & 0x20)) {
  }
  *board_register(0x20000000) = (unsigned char)c;
}
#elif defined(BOARD_ZCU102)
#define BOARD_NAME "xlnx-zcu102"
#define BOARD_ENGINE "zdma"
static inline void board_start_serial(void) { *board_register(0xff000000) = 0x14; }
static inline void board_put(char c) {
  while (*board_register(0xff00002c) & 0x10) {
  }
  *board_register(0xff000030) = (unsigned char)c;
}
#else
#error "no such board"
#endif

#endif
