// memory.cpp - RAM, and programs in it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory.h"

#include <cstring>
#include <fstream>
#include <iterator>

namespace rtl {

/// The aligned word around `addr`, or null where there is no memory.
const uint8_t *Memory::at(uint64_t addr) const {
  addr &= ~uint64_t(7);
  if (addr - RamBase < RamBytes)
    return &ram[addr - RamBase];
  if (addr - BootBase < BootBytes)
    return &boot[addr - BootBase];
  return nullptr;
}

uint64_t Memory::read(uint64_t addr, uint64_t cycle) {
  if (isDevice(addr))
    return device.read(addr & ~uint64_t(7), cycle);
  uint64_t data = 0;
  std::memcpy(&data, at(addr), 8);
  return data;
}

void Memory::write(uint64_t addr, uint64_t data, uint8_t strobe, uint64_t cycle) {
  if (isDevice(addr))
    return device.write(addr & ~uint64_t(7), data, strobe, cycle);
  uint8_t *word = at(addr);
  for (unsigned i = 0; i < 8; ++i)
    if (strobe >> i & 1)
      word[i] = uint8_t(data >> (8 * i));
}

/// A little-endian number of the file; what is not there is 0.
static uint64_t number(const std::vector<uint8_t> &file, uint64_t at, unsigned bytes) {
  uint64_t v = 0;
  for (unsigned i = 0; i < bytes && at + i < file.size(); ++i)
    v |= uint64_t(file[at + i]) << (8 * i);
  return v;
}

/// Copies what one program header describes; the rest of its memory is zero already.
bool Memory::segment(const std::vector<uint8_t> &file, uint64_t header) {
  constexpr unsigned PtLoad = 1;
  if (number(file, header, 4) != PtLoad)
    return true;
  uint64_t offset = number(file, header + 8, 8), address = number(file, header + 24, 8);
  uint64_t inFile = number(file, header + 32, 8), inMemory = number(file, header + 40, 8);
  if (address < RamBase || inMemory > RamBytes || address - RamBase > RamBytes - inMemory ||
      inFile > inMemory || offset > file.size() || inFile > file.size() - offset)
    return false;
  std::copy_n(file.begin() + long(offset), inFile, ram.begin() + long(address - RamBase));
  return true;
}

uint64_t Memory::load(const std::string &path, std::string &error) {
  std::ifstream stream(path, std::ios::binary);
  std::vector<uint8_t> file((std::istreambuf_iterator<char>(stream)), {});
  constexpr unsigned RiscV = 243;
  if (!stream || file.size() < 64 || std::memcmp(file.data(), "\177ELF\2\1", 6) ||
      number(file, 18, 2) != RiscV) {
    error = path + " is no little-endian ELF64 program for RISC-V";
    return 0;
  }
  uint64_t headers = number(file, 32, 8), each = number(file, 54, 2);
  for (uint64_t i = 0; i < number(file, 56, 2); ++i)
    if (!segment(file, headers + i * each)) {
      error = path + ": a segment lies outside the RAM, or is cut off";
      return 0;
    }
  // li t0, 1; slli t0, t0, 31; jr t0: to RamBase.
  const uint32_t jump[] = {0x00100293, 0x01f29293, 0x00028067};
  std::memcpy(boot.data(), jump, sizeof jump);
  uint64_t entry = number(file, 24, 8);
  if (entry != RamBase)
    error = path + " does not begin at the first byte of the RAM";
  return error.empty() ? entry : 0;
}

} // namespace rtl
