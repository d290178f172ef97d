// numbers.cpp - the records of the operations that make a number
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operations.h"

#include <algorithm>
#include <array>
#include <deque>

namespace operations {
namespace {

constexpr uint64_t Two32 = uint64_t(1) << 32;

using Reads = uint64_t (*)(const void *, size_t);
using PlainReads = uint64_t (*)(const unsigned char *, size_t);

Call withoutStart(PlainReads run) {
  return [run](const unsigned char *p, size_t n, uint64_t) { return run(p, n); };
}

Call withoutStart(Reads run) {
  return [run](const unsigned char *p, size_t n, uint64_t) { return run(p, n); };
}

Number sum(const char *name, size_t word, Reads run, PlainReads plain, Join join = Join::Add) {
  return {name, name, word, join, {0}, withoutStart(run), withoutStart(plain), nullptr};
}

Number weighted(const char *name, size_t word, Reads run, PlainReads plain, Reads unweighted) {
  return {name,
          name,
          word,
          Join::Weighted,
          {0},
          withoutStart(run),
          withoutStart(plain),
          withoutStart(unweighted)};
}

// In the high half, so that adding the parts is done modulo 2^32.
uint64_t lowSum(const void *p, size_t n) { return uint64_t(memlift_sum_low_u32(p, n)) << 32; }
uint64_t plainLowSum(const unsigned char *p, size_t n) { return plainSum<uint32_t>(p, n) << 32; }

void addSums(std::vector<Number> &list) {
  list.insert(list.end(),
              {sum("sum_u8", 1, memlift_sum_u8, plainSum<uint8_t>),
               sum("sum_s8", 1, memlift_sum_s8, plainSum<int8_t>),
               sum("sum_u16", 2, memlift_sum_u16, plainSum<uint16_t>),
               sum("sum_s16", 2, memlift_sum_s16, plainSum<int16_t>),
               sum("sum_u32", 4, memlift_sum_u32, plainSum<uint32_t>),
               sum("sum_low_u32", 4, lowSum, plainLowSum),
               sum("sum_s32", 4, memlift_sum_s32, plainSum<int32_t>),
               sum("sum_u64", 8, memlift_sum_u64, plainSum<uint64_t>),
               sum("sum_swap_u16", 2, memlift_sum_swap_u16, plainSum<uint16_t, true>),
               sum("sum_swap_s16", 2, memlift_sum_swap_s16, plainSum<int16_t, true>),
               sum("sum_swap_u32", 4, memlift_sum_swap_u32, plainSum<uint32_t, true>),
               sum("sum_swap_s32", 4, memlift_sum_swap_s32, plainSum<int32_t, true>),
               sum("sum_swap_u64", 8, memlift_sum_swap_u64, plainSum<uint64_t, true>),
               weighted("wsum_u8", 1, memlift_wsum_u8, plainWeighted<uint8_t>, memlift_sum_u8),
               weighted("wsum_s8", 1, memlift_wsum_s8, plainWeighted<int8_t>, memlift_sum_s8),
               weighted("wsum_u16", 2, memlift_wsum_u16, plainWeighted<uint16_t>, memlift_sum_u16),
               weighted("wsum_u32", 4, memlift_wsum_u32, plainWeighted<uint32_t>, memlift_sum_u32),
               weighted("wsum_u64", 8, memlift_wsum_u64, plainWeighted<uint64_t>, memlift_sum_u64),
               sum("xor_u8", 1, memlift_xor_u8, plainXor<uint8_t>, Join::Xor),
               sum("xor_u16", 2, memlift_xor_u16, plainXor<uint16_t>, Join::Xor),
               sum("xor_u32", 4, memlift_xor_u32, plainXor<uint32_t>, Join::Xor),
               sum("xor_u64", 8, memlift_xor_u64, plainXor<uint64_t>, Join::Xor)});
}

using Modular = uint64_t (*)(const void *, size_t, uint64_t, uint64_t, uint32_t);

// Adler-32, Fletcher-16 and -32 as a remainder and as a fold, both ends of the moduli, and every
// way to go about it.
void addModsum(std::vector<Number> &list, const char *name, size_t word, Modular run,
               Modular plain) {
  constexpr struct {
    uint64_t m;
    uint32_t how;
  } ways[] = {{65521, 0},
              {255, 0},
              {255, MEMLIFT_MODSUM_FOLD},
              {65535, MEMLIFT_MODSUM_FOLD | MEMLIFT_MODSUM_BEFORE},
              {65521, MEMLIFT_MODSUM_FIRST},
              {0xffffffff, MEMLIFT_MODSUM_FOLD | MEMLIFT_MODSUM_FIRST},
              {2, MEMLIFT_MODSUM_BEFORE},
              {0xfffffffb, 0},
              {Two32, 0}};
  for (const auto &way : ways) {
    uint64_t m = way.m;
    uint32_t how = way.how;
    auto bind = [m, how](Modular f) {
      return [=](const unsigned char *p, size_t n, uint64_t s) { return f(p, n, s, m, how); };
    };
    std::string full =
        std::string(name) + "_mod" + std::to_string(m) + "_how" + std::to_string(how);
    list.push_back({name,
                    full,
                    word,
                    Join::Continue,
                    {0, 1, 254 | 255 * Two32, 65535 | 65535 * Two32, ~uint64_t(0)},
                    bind(run),
                    bind(plain),
                    nullptr});
  }
}

void addModsums(std::vector<Number> &list) {
  addModsum(list, "modsum_u8", 1, memlift_modsum_u8, plainModsum<uint8_t>);
  addModsum(list, "modsum_u16", 2, memlift_modsum_u16, plainModsum<uint16_t>);
  addModsum(list, "modsum_u32", 4, memlift_modsum_u32, plainModsum<uint32_t>);
  addModsum(list, "modsum_swap_u16", 2, memlift_modsum_swap_u16, plainModsum<uint16_t, true>);
  addModsum(list, "modsum_swap_u32", 4, memlift_modsum_swap_u32, plainModsum<uint32_t, true>);
}

using Hash = uint64_t (*)(const void *, size_t, uint64_t, uint64_t);
using PlainHash = uint64_t (*)(const unsigned char *, size_t, uint64_t, uint64_t);

void addHash(std::vector<Number> &list, const char *name, size_t word, Hash run, PlainHash plain) {
  // 127 is the greatest factor that kernels by exact products take.
  for (uint64_t k :
       {uint64_t(0), uint64_t(31), uint64_t(127), uint64_t(128), uint64_t(0x9e3779b97f4a7c15u)})
    list.push_back({name,
                    std::string(name) + "_by" + std::to_string(k),
                    word,
                    Join::Continue,
                    {0, 5381, ~uint64_t(0)},
                    [=](const unsigned char *p, size_t n, uint64_t h) { return run(p, n, h, k); },
                    [=](const unsigned char *p, size_t n, uint64_t h) { return plain(p, n, h, k); },
                    nullptr});
}

void addHashes(std::vector<Number> &list) {
  addHash(list, "polyhash_u8", 1, memlift_polyhash_u8, plainHash<uint8_t>);
  addHash(list, "polyhash_s8", 1, memlift_polyhash_s8, plainHash<int8_t>);
  addHash(list, "polyhash_u16", 2, memlift_polyhash_u16, plainHash<uint16_t>);
  addHash(list, "polyhash_u32", 4, memlift_polyhash_u32, plainHash<uint32_t>);
  addHash(list, "polyhash_u64", 8, memlift_polyhash_u64, plainHash<uint64_t>);
}

void addOnes(std::vector<Number> &list) {
  using P = const unsigned char *;
  list.push_back({"inet_sum",
                  "inet_sum",
                  1,
                  Join::Inet,
                  {0, 1, 0xfffe, 0xffff, 0x10000, 0x12345678, 0xffff0000, 0xffffffff},
                  [](P p, size_t n, uint64_t s) { return memlift_inet_sum(p, n, low32(s)); },
                  [](P p, size_t n, uint64_t s) { return plainInet(p, n, low32(s)); },
                  nullptr});
  list.push_back({"ones_sum_u32",
                  "ones_sum_u32",
                  4,
                  Join::Continue,
                  {0, 1, 0x80000000, 0xfffffffe, 0xffffffff},
                  [](P p, size_t n, uint64_t s) { return memlift_ones_sum_u32(p, n, low32(s)); },
                  [](P p, size_t n, uint64_t s) { return plainOnes<uint32_t>(p, n, low32(s)); },
                  nullptr});
  list.push_back({"ones_sum_u64",
                  "ones_sum_u64",
                  8,
                  Join::Continue,
                  {0, 1, uint64_t(1) << 63, ~uint64_t(1), ~uint64_t(0)},
                  [](P p, size_t n, uint64_t s) { return memlift_ones_sum_u64(p, n, s); },
                  [](P p, size_t n, uint64_t s) { return plainOnes<uint64_t>(p, n, s); },
                  nullptr});
}

// A CRC by the routine that takes the polynomial as an argument.
Number anyCrcOf(const std::string &name, uint32_t width, uint32_t reflected, uint64_t bits) {
  Number op = crcOf(name, width, reflected, bits);
  op.symbol = "crc_any";
  op.call = [=](const unsigned char *p, size_t n, uint64_t s) {
    return memlift_crc_any(s, p, n, bits, width, reflected);
  };
  return op;
}

// A CRC of words whose bytes are taken from the last to the first.
Number wordsCrcOf(const std::string &name, uint32_t width, uint32_t reflected, uint64_t bits,
                  uint32_t word) {
  Number op = crcOf(name, width, reflected, bits);
  op.symbol = "crc_words";
  op.word = word;
  op.call = [=, poly = op.poly](const unsigned char *p, size_t n, uint64_t s) {
    return memlift_crc_words(s, p, n, word, poly);
  };
  op.reference = [=, bytes = op.reference](const unsigned char *p, size_t n, uint64_t s) {
    std::vector<unsigned char> turned(n / word * word);
    for (size_t i = 0; i < turned.size(); ++i)
      turned[i] = p[i ^ (word - 1)];
    return bytes(turned.data(), turned.size(), s);
  };
  return op;
}

// A CRC by a table of the program's.
template <class Entry>
Number tableCrcOf(const std::string &name,
                  uint64_t (*run)(uint64_t, const void *, size_t, const Entry *, uint32_t,
                                  uint32_t),
                  uint32_t width, uint32_t reflected, uint64_t bits) {
  static std::deque<std::array<Entry, 256>> tables;
  Number op = crcOf(name, width, reflected, bits);
  std::array<Entry, 256> &table = tables.emplace_back();
  for (size_t i = 0; i < 256; ++i)
    table[i] = static_cast<Entry>(op.poly->table[0][i]);
  op.symbol = "crc_table_u" + std::to_string(8 * sizeof(Entry));
  op.call = [=, t = table.data()](const unsigned char *p, size_t n, uint64_t s) {
    return run(s, p, n, t, width, reflected);
  };
  return op;
}

// A CRC by eight tables of the program's.
template <class Entry>
Number slicesCrcOf(const std::string &name,
                   uint64_t (*run)(uint64_t, const void *, size_t, const Entry *, uint32_t,
                                   uint32_t),
                   uint32_t reflected, uint64_t bits) {
  constexpr uint32_t slices = 8;
  static std::deque<std::array<Entry, 256 * slices>> tables;
  Number op = crcOf(name, 8 * sizeof(Entry), reflected, bits);
  std::array<Entry, 256 * slices> &table = tables.emplace_back();
  for (size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<Entry>(op.poly->table[i / 256][i % 256]);
  op.symbol = "crc_slices_u" + std::to_string(8 * sizeof(Entry));
  op.word = slices;
  op.call = [=, t = table.data()](const unsigned char *p, size_t n, uint64_t s) {
    return run(s, p, n, t, slices, reflected);
  };
  op.reference = [=, bytes = op.reference](const unsigned char *p, size_t n, uint64_t s) {
    return bytes(p, n / slices * slices, s);
  };
  return op;
}

// A CRC in five lanes: the sum of the registers, of which one starts with other than 0. The
// reference adds the words of a round up, and has 0 for the others.
Number lanesCrcOf(const std::string &name, uint32_t width, uint32_t reflected, uint64_t bits) {
  constexpr uint32_t lanes = 5, round = 8 * lanes;
  Number op = crcOf(name, width, reflected, bits);
  op.symbol = "crc_lanes";
  op.word = round;
  op.call = [poly = op.poly](const unsigned char *p, size_t n, uint64_t s) {
    uint64_t registers[lanes] = {s};
    memlift_crc_lanes(registers, p, n, lanes, poly);
    uint64_t sum = 0;
    for (uint64_t c : registers)
      sum ^= c;
    return sum;
  };
  op.reference = [bytes = op.reference](const unsigned char *p, size_t n, uint64_t s) {
    std::vector<unsigned char> added(n / round * round);
    for (size_t i = 0; i < added.size(); ++i)
      added[i / round * round + i % 8] ^= p[i];
    return bytes(added.data(), added.size(), s);
  };
  return op;
}

// CRCs of well-known libraries, both directions of every width class, and some of no library.
void addCrcs(std::vector<Number> &list) {
  list.push_back(crcOf("crc8_smbus", 8, 0, 0x07));
  list.push_back(crcOf("crc8_maxim", 8, 1, 0x8c));
  list.push_back(crcOf("crc15_can", 15, 0, 0x4599));
  list.push_back(crcOf("crc16_t10dif", 16, 0, 0x8bb7));
  list.push_back(crcOf("crc16_arc", 16, 1, 0xa001));
  list.push_back(crcOf("crc27_nobodys", 27, 0, 0x5a5b3c1));
  list.push_back(crcOf("crc32", 32, 1, 0xedb88320));
  list.push_back(crcOf("crc32c", 32, 1, 0x82f63b78));
  list.push_back(crcOf("crc32_ieee", 32, 0, 0x04c11db7));
  list.push_back(crcOf("crc41_nobodys", 41, 1, 0x1a5b3c1f00d));
  list.push_back(crcOf("crc64_ecma", 64, 0, 0x42f0e1eba9ea3693u));
  list.push_back(crcOf("crc64_xz", 64, 1, 0xc96c5795d7870f42u));
  list.push_back(crcOf("crc64_even", 64, 0, 0x8000000000000000u)); // no constant term
  list.push_back(anyCrcOf("crc_any_27", 27, 0, 0x5a5b3c1));
  list.push_back(anyCrcOf("crc_any_32", 32, 1, 0xedb88320));
  list.push_back(anyCrcOf("crc_any_64_even", 64, 0, 0x8000000000000000u));
  list.push_back(wordsCrcOf("crc_words_16", 16, 0, 0x1021, 2));
  list.push_back(wordsCrcOf("crc_words_32", 32, 0, 0x04c11db7, 4));
  list.push_back(wordsCrcOf("crc_words_64", 64, 1, 0xc96c5795d7870f42u, 8));
  list.push_back(lanesCrcOf("crc_lanes_24", 24, 0, 0x864cfb));
  list.push_back(lanesCrcOf("crc_lanes_32", 32, 1, 0xedb88320));
  list.push_back(lanesCrcOf("crc_lanes_64", 64, 1, 0xc96c5795d7870f42u));
  list.push_back(tableCrcOf("crc_table_8", memlift_crc_table_u8, 8, 0, 0x07));
  list.push_back(tableCrcOf("crc_table_16", memlift_crc_table_u16, 16, 1, 0xa001));
  list.push_back(tableCrcOf("crc_table_24", memlift_crc_table_u32, 24, 0, 0x864cfb));
  list.push_back(tableCrcOf("crc_table_32", memlift_crc_table_u32, 32, 1, 0xedb88320));
  list.push_back(tableCrcOf("crc_table_64", memlift_crc_table_u64, 64, 0, 0x42f0e1eba9ea3693u));
  list.push_back(slicesCrcOf("crc_slices_16", memlift_crc_slices_u16, 0, 0x1021));
  list.push_back(slicesCrcOf("crc_slices_32", memlift_crc_slices_u32, 1, 0xedb88320));
  list.push_back(slicesCrcOf("crc_slices_64", memlift_crc_slices_u64, 0, 0x42f0e1eba9ea3693u));
}

using Search = uint64_t (*)(const void *, size_t, uint32_t);

// The start is what is looked for.
void addSearch(std::vector<Number> &list, const char *name, std::vector<uint64_t> starts,
               Search run, bool (*stops)(unsigned char b, uint32_t what)) {
  list.push_back(
      {name, name, 1, Join::Found, std::move(starts),
       [=](const unsigned char *p, size_t n, uint64_t s) { return run(p, n, low32(s)); },
       [=](const unsigned char *p, size_t n, uint64_t s) {
         return uint64_t(
             std::find_if(p, p + n, [=](unsigned char b) { return stops(b, low32(s)); }) - p);
       },
       nullptr});
}

// The second region has the same bytes, so only a byte ends the comparison.
Number comparison(const char *name, bool ends) {
  auto run = [ends](const unsigned char *p, size_t n, uint64_t s) {
    const Bytes same(p, p + n);
    return ends ? memlift_mismatch_or_u8(p, same.data(), n, uint8_t(s))
                : memlift_mismatch_u8(p, same.data(), n);
  };
  auto plain = [ends](const unsigned char *p, size_t n, uint64_t s) {
    return ends ? uint64_t(std::find(p, p + n, uint8_t(s)) - p) : n;
  };
  return {name, name, 1, Join::Found, {0, 0x80, 0xff}, run, plain, nullptr};
}

uint8_t low8(uint32_t x) { return static_cast<uint8_t>(x); }

// Searches, each from the byte on that its start is; search_test.cpp has the ends of pages.
void addSearches(std::vector<Number> &list) {
  using P = const void *;
  addSearch(
      list, "find_u8", {0, 1, 0x7f, 0x80, 0xff},
      [](P p, size_t n, uint32_t c) { return memlift_find_u8(p, n, low8(c)); },
      [](unsigned char b, uint32_t c) { return b == c; });
  addSearch(
      list, "find_not_u8", {0, 0x80, 0xff},
      [](P p, size_t n, uint32_t c) { return memlift_find_not_u8(p, n, low8(c)); },
      [](unsigned char b, uint32_t c) { return b != c; });
  addSearch(list, "find_any_u8", {0, 0x80808080, 0x01ff0080, 0xff0aff0a}, memlift_find_any_u8,
            [](unsigned char b, uint32_t set) {
              return b == low8(set) || b == low8(set >> 8) || b == low8(set >> 16) ||
                     b == set >> 24;
            });
  list.push_back({"count_u8",
                  "count_u8",
                  1,
                  Join::Counted,
                  {0, 1, 0x80, 0xff},
                  [](const unsigned char *p, size_t n, uint64_t s) {
                    return memlift_count_u8(p, n, uint8_t(s));
                  },
                  [](const unsigned char *p, size_t n, uint64_t s) {
                    return uint64_t(std::count(p, p + n, uint8_t(s)));
                  },
                  nullptr});
  list.push_back(comparison("mismatch_u8", false));
  list.push_back(comparison("mismatch_or_u8", true));
  // Reads downwards, so the part that comes first is the last one.
  Number last = list.back();
  last.symbol = last.name = "find_last_u8";
  last.call = [](const unsigned char *p, size_t n, uint64_t s) {
    const Bytes back(std::reverse_iterator(p + n), std::reverse_iterator(p));
    return memlift_find_last_u8(back.data(), n, uint8_t(s));
  };
  list.push_back(last);
}

} // namespace

const std::vector<Number> &numbers() {
  static const std::vector<Number> all = [] {
    std::vector<Number> list;
    addSums(list);
    addModsums(list);
    addHashes(list);
    addOnes(list);
    addCrcs(list);
    addSearches(list);
    for (Number &op : list)
      op.peers = peersOf(op.name);
    return list;
  }();
  return all;
}

Number crcOf(const std::string &name, uint32_t width, uint32_t reflected, uint64_t bits) {
  static std::deque<memlift_crc_poly> polys; // which keeps its elements where they are
  memlift_crc_poly &poly = polys.emplace_back();
  poly.width = width, poly.reflected = reflected, poly.poly = bits;
  memlift_crc_init(&poly);
  width = poly.width;
  const uint64_t mask = ~uint64_t(0) >> (64 - width);
  const memlift_crc_poly *t = &poly;
  return {"crc",
          name,
          1,
          Join::Crc,
          {0, 1, mask, uint64_t(1) << (width - 1), mask / 3},
          [t](const unsigned char *p, size_t n, uint64_t s) { return memlift_crc(s, p, n, t); },
          [t](const unsigned char *p, size_t n, uint64_t s) { return shiftRegister(s, p, n, *t); },
          nullptr,
          t};
}

Partial beginning(const Number &op, uint64_t start) {
  bool asked = op.join == Join::Found || op.join == Join::Counted;
  return asked ? Partial{0, start, 0} : Partial{start};
}

void extend(const Number &op, Partial &before, const unsigned char *p, size_t n) {
  switch (op.join) {
  case Join::Add: before.value += op.call(p, n, 0); break;
  case Join::Weighted:
    before.value += op.call(p, n, 0) + n / op.word * before.plain;
    before.plain += op.plain(p, n, 0);
    break;
  case Join::Xor: before.value ^= op.call(p, n, 0); break;
  case Join::Continue: before.value = op.call(p, n, before.value); break;
  case Join::Inet:
    before.value = memlift_inet_combine(low32(before.value), before.bytes, low32(op.call(p, n, 0)));
    break;
  case Join::Crc:
    before.value =
        memlift_crc_combine(before.value, op.call(p, n, 0), n / op.word * op.word, op.poly);
    break;
  case Join::Counted: before.value += op.call(p, n, before.plain); break;
  case Join::Found:
    if (before.value == before.bytes)
      before.value += op.call(p, n, before.plain);
    break;
  }
  before.bytes += n;
}

} // namespace operations
