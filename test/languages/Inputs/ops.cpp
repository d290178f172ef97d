// ops.cpp - the five loops in C++, over spans of the standard library
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

extern "C" {

void lang_copy(uint8_t *__restrict to, const uint8_t *__restrict from, ptrdiff_t size) {
  std::span<const uint8_t> source(from, size);
  for (size_t i = 0; i < source.size(); i++)
    to[i] = source[i];
}

void lang_fill(uint8_t *to, ptrdiff_t size) {
  for (uint8_t &byte : std::span<uint8_t>(to, size))
    byte = 7;
}

uint32_t lang_sum(const uint32_t *from, ptrdiff_t count) {
  return std::accumulate(from, from + count, uint32_t(0));
}

uint64_t lang_inet(const uint16_t *from, ptrdiff_t count) {
  uint64_t sum = 0;
  for (uint16_t word : std::span<const uint16_t>(from, count))
    sum += word;
  return sum;
}

uint32_t lang_crc(const uint8_t *from, ptrdiff_t size) {
  uint32_t crc = 0xffffffff;
  for (uint8_t byte : std::span<const uint8_t>(from, size)) {
    crc ^= byte;
    for (int bit = 0; bit < 8; bit++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return ~crc;
}

} // extern "C"
