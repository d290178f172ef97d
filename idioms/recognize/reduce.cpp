// reduce.cpp - loops that only read, and carry linear functions of the bytes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) sum += p[i];                    any width, sign and byte order
//   for (i..n) { a += p[i]; b += a; }          Adler-32, Fletcher
//   for (i..n) h = h * 31 + p[i];
//   for (i..n) { a = (a + p[i]) % 255; b = (b + a) % 255; }  (modsum.cpp)
//   for (i..n) c = table[(c ^ p[i]) & 255] ^ (c >> 8);      (crc.cpp)
//
// The body is evaluated in the integers modulo 2^w (algebra/linear.h). The form tells
// what the loop computes, whatever its spelling. Code after the loop needs no proof,
// as the result is exact in the width of the accumulator. A body that is not linear
// there is tried in the other rings, the cheap and likely ones first.
//
// The limit: one region, at most 256 bytes an iteration.
//
// Families are asked in the order of a list, until one proves or refuses the live-out
// (Answer). So a loop gets the reason of the family that it is closest to, and not one
// reason from each.
#include "../align/align.h"
#include "prover.h"

#include <algorithm>

namespace memlift {

constexpr int64_t maxRoundBytes = 256;

/// Returns true if later code uses the last value of a recurrence.
bool Prover::carriesOut() const {
  return std::any_of(loop.liveOuts.begin(), loop.liveOuts.end(),
                     [](const LiveOut &l) { return l.rec >= 0; });
}

/// Adds bytes that the iteration reads for another sum, with weight 0, if that leaves
/// no gap between iterations. So a sum of every other element has a contiguous
/// region.
void Prover::addLanes(const Weights &w, std::map<int64_t, Weight> &placed) const {
  std::map<int64_t, Weight> all = placed;
  const Access &walk = loop.accesses[w.walk];
  for (const Access &a : loop.accesses) {
    int64_t at;
    bool alike = !a.store && a.affine && a.base == walk.base && a.step.size() == walk.step.size() &&
                 !isBulk(a) && g[a.bytes].value <= uint64_t(maxRoundBytes) &&
                 g.constantDifference(a.offset, walk.offset, at);
    for (size_t k = 0; k < walk.step.size() && alike; ++k)
      alike = g.equal(a.step[k], walk.step[k]);
    for (uint64_t k = 0; alike && k < g[a.bytes].value; ++k)
      all.insert({at + int64_t(k), Weight()});
  }
  int64_t size = all.rbegin()->first - all.begin()->first + 1, step;
  if (size == int64_t(all.size()) && !walk.step.empty() &&
      g.constantDifference(walk.step.back(), loop.word(0), step) && (step == size || step == -size))
    placed = all;
}

/// Sorts the bytes of a form by address. Refuses them if they are not one interval
/// with equal steps.
Answer Prover::weightsOf(const Linear &form, Weights &w, bool lanes) {
  const char *name = "source", *need = "one region";
  std::map<int64_t, Weight> placed;
  bool first = true;
  for (auto &[u, factor] : form.terms) {
    if (u.kind != Unit::Byte && u.kind != Unit::SignedByte)
      continue;
    summed.push_back(u.index);
    const Access &a = loop.accesses[u.index];
    if (!a.affine || a.step.size() != loop.dims.size())
      return Answer::NotMine; // addresses() reports it
    if (first)
      w.walk = u.index;
    first = false;
    const Access &walk = loop.accesses[w.walk];
    int64_t at;
    bool alike = a.base == walk.base && g.constantDifference(a.offset, walk.offset, at);
    for (size_t k = 0; k < a.step.size() && alike; ++k)
      alike = g.equal(a.step[k], walk.step[k]);
    if (!alike)
      return fail(name, Diag::SourceVaries, need, describe(walk) + " and " + describe(a),
                  where(a.loc));
    Weight &weight = placed[at + int64_t(u.offset)];
    bool isSigned = u.kind == Unit::SignedByte;
    if (weight.factor && weight.isSigned != isSigned)
      return failWeights(w);
    weight.factor = (weight.factor + factor) & maskOf(w.width);
    weight.isSigned = isSigned;
  }
  if (placed.empty())
    return Answer::NotMine;
  if (lanes)
    addLanes(w, placed);
  w.low = placed.begin()->first;
  int64_t size = placed.rbegin()->first - w.low + 1;
  if (size != int64_t(placed.size()) || size > maxRoundBytes)
    return fail("source contiguous", Diag::SourceStride, "no gaps in an iteration",
                std::to_string(size - int64_t(placed.size())) + " bytes are left out",
                where(loop.accesses[w.walk].loc));
  for (auto &[at, weight] : placed)
    w.bytes.push_back(weight);
  return Answer::Proved;
}

/// Reports how the bytes count, if they do not count as words that are all alike.
Answer Prover::failWeights(const Weights &w) {
  std::string have;
  size_t added = size_t(
      std::count_if(w.bytes.begin(), w.bytes.end(), [](const Weight &b) { return b.factor != 0; }));
  if (added != w.bytes.size()) // other bytes belong to a sum beside it
    return fail("weights", Diag::WeightsIrregular, "words that count alike",
                std::to_string(added) + " of each " + std::to_string(w.bytes.size()) +
                    " bytes are added");
  for (const Weight &b : w.bytes)
    if (have.size() < 60)
      have += (have.empty() ? "" : ", ") + std::to_string(signExtend(b.factor, w.width));
  return fail("weights", Diag::WeightsIrregular, "words that count alike",
              have.empty() ? "a byte is used with and without its sign" : "bytes count " + have);
}

/// Requires that all reductions of a loop read the same region.
Answer Prover::sourceRegion(const Weights &w) {
  const Access &walk = loop.accesses[w.walk];
  Region r = regionOf(loop, walk, w.low, loop.word(w.bytes.size()), w.bytes.size());
  if (!r.ok) {
    if (!r.need.empty())
      fail("source contiguous", r.inner ? Diag::SourceStride : Diag::RowsNotContiguous, r.need,
           r.have, where(walk.loc));
    return Answer::Refused;
  }
  ExprId src = tidy(g.add(g.leaf(Op::BaseAddr, walk.base, loop.ptrBits), r.low));
  ExprId bytes = tidy(r.bytes);
  // A second reduction, or a copy, has set the region before.
  if (match.src != NoExpr && (!g.equal(src, match.src) || !g.equal(bytes, match.bytes)))
    return fail("source", Diag::SourceVaries, "one region",
                match.dst == NoExpr ? "two sums over different regions"
                                    : "a sum of other bytes than those copied",
                where(walk.loc));
  direction = r.direction;
  match.descending = direction == Direction::Descending;
  match.srcBase = walk.base;
  match.src = src;
  match.bytes = bytes;
  match.maxBytes = r.maxBytes;
  match.srcAlign = alignmentOf(loop, walk.base, r.low);
  prove("source contiguous", "every byte of one region once", text(bytes) + " bytes",
        where(walk.loc));
  return Answer::Proved;
}

/// Requires that the loop reads from the first byte to the last.
Answer Prover::forwards() {
  if (direction == Direction::Ascending || direction == Direction::None)
    return Answer::Proved;
  return fail("order", Diag::SourceStride, "from the first byte to the last", "read backwards");
}

/// Recognises a form that is linear in the integers: a sum, a sum of sums or a hash.
Answer Prover::integerSum(Reduction &r) {
  const Recurrence &rec = loop.recs[r.rec];
  const char *name = "recurrence", *need = "a sum of what is read and carried";
  Linear form = linearOf(loop, rec.next);
  if (form.ok || form.mayWrap)
    match.idiom = std::max(match.idiom, Idiom::Sum); // named even if it is kept
  if (!form.ok)
    return fail(name, form.mayWrap ? Diag::NarrowSum : Diag::NotLinear, need,
                rec.name + ": " + form.why);
  Weights w;
  w.width = rec.width;
  bool others = false, reads = false;
  for (auto &[u, factor] : form.terms) {
    others |= u.kind == Unit::Rec && u.index != r.rec;
    reads |= u.kind == Unit::Byte || u.kind == Unit::SignedByte;
  }
  if (!reads && !others)
    match.idiom = Idiom::None; // a counter, or nothing read from memory
  // A sum of sums may read nothing itself (b += a; a += *p++).
  Answer read = weightsOf(form, w, !others);
  if (read == Answer::NotMine && !others)
    return fail(name, Diag::NotLinear, need, rec.name + " does not depend on memory");
  if (read == Answer::Refused)
    return read;
  auto own = form.terms.find({Unit::Rec, r.rec, 0});
  Answer fits = own == form.terms.end() ? Answer::NotMine
                : others                ? weightedSumOf(form, r, w)
                : own->second == 1      ? provedIf(sumOf(form, r, w))
                                        : provedIf(polyhashOf(form, r, w));
  if (fits != Answer::Proved)
    return fits == Answer::NotMine ? failWeights(w) : fits;
  prove(name, need, rec.name + ": " + text(rec.next));
  return sourceRegion(w);
}

static bool hangsOnOthers(const Linear &form, uint32_t rec) {
  return std::any_of(form.terms.begin(), form.terms.end(),
                     [&](auto &t) { return t.first.kind == Unit::Rec && t.first.index != rec; });
}

/// Recognises a value that later code uses before it is cut to its recurrence, if the
/// cut loses nothing, as after a remainder.
Answer Prover::wideLiveOut(Reduction &r) {
  uint32_t wide = r.rec;
  r.rec = cutTo(wide);
  if (r.rec == wide)
    return Answer::NotMine;
  Answer modular = modularOf(r);
  if (modular != Answer::NotMine || carriesItself(wide))
    return modular;
  return fail("live-outs", Diag::LiveOut, "the value as it is carried",
              loop.recs[r.rec].name + " is used after the loop before it is cut to " +
                  std::to_string(loop.recs[r.rec].width) + " bits");
}

/// Asks the families for one live-out. Each is asked only about forms that it may know.
bool Prover::reduceOne(uint32_t index) {
  enum Form : unsigned { Alone = 1, Coupled = 2, NotLinear = 4, Wide = 8, Any = 15 };
  static const struct {
    Answer (Prover::*family)(Reduction &);
    unsigned forms;
  } families[] = {
      {&Prover::lastOf, Any},
      {&Prover::wideLiveOut, Any & ~Wide},
      {&Prover::narrowSum, NotLinear},
      {&Prover::modularOf, NotLinear},
      {&Prover::narrowLiveOut, NotLinear},
      {&Prover::inetOf, Any & ~Alone},
      {&Prover::wideSumOf, Wide},
      {&Prover::carriesOf, NotLinear},
      {&Prover::xorFoldOf, NotLinear},
      {&Prover::crcOf, NotLinear},
      {&Prover::alternatingSum, NotLinear},
      {&Prover::lazySum, NotLinear},
      {&Prover::nearlyModular, NotLinear}, // this one and the next only refuse
      {&Prover::hashOf, NotLinear},
      {&Prover::integerSum, Any}, // proves or refuses
  };
  uint32_t rec = uint32_t(loop.liveOuts[index].rec);
  Linear linear = linearOf(loop, loop.recs[rec].next);
  Form form = loop.recs[rec].width > 64    ? Wide
              : !linear.ok                 ? NotLinear
              : hangsOnOthers(linear, rec) ? Coupled
                                           : Alone;
  Reduction r;
  Answer answer = Answer::NotMine;
  for (auto family = std::begin(families); answer == Answer::NotMine; ++family) {
    r = Reduction();
    r.liveOut = index;
    r.rec = rec;
    if (family->forms & form)
      answer = (this->*family->family)(r);
  }
  // These do not depend on the order of elements, so the loop may read backwards.
  bool anyOrder = r.kind == Reduction::Sum || r.kind == Reduction::Ones ||
                  r.kind == Reduction::WideSum || r.kind == Reduction::ModularSum ||
                  r.kind == Reduction::XorFold || r.kind == Reduction::Last;
  if (answer == Answer::Refused || (!anyOrder && forwards() == Answer::Refused))
    return false;
  match.reductions.push_back(r);
  return true;
}

/// Judges all live-outs; one that fails keeps the loop, as the loop has to run for
/// it.
bool Prover::reduceAll() {
  match.rounds = loop.word(1);
  for (const Dim &d : loop.dims)
    if (d.trip != NoExpr) // else tripCount() reports it
      match.rounds = g.mul(match.rounds, d.trip);
  for (uint32_t i = 0; i < loop.liveOuts.size(); ++i)
    if (loop.liveOuts[i].rec >= 0 && !reduceOne(i))
      return false;
  return moreThanLast();
}

/// Judges the live-outs, or the one value that is stored, and names the idiom.
void Prover::reduce() {
  if (stored < 0 ? !reduceAll() : !reduceStored())
    return;
  // The idiom is named after the most particular reduction: Adler's sums are a
  // weighted sum.
  for (const Reduction &r : match.reductions) {
    Idiom is = r.kind == Reduction::Sum           ? Idiom::Sum
               : r.kind == Reduction::WeightedSum ? Idiom::WeightedSum
               : r.kind == Reduction::Crc         ? Idiom::Crc
               : r.kind == Reduction::Ones        ? Idiom::InetChecksum
               : r.kind == Reduction::Carries     ? Idiom::Sum
               : r.kind == Reduction::WideSum     ? Idiom::Sum
               : r.kind == Reduction::Polyhash    ? Idiom::Polyhash
               : r.kind == Reduction::XorFold     ? Idiom::XorFold
               : r.kind == Reduction::Last        ? Idiom::None
                                                  : Idiom::ModularSum;
    match.idiom = std::max(match.idiom, is);
  }
}

/// Judges loads after a store of the same iteration: they may see what was just
/// written, unless the regions are disjoint.
bool Prover::readBeforeWritten() {
  // Loads before the first store read what the copy reads.
  uint32_t last = *std::max_element(summed.begin(), summed.end());
  if (last < stores[0] || match.overlap == Overlap::Disjoint)
    return true;
  if (match.overlap == Overlap::MoveSafe) {
    fail("overlap", Diag::OverlapHarmful, "no byte is read after it was written",
         "one object, and read again behind the store", where(loop.accesses[last].loc));
    return false;
  }
  match.overlap = Overlap::GuardDisjoint;
  return true;
}

/// Recognises sums beside a copy. The loop reads each byte before the copy overwrites
/// it, so the sum may be taken over the source before the copy. sourceRegion() checks
/// that both use the same bytes.
void Prover::sumsBeside() {
  if (!carriesOut())
    return;
  bool copies = match.idiom == Idiom::Copy || match.idiom == Idiom::Move;
  if (!copies || match.src == NoExpr || match.rows != NoExpr) {
    for (const LiveOut &l : loop.liveOuts)
      if (l.rec >= 0)
        fail("live-outs", Diag::LiveOut, "no value of the loop needed later",
             (l.name.empty() ? "a value" : l.name) + " is used after the loop");
    return;
  }
  bool all = reduceAll() && readBeforeWritten();
  match.idiom = Idiom::CopySum;
  if (all && match.reductions.size() == 1 && match.reductions[0].kind == Reduction::Ones &&
      match.reductions[0].modulus == 16)
    match.idiom = Idiom::CopyInetChecksum;
}

} // namespace memlift
