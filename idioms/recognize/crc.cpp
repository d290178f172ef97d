// crc.cpp - decides whether a loop carries the shift register of a polynomial
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) c = table[(c ^ p[i]) & 255] ^ (c >> 8);
//   for (i..n) { c ^= p[i]; eight times: c = c & 1 ? c >> 1 ^ P : c >> 1; }
//   for (i..n) { x = lo ^ p[i]; lo = hi ^ tl[x]; hi = th[x]; }
//
// Once the body is a matrix over GF(2), its spelling no longer matters
// (algebra/gf2.h). algebra/shiftregister.h says which matrices are registers. This
// file connects the two: it chooses the state, orders the bytes and reports what is
// missing.
//
// The state is one recurrence, or all that are mixed with each other. Some of its
// bits are always 0. That is proved by induction: they are 0 before the loop, and an
// iteration that finds them 0 leaves them 0. A polynomial that the program computes:
// crcany.cpp. A table that the program fills: crctable.cpp;
// several of them: crcslices.cpp. Registers side by side: crclanes.cpp.
//
// The limits: 64 bits of state in 4 recurrences, 23 bytes an iteration.
#include "crcforms.h"
#include "walk.h"

#include <algorithm>
#include <cstdio>
#include <set>

namespace memlift {

namespace {

/// Returns true if the expression depends on `value` and on invariants only.
bool madeOf(const ExprGraph &g, ExprId id, ExprId value, std::set<ExprId> &seen) {
  if (id == NoExpr || id == value || !seen.insert(id).second)
    return true;
  const Expr &e = g[id];
  bool other = e.op == Op::Rec || e.op == Op::Load || e.op == Op::Opaque || e.op == Op::Iv;
  return !other && madeOf(g, e.a, value, seen) && madeOf(g, e.b, value, seen) &&
         madeOf(g, e.c, value, seen);
}

/// Finds recurrences that are a function of the register: entry = table[f(crc)],
/// computed for the next iteration. Compilers do this if crc starts with a constant.
/// Such an entry equals table[f(crc)] in each iteration, if it does in the first.
std::map<uint32_t, ExprId> derivedFrom(Loop &loop, uint32_t rec) {
  ExprGraph &g = loop.exprs;
  std::map<uint32_t, ExprId> derived;
  ExprId leaf = g.leaf(Op::Rec, rec, loop.recs[rec].width);
  for (uint32_t k = 0; k < loop.recs.size(); ++k) {
    const Recurrence &other = loop.recs[k];
    if (k == rec || !g.isConst(other.init) || !g.isConst(loop.recs[rec].init))
      continue;
    // It must depend on the new value alone, and not on the old one.
    ExprId value = g.opaque(loop.recs[rec].width);
    std::map<ExprId, ExprId> now = {{loop.recs[rec].next, value}};
    std::map<ExprId, ExprId> here = {{value, leaf}};
    std::map<ExprId, ExprId> first = {{value, loop.recs[rec].init}};
    std::set<ExprId> seen;
    ExprId f = g.substitute(other.next, now);
    if (!madeOf(g, f, value, seen))
      continue;
    Gf2Form begin = gf2Of(loop, g.substitute(f, first), Gf2State());
    Gf2Form expected = gf2Of(loop, other.init, Gf2State());
    if (begin.ok && begin.unknownTable.empty() && begin.value == expected.value)
      derived[k] = g.substitute(f, here);
  }
  return derived;
}

std::string hexOf(uint64_t v) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", (unsigned long long)v);
  return text;
}

Diag codeOf(CrcSlip slip) {
  return slip == CrcSlip::UpperBits      ? Diag::CrcUpperBits
         : slip == CrcSlip::WordsSwapped ? Diag::CrcWordsTurned
                                         : Diag::NotACrc;
}

/// Says what is missing for a register.
const char *whatIs(CrcSlip slip) {
  switch (slip) {
  case CrcSlip::UpperBits: return "bits above the register are used later";
  case CrcSlip::WordsSwapped: return "the bytes of each word are taken from its other end";
  case CrcSlip::Constant: return "a constant is mixed in with each iteration";
  default: return "a linear map that is no shift register";
  }
}

/// Returns the bits that an `or` with a constant sets. LLVM makes (v | bit) ^ rest the same as
/// (v & ~bit) ^ (bit ^ rest), in which the bit is the only one below others that the mask clears.
uint64_t setBits(const ExprGraph &g, const Expr &e) {
  uint64_t v = e.b != NoExpr && g.isConst(e.b) ? g[e.b].value : 0;
  if (e.op == Op::Or)
    return v;
  if (e.op != Op::And)
    return 0;
  uint64_t all = v;
  for (unsigned by = 1; by < 64; by *= 2)
    all |= all >> by;
  uint64_t cleared = all & ~v;
  return cleared & (cleared - 1) ? 0 : cleared;
}

/// Returns the number of the highest bit that the value's operations set, plus 1; or 0.
unsigned highestSet(const ExprGraph &g, ExprId value) {
  uint64_t set = 0;
  anyNode(g, value, [&](const Expr &e) {
    set |= setBits(g, e);
    return false;
  });
  unsigned bits = 0;
  while (bits < 64 && set >> bits)
    ++bits;
  return bits;
}

/// Returns the widths that the value's operations cut it to, or that they set a bit below.
std::set<unsigned> widthsOf(const ExprGraph &g, ExprId value) {
  std::set<unsigned> widths = {highestSet(g, value)};
  anyNode(g, value, [&](const Expr &e) {
    uint64_t mask = e.op == Op::And && e.b != NoExpr && g.isConst(e.b) ? g[e.b].value : 0;
    unsigned bits = 0;
    while (bits < 64 && mask >> bits)
      ++bits;
    // The lowest bits may be known to be 0, as after a shift.
    if (bits && mask >> (bits - 1) && (mask | (mask - 1)) == maskOf(bits))
      widths.insert(bits);
    return false;
  });
  return widths;
}

/// Closes the state for a register that is shorter than its type, where nothing tells that the
/// bits above are 0 before the loop: then a bit that is set by `or` might be set already. The
/// state proves that they stay 0. That they are 0 at first has to be tested: `above`.
bool closeShort(const Proof &p, Gf2State &state, Forms &forms, uint64_t &above) {
  const Recurrence &rec = p.loop.recs[state.recs.front()];
  if (state.recs.size() != 1)
    return false;
  for (unsigned bits : widthsOf(p.g, rec.next)) {
    if (bits < 8 || bits >= rec.width)
      continue;
    uint64_t mask = maskOf(rec.width) & ~maskOf(bits);
    Gf2State shorter = state;
    Forms found;
    if (!closeState(p.loop, shorter, found, mask) || shorter.recs.size() != 1 ||
        mask & ~shorter.zero)
      continue;
    state = std::move(shorter);
    forms = std::move(found);
    above = mask;
    return true;
  }
  return false;
}

/// Returns whether each iteration reads the byte below that of the one before.
bool readsDown(const Proof &p, const Weights &w) {
  return p.loop.dims.size() == 1 && w.bytes.size() == 1 && p.direction == Direction::Descending;
}

/// Requires that the bits of the register's start value are 0.
void startsWithout(Proof &p, uint32_t rec, uint64_t bits) {
  ExprId init = p.loop.recs[rec].init;
  unsigned width = p.loop.recs[rec].width;
  ExprId rest = p.g.binary(Op::And, init, p.g.constant(bits, width));
  p.require(p.g.binary(Op::Eq, rest, p.g.constant(0, width)), "start value", Diag::CrcStartTested,
            "no bits above the register", p.text(init));
}

} // namespace

