// memory.h - what lies behind the bus: RAM, boot code, and the device of the tests
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   0x10000000  64 bytes: where Rocket's boot ROM jumps to; from here on to the program
//   0x40000000  the device, a page of registers, see target/io.h; no core caches it
//   0x40010000  the DMA engine, see pdma.h; of Rocket
//   0x40100000  the network interface, see interface.h; so far, accesses are strongly ordered
//   0x40200000  its window: CVA6 may reorder and repeat accesses; Rocket does not
//   0x40300000  its gathering window: likewise
//   0x80000000  RAM, 16 MiB; cached. From 0x80800000 on it may be farther away than below
#ifndef MEMLIFT_RTL_MEMORY_H
#define MEMLIFT_RTL_MEMORY_H

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace rtl {

constexpr uint64_t BootBase = 0x10000000, DeviceBase = 0x40000000, RamBase = 0x80000000;
constexpr uint64_t FarBase = 0x80800000;
constexpr uint64_t BootBytes = 64, DeviceBytes = 0x400000, RamBytes = 16 << 20;

/// Accesses of a program to the device, as they happen. Addresses are those of aligned words
/// of 64 bits; `strobe` has a bit for each byte that is written; `cycle` is the one in which
/// the bus hands it over.
struct Device {
  std::function<uint64_t(uint64_t addr, uint64_t cycle)> read;
  std::function<void(uint64_t addr, uint64_t data, uint8_t strobe, uint64_t cycle)> write;
};

class Memory {
public:
  explicit Memory(Device device) : device(std::move(device)), ram(RamBytes), boot(BootBytes) {}

  static bool isDevice(uint64_t addr) { return addr - DeviceBase < DeviceBytes; }
  bool has(uint64_t addr) const { return isDevice(addr) || at(addr); }
  /// The word around `addr`, which must be there.
  uint64_t read(uint64_t addr, uint64_t cycle);
  void write(uint64_t addr, uint64_t data, uint8_t strobe, uint64_t cycle);
  /// Loads an ELF64 program for RISC-V: its entry, or 0 and the reason in `error`.
  uint64_t load(const std::string &path, std::string &error);

private:
  Device device;
  std::vector<uint8_t> ram, boot;
  const uint8_t *at(uint64_t addr) const;
  uint8_t *at(uint64_t addr) { return const_cast<uint8_t *>(std::as_const(*this).at(addr)); }
  bool segment(const std::vector<uint8_t> &file, uint64_t header);
};

} // namespace rtl

#endif
