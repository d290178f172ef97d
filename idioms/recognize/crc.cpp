// crc.cpp - is a matrix over GF(2) the shift register of a polynomial?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) c = table[(c ^ p[i]) & 255] ^ (c >> 8);
//   for (i..n) { c ^= p[i]; eight times: c = c & 1 ? c >> 1 ^ P : c >> 1; }
//
// The spelling is gone once the body is a matrix. The last byte's last bit falls
// out of the register in the last step and leaves the polynomial behind, so P can
// be read off one column; then all columns are compared with the register's own.
// The limits: one state, no constant mixed in, at least 8 bits.
#include "../algebra/gf2.h"
#include "prover.h"

#include <algorithm>
#include <cstdio>

namespace memlift {

namespace {

/// Columns of the matrix as numbers: what one bit of the input becomes.
struct Columns {
  std::vector<uint64_t> state;       // by bit of the register
  std::vector<uint64_t> bytes;       // 8 for each byte in address order
  uint64_t constant = 0;
  unsigned rows = 0;                 // highest bit that ever gets set, plus one
};

Columns columnsOf(const Gf2Form &form, const std::vector<unsigned> &order) {
  Columns c;
  auto column = [&](unsigned index) {
    uint64_t v = 0;
    for (unsigned r = 0; r < form.value.size(); ++r)
      if (form.value[r][index]) {
        v |= uint64_t(1) << r;
        c.rows = std::max(c.rows, r + 1);
      }
    return v;
  };
  for (unsigned j = 0; j < form.value.size(); ++j)
    c.state.push_back(column(j));
  for (unsigned k : order)
    for (unsigned i = 0; i < 8; ++i)
      c.bytes.push_back(column(64 + 8 * k + i));
  c.constant = column(gf2One);
  return c;
}

bool isRegister(const Columns &c, const CrcPoly &crc) {
  size_t count = c.bytes.size() / 8;
  auto run = [&](uint64_t state, size_t at, uint8_t byte) {
    for (size_t k = 0; k < count; ++k)
      state = crcStep(crc, state, k == at ? byte : 0);
    return state;
  };
  for (size_t j = 0; j < c.state.size(); ++j) {
    uint64_t expected =
        j < crc.width ? run(uint64_t(1) << j, count, 0) : uint64_t(0);
    if (c.state[j] != expected)
      return false;
  }
  for (size_t k = 0; k < count; ++k)
    for (unsigned i = 0; i < 8; ++i)
      if (c.bytes[8 * k + i] != run(0, k, uint8_t(1u << i)))
        return false;
  return true;
}

bool findRegister(const Columns &c, CrcPoly &crc) {
  size_t last = c.bytes.size() - 8;
  for (bool reflected : {true, false}) {
    crc.reflected = reflected;
    // A reflected register is the same one in any wider type.
    crc.width = reflected ? unsigned(c.state.size()) : c.rows;
    crc.poly = c.bytes[last + (reflected ? 7 : 0)];
    if (crc.width >= 8 && crc.poly && isRegister(c, crc))
      return true;
  }
  return false;
}

} // namespace

bool Prover::crcOf(Reduction &r) {
  const Recurrence &rec = loop.recs[r.rec];
  const char *name = "recurrence", *need = "a shift register fed with the bytes";
  Gf2Form form = gf2Of(loop, rec.next, r.rec);
  if (!form.ok) {
    if (form.tableNotLinear) {
      match.idiom = Idiom::Crc;
      fail(name, Diag::TableNotLinear, need, form.why);
    }
    return false;
  }
  // The bytes' places, as for a sum in which each counts once.
  Linear bytes;
  for (auto &[access, offset] : form.bytes)
    bytes.terms[{Unit::Byte, access, offset}] = 1;
  Weights w;
  w.width = 64;
  if (form.bytes.empty() || !weightsOf(bytes, w))
    return false;
  const Access &walk = loop.accesses[w.walk];
  std::vector<unsigned> order(form.bytes.size());
  for (unsigned k = 0; k < form.bytes.size(); ++k) {
    const Access &a = loop.accesses[form.bytes[k].first];
    int64_t at = 0;
    g.constantDifference(a.offset, walk.offset, at);
    size_t place = size_t(at + int64_t(form.bytes[k].second) - w.low);
    if (place >= order.size() || w.bytes.size() != order.size())
      return false; // a byte is read twice
    order[place] = k;
  }
  Columns columns = columnsOf(form, order);
  match.idiom = Idiom::Crc;
  if (columns.constant || !findRegister(columns, r.crc)) {
    fail(name, Diag::NotACrc, need,
         columns.constant ? "a constant is mixed in with every round"
                          : "a linear map that is no shift register");
    return false;
  }
  r.kind = Reduction::Crc;
  char text[64];
  std::snprintf(text, sizeof text, "%u bits, %s, polynomial 0x%llx",
                r.crc.width, r.crc.reflected ? "reflected" : "not reflected",
                (unsigned long long)r.crc.poly);
  prove(name, need, text, rec.name);
  return sourceRegion(w);
}

} // namespace memlift