Answer bytesInOrder(Proof &p, const std::vector<std::pair<uint32_t, unsigned>> &read, Weights &w,
                    std::vector<unsigned> &order) {
  Linear bytes;
  for (auto &[access, offset] : read)
    bytes.terms[{Unit::Byte, access, offset}] = 1;
  w.width = 64;
  if (Answer found = weightsOf(p, bytes, w); found != Answer::Proved)
    return found;
  const Access &walk = p.loop.accesses[w.walk];
  order.assign(read.size(), 0);
  for (unsigned k = 0; k < read.size(); ++k) {
    const Access &a = p.loop.accesses[read[k].first];
    int64_t at = 0;
    p.g.constantDifference(a.offset, walk.offset, at);
    size_t place = size_t(at + int64_t(read[k].second) - w.low);
    if (place >= order.size() || w.bytes.size() != order.size())
      return Answer::NotMine; // a byte is read twice
    order[place] = k;
  }
  return Answer::Proved;
}

Answer crcOf(Proof &p, Reduction &r) {
  Answer byChoice = crcByChoice(p, r);
  return byChoice == Answer::NotMine ? crcRepresentation(p, r) : byChoice;
}

Answer refuseCrc(Proof &p, CrcSlip slip) {
  p.match.idiom = Idiom::Crc;
  return p.fail("recurrence", codeOf(slip), "a shift register fed with the bytes", whatIs(slip));
}

