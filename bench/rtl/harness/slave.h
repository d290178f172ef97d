// slave.h - an AXI4 slave with stated latencies, stepped once for each rising edge
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It takes every address and every beat at once, and answers in order: a read `latency` cycles
// behind its address, then a beat a cycle; a write `latency` cycles behind its last beat. What is
// far has an order of its own, but for what has one ID, and gives way to what is near. Latency 1 is
// the next cycle. Memory, far memory and device have figures of their own. Atomic operations (AXI5
// ATOP) and exclusive accesses are done here, as CVA6 leaves them to the memory.
#ifndef MEMLIFT_RTL_SLAVE_H
#define MEMLIFT_RTL_SLAVE_H

#include "bus.h"
#include "memory.h"

#include <deque>

namespace rtl {

struct Latency {
  unsigned read = 1, write = 1;
};

class Slave {
public:
  Slave(Memory &memory, Latency ofMemory, Latency ofFar, Latency ofDevice)
      : memory(memory), ofMemory(ofMemory), ofFar(ofFar), ofDevice(ofDevice) {}
  /// Takes the signals that the core drove when edge number `cycle` came, and returns those that it
  /// sees from then on.
  const Response &step(const Request &request, uint64_t cycle);

private:
  struct Beat {
    uint64_t due, data;
    uint8_t id, resp;
    bool last; // always of answers to writes
    uint64_t number;
  };
  /// Answers on the way: those of what is near, and those of what is far.
  struct Queue {
    std::deque<Beat> lanes[2];
    unsigned shown = 0;  // lane of the one that the core sees
    bool within = false; // a burst of that lane has begun

    const Beat *show(uint64_t cycle);
    void taken();
  };
  Memory &memory;
  Latency ofMemory, ofFar, ofDevice;
  std::deque<Address> addresses; // of writes whose data is still to come
  std::deque<WriteData> data;
  Queue beats, answers;
  uint64_t numbers = 0;
  unsigned beat = 0;   // of the oldest write
  bool allowed = true; // that write: not a failed exclusive one
  bool reserved = false;
  uint64_t reservation = 0;
  Response out;

  const Latency &latencyOf(uint64_t addr) const {
    return Memory::isDevice(addr) ? ofDevice : laneOf(addr) ? ofFar : ofMemory;
  }
  static unsigned laneOf(uint64_t addr) { return addr >= FarBase; }
  void read(const Address &a, uint64_t cycle);
  void write(uint64_t cycle);
  void atomic(const Address &a, const WriteData &w, uint64_t cycle);
};

} // namespace rtl

#endif
