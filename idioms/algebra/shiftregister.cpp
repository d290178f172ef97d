// shiftregister.cpp - finds a CRC register in a linear map over GF(2)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// shiftregister.h explains the idea: read the polynomial off one column, then compare
// all others. If the message enters late, the polynomial is the column of the state
// bit that falls out last.
#include "shiftregister.h"
#include "../expr.h"

namespace memlift {

namespace {

/// Runs the register one step without input, or one step back. Going back requires a
/// polynomial whose lowest coefficient is 1, so that the step loses no bit.
uint64_t step(const CrcPoly &crc, uint64_t v, bool back) {
  uint64_t top = uint64_t(1) << (crc.width - 1);
  uint64_t out = crc.reflected != back ? 1 : top, in = out == 1 ? top : 1;
  uint64_t poly = crc.poly;
  if (back) // the bit that enters at this end is the one that fell out at the other
    poly = (crc.reflected ? crc.poly << 1 : crc.poly >> 1) | in;
  bool falls = v & out;
  v = out == 1 ? v >> 1 : v << 1;
  return (falls ? v ^ poly : v) & maskOf(crc.width);
}

/// Returns true if the step of the register can be inverted.
bool runsBack(const CrcPoly &crc) { return crc.poly >> (crc.reflected ? crc.width - 1 : 0) & 1; }

/// Returns false for 0 and for x^width + 1. The latter is an exclusive-or of words of
/// so many bits, or a rotation: it needs no table.
bool isPolynomial(const CrcPoly &crc) {
  uint64_t plus1 = crc.reflected ? uint64_t(1) << (crc.width - 1) : 1;
  return crc.poly && crc.poly != plus1;
}

/// Runs the register `count` steps without input.
uint64_t steps(const CrcPoly &crc, uint64_t v, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    v = step(crc, v, false);
  return v;
}

/// Searches one range of bits for a register, in all orders and directions.
class Search {
public:
  Search(const LinearMap &map, CrcRepresentation &representation)
      : map(map), representation(representation) {}
  /// Finds R in the bits low .. low + bits - 1 of the state.
  bool inRange(unsigned low, unsigned bits);
  bool constantLeft = false; // a constant is all that prevents a match

private:
  const LinearMap &map;
  CrcRepresentation &representation;
  LinearMap reg; // the map of R itself, as far as it is known

