// search.cpp - loops that end at a byte that they read
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < n; i++)
//     if (p[i] == c)
//       return i;
//
// The loop stays. Nothing but counters is carried, so it may begin at any iteration that it would
// come to: a routine tells at which one it ends, and the loop runs that iteration alone. So what
// the exits do, and which values leave the loop, needs no proof.
//
// It would also be right to begin earlier. So the routine may stop at more bytes than the loop, and
// must not stop at fewer: an exit is described by a set of bytes that has all those that leave. A
// test that compares with an invariant of 32 bits is described by the invariant's low byte. Only a
// byte that differs from an invariant needs that to be a byte.
//
// A condition of one byte and constants is run for all 256 bytes. Loads stand before the tests that
// use them; a second region is read after the test of the first one only if the routine does so.
#include "../algebra/oneinput.h"
#include "steps.h"

namespace memlift {
namespace {

constexpr char conditionNeed[] = "exits at up to four bytes, at other bytes than one, or at a "
                                 "difference";
constexpr size_t mostSearched = 4;

/// Bytes that the exits so far end at.
struct Stops {
  std::vector<ExprId> set;
  std::vector<uint32_t> loads; // of the bytes in the set
  ExprId not_ = NoExpr;        // a byte that does not end the loop, where all others do
  uint32_t notLoad = 0;
  bool differ = false;
  bool less = false, more = false; // an exit where the first is less, and where it is greater
  uint32_t a = 0, b = 0;           // loads whose values differ
  uint64_t setShift = 0, aShift = 0, bShift = 0; // elements that they are ahead in their region
};

/// The first of the accesses that read one region, and how many elements further on a load reads.
struct Place {
  uint32_t first = 0;
  uint64_t shift = 0;
};

/// Returns the place of a load: a byte read again in the next iteration, or carried over from
/// the last one, is one element away. Up to `most` elements are looked for.
Place placeOf(const Proof &p, uint32_t load) {
  constexpr int64_t most = 1;
  Place place = {load, 0};
  const Access &a = p.loop.accesses[load];
  for (uint32_t i = 0; i < p.loop.accesses.size(); ++i) {
    const Access &b = p.loop.accesses[i];
    int64_t apart, step;
    if (i == load || !walkAlike(p.g, a, b) || a.bytes != b.bytes || a.step.size() != 1 ||
        !p.g.isConst(a.step[0]) || !p.g.constantDifference(a.offset, b.offset, apart))
      continue;
    step = signExtend(p.g[a.step[0]].value, p.loop.ptrBits);
    if (!step || apart % step || apart / step < 0 || apart / step > most ||
        uint64_t(apart / step) < place.shift || (apart == 0 && i > place.first))
      continue;
    place = {i, uint64_t(apart / step)};
  }
  return place;
}

/// Strips extensions from a value.
ExprId inner(const ExprGraph &g, ExprId id, Op &how) {
  how = Op::Const;
  while (g[id].op == Op::ZExt || g[id].op == Op::SExt) {
    how = g[id].op;
    id = g[id].a;
  }
  return id;
}

class Conditions {
public:
  explicit Conditions(Proof &p) : p(p), g(p.g) {}
  /// Adds what `leaves` (or its opposite) ends at. Returns false if it is nothing of the kind.
  bool add(ExprId leaves, bool opposite = false);
  Stops stops;

private:
  Proof &p;
  ExprGraph &g;

