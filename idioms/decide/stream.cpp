// stream.cpp - proves that a loop may be cut into blocks whose arrays are moved
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (t = 0; t < n; t++)           while ((m = next(shifts)))
//     d[t] = a[t] * k + b[t];    ->     for (j = 0; j < m; j++, t++)
//                                         D[t] = A[t] * k + B[t];   /* D = d + shifts[2].delta */
//
// An iteration is one of the outermost loop. A stream is the accesses of one array that step alike
// from iteration to iteration; its window is the bytes from the lowest to the highest that an
// iteration touches. Bytes that are read arrive before the iteration, and bytes that are written
// leave after it. So:
// - A stream that is written is apart from all others. It reads only what the same iteration
//   writes.
// - It is written without holes, since the whole window leaves.
// - It may read more than the loop does: windows with gaps, conditional reads.
// - An access that is not moved must not meet a stream that is written; if it writes, none at all.
//
// Regions that are not known to be apart are compared before the loop. Each rule is one step below,
// with a fact and a code; a step that fails does not stop the others.
#include "spread.h"
#include "stream.h"
#include "streamer.h"

#include <algorithm>

namespace memlift {
namespace {

constexpr int64_t mostStep = 1 << 30; // bytes; with this, no region wraps around
constexpr uint64_t leastBytes = 1024; // that a loop moves, if that is known
constexpr uint64_t alignment = 64;    // of places in the local store

} // namespace

/// Requires that the routines of memlift/stream.h may be called.
bool Streamer::callable() {
  const char *name = "stream: routines", *need = "libmemlift may be called";
  bool may = true;
  RuntimeMode mode = runtimeOf(loop.function, options);
  if (const PropertyRecord *r = loop.function.properties.first(PropertyEffect::NoCalls))
    may = p.fail(name, Diag::CallsRuledOut, need, loop.function.properties.haveOf(*r));
  else if (mode != RuntimeMode::Memlift)
    may = p.fail(name, mode == RuntimeMode::Libc ? Diag::RuntimeLibc : Diag::NoRuntime, need,
                 "another runtime was chosen");
  if (may)
    p.prove(name, need, "holds");
  return may;
}

/// Requires that the loop may be left after any iteration, and entered again.
bool Streamer::resumable() {
  const char *name = "stream: form", *need = "an iteration ends at the one test, 64-bit addresses";
  if (loop.ptrBits != 64)
    return p.fail(name, Diag::StreamForm, need, std::to_string(loop.ptrBits) + "-bit addresses");
  if (!loop.resumable)
    return p.fail(name, Diag::StreamForm, need, "the test is at another place");
  p.prove(name, need, "holds");
  return true;
}

/// Requires accesses that may be made elsewhere, and no effect that the loop model has no step for.
bool Streamer::plain() {
  const char *name = "stream: plain accesses";
  bool all = true;
  for (const Access &a : loop.accesses) {
    auto bad = [&](Diag code, const char *need) {
      all = p.fail(name, code, need, p.describe(a), p.where(a.loc));
    };
    if (a.isVolatile)
      bad(Diag::VolatileAccess, "not volatile");
    if (a.atomic)
      bad(Diag::AtomicAccess, "not atomic");
    if (a.addressSpace)
      bad(Diag::AddressSpace, "default address space");
    if (a.paddingBits)
      bad(Diag::PaddingBits, "types that fill their bytes");
    if (a.fixed || p.isBulk(a) || g.isConst(a.bytes, 0))
      bad(Diag::SideEffects, "accesses of the source, of a constant size");
  }
  if (!loop.dataExits.empty())
    all = p.fail(name, Diag::SeveralExits, "an end that is known before the loop",
                 "the loop ends at what it reads");
  // wholeLoop() has entered these; LiveOut is no obstacle, as the loop stays.
  static constexpr Diag elsewhere[] = {
      Diag::TripCountUnknown, Diag::IndexMayWrap, Diag::SeveralExits, Diag::SideEffects,
      Diag::NotInnermostForm, Diag::PaddingBits,  Diag::LiveOut};
  for (const Obstacle &o : loop.obstacles)
    if (std::find(std::begin(elsewhere), std::end(elsewhere), o.code) == std::end(elsewhere))
      all = p.fail(name, o.code, "none in the loop", o.what, p.where(o.loc));
  if (all)
    p.prove(name, "ordinary memory, each access as in the source", "holds");
  return all;
}

/// Adds an access to a stream of its base that steps alike and is near, or to a new one.
void Streamer::join(uint32_t index, const std::vector<ExprId> &step) {
  const Access &a = loop.accesses[index];
  Part part = {index, 0, int64_t(g[a.bytes].value)};
  ExprId at = p.address(a.base, a.offset);
  for (Walk &s : streams) {
    if (s.base != a.base || s.step != step || !g.constantDifference(at, s.at, part.offset))
      continue;
    int64_t end = part.offset + part.bytes;
    if (part.offset > s.high + streamRowGap || end < s.low - streamRowGap)
      continue;
    s.low = std::min(s.low, part.offset);
    s.high = std::max(s.high, end);
    s.written |= a.store;
    s.parts.push_back(part);
    return;
  }
  part.offset = 0;
  Walk s;
  s.base = a.base;
  s.at = at;
  s.step = step;
  s.high = part.bytes;
  s.written = a.store;
  s.parts = {part};
  streams.push_back(s);
}

/// Sorts an access: moved, not moved, or in steps that are not known. Only the outermost step of a
/// nest may vary.
bool Streamer::walk(uint32_t index, bool &known) {
  const Access &a = loop.accesses[index];
  if (!a.affine) {
    others.push_back(index);
    return true;
  }
  std::vector<ExprId> step;
  for (ExprId s : a.step)
    step.push_back(p.tidy(s));
  if (g.isConst(step[0], 0)) {
    others.push_back(index);
    return true;
  }
  size_t first = step.size() > 1 ? 1 : 0;
  for (size_t k = 0; k < step.size(); ++k) {
    bool fits = g.isConst(step[k]) ? std::abs(constant(step[k])) <= mostStep : k < first;
    if (!fits) {
      known = p.fail("stream: steps", Diag::StreamStep, "constant steps of at most 1 GiB",
                     p.describe(a) + ": " + p.text(step[k]), p.where(a.loc));
      return false;
    }
  }
  join(index, step);
  return true;
}

bool Streamer::walks() {
  bool known = true;
  for (uint32_t i = 0; i < loop.accesses.size(); ++i)
    walk(i, known);
  if (known && streams.empty())
    return p.fail("stream: steps", Diag::StreamNothing, "an array that the loop walks", "none");
  if (known)
    p.prove("stream: steps", "constant steps of at most 1 GiB", "holds");
  return known;
}

/// Requires that what is written is written in every iteration.
bool Streamer::unconditional() {
  const char *name = "stream: written always", *need = "stores in every iteration";
  bool always = true;
  for (const Walk &s : streams)
    for (const Part &part : s.parts) {
      const Access &a = loop.accesses[part.access];
      if (a.store && a.conditional)
        always = p.fail(name, Diag::StreamConditional, need, p.describe(a) + " is conditional",
                        p.where(a.loc));
    }
  if (always)
    p.prove(name, need, "holds");
  return always;
}

/// Returns false, with the reason, if the stores of an iteration leave a byte of [low, high) out.
bool Streamer::written(const Walk &s, std::string &why) const {
  std::vector<std::pair<int64_t, int64_t>> stores;
  for (const Part &part : s.parts)
    if (loop.accesses[part.access].store)
      stores.push_back({part.offset, part.offset + part.bytes});
  std::sort(stores.begin(), stores.end());
  int64_t from = stores.front().first, end = from;
  for (auto [first, last] : stores) {
    if (first > end) {
      why = std::to_string(first - end) + " bytes of " + nameOf(s) + " between two stores";
      return false;
    }
    end = std::max(end, last);
  }
  int64_t step = std::abs(constant(s.step.back()));
  if (s.step.size() == 1 && end - from != step) {
    why =
        std::to_string(end - from) + " of every " + std::to_string(step) + " bytes of " + nameOf(s);
    return false;
  }
  return true;
}

/// Requires, of a nest, that each loop continues where the one inside it ends.
bool Streamer::holes(const Walk &s) {
  const char *name = "stream: written densely", *need = "every byte of an iteration, once";
  std::string why;
  if (!written(s, why))
    return p.fail(name, Diag::StreamHoles, need, why);
  ExprId bytes = loop.word(uint64_t(s.high - s.low));
  for (size_t k = s.step.size() - 1; k > 0; --k) {
    uint64_t step = uint64_t(std::abs(constant(s.step[k])));
    if (!g.equal(bytes, loop.word(step)))
      return p.fail(name, Diag::StreamHoles, need,
                    nameOf(s) + " in steps of " + std::to_string(step) + " bytes");
    bytes = g.mul(loop.dims[k].trip, loop.word(step));
  }
  return true;
}

/// Requires that what is written is all of its windows, and that a stream that is written and read
/// reads what the same iteration writes only.
bool Streamer::dense() {
  bool all = true;
  for (const Walk &s : streams) {
    if (!s.written)
      continue;
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (const Part &part : s.parts)
      if (loop.accesses[part.access].store) {
        low = std::min(low, part.offset);
        high = std::max(high, part.offset + part.bytes);
      }
    if (low != s.low || high != s.high)
      all =
          p.fail("stream: apart", Diag::StreamReadsWritten, "no byte that another iteration writes",
                 "load from " + nameOf(s) + " beside its stores");
    else if (!holes(s))
      all = false;
  }
  if (all)
    p.prove("stream: written densely", "every byte of an iteration, once", "holds");
  return all;
}

bool Streamer::count() {
  std::string need = "at most " + std::to_string(StreamAbi::mostAccesses) + " arrays";
  if (streams.size() > StreamAbi::mostAccesses)
    return p.fail("stream: arrays", Diag::StreamMany, need, std::to_string(streams.size()));
  p.prove("stream: arrays", need, std::to_string(streams.size()));
  return true;
}

/// Requires that the store asked for holds one iteration of every stream, as often as it has
/// places.
bool Streamer::store() {
  uint64_t asked = loop.function.store, needed = 0;
  for (const Walk &s : streams) {
    uint64_t bytes = g.isConst(s.bytes) ? g[s.bytes].value : 1;
    bool both = s.written && std::any_of(s.parts.begin(), s.parts.end(), [&](const Part &part) {
                  return !loop.accesses[part.access].store;
                });
    needed += (both ? 3 : 2) * (bytes + alignment);
  }
  std::string need = "a local store of at least " + std::to_string(needed) + " bytes";
  if (asked && asked < needed)
    return p.fail("stream: store", Diag::StreamStore, need, std::to_string(asked) + " bytes");
  p.prove("stream: store", need, asked ? std::to_string(asked) + " bytes" : "what there is");
  return true;
}

/// Requires enough bytes, if the number of iterations is bounded.
bool Streamer::worthIt() {
  uint64_t most = 1, bytes = 0;
  for (const Dim &dim : loop.dims) {
    uint64_t bound = upperBound(loop, dim.trip);
    bound = dim.maxTrip ? std::min(dim.maxTrip, bound) : bound;
    if (bound > leastBytes)
      return true;
    most *= std::max<uint64_t>(bound, 1);
  }
  for (const Walk &s : streams)
    bytes += uint64_t(s.high - s.low);
  if (most > leastBytes || most * bytes >= leastBytes)
    return true;
  return p.fail("stream: size", Diag::StreamShort,
                "at least " + std::to_string(leastBytes) + " bytes",
                "at most " + std::to_string(most * bytes));
}

/// Enters the plan. A condition around the loop inside a nest counts as no iteration at all; then
/// the source's loop runs, as it has to.
void Streamer::plan() {
  if (!loop.dims[0].nonzero)
    p.require(g.binary(Op::Ne, loop.dims[0].trip, loop.word(0)));
  d.stream.iterations = loop.dims[0].trip;
  d.stream.cycles16 = cyclesOfOuterIteration();
  d.stream.store = loop.function.store;
  d.stream.whereBound = !loop.function.optSize;
  for (const Walk &s : streams) {
    StreamAccess a = {s.window, s.step[0], s.bytes, s.rows ? unsigned(StreamAccess::Rows) : 0, {}};
    for (const Part &part : s.parts) {
      a.how |= loop.accesses[part.access].store ? StreamAccess::Out : StreamAccess::In;
      a.accesses.push_back(part.access);
    }
    d.stream.accesses.push_back(a);
  }
  d.shape = shape();
  d.guard = p.match.condition;
  d.kind = d.guard == NoExpr ? DecisionKind::Inlined : DecisionKind::Guarded;
  d.code = d.guard == NoExpr ? Diag::Streamed : Diag::StreamedGuarded;
}

/// Describes the plan: the arrays, the bytes, what limits the loop, and the store.
std::string Streamer::shape() const {
  unsigned in = 0, out = 0, both = 0;
  uint64_t bytes = 0;
  bool known = true;
  for (const StreamAccess &a : d.stream.accesses) {
    bool reads = a.how & StreamAccess::In, writes = a.how & StreamAccess::Out;
    ++(reads && writes ? both : writes ? out : in);
    uint64_t times = reads && writes ? 2 : 1;
    const ExprId moved = a.how & StreamAccess::Rows || !g.isConst(a.step) ? a.bytes : a.step;
    known &= g.isConst(moved);
    bytes += known ? times * uint64_t(std::abs(constant(moved))) : 0;
  }
  std::string text = std::to_string(in + out + both) + " arrays, " + std::to_string(in) +
                     " read, " + std::to_string(out) + " written, " + std::to_string(both) +
                     " both; ";
  text += known ? std::to_string(bytes) + " bytes" : "rows of";
  text += known ? " moved for an iteration" + limit(bytes) : " a variable size";
  return text + "; store: " +
         (d.stream.store ? std::to_string(d.stream.store) + " bytes" : "what there is");
}

/// Runs the steps; those that need what another one found out come after it.
void Streamer::run() {
  callable();
  resumable();
  bool counted = !loop.dims.empty() && plain();
  for (const Dim &dim : loop.dims)
    counted = counted && dim.trip != NoExpr;
  if (!counted || !walks())
    return;
  const bool spread = loop.function.spread;
  if (!spread) {
    unconditional();
    count();
    if (!dense())
      return;
  }
  for (Walk &s : streams)
    if (!window(s))
      return;
  if (spread) {
    ownWindows();
    onlyReads();
    independent();
    movable();
  } else {
    store();
  }
  worthIt();
  apart();
  if (!p.failed())
    spread ? planSpread() : plan();
}

static Streamed attempt(Loop &loop, const Options &options) {
  Streamed result;
  Proof proof(loop, result.match, {});
  wholeLoop(proof);
  Streamer(loop, options, proof, result.decision).run();
  return result;
}

Streamed streamLoop(Loop &loop, const Options &options) {
  Streamed result = attempt(loop, options);
  if (!isSpread(result.decision) || !loop.function.local)
    return result;
  loop.function.spread = false;
  Streamed blocks = attempt(loop, options);
  loop.function.spread = true;
  addLocalStores(loop, blocks, result.decision);
  return result;
}

} // namespace memlift