  unsigned placeOf(unsigned bit) const;
  uint64_t turn(uint64_t v) const;
  void hold(bool bitsReversed, bool bytesReversed);
  bool takeConstantOut(unsigned low, unsigned bits);
  bool directions();
  bool isStateOf(const CrcPoly &crc, unsigned shift) const;
  bool areBytesOf(const CrcPoly &crc, unsigned shift, unsigned late) const;
  bool findLate(CrcPoly &crc);
};

/// The place in R of a bit of the range.
unsigned Search::placeOf(unsigned bit) const {
  if (representation.bitsReversed)
    return representation.bits - 1 - bit;
  return representation.bytesReversed ? representation.bits - 8 - (bit & ~7u) + (bit & 7) : bit;
}

/// Reorders the bits of the range as they are in R.
uint64_t Search::turn(uint64_t v) const {
  uint64_t r = 0;
  for (unsigned i = 0; i < representation.bits; ++i)
    r |= (v >> i & 1) << placeOf(i);
  return r;
}

/// Restricts the map to the range, in R's own order of bits.
void Search::hold(bool bitsReversed, bool bytesReversed) {
  representation.bitsReversed = bitsReversed;
  representation.bytesReversed = bytesReversed;
  reg.state.assign(representation.bits, 0);
  for (unsigned j = 0; j < representation.bits; ++j)
    reg.state[placeOf(j)] = turn(map.state[representation.low + j] >> representation.low);
  reg.bytes.clear();
  for (uint64_t v : map.bytes)
    reg.bytes.push_back(turn(v >> representation.low));
}

/// Finds a constant K such that state ^ K needs no constant in an iteration. The
/// condition is A K + K = constant, which elimination over GF(2) solves or refutes.
bool Search::takeConstantOut(unsigned low, unsigned bits) {
  uint64_t mask = maskOf(bits), constant = map.constant >> low & mask;
  representation.mixed = 0;
  if (map.constant & ~(mask << low))
    return false;
  if (!constant)
    return true;
  std::vector<uint64_t> rows(bits), right(bits);
  for (unsigned r = 0; r < bits; ++r) {
    // Row r of A + 1: the bits of K that reach bit r.
    rows[r] = uint64_t(1) << r;
    for (unsigned j = 0; j < bits; ++j)
      rows[r] ^= (map.state[low + j] >> (low + r) & 1) << j;
    right[r] = constant >> r & 1;
  }
  unsigned done = 0;
  std::vector<unsigned> pivots;
  for (unsigned j = 0; j < bits && done < bits; ++j) {
    unsigned r = done;
    // Gauss-Jordan elimination; a column without a pivot leaves its bit of K at 0.
    while (r < bits && !(rows[r] >> j & 1))
      ++r;
    if (r == bits)
      continue;
    std::swap(rows[r], rows[done]);
    std::swap(right[r], right[done]);
    for (unsigned o = 0; o < bits; ++o)
      if (o != done && rows[o] >> j & 1) {
        rows[o] ^= rows[done];
        right[o] ^= right[done];
      }
    pivots.push_back(j);
    ++done;
  }
  for (unsigned r = done; r < bits; ++r)
    if (right[r])
      return false;
  for (unsigned r = 0; r < done; ++r)
    representation.mixed |= right[r] << pivots[r];
  return true;
}

/// Compares the columns of the state: bit j, run for the bits of an iteration.
bool Search::isStateOf(const CrcPoly &crc, unsigned shift) const {
  unsigned count = unsigned(reg.bytes.size());
  for (unsigned j = 0; j < representation.bits; ++j)
    if (reg.state[j] << shift != steps(crc, uint64_t(1) << (j + shift), count))
      return false;
  return true;
}

/// Compares the columns of the bytes: each bit of byte k, fed into an empty register,
/// followed by as many zero bytes as come after it in the iteration.
bool Search::areBytesOf(const CrcPoly &crc, unsigned shift, unsigned late) const {
  size_t count = reg.bytes.size() / 8;
  for (size_t k = 0; k < count; ++k)
    for (unsigned i = 0; i < 8; ++i) {
      uint64_t expected = crcStep(crc, 0, uint8_t(1u << i));
      expected = steps(crc, expected, unsigned(8 * (count - 1 - k)));
      if (steps(crc, reg.bytes[8 * k + i] << shift, late) != expected)
        return false;
    }
  return true;
}

/// Matches a message that enters late: the polynomial is a column of the state. The
/// number of steps is found by trial.
bool Search::findLate(CrcPoly &crc) {
  unsigned count = unsigned(reg.bytes.size());
  if (representation.bits < 8 || representation.bits < count)
    return false;
  crc.poly = reg.state[crc.reflected ? count - 1 : representation.bits - count];
  if (!isPolynomial(crc) || !runsBack(crc) || !isStateOf(crc, 0))
    return false;
  for (unsigned late = 1; late <= crc.width; ++late)
    if (areBytesOf(crc, 0, late)) {
      representation.late = late;
      return true;
    }
  return false;
}

/// Tries both directions. The polynomial of a reflected register is the column of the
/// highest bit of the last byte, that of a forward one the column of its lowest bit.
bool Search::directions() {
  for (bool reflected : {true, false}) {
    CrcPoly crc;
    crc.reflected = reflected;
    crc.width = representation.bits < 8 ? 8 : representation.bits;
    unsigned shift = reflected ? 0 : crc.width - representation.bits;
    // The column of the bit that falls out in the last step is the polynomial.
    crc.poly = reg.bytes[reg.bytes.size() - (reflected ? 1 : 8)] << shift;
    representation.late = 0;
    bool plain = isPolynomial(crc) && isStateOf(crc, shift) && areBytesOf(crc, shift, 0);
    if (!plain && !findLate(crc))
      continue;
    representation.shift = shift;
    representation.crc = crc;
    return true;
  }
  return false;
}

/// Tries three orders: bits as they are, bits reversed, and, in registers of an even
/// number of bytes, bytes reversed.
bool Search::inRange(unsigned low, unsigned bits) {
  if (bits < 3) // parity and the like
    return false;
  if (low + bits > map.state.size())
    return false;
  if (!takeConstantOut(low, bits)) {
    constantLeft = true;
    return false;
  }
  representation.low = low;
  representation.bits = bits;
  for (int order = 0; order < 3; ++order) {
    if (order == 2 && bits % 16)
      continue;
    hold(order == 1, order == 2);
    if (directions())
      return true;
  }
  return false;
}

/// Collects the bits that depend on the bytes of this or an earlier iteration, as a
/// fixed point.
uint64_t fedBits(const LinearMap &map) {
  uint64_t r = 0, before = ~uint64_t(0);
  for (uint64_t v : map.bytes)
    r |= v;
  while (r != before) {
    before = r;
    for (size_t j = 0; j < map.state.size(); ++j)
      if (before >> j & 1)
        r |= map.state[j];
  }
  return r;
}

/// Collects the used bits and all bits that they depend on, as a fixed point. Other
/// bits are cut off, so a register may have garbage above it.
uint64_t neededFor(const LinearMap &map, uint64_t used, uint64_t zero) {
  uint64_t r = used & ~zero, before = ~r;
  while (r != before) {
    before = r;
    for (size_t j = 0; j < map.state.size(); ++j)
      if (map.state[j] & before && !(zero >> j & 1))
        r |= uint64_t(1) << j;
  }
  return r;
}

/// Returns true if the bits are neighbours, with their place and number.
bool isRange(uint64_t bits, unsigned &low, unsigned &count) {
  if (!bits)
    return false;
  low = count = 0;
  while (!(bits >> low & 1))
    ++low;
  while (low + count < 64 && bits >> (low + count) & 1)
    ++count;
  return bits == (maskOf(count) << low);
}

/// Returns true if the bits above the register are independent of it and are cleared,
/// or shifted up, in each iteration; no other change of them can be computed
/// afterwards.
bool standsApart(const LinearMap &map, CrcRepresentation &representation) {
  unsigned round = unsigned(map.bytes.size()), low, count;
  bool cleared = true, shifts = isRange(representation.above, low, count) && round < 64;
  for (size_t j = 0; j < map.state.size(); ++j) {
    if (!(representation.above >> j & 1))
      continue;
    cleared &= map.state[j] == 0;
    shifts = shifts && map.state[j] == (uint64_t(1) << j << round & representation.above);
  }
  representation.aboveShifts = !cleared;
  return cleared || shifts;
}

/// Restricts the map to some bits of the state.
LinearMap cut(LinearMap map, uint64_t keep) {
  for (size_t j = 0; j < map.state.size(); ++j)
    map.state[j] &= keep >> j & 1 ? keep : 0;
  for (uint64_t &v : map.bytes)
    v &= keep;
  map.constant &= keep;
  return map;
}

/// Reverses the bytes of each word of `size` bytes in the input.
LinearMap wordsSwapped(LinearMap map, size_t size) {
  std::vector<uint64_t> bytes = map.bytes;
  for (size_t i = 0; i < bytes.size(); ++i)
    map.bytes[i] = bytes[(i / 8 ^ (size - 1)) * 8 + i % 8];
  return map;
}

/// Tries the bits that are needed, then only those that the bytes reach.
bool findIn(const LinearMap &map, uint64_t needed, CrcRepresentation &representation,
            bool &constantLeft) {
  Search search(map, representation);
  unsigned low, bits;
  bool found = false;
  // Bits that no byte reaches may be beside the register without being a part of it.
  for (uint64_t range : {needed, fedBits(map)}) {
    if (found)
      break;
    representation = CrcRepresentation();
    representation.above = needed & ~range;
    found =
        isRange(range, low, bits) && search.inRange(low, bits) && standsApart(map, representation);
  }
  constantLeft = search.constantLeft;
  return found;
}

} // namespace

/// The steps are a linear map; a register late by `late` steps is this map of R, or
/// its inverse.
std::vector<uint64_t> lateColumns(const CrcRepresentation &representation, bool back) {
  std::vector<uint64_t> columns;
  for (unsigned j = 0; j < representation.crc.width; ++j) {
    uint64_t v = uint64_t(1) << j;
    for (unsigned i = 0; i < representation.late; ++i)
      v = step(representation.crc, v, back);
    columns.push_back(v);
  }
  return columns;
}

/// Tries the bits of the state that matter to those of the result.
static bool findFor(const LinearMap &map, uint64_t used, uint64_t zero,
                    CrcRepresentation &representation, bool &constantLeft) {
  uint64_t needed = neededFor(map, used, zero);
  return findIn(cut(map, needed), needed, representation, constantLeft);
}

unsigned findSwappedCrc(const LinearMap &map, uint64_t zero, uint64_t used,
                        CrcRepresentation &representation) {
  bool constantLeft = false;
  used &= maskOf(unsigned(map.state.size()));
  for (unsigned size : {2, 4, 8})
    if (map.bytes.size() % (8 * size) == 0 &&
        findFor(wordsSwapped(map, size), used, zero, representation, constantLeft))
      return size;
  return 0;
}

/// The columns of the input's bits are the same register, each a step further than that of the bit
/// after it. So the polynomial shows where a step loses a bit: it is what two neighbours differ by,
/// apart from the shift. All columns are compared afterwards, as in Search.
bool findCrcLane(const LinearMap &map, uint64_t zero, unsigned round, CrcPoly &crc) {
  constexpr unsigned widest = 32;
  const std::vector<uint64_t> &in = map.bytes;
  uint64_t fed = 0;
  for (uint64_t column : in)
    fed |= column;
  unsigned width = 0;
  while (width < 64 && fed >> width)
    ++width;
  if (width < 8 || width > widest || width > map.state.size() || map.constant)
    return false;
  crc = {width, /*reflected=*/true, 0};
  for (size_t m = 0; m + 1 < in.size(); ++m)
    if (in[m + 1] & 1)
      crc.poly = in[m] ^ in[m + 1] >> 1;
  if (!isPolynomial(crc) || crc.poly & ~maskOf(width))
    return false;
  for (unsigned m = 0; m < in.size(); ++m)
    if (in[m] != steps(crc, crcStep(crc, 0, uint8_t(1u << m % 8)), 8 * (round - 1 - m / 8)))
      return false;
  for (unsigned j = 0; j < width; ++j)
    if (map.state[j] != steps(crc, uint64_t(1) << j, 8 * round))
      return false;
  for (size_t j = width; j < map.state.size(); ++j) // bits that matter before the loop alone
    if (map.state[j] && !(zero >> j & 1))
      return false;
  return true;
}

/// If the map is no register, tries variants of it to say which single change of the
/// program would make it one.
CrcSlip findCrc(const LinearMap &whole, uint64_t zero, uint64_t used,
                CrcRepresentation &representation) {
  bool constantLeft = false, any = false;
  if (whole.bytes.empty() || whole.state.empty())
    return CrcSlip::Other;
  used &= maskOf(unsigned(whole.state.size()));
  if (findFor(whole, used, zero, representation, constantLeft))
    return CrcSlip::None;
  if (constantLeft)
    return CrcSlip::Constant;
  // Would it be a register if the result's upper bits were not used?
  for (unsigned bits : {8, 12, 16, 24, 32, 40})
    if (bits < whole.state.size() && used & ~maskOf(bits) &&
        findFor(whole, used & maskOf(bits), zero, representation, any))
      return CrcSlip::UpperBits;
  // Would it be one if the input's words were in the other byte order?
  return findSwappedCrc(whole, zero, used, representation) ? CrcSlip::WordsSwapped : CrcSlip::Other;
}

} // namespace memlift
