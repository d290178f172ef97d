// upto.cpp - loops that end at a byte that they read, and copy or sum what comes before it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   while (*s) *d++ = *s++;
//   for (; *s; s++) sum += *s;
//
// A routine tells in which iteration the loop ends, as for a search. Those before it are a counted
// loop, which is judged like any other; so the loop is entered in its last iteration, with what the
// operation for the others leaves.
//
// The routine reads before anything is stored. So no iteration may store what a later one reads, of
// those that the operation is for. That is known if their regions are apart, or it is tested that
// the destination begins below the source, or after what these iterations read.
#include "steps.h"

namespace memlift {

bool worksUpTo(const Loop &loop) {
  return !loop.recs.empty() || std::any_of(loop.accesses.begin(), loop.accesses.end(),
                                           [](const Access &a) { return a.store; });
}

ExprId entryOf(Loop &loop, const SearchForm &form) {
  ExprGraph &g = loop.exprs;
  constexpr unsigned resultBits = 64;
  ExprId found = g.zextOrTrunc(g.leaf(Op::Result, 0, resultBits), loop.ptrBits);
  if (form.elementBytes > 1)
    found = g.quotient(found, form.elementBytes);
  if (!form.shift)
    return found;
  // An element that is found may end an earlier iteration.
  ExprId ahead = loop.word(form.shift);
  return g.select(g.binary(Op::ULt, found, ahead), loop.word(0), g.sub(found, ahead));
}

/// Returns true if the operation is one copy upwards, or sums alone.
static bool isPlain(const Match &work) {
  if (!work.finals.empty() || work.rows != NoExpr || work.registers || work.linear ||
      !work.wordsRead.empty() || work.stored || work.descending)
    return false;
  if (const CopyForm *copy = work.copy())
    return work.reductions.empty() && !work.reorders() &&
           (copy->overlap == Overlap::Disjoint || copy->overlap == Overlap::MoveSafe ||
            copy->overlap == Overlap::GuardAscending);
  return work.dst == NoExpr && !work.reductions.empty() &&
         std::none_of(work.reductions.begin(), work.reductions.end(), [](const Reduction &r) {
           const auto *crc = r.as<Reduction::Crc>();
           return r.is<Reduction::Last>() || (crc && (crc->table != NoExpr || crc->lanes));
         });
}

/// Returns true if a load reads the elements that are searched, or those just ahead.
static bool readsSearched(const Proof &p, const Access &a) {
  const SearchForm &form = *p.match.search;
  const Access &first = p.loop.accesses[form.load];
  int64_t ahead;
  return walkAlike(p.g, a, first) && a.bytes == first.bytes &&
         p.g.constantDifference(a.offset, first.offset, ahead) && ahead >= 0 &&
         uint64_t(ahead) <= form.shift * form.elementBytes;
}

/// Judges how loads and stores meet: sets the copy's overlap to Disjoint or to GuardAscending.
/// Returns false if neither a proof nor that guard is enough.
static bool keepsReads(const Proof &p, Match &work) {
  if (p.stores.empty())
    return true;
  bool apart = true;
  for (uint32_t l = 0; l < p.loop.accesses.size(); ++l) {
    if (p.loop.accesses[l].store)
      continue;
    bool none = std::all_of(p.stores.begin(), p.stores.end(),
                            [&](uint32_t s) { return p.loop.alias(l, s) == AliasKind::None; });
    if (!none && (!readsSearched(p, p.loop.accesses[l]) || !p.g.equal(work.src, p.match.src)))
      return false;
    apart &= none;
  }
  work.toCopy().overlap = apart ? Overlap::Disjoint : Overlap::GuardAscending;
  return true;
}

/// Makes it no candidate: the loop is read and judged once more as a loop without a count.
static bool unlike(Proof &p) {
  p.match.idiom = Idiom::None;
  p.match.search.reset();
  return false;
}

bool upTo(Proof &p) {
  Loop &loop = p.loop;
  if (loop.carriesOver || !search(p) || p.failed() || p.match.search->other != NoExpr ||
      p.match.search->backwards)
    return unlike(p);
  Loop counted = loop;
  counted.dataExits.clear();
  counted.dims[0].trip = entryOf(counted, *p.match.search);
  counted.dims[0].nonzero = false;
  counted.liveOuts.clear();
  for (size_t i = 0; i < loop.recs.size(); ++i)
    counted.liveOuts.push_back({loop.recs[i].name, false, int(i)});
  Match work = recognize(counted, /*quiet=*/true);
  loop.exprs = counted.exprs;
  if (!work.ok || !isPlain(work) || !keepsReads(p, work))
    return unlike(p);
  loop.recs = counted.recs;
  loop.liveOuts = counted.liveOuts;
  p.match.idiom = work.idiom;
  for (const Fact &f : work.facts)
    if (std::none_of(p.match.facts.begin(), p.match.facts.end(),
                     [&](const Fact &known) { return known.name == f.name; }))
      p.match.facts.push_back(f);
  p.match.work.push_back(std::move(work));
  return true;
}

} // namespace memlift
