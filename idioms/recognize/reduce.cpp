// reduce.cpp - loops that only read, and carry linear functions of the bytes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) sum += p[i];                    any width, sign and byte order
//   for (i..n) { a += p[i]; b += a; }          Adler-32, Fletcher
//   for (i..n) k += p[i] == c;                 (count.cpp)
//   for (i..n) h = h * 31 + p[i];
//   for (i..n) { a = (a + p[i]) % 255; b = (b + a) % 255; }  (modsum.cpp)
//   for (i..n) c = table[(c ^ p[i]) & 255] ^ (c >> 8);      (crc.cpp)
//
// The body is evaluated in the integers modulo 2^w (algebra/linear.h). The form tells
// what the loop computes, whatever its spelling. Code after the loop needs no proof,
// as the result is exact in the width of the accumulator. A body that is not linear
// there is tried in the other rings, the cheap and likely ones first.
//
// Families are asked in the order of a list, until one proves or refuses the live-out
// (Answer). So a loop gets the reason of the family that it is closest to, and not one
// reason from each.
#include "families.h"
#include "steps.h"

#include <algorithm>

namespace memlift {

bool carriesOut(const Proof &p) {
  return std::any_of(p.loop.liveOuts.begin(), p.loop.liveOuts.end(),
                     [](const LiveOut &l) { return l.rec >= 0; });
}

static bool hangsOnOthers(const Linear &form, uint32_t rec) {
  return std::any_of(form.terms.begin(), form.terms.end(),
                     [&](auto &t) { return t.first.kind == Unit::Rec && t.first.index != rec; });
}

/// The idiom that a kind of reduction is, and whether the order of elements makes no
/// difference, so that the loop may read backwards.
struct KindTraits {
  Idiom idiom;
  bool anyOrder;
};

static KindTraits traits(const Reduction::Sum &) { return {Idiom::Sum, true}; }
static KindTraits traits(const Reduction::WeightedSum &) { return {Idiom::WeightedSum, false}; }
static KindTraits traits(const Reduction::Crc &) { return {Idiom::Crc, false}; }
static KindTraits traits(const Reduction::Ones &) { return {Idiom::InetChecksum, true}; }
static KindTraits traits(const Reduction::Carries &) { return {Idiom::Sum, false}; }
static KindTraits traits(const Reduction::ModularSum &) { return {Idiom::ModularSum, true}; }
static KindTraits traits(const Reduction::ModularWeightedSum &) {
  return {Idiom::ModularSum, false};
}
static KindTraits traits(const Reduction::XorFold &) { return {Idiom::XorFold, true}; }
static KindTraits traits(const Reduction::Polyhash &) { return {Idiom::Polyhash, false}; }
static KindTraits traits(const Reduction::WideSum &) { return {Idiom::Sum, true}; }
static KindTraits traits(const Reduction::Count &) { return {Idiom::Sum, true}; }
static KindTraits traits(const Reduction::Last &) { return {Idiom::None, true}; }

static KindTraits traitsOf(const Reduction &r) {
  return std::visit([](const auto &kind) { return traits(kind); }, r.kind);
}

/// Returns whether the reduction may be made of a region that is read downwards.
static bool takesAnyOrder(const Reduction &r) {
  const auto *crc = r.as<Reduction::Crc>();
  return crc ? crc->word == Reduction::Crc::allBytes : traitsOf(r).anyOrder;
}

/// Asks the families for one live-out. Each is asked only about forms that it may know.
static bool reduceOne(Proof &p, uint32_t index) {
  enum Form : unsigned { Alone = 1, Coupled = 2, NotLinear = 4, Wide = 8, Any = 15 };
  static const struct {
    Answer (*judge)(Proof &, Reduction &);
    unsigned forms;
  } families[] = {
      {lastOf, Any},          {wideLiveOut, Any & ~Wide}, {narrowSum, NotLinear},
      {modularOf, NotLinear}, {narrowLiveOut, NotLinear}, {inetOf, Any & ~Alone},
      {wideSumOf, Wide},      {carriesOf, NotLinear},     {xorFoldOf, NotLinear},
      {countOf, NotLinear},   {crcOf, NotLinear},         {alternatingSum, NotLinear},
      {lazySum, NotLinear},   {nearlyModular, NotLinear}, // this one and the next only refuse
      {hashOf, NotLinear},    {integerSum, Any},          // proves or refuses
  };
  uint32_t rec = uint32_t(p.loop.liveOuts[index].rec);
  Linear linear = linearOf(p.loop, p.loop.recs[rec].next);
  Form form = p.loop.recs[rec].width > 64  ? Wide
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
      answer = family->judge(p, r);
  }
  if (answer == Answer::Refused || (!takesAnyOrder(r) && forwards(p) == Answer::Refused))
    return false;
  p.match.reductions.push_back(r);
  return true;
}

