// bus.h - AXI4 as plain data: what a core asks in a cycle, and what it is answered
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names are those of the AXI4 specification (ARM IHI 0022), 64 bits of data; atop is AXI5's.
#ifndef MEMLIFT_RTL_BUS_H
#define MEMLIFT_RTL_BUS_H

#include <cstdint>

namespace rtl {

/// AW or AR.
struct Address {
  bool valid = false;
  uint8_t id = 0, len = 0, size = 0, burst = 0, atop = 0;
  bool lock = false;
  uint64_t addr = 0;
};

struct WriteData {
  bool valid = false, last = false;
  uint64_t data = 0;
  uint8_t strobe = 0;
};

/// Signals that a core drives.
struct Request {
  Address aw, ar;
  WriteData w;
  bool bReady = false, rReady = false;
};

constexpr uint8_t Okay = 0, ExclusiveOkay = 1, DecodeError = 3; // xRESP

/// Signals that a slave drives. It always takes addresses and data.
struct Response {
  bool bValid = false, rValid = false, rLast = false;
  uint8_t bId = 0, bResp = Okay, rId = 0, rResp = Okay;
  uint64_t rData = 0;
};

/// Signals of a slave that may not take them at once.
struct FrontResponse : Response {
  bool awReady = false, wReady = false, arReady = false;
};

} // namespace rtl

#endif
