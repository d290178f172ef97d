// sum.cpp - decides which sum it is, by the weights of one iteration's bytes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linear.h gives each byte of an iteration a factor. The factors tell the sum apart:
// bytes with factors 1, 256, 65536, ... are one element in one byte order or the
// other; elements with equal factors are a sum; U, U - 1, ..., 1 beside U times
// another recurrence are a sum of sums; k^(U-1), ..., k, 1 beside k^U times the
// recurrence are a hash. Nothing else is matched, so it does not matter how far the
// loop is unrolled.
#include "families.h"

#include <algorithm>

namespace memlift {

/// Matches elements that all have one factor, of the smallest size that fits.
static bool uniform(const Weights &w, bool bigEndian, Elements &e) {
  for (unsigned size : {1u, 2u, 4u, 8u})
    if (elementsOf(w, size, bigEndian, e) && e.factors[0] != 0 &&
        std::all_of(e.factors.begin(), e.factors.end(),
                    [&](uint64_t f) { return f == e.factors[0]; }))
      return true;
  return false;
}

/// Matches two sums in turn: elements 0, 2, 4 ... have one factor, the others
/// another.
static bool everyOther(const Weights &w, bool bigEndian, Elements &e) {
  for (unsigned size : {1u, 2u, 4u}) {
    if (!elementsOf(w, size, bigEndian, e) || e.isSigned || e.factors.size() % 2)
      continue;
    bool alternate = !e.factors[0] != !e.factors[1];
    for (size_t i = 2; i < e.factors.size(); ++i)
      alternate &= e.factors[i] == e.factors[i - 2];
    if (alternate)
      return true;
  }
  return false;
}

bool sumOf(Proof &p, const Linear &form, Reduction &r, const Weights &w) {
  Elements e;
  bool alike = uniform(w, p.loop.bigEndian, e);
  if (!alike && !everyOther(w, p.loop.bigEndian, e))
    return false;
  Reduction::Sum sum;
  sum.pairs = !alike;
  sum.odd = alike ? 0 : e.factors[1];
  r.elementBytes = e.bytes;
  r.isSigned = e.isSigned;
  r.swapped = e.swapped;
  sum.factor = e.factors[0];
  r.elementsPerIteration = unsigned(e.factors.size());
  ExprId extra = p.g.constant(form.constant, w.width);
  for (auto &[u, factor] : form.terms)
    if (u.kind == Unit::Invariant)
      extra =
          p.g.add(extra, p.g.mul(p.g.zextOrTrunc(u.index, w.width), p.g.constant(factor, w.width)));
  sum.perIteration = p.g.isConst(extra, 0) ? NoExpr : extra;
  r.kind = sum;
  return true;
}

bool countsOnce(const Reduction &r) {
  auto *sum = r.as<Reduction::Sum>();
  return sum && sum->factor == 1 && !sum->pairs && !r.isSigned &&
         !(r.swapped && r.elementBytes == 8);
}

static bool noInvariants(const Linear &form) {
  return std::none_of(form.terms.begin(), form.terms.end(),
                      [](auto &t) { return t.first.kind == Unit::Invariant; });
}

static bool onlyBytesAndRecs(const Linear &form) {
  return form.constant == 0 && noInvariants(form);
}

/// Finds a constant c that is added to each of `count` elements: the first sum then
/// gets `all` = count * c in an iteration, and the second one `weighted` = terms * c.
static bool constantOf(uint64_t all, uint64_t weighted, uint64_t count, uint64_t terms,
                       unsigned width, uint64_t &each) {
  int64_t sum = signExtend(all, width);
  each = uint64_t(sum / int64_t(count)) & maskOf(width);
  return sum % int64_t(count) == 0 && ((each * terms) & maskOf(width)) == weighted;
}

/// Returns true if both sets of weights begin at the same address.
static bool samePlace(const Proof &p, const Weights &x, const Weights &y) {
  const Access &a = p.loop.accesses[x.walk], &b = p.loop.accesses[y.walk];
  int64_t distance;
  if (a.base != b.base || !p.g.constantDifference(a.offset, b.offset, distance))
    return false;
  return distance + x.low - y.low == 0;
}

Answer plainSum(Proof &p, const Linear &form, uint32_t a, Weights &w, Elements &e) {
  if (!form.ok || !noInvariants(form))
    return Answer::NotMine;
  if (Answer read = weightsOf(p, form, w); read != Answer::Proved)
    return read;
  uint64_t own = 0;
  for (auto &[u, factor] : form.terms) {
    if (u.kind == Unit::Rec && u.index != a)
      return Answer::NotMine;
    if (u.kind == Unit::Rec)
      own = factor;
  }
  return provedIf(own == 1 && uniform(w, p.loop.bigEndian, e) && e.factors[0] == 1);
}

Answer weightsOfSums(Proof &p, const Linear &form, const Linear &partner, Reduction &r,
                     Reduction::WeightedSum &sums, Weights &w) {
  uint64_t mask = maskOf(w.width);
  auto own = form.terms.find({Unit::Rec, r.rec, 0});
  auto times = form.terms.find({Unit::Rec, sums.partner, 0});
  Weights all;
  Elements e, sum;
  all.width = w.width;
  if (own == form.terms.end() || own->second != 1 || times == form.terms.end() ||
      !noInvariants(form))
    return Answer::NotMine;
  if (Answer plain = plainSum(p, partner, sums.partner, all, sum); plain != Answer::Proved)
    return plain;
  uint64_t count = sum.factors.size();
  if (times->second != (count & mask) || (!w.bytes.empty() && !samePlace(p, w, all)))
    return Answer::NotMine;
  // An exclusive sum does not contain the last element of the iteration.
  sums.exclusive = w.bytes.size() != all.bytes.size();
  if (w.bytes.size() + (sums.exclusive ? sum.bytes : 0) != all.bytes.size())
    return Answer::NotMine;
  for (size_t i = w.bytes.size(); i < all.bytes.size(); ++i)
    w.bytes.push_back({0, all.bytes[i].isSigned});
  // With a single element the weight is 0 and says nothing about the byte order.
  if (!elementsOf(w, sum.bytes, p.loop.bigEndian, e) || e.isSigned != sum.isSigned ||
      (count != 1 && e.swapped != sum.swapped))
    return Answer::NotMine;
  for (uint64_t i = 0; i < count; ++i)
    if (e.factors[i] != ((count - i - sums.exclusive) & mask))
      return Answer::NotMine;
  uint64_t terms = count * (count + (sums.exclusive ? -1 : 1)) / 2, each;
  if (!constantOf(partner.constant & mask, form.constant & mask, count, terms, w.width, each))
    return Answer::NotMine;
  sums.perIteration = each ? p.g.constant(each, w.width) : NoExpr;
  w.walk = all.walk;
  w.low = all.low;
  r.elementBytes = sum.bytes;
  r.swapped = sum.swapped;
  r.isSigned = sum.isSigned;
  r.elementsPerIteration = unsigned(count);
  return Answer::Proved;
}

/// Finds the single partner and requires that the pair is one that a routine
/// computes.
static Answer weightedSumOf(Proof &p, const Linear &form, Reduction &r, Weights &w) {
  uint32_t recs = 0;
  Reduction::WeightedSum sum;
  for (auto &[u, factor] : form.terms)
    if (u.kind == Unit::Rec && u.index != r.rec) {
      ++recs;
      sum.partner = u.index;
    }
  if (recs > 1)
    return p.fail("weights", Diag::WeightsIrregular, "a sum, or the sum of one other",
                  p.loop.recs[r.rec].name + " sums up several others");
  // A narrower partner would wrap at its own width; a wider one is cut.
  if (recs != 1 || p.loop.recs[sum.partner].width < w.width)
    return Answer::NotMine;
  Linear partner = linearOf(p.loop, p.loop.recs[sum.partner].next);
  for (auto &term : partner.terms)
    term.second &= maskOf(w.width);
  if (Answer sums = weightsOfSums(p, form, partner, r, sum, w); sums != Answer::Proved)
    return sums;
  r.kind = sum;
  // Byte-swapped weights are derived from other sums in 63 bits: see
  // swappedWeights().
  if (r.swapped && (r.elementBytes != 2 || r.isSigned || w.width > 32))
    return Answer::NotMine;
  // If the sum is no wider than an element, the element's sign makes no difference.
  r.isSigned &= w.width > 8 * r.elementBytes;
  return provedIf(!r.isSigned || r.elementBytes == 1);
}

/// Matches next = K * own + sum(k^(U - 1 - i) * element i), with K = k^U.
static bool polyhashOf(Proof &p, const Linear &form, Reduction &r, const Weights &w) {
  uint64_t mask = maskOf(w.width), all = form.terms.at({Unit::Rec, r.rec, 0});
  Elements e;
  if (!onlyBytesAndRecs(form))
    return false;
  for (unsigned size : {1u, 2u, 4u, 8u}) {
    if (!elementsOf(w, size, p.loop.bigEndian, e) || e.swapped)
      continue;
    // With one element an iteration the factor is K; else the one before the last is
    // k.
    size_t count = e.factors.size();
    uint64_t k = count == 1 ? all : e.factors[count - 2], power = 1;
    bool powers = true;
    for (size_t i = count; i-- > 0; power = power * k & mask)
      powers &= e.factors[i] == power;
    // If the hash is no wider than a word, the word's sign makes no difference.
    bool sign = e.isSigned && w.width > 8 * size;
    if (!powers || power != all || (sign && size > 1))
      continue;
    r.kind = Reduction::Polyhash{k};
    r.elementBytes = size;
    r.isSigned = sign;
    r.elementsPerIteration = unsigned(count);
    return true;
  }
  return false;
}

/// Recognises a form that is linear in the integers: a sum, a sum of sums or a hash.
Answer integerSum(Proof &p, Reduction &r) {
  const Recurrence &rec = p.loop.recs[r.rec];
  const char *name = "recurrence", *need = "a sum of values read and carried";
  Linear form = linearOf(p.loop, rec.next);
  if (form.ok || form.mayWrap)
    p.name(Idiom::Sum); // named even if it is kept
  if (!form.ok)
    return p.fail(name, form.mayWrap ? Diag::NarrowSum : Diag::NotLinear, need,
                  rec.name + ": " + form.why +
                      (form.culprit == NoExpr ? "" : p.text(form.culprit)));
  Weights w;
  w.width = rec.width;
  bool others = false, reads = false;
  for (auto &[u, factor] : form.terms) {
    others |= u.kind == Unit::Rec && u.index != r.rec;
    reads |= u.kind == Unit::Byte || u.kind == Unit::SignedByte;
  }
  if (!reads && !others)
    p.match.idiom = Idiom::None; // a counter, or nothing read from memory
  // A sum of sums may read nothing itself (b += a; a += *p++).
  Answer read = weightsOf(p, form, w, !others);
  if (read == Answer::NotMine && !others)
    return p.fail(name, Diag::NotLinear, need, rec.name + " does not depend on memory");
  if (read == Answer::Refused)
    return read;
  auto own = form.terms.find({Unit::Rec, r.rec, 0});
  Answer fits = own == form.terms.end() ? Answer::NotMine
                : others                ? weightedSumOf(p, form, r, w)
                : own->second == 1      ? provedIf(sumOf(p, form, r, w))
                                        : provedIf(polyhashOf(p, form, r, w));
  if (fits != Answer::Proved)
    return fits == Answer::NotMine ? failWeights(p, w) : fits;
  p.prove(name, need, rec.name + ": " + p.text(rec.next));
  return sourceRegion(p, w);
}

} // namespace memlift