/// Judges all live-outs; one that fails keeps the loop, as the loop has to run for
/// it.
static bool reduceAll(Proof &p) {
  p.match.iterations = p.loop.word(1);
  for (const Dim &d : p.loop.dims)
    if (d.trip != NoExpr) // else tripCount() reports it
      p.match.iterations = p.g.mul(p.match.iterations, d.trip);
  for (uint32_t i = 0; i < p.loop.liveOuts.size(); ++i)
    if (p.loop.liveOuts[i].rec >= 0 && !reduceOne(p, i))
      return false;
  return moreThanLast(p);
}

/// Judges the value like one that is used after the loop.
static bool reduceStored(Proof &p) {
  uint32_t index = uint32_t(p.loop.liveOuts.size());
  unsigned bits = p.g.width(p.loop.accesses[p.stores[0]].value);
  // The live-out exists only while the value is judged.
  p.loop.liveOuts.push_back({"the stored value", false, p.stored, maskOf(bits)});
  bool all = reduceAll(p);
  p.loop.liveOuts.pop_back();
  if (!all)
    return false;
  for (Reduction &r : p.match.reductions)
    r.stored = r.liveOut == index;
  stateDisjoint(p);
  return true;
}

bool isReduction(const Proof &p) { return p.stored >= 0 || (p.stores.empty() && carriesOut(p)); }

void reduce(Proof &p) {
  if (p.stored < 0 ? !reduceAll(p) : !reduceStored(p))
    return;
  // The idiom is named after the most particular reduction: Adler's sums are a
  // weighted sum.
  for (const Reduction &r : p.match.reductions)
    p.name(traitsOf(r).idiom);
}

/// Judges loads after a store of the same iteration: they may see what was just
/// written, unless the regions are disjoint.
static bool readBeforeWritten(Proof &p) {
  // Loads before the first store read what the copy reads.
  uint32_t last = *std::max_element(p.summed.begin(), p.summed.end());
  if (last < p.stores[0] || p.match.overlap() == Overlap::Disjoint)
    return true;
  if (p.match.overlap() == Overlap::MoveSafe)
    return p.fail("overlap", Diag::OverlapHarmful, "no byte is read after it was written",
                  "one object, and read again after the store", p.where(p.loop.accesses[last].loc));
  p.match.toCopy().overlap = Overlap::GuardDisjoint;
  return true;
}

/// The loop reads each byte before the copy overwrites it, so the sum may be taken over
/// the source before the copy. sourceRegion() checks that both use the same bytes.
void sumsBeside(Proof &p) {
  Match &match = p.match;
  if (!carriesOut(p))
    return;
  bool copies = match.idiom == Idiom::Copy || match.idiom == Idiom::Move;
  if (!copies || match.src == NoExpr || match.rows != NoExpr) {
    for (const LiveOut &l : p.loop.liveOuts)
      if (l.rec >= 0)
        p.fail("live-outs", Diag::LiveOut, "no value of the loop needed later",
               nameOf(l) + " is used after the loop");
    return;
  }
  bool all = reduceAll(p) && readBeforeWritten(p);
  match.idiom = Idiom::CopySum;
  auto *ones =
      all && match.reductions.size() == 1 ? match.reductions[0].as<Reduction::Ones>() : nullptr;
  if (ones && ones->modulus == 16)
    match.idiom = Idiom::CopyInetChecksum;
}

} // namespace memlift
