// pdma.h - a DMA engine with the registers of SiFive's PDMA, on one or two ports
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers: runtime/engine/pdma/pdma_spec.h, four channels, a page each. A channel has `Lines`
// lines of 64 bytes under way at once: it reads each by a burst, and writes it by another when all
// of it is there. Channels take turns. The engine itself adds a cycle from the store that runs a
// channel to its first address, and one from the last answer to DONE; the rest is what the ports
// take. Repetition, order and interrupts are left out, and configuration is not looked at.
//
// The front port is one of the core: it sees the cache. Rocket's, as the wheel has it, lets two
// transactions be under way, as it keeps their order in two classes of IDs. With a port of its own
// to far memory the engine goes there directly, beside the core's buses, and does not see what the
// cache has of it.
#ifndef MEMLIFT_RTL_PDMA_H
#define MEMLIFT_RTL_PDMA_H

#include "bus.h"

#include <array>
#include <deque>
#include <vector>

namespace rtl {

class Pdma {
public:
  static constexpr uint64_t Channels = 4, Stride = 0x1000;
  /// Aligned words of 64 bits, from the first register of channel 0 on.
  uint64_t read(uint64_t offset) const;
  void write(uint64_t offset, uint64_t data, uint8_t strobe);
  enum : unsigned { Front, Far, Ports };
  explicit Pdma(bool farIsDirect) : farIsDirect(farIsDirect) {}
  /// Returns the request that the engine drives at a port.
  const Request &asked(unsigned port) const { return out[port]; }
  /// An edge: `answers` hold at it, of each port, and what the engine drives changes.
  void step(const FrontResponse *answers);

private:
  static constexpr unsigned Lines = 8, LineBytes = 64;
  struct Line {
    bool busy = false;
    uint64_t from = 0, to = 0;
    unsigned bytes = 0;
    std::vector<uint8_t> data;
  };
  struct Channel {
    uint32_t control = 0, config = 0;
    uint64_t next[3] = {}, exec[3] = {}; // bytes, destination, source
    uint64_t total = 0, asked = 0;       // bytes; those whose lines have begun
    std::array<Line, Lines> lines;
  };
  struct Port {
    std::deque<unsigned> full; // lines to write, by their IDs
    unsigned beat = 0;
    bool addressTaken = false, writing = false;
  };
  const bool farIsDirect;
  std::array<Channel, Channels> channels;
  std::array<Port, Ports> ports;
  Request out[Ports];
  unsigned turn = 0;

  Line &lineOf(unsigned id) { return channels[id / Lines].lines[id % Lines]; }
  unsigned portOf(uint64_t addr) const;
  void take(unsigned port, const FrontResponse &answer);
  void askForALine();
  void writeALine(unsigned port);
  void end(Channel &c);
};

} // namespace rtl

#endif
