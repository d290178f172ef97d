// node.h - a core with its memory, its device and its network interface
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_RTL_NODE_H
#define MEMLIFT_RTL_NODE_H

#include "core.h"
#include "interface.h"
#include "pdma.h"
#include "slave.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace rtl {

struct Timing {
  Latency memory, far, device; // cycles
  bool farIsDirect = false;    // for the DMA engine
  unsigned link = 0;           // between two network interfaces, cycles
};

class Node {
public:
  /// `log` may be null: it is told of each access of the device.
  Node(unsigned number, const Timing &timing, FILE *log);
  Node(const Node &) = delete;
  bool load(const std::string &program, std::string &error);
  void connect(Node &other) { interface.connect(other.interface); }
  void reset();
  /// One cycle: the slaves see what the core asked before the edge.
  void cycle(uint64_t number);
  bool done() const { return exited; }
  int status() const { return exitStatus; }

private:
  static constexpr uint64_t Exit = 0, Put = 8, Number = 16;
  static constexpr uint64_t Registers = 0x1000, RegisterBytes = 0x1000;
  static constexpr uint64_t Engine = 0x10000, EngineBytes = Pdma::Channels * Pdma::Stride;
  // Where the interface is, from DeviceBase on; see interface.h.
  static constexpr uint64_t Pages = 0x100000, Window = 0x200000, Gathering = 0x300000;
  unsigned number;
  FILE *log;
  bool exited = false;
  int exitStatus = 0;
  std::vector<uint64_t> registers = std::vector<uint64_t>(RegisterBytes / 8);
  Interface interface;
  Pdma engine;
  Memory memory;
  std::unique_ptr<Core> core;
  std::vector<Slave> slaves;
  Slave farSlave; // for the engine alone
  FrontResponse toEngine[Pdma::Ports];

  uint64_t read(uint64_t addr, uint64_t cycle);
  void write(uint64_t addr, uint64_t data, uint8_t strobe, uint64_t cycle);
  void note(const char *what, uint64_t addr, uint64_t data, uint8_t strobe, uint64_t cycle);
};

} // namespace rtl

#endif
