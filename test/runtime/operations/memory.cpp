// memory.cpp - the records of the operations that write memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operations.h"

namespace operations {
namespace {

using Bytewise = std::function<unsigned char(size_t)>;

constexpr uint64_t Low = 0xf1e2d3c4b5a69788u, High = 0x0123456789abcdefu;

// Byte j of the destination is byte(j).
Memory::Run stores(Bytewise byte) {
  return [byte](unsigned char *d, const unsigned char *, size_t n) {
    for (size_t j = 0; j < n; ++j)
      d[j] = byte(j);
    return uint64_t(0);
  };
}

template <typename Fill>
Memory fill(std::string symbol, std::string name, size_t period, Fill run, Bytewise byte) {
  return {symbol,
          name,
          false,
          false,
          period,
          [run](unsigned char *d, const unsigned char *, size_t n) {
            run(d, n);
            return uint64_t(0);
          },
          stores(byte)};
}

// A value as the machine holds it.
template <typename Value> Memory fillValue(std::string name, void (*run)(void *, Value, size_t)) {
  constexpr Value value = static_cast<Value>(Low);
  unsigned char bytes[sizeof value];
  memcpy(bytes, &value, sizeof value);
  std::vector<unsigned char> kept(bytes, bytes + sizeof value);
  return fill(
      name, name, sizeof value, [run](unsigned char *d, size_t n) { run(d, value, n); },
      [kept](size_t j) { return kept[j % kept.size()]; });
}

// For addresses that are multiples of a unit; the others go to the routine for any.
template <size_t Unit, void (*Run)(void *, uint64_t, size_t)>
void fillAligned(void *d, uint64_t v, size_t n) {
  reinterpret_cast<uintptr_t>(d) % Unit ? memlift_fill64(d, v, n) : Run(d, v, n);
}

template <size_t Unit, void (*Run)(void *, const void *, size_t)>
uint64_t copyAligned(unsigned char *d, const unsigned char *s, size_t n) {
  bool aligned = (reinterpret_cast<uintptr_t>(d) | reinterpret_cast<uintptr_t>(s)) % Unit == 0;
  aligned ? Run(d, s, n) : memlift_copy(d, s, n);
  return 0;
}

void addFills(std::vector<Memory> &list) {
  list.push_back(fillValue<uint64_t>("fill64_a8", fillAligned<8, memlift_fill64_a8>));
  list.push_back(fillValue<uint64_t>("fill64_a64", fillAligned<64, memlift_fill64_a64>));
  list.push_back(fillValue<uint8_t>("fill8", memlift_fill8));
  list.push_back(fillValue<uint16_t>("fill16", memlift_fill16));
  list.push_back(fillValue<uint32_t>("fill32", memlift_fill32));
  list.push_back(fillValue<uint64_t>("fill64", memlift_fill64));
  list.push_back(fill(
      "fill8", "fill8_zero", 1, [](unsigned char *d, size_t n) { memlift_fill8(d, 0, n); },
      [](size_t) { return static_cast<unsigned char>(0); }));
  for (size_t period = 1; period <= 8; ++period)
    list.push_back(fill(
        "fill_pattern", "fill_pattern_" + std::to_string(period), period,
        [=](unsigned char *d, size_t n) { memlift_fill_pattern(d, Low, period, n); },
        [=](size_t j) { return patternByte(Low, period, j); }));
  for (size_t period = 1; period <= 16; ++period)
    list.push_back(fill(
        "fill_pattern16", "fill_pattern16_" + std::to_string(period), period,
        [=](unsigned char *d, size_t n) { memlift_fill_pattern16(d, Low, High, period, n); },
        [=](size_t j) { return patternByte16(Low, High, period, j); }));
}

uint64_t plainCopy(unsigned char *d, const unsigned char *s, size_t n) {
  Bytes third(s, s + n);
  for (size_t j = 0; j < n; ++j)
    d[j] = third[j];
  return 0;
}

// Reads bytes again that it has written; a step of 0 is taken as 1.
uint64_t plainForward(unsigned char *d, const unsigned char *s, size_t step, size_t n) {
  for (size_t at = 0, part = 0; at < n; at += part) {
    part = std::min(step ? step : 1, n - at);
    plainCopy(d + at, s + at, part);
  }
  return 0;
}

template <size_t Word> uint64_t plainSwap(unsigned char *d, const unsigned char *s, size_t n) {
  Bytes third(s, s + n);
  for (size_t j = 0; j < n / Word * Word; ++j)
    d[j] = third[j / Word * Word + Word - 1 - j % Word];
  return 0;
}

template <unsigned Word> uint64_t plainReverse(unsigned char *d, const unsigned char *s, size_t n) {
  size_t whole = n / Word * Word;
  for (size_t j = 0; j < whole; ++j)
    d[j] = s[whole - Word - j / Word * Word + j % Word];
  return 0;
}

template <void (*Run)(void *, const void *, size_t)>
uint64_t nothing(unsigned char *d, const unsigned char *s, size_t n) {
  Run(d, s, n);
  return 0;
}

uint64_t copy(unsigned char *d, const unsigned char *s, size_t n) {
  memlift_copy(d, s, n);
  return 0;
}

void addCopies(std::vector<Memory> &list) {
  list.push_back({"copy", "copy", true, false, 1, copy, plainCopy});
  list.push_back(
      {"copy_a8", "copy_a8", true, false, 1, copyAligned<8, memlift_copy_a8>, plainCopy});
  list.push_back(
      {"copy_a64", "copy_a64", true, false, 1, copyAligned<64, memlift_copy_a64>, plainCopy});
  list.push_back({"move", "move", true, true, 1, nothing<memlift_move>, plainCopy});
  for (size_t step : {size_t(0), size_t(1), size_t(2), size_t(3), size_t(8), size_t(16), size_t(24),
                      size_t(300), SIZE_MAX})
    list.push_back({"copy_forward", "copy_forward_" + std::to_string(step), true, true, 1,
                    [=](unsigned char *d, const unsigned char *s, size_t n) {
                      memlift_copy_forward(d, s, step, n);
                      return uint64_t(0);
                    },
                    [=](unsigned char *d, const unsigned char *s, size_t n) {
                      return plainForward(d, s, step, n);
                    }});
  list.push_back(
      {"copy_swap16", "copy_swap16", true, true, 2, nothing<memlift_copy_swap16>, plainSwap<2>});
  list.push_back(
      {"copy_swap32", "copy_swap32", true, true, 4, nothing<memlift_copy_swap32>, plainSwap<4>});
  list.push_back(
      {"copy_swap64", "copy_swap64", true, true, 8, nothing<memlift_copy_swap64>, plainSwap<8>});
  list.push_back({"copy_reverse8", "copy_reverse8", true, false, 1, nothing<memlift_copy_reverse8>,
                  plainReverse<1>});
  list.push_back({"copy_reverse16", "copy_reverse16", true, false, 2,
                  nothing<memlift_copy_reverse16>, plainReverse<2>});
  list.push_back({"copy_reverse32", "copy_reverse32", true, false, 4,
                  nothing<memlift_copy_reverse32>, plainReverse<4>});
  list.push_back({"copy_reverse64", "copy_reverse64", true, false, 8,
                  nothing<memlift_copy_reverse64>, plainReverse<8>});
  list.push_back({"copy_sum_u16", "copy_sum_u16", true, false, 1,
                  [](unsigned char *d, const unsigned char *s, size_t n) {
                    return memlift_copy_sum_u16(d, s, n);
                  },
                  [](unsigned char *d, const unsigned char *s, size_t n) {
                    plainCopy(d, s, n);
                    return plainSum<uint16_t>(d, n);
                  }});
  for (uint32_t start : {0u, 1u, 0xffffu, 0x12345678u, 0xffffffffu})
    list.push_back({"copy_inet_sum", "copy_inet_sum_" + std::to_string(start), true, false, 1,
                    [=](unsigned char *d, const unsigned char *s, size_t n) {
                      return uint64_t(memlift_copy_inet_sum(d, s, n, start));
                    },
                    [=](unsigned char *d, const unsigned char *s, size_t n) {
                      plainCopy(d, s, n);
                      return uint64_t(plainInet(d, n, start));
                    }});
}

// Rows in n bytes: as many as their pitch leaves room for. `gap` bytes lie between them; going
// down, the first row is the last in memory.
struct Rows {
  size_t width, gap;
  bool down;
  ptrdiff_t pitch() const {
    ptrdiff_t up = static_cast<ptrdiff_t>(width + gap);
    return down ? -up : up;
  }
  size_t count(size_t n) const { return n / (width + gap); }
  size_t first(size_t n) const { return down && count(n) ? (count(n) - 1) * (width + gap) : 0; }
  std::string name() const {
    return std::to_string(width) + "_" + std::to_string(gap) + (down ? "_down" : "");
  }
};

void addRows(std::vector<Memory> &list, const Rows &r) {
  list.push_back({"fill_2d", "fill_2d_" + r.name(), false, false, r.width + r.gap,
                  [=](unsigned char *d, const unsigned char *, size_t n) {
                    memlift_fill_2d(d + r.first(n), r.pitch(), Low, 3, r.width, r.count(n));
                    return uint64_t(0);
                  },
                  [=](unsigned char *d, const unsigned char *, size_t n) {
                    for (size_t y = 0; y < r.count(n); ++y)
                      for (size_t x = 0; x < r.width; ++x)
                        d[y * (r.width + r.gap) + x] = patternByte(Low, 3, x);
                    return uint64_t(0);
                  }});
  auto copies = [=](auto run) {
    return [=](unsigned char *d, const unsigned char *s, size_t n) {
      run(d + r.first(n), r.pitch(), s + r.first(n), r.pitch(), r.width, r.count(n));
      return uint64_t(0);
    };
  };
  auto plain = [=](unsigned char *d, const unsigned char *s, size_t n) {
    for (size_t y = 0; y < r.count(n); ++y)
      plainCopy(d + y * (r.width + r.gap), s + y * (r.width + r.gap), r.width);
    return uint64_t(0);
  };
  const size_t pitch = r.width + r.gap;
  list.push_back(
      {"copy_2d", "copy_2d_" + r.name(), true, false, pitch, copies(memlift_copy_2d), plain});
  list.push_back(
      {"move_2d", "move_2d_" + r.name(), true, false, pitch, copies(memlift_move_2d), plain});
}

} // namespace

const std::vector<Memory> &memories() {
  static const std::vector<Memory> all = [] {
    std::vector<Memory> list;
    addFills(list);
    addCopies(list);
    for (const Rows &rows : {Rows{37, 0, false}, Rows{64, 0, false}, Rows{61, 3, false},
                             Rows{200, 56, true}, Rows{1, 1, false}})
      addRows(list, rows);
    return list;
  }();
  return all;
}

} // namespace operations
