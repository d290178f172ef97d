// crclanes.cpp - CRCs in several registers side by side
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (; rounds; rounds--, words += 2) {
//     a = advanced(a ^ words[0]);
//     b = advanced(b ^ words[1]);
//   }
//
// A register waits for its last look-up before the next one. zlib's braids have five of them, which
// do not wait for each other. Register k takes words k, k + 5, k + 10 ... and runs on to its next
// word as if the others were 0. Code after the loop makes one CRC of them.
//
// The naive replacement is that CRC, in one call. It would need a proof that the code after the
// loop uses the registers for that alone. The idea is to keep all registers: each is a linear map
// of its own words, which is compared with that of the register after its word and the zeros
// (findCrcLane() of algebra/shiftregister.h). So each live-out is exact, whatever becomes of it. A
// routine folds all in one pass, every word to the next one of its register (memlift_crc_lanes).
//
// The limits: words of eight bytes, reflected registers of at most 32 bits, 2 to 16 of them.
#include "crcforms.h"

#include <algorithm>
#include <cstdio>

namespace memlift {

namespace {

constexpr unsigned wordBytes = 8, mostLanes = 16;

/// Returns the lanes if each iteration goes on by so many words, of which the state takes one.
unsigned lanesIn(const Proof &p, const Forms &forms) {
  const std::vector<std::pair<uint32_t, unsigned>> &read = forms.back().bytes;
  if (forms.size() != 1 || !forms.back().unknownTable.empty() || read.size() != wordBytes ||
      p.loop.dims.size() != 1)
    return 0;
  const Access &walk = p.loop.accesses[read.front().first];
  int64_t step = 0;
  if (!walk.affine || walk.step.size() != 1 ||
      !p.g.constantDifference(walk.step[0], p.loop.word(0), step) || step % wordBytes ||
      step < 2 * int64_t(wordBytes) || step > int64_t(wordBytes * mostLanes))
    return 0;
  return unsigned(step / wordBytes);
}

/// Returns where in the forms' bytes each byte of the word is, by address; empty if they are no
/// word.
std::vector<unsigned> wordOf(const Proof &p, const Forms &forms, const Weights &w, unsigned lane) {
  const std::vector<std::pair<uint32_t, unsigned>> &read = forms.back().bytes;
  std::vector<unsigned> order(wordBytes, wordBytes);
  for (unsigned k = 0; k < read.size(); ++k) {
    const Access &a = p.loop.accesses[read[k].first];
    int64_t at = 0;
    p.g.constantDifference(a.offset, p.loop.accesses[w.walk].offset, at);
    size_t place = size_t(at + int64_t(read[k].second) - w.low) - size_t(lane) * wordBytes;
    if (place >= wordBytes || order[place] != wordBytes)
      return {};
    order[place] = k;
  }
  return order;
}

/// Returns whether the register can be one of a call's, beside those that are known: of the same
/// polynomial, and in a lane of its own.
bool isBeside(const Proof &p, const Reduction::Crc &crc) {
  return std::all_of(p.match.reductions.begin(), p.match.reductions.end(),
                     [&](const Reduction &known) {
                       const auto *other = known.as<Reduction::Crc>();
                       return !other || !other->lanes ||
                              (other->lanes == crc.lanes && other->lane != crc.lane &&
                               other->representation.crc == crc.representation.crc);
                     });
}

} // namespace

Answer crcInLanes(Proof &p, Reduction &r, const Gf2State &state, const Forms &forms) {
  const unsigned lanes = lanesIn(p, forms);
  if (!lanes)
    return Answer::NotMine;
  Linear bytes;
  for (auto &[access, offset] : forms.back().bytes)
    bytes.terms[{Unit::Byte, access, offset}] = 1;
  Weights w;
  w.width = 64;
  if (Answer found = weightsOf(p, bytes, w, /*lanes=*/true); found != Answer::Proved)
    return found;
  if (w.bytes.size() != size_t(lanes) * wordBytes)
    return Answer::NotMine;
  auto own = std::find_if(w.bytes.begin(), w.bytes.end(),
                          [](const Weight &weight) { return weight.factor != 0; });
  Reduction::Crc crc;
  crc.lane = unsigned(own - w.bytes.begin()) / wordBytes;
  std::vector<unsigned> order = wordOf(p, forms, w, crc.lane);
  CrcPoly &poly = crc.representation.crc;
  if (order.empty() || !findCrcLane(mapOf(forms, order), state.zero, lanes * wordBytes, poly))
    return Answer::NotMine;
  crc.representation.bits = poly.width;
  crc.lanes = lanes;
  if (!isBeside(p, crc))
    return Answer::NotMine;
  crc.recs = {r.rec};
  p.match.idiom = Idiom::Crc;
  char hex[24];
  std::snprintf(hex, sizeof hex, "0x%llx", (unsigned long long)poly.poly);
  p.prove("recurrence", "a shift register fed with the bytes",
          textOf(crc.representation, hex) + ", which takes word " + std::to_string(crc.lane) +
              " of each " + std::to_string(lanes),
          p.loop.recs[r.rec].name);
  r.kind = crc;
  return sourceRegion(p, w);
}

} // namespace memlift