/// Proves that the state is a register. First it is closed under the recurrences that
/// it is mixed with; then its bytes are placed by address; then the matrix is
/// compared. Each failure that names a single missing property is reported as such,
/// since a CRC with one wrong table entry should not read as "not a sum".
Answer crcRepresentation(Proof &p, Reduction &r) {
  const char *name = "recurrence", *need = "a shift register fed with the bytes";
  Gf2State state;
  state.recs = {r.rec};
  state.derived = derivedFrom(p.loop, r.rec);
  Forms forms;
  uint64_t above = 0;
  if (!closeState(p.loop, state, forms) && !closeShort(p, state, forms, above)) {
    // An invariant that is not known may be the polynomial.
    Answer any = forms.back().symbolic ? crcOfAnyPolynomial(p, r) : Answer::NotMine;
    if (any == Answer::Proved || !forms.back().tableNotLinear)
      return any;
    p.match.idiom = Idiom::Crc;
    return p.fail(name, Diag::TableNotLinear, need, forms.back().why);
  }
  if (Answer lane = crcInLanes(p, r, state, forms); lane != Answer::NotMine)
    return lane;
  Weights w;
  std::vector<unsigned> order;
  if (Answer placed = bytesInOrder(p, forms.back().bytes, w, order); placed != Answer::Proved)
    return placed;
  for (const Gf2Form &f : forms)
    if (!f.unknownTable.empty()) {
      for (auto of : {crcByAnyTable, crcBySlices})
        if (Answer any = of(p, r); any != Answer::NotMine)
          return any;
      p.match.idiom = Idiom::Crc;
      return p.fail(name, Diag::CrcTableUnknown, "a table with the entries of a CRC",
                    "table " + f.unknownTable + " is not known when this is compiled");
    }
  Reduction::Crc crc;
  CrcSlip slip = CrcSlip::Other;
  bool more = true;
  // The order of the recurrences in the register is not stated anywhere: try all
  // orders.
  while (slip != CrcSlip::None && more) {
    slip = findCrc(mapOf(forms, order), state.zero, usedOf(p.loop, state.recs), crc.representation);
    if (slip != CrcSlip::None)
      more = std::next_permutation(state.recs.begin(), state.recs.end()) &&
             closeState(p.loop, state, forms) &&
             bytesInOrder(p, forms.back().bytes, w = Weights(), order) == Answer::Proved;
  }
  if (slip == CrcSlip::WordsSwapped && state.recs.size() == 1) {
    crc.word = findSwappedCrc(mapOf(forms, order), state.zero, usedOf(p.loop, state.recs),
                              crc.representation);
    slip = CrcSlip::None;
  }
  // Bits beside the register are converted for one recurrence only.
  if (slip == CrcSlip::None && crc.representation.above && state.recs.size() > 1)
    slip = CrcSlip::Other;
  if (slip != CrcSlip::None)
    return refuseCrc(p, slip);
  p.match.idiom = Idiom::Crc;
  if (above)
    startsWithout(p, r.rec, above);
  crc.recs = state.recs;
  p.prove(
      name, need,
      textOf(crc.representation, hexOf(crc.representation.crc.poly >> crc.representation.shift)) +
          (crc.word ? ", the bytes of each word from the last to the first" : ""),
      p.loop.recs[r.rec].name);
  Answer region = sourceRegion(p, w);
  if (region == Answer::Proved && readsDown(p, w) && !crc.word) {
    p.prove("order", "the bytes in one direction", "from the last to the first");
    crc.word = Reduction::Crc::allBytes;
  }
  r.kind = crc;
  return region;
}

} // namespace memlift