  bool both(ExprId a, ExprId b, bool opposite) { return add(a, opposite) && add(b, opposite); }
  bool constants(ExprId leaves, bool opposite);
  bool compare(const Expr &e, bool equal);
  bool addByte(ExprId byte, uint32_t load);
  bool addNot(ExprId byte, uint32_t load);
  bool less(const Expr &e);
  bool addDifference(ExprId a, ExprId b);
  bool loadIn(ExprId id, ExprId &load) const;
};

/// Finds the one load in a value of at most 64 nodes.
bool Conditions::loadIn(ExprId id, ExprId &load) const {
  std::vector<ExprId> todo = {id};
  load = NoExpr;
  for (size_t i = 0; i < todo.size(); ++i) {
    const Expr &e = g[todo[i]];
    if (e.op == Op::Load && load != NoExpr && load != todo[i])
      return false;
    if (e.op == Op::Load)
      load = todo[i];
    for (ExprId operand : {e.a, e.b, e.c})
      if (operand != NoExpr && std::find(todo.begin(), todo.end(), operand) == todo.end())
        todo.push_back(operand);
    if (todo.size() > 64)
      return false;
  }
  return load != NoExpr;
}

bool Conditions::addByte(ExprId byte, uint32_t load) {
  bool known = std::find(stops.set.begin(), stops.set.end(), byte) != stops.set.end();
  if (!known)
    stops.set.push_back(byte);
  stops.loads.push_back(load);
  return stops.set.size() <= mostSearched;
}

bool Conditions::addNot(ExprId byte, uint32_t load) {
  bool first = stops.not_ == NoExpr;
  stops.not_ = byte;
  stops.notLoad = load;
  return first;
}

bool Conditions::addDifference(ExprId a, ExprId b) {
  uint32_t x = uint32_t(g[a].value), y = uint32_t(g[b].value);
  bool same = stops.a == std::min(x, y) && stops.b == std::max(x, y);
  if (x == y || (stops.differ && !same))
    return false;
  stops.differ = true;
  stops.a = std::min(x, y), stops.b = std::max(x, y);
  return true;
}

/// Runs a condition of one byte and constants for all bytes.
bool Conditions::constants(ExprId leaves, bool opposite) {
  ExprId load;
  if (!loadIn(leaves, load) || g.width(load) != 8)
    return false;
  OneInput run(g, leaves, load);
  if (!run.ok())
    return false;
  std::vector<unsigned> in, out;
  for (unsigned byte = 0; byte < 256; ++byte)
    ((run.at(byte) & 1) != opposite ? in : out).push_back(byte);
  uint32_t index = uint32_t(g[load].value);
  if (out.size() == 1)
    return addNot(g.constant(out[0], 8), index);
  bool few = in.size() <= mostSearched;
  for (size_t i = 0; few && i < in.size(); ++i)
    few = addByte(g.constant(in[i], 8), index);
  return few;
}

/// Adds a comparison of a byte with an invariant, or of two loads.
bool Conditions::compare(const Expr &e, bool equal) {
  Op how, otherHow;
  ExprId a = inner(g, e.a, how), b = inner(g, e.b, otherHow);
  if (g[a].op == Op::Xor && g.isConst(b, 0) && how == otherHow) { // a ^ b != 0
    const Expr x = g[a];
    a = inner(g, x.a, how), b = inner(g, x.b, otherHow);
  }
  if (g[a].op == Op::Load && g[b].op == Op::Load)
    return !equal && how == otherHow && (stops.less = stops.more = true) &&
           g.width(a) == g.width(b) && addDifference(a, b);
  ExprId other = e.b;
  if (g[a].op != Op::Load)
    std::swap(a, b), std::swap(how, otherHow), other = e.a;
  if (g[a].op != Op::Load || g.width(a) != 8 || !g.isInvariant(other))
    return false;
  ExprId byte = g.width(other) == 8 ? other : g.cast(Op::Trunc, other, 8);
  uint32_t load = uint32_t(g[a].value);
  if (equal)
    return addByte(byte, load);
  if (g.width(other) > 8)
    p.require(g.binary(Op::Eq, other, g.cast(how, byte, g.width(other))), "byte", Diag::None,
              "a value that a byte can have", p.text(other));
  return addNot(byte, load);
}

/// Adds a comparison for less of two loads, also as signed numbers, whose top bits are swapped. The
/// other direction has to end the loop, too.
bool Conditions::less(const Expr &e) {
  Op how, otherHow;
  ExprId low = e.op == Op::ULt ? e.a : e.b, high = e.op == Op::ULt ? e.b : e.a;
  if (g[low].op == Op::Xor && g[high].op == Op::Xor && g.isConst(g[low].b) && g[low].b == g[high].b)
    low = g[low].a, high = g[high].a;
  ExprId a = inner(g, low, how), b = inner(g, high, otherHow);
  if (g[a].op != Op::Load || g[b].op != Op::Load || how != otherHow || g.width(a) != g.width(b))
    return false;
  (g[a].value < g[b].value ? stops.less : stops.more) = true;
  return addDifference(a, b);
}

bool Conditions::add(ExprId leaves, bool opposite) {
  const Expr e = g[leaves];
  if (e.op == Op::Xor && g.isConst(e.b, 1))
    return add(e.a, !opposite);
  bool either = e.width == 1 && (e.op == Op::Or || (e.op == Op::Select && g.isConst(e.b, 1)));
  bool each = e.width == 1 && (e.op == Op::And || (e.op == Op::Select && g.isConst(e.c, 0)));
  if (constants(leaves, opposite))
    return true;
  if (opposite ? each : either)
    return both(e.a, e.op == Op::Select ? (opposite ? e.b : e.c) : e.b, opposite);
  if ((e.op == Op::Eq || e.op == Op::Ne) && g.width(e.a) == 1 && g.isConst(e.b))
    return add(e.a, opposite != ((e.op == Op::Eq) == g.isConst(e.b, 0)));
  if ((e.op == Op::ULt && !opposite) || (e.op == Op::ULe && opposite))
    return less(e);
  return (e.op == Op::Eq || e.op == Op::Ne) && compare(e, (e.op == Op::Eq) != opposite);
}

/// Requires that a load goes from element to element. Returns false and enters the reason if not.
bool walksBytes(Proof &p, const Access &a, bool &backwards) {
  const char *name = "elements", *need = "one after the other";
  uint64_t size = p.g.isConst(a.bytes) ? p.g[a.bytes].value : 0;
  if (!a.affine || a.step.size() != 1 || !p.g.isConst(a.step[0]) || !size)
    return p.fail(name, Diag::SearchElements, need, p.describe(a) + " has no constant step");
  int64_t step = signExtend(p.g[a.step[0]].value, p.loop.ptrBits);
  backwards = step == -int64_t(size);
  if (step != int64_t(size) && !backwards)
    return p.fail(name, Diag::SearchElements, need,
                  p.describe(a) + ": " + strideText(p, a.step[0], size));
  return true;
}

/// Fills in where a load begins.
bool begin(Proof &p, uint32_t load, uint32_t &base, ExprId &at, bool &backwards) {
  const Access &a = p.loop.accesses[load];
  if (!walksBytes(p, a, backwards))
    return false;
  base = a.base;
  at = p.tidy(p.address(a.base, a.offset));
  return true;
}

/// Returns true if no exit is tested before access `load`.
bool firstOfAll(const Proof &p, uint32_t load) { return p.loop.dataExits[0].after > load; }

/// Names loads by the first one of their region, and sets how far ahead they are. Returns false if
/// there are more regions than `most`.
bool gather(const Proof &p, Stops &s, size_t most) {
  std::vector<uint32_t> firsts;
  auto place = [&](uint32_t &load, uint64_t &shift) {
    Place at = placeOf(p, load);
    load = at.first;
    shift = std::max(shift, at.shift);
    if (std::find(firsts.begin(), firsts.end(), load) == firsts.end())
      firsts.push_back(load);
  };
  for (uint32_t &load : s.loads)
    place(load, s.setShift);
  if (s.not_ != NoExpr)
    place(s.notLoad, s.setShift);
  if (s.differ)
    place(s.a, s.aShift), place(s.b, s.bShift);
  return firsts.size() <= most;
}

/// Judges two regions that are compared.
bool compares(Proof &p, SearchForm &form, Stops s) {
  bool one = s.set.size() <= 1 && s.not_ == NoExpr && gather(p, s, 2) && s.a != s.b;
  form.kind = s.set.empty() ? SearchForm::Differs : SearchForm::DiffersOr;
  bool tested = !s.set.empty() && s.loads[0] == s.b;
  form.load = tested ? s.b : s.a, form.otherLoad = tested ? s.a : s.b;
  if (!one)
    return p.fail("exits", Diag::SearchCondition, conditionNeed,
                  "a difference, and more than one byte");
  // The routine reads the second region after a test of the first one for the byte alone.
  size_t before = 0;
  while (before < p.loop.dataExits.size() && p.loop.dataExits[before].after <= form.otherLoad)
    ++before;
  // Elements are counted from the load that lags the other one. The region that has none so
  // late begins an element earlier, which the iteration before has read.
  uint64_t loadShift = tested ? s.bShift : s.aShift, otherShift = tested ? s.aShift : s.bShift;
  uint64_t ahead = std::max(loadShift, otherShift), lag = ahead - loadShift;
  bool inOrder = before == 0 ||
                 (before == 1 && form.kind == SearchForm::DiffersOr && s.setShift + lag <= ahead);
  if (!firstOfAll(p, form.load) || !inOrder)
    return p.fail("order", Diag::SearchCondition, "both regions are read before they are compared",
                  "one is read behind a test");
  bool backwards = false, otherBackwards = false;
  if (!begin(p, form.load, p.match.srcBase, p.match.src, backwards) ||
      !begin(p, form.otherLoad, form.otherBase, form.other, otherBackwards))
    return false;
  form.elementBytes = p.g[p.loop.accesses[form.load].bytes].value;
  form.shift = std::max(ahead, s.setShift + lag);
  p.match.src = p.g.sub(p.match.src, p.loop.word(lag * form.elementBytes));
  form.other = p.g.sub(form.other, p.loop.word((ahead - otherShift) * form.elementBytes));
  if (backwards || otherBackwards)
    return p.fail("direction", Diag::SearchBackwards, "upwards",
                  "regions compared from their ends");
  if (form.kind == SearchForm::DiffersOr && form.elementBytes != 1)
    return p.fail("elements", Diag::SearchElements, "bytes",
                  std::to_string(form.elementBytes) + " bytes an element");
  return true;
}

/// Judges one region that is searched.
bool searches(Proof &p, SearchForm &form, Stops s) {
  if (!gather(p, s, 1))
    return p.fail("exits", Diag::SearchCondition, conditionNeed, "bytes of several places");
  form.shift = s.setShift;
  form.kind = s.not_ == NoExpr ? SearchForm::Any : SearchForm::Not;
  form.load = form.kind == SearchForm::Not ? s.notLoad : s.loads[0];
  if (form.kind == SearchForm::Not && !s.set.empty())
    return p.fail("exits", Diag::SearchCondition, conditionNeed, "any byte but one, or a byte");
  if (!begin(p, form.load, p.match.srcBase, p.match.src, form.backwards))
    return false;
  if (form.backwards &&
      (form.kind != SearchForm::Any || form.set.size() != 1 || !form.bounded || form.shift))
    return p.fail("direction", Diag::SearchBackwards, "upwards, or for one byte up to a bound",
                  "downwards");
  return true;
}

} // namespace

bool search(Proof &p) {
  Conditions conditions(p);
  bool known = true;
  for (const DataExit &e : p.loop.dataExits)
    known = known && conditions.add(e.leaves);
  const Stops &s = conditions.stops;
  // Other loops that end at what they read are no searches: nothing is said of them.
  if (!known || s.less != s.more || (s.set.empty() && s.not_ == NoExpr && !s.differ))
    return p.fail("exits", Diag::SearchCondition, conditionNeed, "another condition");
  p.match.idiom = s.differ ? Idiom::Compare : Idiom::Search;
  ExprId trip = p.loop.dims[0].trip;
  SearchForm form;
  form.bounded = !p.g.isConst(trip, maskOf(p.loop.ptrBits));
  form.set = s.not_ == NoExpr ? s.set : std::vector<ExprId>{s.not_};
  if (!(s.differ ? compares(p, form, s) : searches(p, form, s)))
    return false;
  p.prove("exits", conditionNeed, s.differ ? "a difference" : "bytes");
  p.match.bytes = p.g.mul(trip, p.loop.word(form.elementBytes));
  p.match.iterations = trip;
  p.match.search = form;
  return true;
}

} // namespace memlift
