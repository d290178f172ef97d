// routines.cpp - an interpreter of decisions: the routines that write, done slowly
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../algebra/ones.h"
#include "machine.h"

namespace memlift {

std::string Machine::fill(const Decision &d, uint64_t dst, uint64_t n) {
  const Operation &o = operationOf(d.routine);
  bool numbered = o.kind == OpKind::PatternFill;
  unsigned at = o.inRows() ? 2 : 1;
  Bytes pattern;
  for (; bitsOf(o.params[at]); ++at)
    for (uint8_t byte : eval(d.args[at]))
      pattern.push_back(byte);
  uint64_t period = numbered ? word(d.args[at]) : o.elementBits / 8;
  if (!period || period > pattern.size())
    return "the pattern has no valid period";
  bool reversed = loop.bigEndian && !numbered;
  for (uint64_t i = 0; i < n; ++i) {
    uint64_t k = i % period;
    memory[dst - arenaBase + i] = pattern[reversed ? period - 1 - k : k];
  }
  return "";
}

std::string Machine::transfer(bool disjoint, uint64_t dst, uint64_t src, uint64_t n) {
  if (!inArena(src, n))
    return "reads memory that the loop does not";
  uint64_t distance = dst > src ? dst - src : src - dst;
  if (disjoint && distance && distance < n)
    return "copies between regions that overlap";
  Bytes all(memory.begin() + long(src - arenaBase), memory.begin() + long(src - arenaBase + n));
  std::copy(all.begin(), all.end(), memory.begin() + long(dst - arenaBase));
  return "";
}

std::string Machine::forward(uint64_t step, uint64_t dst, uint64_t src, uint64_t n) {
  if (!step || n % step)
    return "a step is cut off";
  std::string wrong;
  for (uint64_t at = 0; wrong.empty() && at < n; at += step)
    wrong = transfer(false, dst + at, src + at, step);
  return wrong;
}

std::string Machine::swap(unsigned bytes, uint64_t dst, uint64_t src, uint64_t n) {
  if (n % bytes)
    return "a word is cut off";
  std::string wrong = transfer(false, dst, src, n);
  auto place = memory.begin() + long(dst - arenaBase);
  for (uint64_t at = 0; wrong.empty() && at < n; at += bytes)
    std::reverse(place + long(at), place + long(at + bytes));
  return wrong;
}

std::string Machine::reverse(unsigned bytes, uint64_t dst, uint64_t src, uint64_t n) {
  if (n % bytes)
    return "a word is cut off";
  std::string wrong = dst == src ? "reverses in place" : transfer(true, dst, src, n);
  auto place = memory.begin() + long(dst - arenaBase);
  if (wrong.empty())
    std::reverse(place, place + long(n));
  for (uint64_t at = 0; wrong.empty() && at < n; at += bytes)
    std::reverse(place + long(at), place + long(at + bytes));
  return wrong;
}

/// Runs a 2-D routine row by row, each like the routine for one row.
std::string Machine::rows(const Decision &d) {
  uint64_t mask = maskOf(loop.ptrBits), count = word(d.args.back());
  uint64_t n = word(d.args[d.args.size() - 2]), dst = word(d.args[0]);
  const Operation &o = operationOf(d.routine);
  bool fills = o.isFill();
  uint64_t src = fills ? 0 : word(d.args[2]);
  uint64_t pitch = word(d.args[1]), srcPitch = fills ? 0 : word(d.args[3]);
  std::vector<bool> read(memory.size()), written(memory.size());
  for (uint64_t y = 0; n && y < count; ++y) {
    uint64_t to = (dst + y * pitch) & mask, from = (src + y * srcPitch) & mask;
    if (!inArena(to, n))
      return "writes memory that the loop does not";
    std::string wrong = fills ? fill(d, to, n) : transfer(o.disjoint, to, from, n);
    if (!wrong.empty())
      return wrong;
    std::fill_n(written.begin() + long(to - arenaBase), n, true);
    if (!fills)
      std::fill_n(read.begin() + long(from - arenaBase), n, true);
  }
  for (uint64_t i = 0; o.disjoint && i < memory.size(); ++i)
    if (read[i] && written[i])
      return "copies between rows that overlap";
  return "";
}

/// Runs all operations of the decision in order.
std::string Machine::words(const Match &match, const Decision &d) {
  const WordLoop &l = d.wordLoop;
  std::vector<InlineWord> round(l.count);
  std::string wrong;
  for (uint64_t i = 0; i < l.iterations && wrong.empty(); ++i) {
    for (unsigned k = 0; k < l.count; ++k)
      round[k] = {(i * l.count + k) * l.bytes, l.bytes, l.bytes, l.bytes, l.value};
    wrong = words(match, round);
  }
  size_t group = d.group ? d.group : d.words.size();
  for (size_t at = 0; at < d.words.size() && wrong.empty(); at += group)
    wrong = words(match, {d.words.begin() + long(at),
                          d.words.begin() + long(std::min(at + group, d.words.size()))});
  return wrong;
}

/// Loads all words, then stores all.
std::string Machine::words(const Match &match, const std::vector<InlineWord> &group) {
  uint64_t dst = word(match.dst);
  uint64_t src = match.idiom == Idiom::Fill ? dst : word(match.src);
  std::vector<Bytes> values;
  for (const InlineWord &w : group) {
    uint64_t from = src + w.offset;
    bool loads = w.value == NoExpr;
    if ((loads && !inArena(from, w.bytes)) || !inArena(dst + w.offset, w.bytes))
      return "a word lies outside the loop's memory";
    if ((dst + w.offset) % w.dstAlign || (loads && from % w.srcAlign))
      return "a word's alignment is not what was claimed";
    Bytes v;
    if (loads)
      v.assign(memory.begin() + long(from - arenaBase),
               memory.begin() + long(from - arenaBase + w.bytes));
    else
      v = eval(w.value);
    if (!loads && loop.bigEndian)
      std::reverse(v.begin(), v.end());
    values.push_back(v);
  }
  for (size_t i = 0; i < group.size(); ++i)
    std::copy(values[i].begin(), values[i].end(),
              memory.begin() + long(dst + group[i].offset - arenaBase));
  return "";
}

/// Stores counters after the operation.
std::string Machine::storeFinals(const Decision &d) {
  for (const FinalStore &f : d.finals) {
    uint64_t at = word(f.address);
    if (!inArena(at, f.bytes) || at % f.align)
      return "a counter is stored where the loop does not";
    Bytes v = byAddress(eval(f.value));
    std::copy(v.begin(), v.end(), memory.begin() + long(at - arenaBase));
  }
  return "";
}

/// Runs loops in place of a copy or a fill that no routine may be called for.
std::string Machine::shaped(const std::vector<InlineLoop> &loops) {
  runAllInPlace(loops);
  return ok ? "" : "touches memory that the loop does not, or claims what is not so";
}

std::string Machine::runDecision(const Match &match, const Decision &d, bool &fast) {
  fast = takesGuard(d.guard);
  if (fast && isStreamed(d))
    return runStream(d.stream);
  if (fast && isSpread(d))
    return runSpread(d.spread);
  if (fast) {
    std::string wrong = d.loops.empty() || !d.calls.empty() ? operation(match, d) : shaped(d.loops);
    return wrong.empty() ? storeFinals(d) : wrong;
  }
  if (!d.repeat.exists() || !word(d.repeat.guard)) {
    runLoop();
    return "";
  }
  fast = true;
  Decision fill = d;
  fill.routine = d.repeat.routine;
  fill.args = d.repeat.args;
  std::string wrong = operation(match, fill);
  return wrong.empty() ? storeFinals(d) : wrong;
}

/// Checks the addresses that a routine for aligned ones gets; returns "" or the
/// error.
std::string Machine::unaligned(const Decision &d) {
  const Operation &o = operationOf(d.routine);
  uint64_t all = word(d.args[0]) | (o.copies() ? word(d.args[o.find(ParamKind::Src)]) : 0);
  return all % o.align ? "an address is no multiple of " + std::to_string(o.align) : "";
}

std::string Machine::operation(const Match &match, const Decision &d) {
  std::string bad;
  for (size_t i = 0; i < d.sequence.size() && bad.empty(); ++i)
    bad = operation(match.sequence()[i], d.sequence[i]);
  if (!d.sequence.empty())
    return bad;
  if (!d.words.empty() || d.wordLoop.iterations)
    return words(match, d);
  uint64_t dst = word(d.args[0]), n = word(d.args.back());
  if (match.rows != NoExpr)
    return rows(d);
  if (n && dst % match.dstAlign)
    return "the destination's alignment is not what was claimed";
  if (n && !inArena(dst, n))
    return "writes memory that the loop does not";
  if (n == 0)
    return "";
  if (d.routine == Routine::None)
    return "no routine and no words";
  if (std::string wrong = unaligned(d); !wrong.empty())
    return wrong;
  const Operation &o = operationOf(d.routine);
  switch (o.kind) {
  case OpKind::Fill:
  case OpKind::PatternFill: {
    std::string wrong = fill(d, dst, n);
    return ok ? wrong : "reads memory that the loop does not";
  }
  case OpKind::Copy:
  case OpKind::Move: return transfer(o.disjoint, dst, word(d.args[1]), n);
  case OpKind::StepCopy: return forward(word(d.args[2]), dst, word(d.args[1]), n);
  case OpKind::ReverseCopy: return reverse(o.elementBits / 8, dst, word(d.args[1]), n);
  case OpKind::SwapCopy: return swap(o.elementBits / 8, dst, word(d.args[1]), n);
  case OpKind::Sum:
  case OpKind::LowSum:
  case OpKind::WeightedSum:
  case OpKind::XorFold:
  case OpKind::ModularSum:
  case OpKind::Polyhash:
  case OpKind::OnesSum:
  case OpKind::Crc:
  case OpKind::TableCrc:
  case OpKind::SliceCrc:
  case OpKind::LaneCrc:
  case OpKind::Count:
  case OpKind::Search:
  case OpKind::Compare: break;
  }
  return "a routine that returns a number has no loop to replace";
}

/// Loads; bytes around the memory have another value each time, since no result may
/// depend on them.
Bytes Machine::loadOf(const InlineLoop &l, const InlineLoad &a, const Places &places) {
  uint64_t at = a.from == InlineLoad::FromStart ? places.start
                : a.from == InlineLoad::FromTo  ? places.to
                                                : places.more[a.from - InlineLoad::FromMore];
  uint64_t first = (at + a.offset) & maskOf(loop.ptrBits), last = first + a.bytes - 1;
  ok &= first % a.align == 0 &&
        (l.hidden ? inArena(first, 1) || inArena(last, 1) : inArena(first, a.bytes));
  Bytes v;
  for (uint64_t i = 0; i < a.bytes; ++i)
    v.push_back(inArena(first + i, 1) ? memory[first + i - arenaBase] : uint8_t(random.next()));
  return v;
}

/// Runs one of the loops that replace a call.
void Machine::runInPlace(const InlineLoop &l) {
  uint64_t trip = word(l.trip);
  Places at = {l.start == NoExpr ? 0 : word(l.start), l.to == NoExpr ? 0 : word(l.to), {}};
  for (const InlineRegion &r : l.more)
    at.more.push_back(word(r.at));
  ok &= follows(l, at);
  std::vector<Bytes> state;
  for (const InlineScalar &s : l.scalars)
    state.push_back(eval(s.init));
  carried = state;
  iv = {0};
  ++moment;
  uint64_t all = maskOf(loop.ptrBits);
  for (; iv[0] < trip && ok; ++iv[0]) {
    moveWords(l, at);
    for (size_t i = 0; i < state.size() && ok; ++i)
      state[i] = eval(l.scalars[i].next);
    carried = state;
    at.start = (at.start + l.step) & all;
    at.to = (at.to + l.step) & all;
    for (size_t i = 0; i < at.more.size(); ++i)
      at.more[i] = (at.more[i] + l.more[i].step) & all;
  }
  ok &= l.end == NoExpr || at.to == word(l.end);
  Places before = cameTo.value_or(Places());
  if (l.start == NoExpr)
    at.start = before.start;
  if (l.to == NoExpr)
    at.to = before.to;
  cameTo = at;
  finals.insert(finals.end(), carried.begin(), carried.end());
  ++moment;
}

/// Returns true if a loop that continues the one before starts at its final address.
bool Machine::follows(const InlineLoop &l, const Places &at) const {
  return (!l.startFollows || (cameTo && at.start == cameTo->start)) &&
         (!l.toFollows || (cameTo && at.to == cameTo->to && at.more == cameTo->more));
}

/// Clears the block that an address is in; it need not be the block's first byte.
void Machine::clearBlock(uint64_t place, unsigned bytes) {
  ok &= clears && place % bytes == 0 && inArena(place, bytes);
  if (ok)
    std::fill_n(memory.begin() + long(place - arenaBase), bytes, uint8_t(0));
}

/// Does the loads and stores of an iteration.
void Machine::moveWords(const InlineLoop &l, const Places &at) {
  loaded.clear();
  if (l.clears)
    clearBlock(at.to, l.clears);
  auto load = [&](size_t end) {
    while (loaded.size() < end && ok)
      loaded.push_back(loadOf(l, l.loads[loaded.size()], at));
    ++moment;
  };
  for (size_t i = 0; i < l.stores.size() && ok; ++i) {
    const InlineStore &s = l.stores[i];
    load(loadsBefore(l, i));
    uint64_t place = (at.to + s.offset) & maskOf(loop.ptrBits);
    ok &= inArena(place, s.bytes) && place % s.align == 0;
    if (!ok)
      return;
    Bytes v = byAddress(eval(s.value));
    ok &= v.size() == s.bytes;
    std::copy(v.begin(), v.end(), memory.begin() + long(place - arenaBase));
  }
  load(l.loads.size());
}

/// Runs the loops in place; scalars of loops that do not run get arbitrary values.
void Machine::runAllInPlace(const std::vector<InlineLoop> &loops) {
  bool runs = true;
  cameTo.reset();
  auto each = [&](size_t i) {
    if (ok && runs) {
      runInPlace(loops[i]);
      // Pointers are kept for the next loop in the list only, which may be on another arm.
      return continues(loops, i) ? void() : cameTo.reset();
    }
    for (const InlineScalar &s : loops[i].scalars)
      finals.push_back(s.width > 64 ? pairOf(random.next(), random.next())
                                    : fromWord(random.next(), s.width));
  };
  auto choose = [&](const Branch &c, size_t, auto &inner, auto &other) {
    bool ran = runs, holds = ok && ran && word(c.condition);
    auto before = cameTo;
    runs = ran && holds;
    inner();
    cameTo = before;
    runs = ran && !holds;
    other();
    cameTo.reset();
    runs = ran;
    std::vector<Bytes> merged;
    for (const Phi &m : c.phis)
      merged.push_back(ok && ran ? eval(holds ? m.ifTrue : m.ifFalse)
                                 : fromWord(random.next(), loop.ptrBits));
    finals.insert(finals.end(), merged.begin(), merged.end());
    ++moment;
  };
  walkLoops(loops, 0, loops.size(), 0, each, choose);
}

std::string Machine::runAlone(const Match &match, const Decision &d) {
  for (const ReturningCall &c : d.calls)
    if (ok)
      results.push_back(call(c));
  ++moment;
  if (!ok)
    return "touches memory that the loops do not, or regions that overlap";
  bool none = d.routine == Routine::None && d.words.empty() && !d.wordLoop.iterations;
  return none ? "" : operation(match, d);
}

std::string Machine::runCalls(const Match &match, const Decision &d,
                              const std::vector<Bytes> &expected, bool &fast) {
  fast = takesGuard(d.guard);
  if (!fast) {
    runLoop();
    return "";
  }
  tables = &d.tables;
  runAllInPlace(d.loops);
  for (const ReturningCall &c : d.calls)
    if (ok)
      results.push_back(c.inPlace == NoExpr ? call(c) : word(c.inPlace));
  ++moment;
  if (!ok)
    return "touches memory that the loop does not, or regions that overlap";
  for (const LiveOutResult &r : d.results) {
    const LiveOut &l = loop.liveOuts[r.index];
    const Bytes &want = expected[size_t(l.rec)];
    bool wrong = want.size() > 8 && eval(r.value) != want;
    if (wrong || (toWord(eval(r.value)) ^ toWord(want)) & l.used)
      return l.name + " differs afterwards";
  }
  tables = nullptr;
  if (!ok)
    return "looks up an entry that the table does not have";
  bool writes = d.routine != Routine::None || !d.words.empty();
  return writes ? runDecision(match, d, fast) : "";
}

} // namespace memlift
