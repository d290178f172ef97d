// crctable.cpp - a CRC by a table whose entries nobody knows before the program runs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) c = table[(c ^ p[i]) & 255] ^ (c >> 8);          reflected
//   for (i..n) c = table[(c >> 8 ^ p[i]) & 255] ^ (c << 8);     not reflected, 16 bits
//
// The entries decide whether this is a CRC, and of which polynomial. A routine finds that out when
// it is called: it gets the table, and does what the loop does whatever is in it. So the proof is
// about the use of the table only. The entry that is looked up becomes a value of its own, of
// formal bits (algebra/gf2.h). Then the index has to be one byte of the register with the byte that
// is read, and the next value the entry with the register shifted by a byte.
//
// Several bytes may be looked up in an iteration, one after the other, as in zip and unzip. The
// value after the last look-up is cut at the registers between them: values of the register's size
// from which all that follows is computed by one look-up. Each step is proved as if it were alone.
//
// A register of 16 bits that is fed from the top passes half of itself on: of 16 bits shifted up
// twice nothing is left. So optimisers drop the first shift, and no value of the loop is the
// register between two look-ups. It is made up of the look-ups then:
//
//   c1 = t1 ^ (c << 8)
//
// Both t1 and c, or the look-up before t1, are replaced in all that follows; nothing but the
// made-up register may be left of them.
//
//   c ^= *word++;
//   for (k..4) c = table[c & 255] ^ (c >> 8);
//
// A word may be mixed in before the look-ups of its bytes: each byte moves along with the register.
//
// The register may be held in a wider type; bits above it must be 0 after an iteration, or not
// used. The limits: 16 look-ups in an iteration, each of one byte; a table of 256 entries.
#include "crcforms.h"
#include "walk.h"

#include <algorithm>

namespace memlift {

namespace {

constexpr size_t mostLookUps = 16; // of an iteration

/// Collects the look-ups in tables of unknown contents.
void lookUpsOf(const Loop &loop, ExprId id, std::set<ExprId> &seen, std::set<ExprId> &found) {
  if (id == NoExpr || !seen.insert(id).second)
    return;
  const Expr &e = loop.exprs[id];
  if (e.op == Op::Table && loop.tables[e.value].unknown)
    found.insert(id);
  for (ExprId operand : {e.a, e.b, e.c})
    lookUpsOf(loop, operand, seen, found);
}

/// The step of a loop, as exclusive-ors of the register's bits, the byte's and the entry's.
class TableStep {
public:
  /// `after` is the register after the step, with one look-up; `mixed`: the byte is in the register
  /// already.
  TableStep(Proof &p, uint32_t rec, ExprId lookUp, ExprId after, bool mixed)
      : p(p), loop(p.loop), mixed(mixed), rec(rec), width(p.loop.recs[rec].width),
        entryBits(p.g[lookUp].width), index(withoutConstant(p.loop, p.g[lookUp].a, first)),
        entry(p.g.leaf(Op::Load, p.loop.accesses.size(), entryBits)) {
    state.recs = {rec};
    evaluate(lookUp, after);
  }
  bool ok = false;
  size_t first = 0;                            // number of the entry for index 0
  std::pair<uint32_t, unsigned> byte = {0, 0}; // as Gf2Form::bytes
  /// Sets the register's width and direction, or says what is missing.
  const char *match(CrcPoly &crc) const;
  /// Returns the bits of the register that are 0 before the loop and after each such step.
  uint64_t zero() const { return state.zero; }

private:
  Proof &p;
  Loop &loop;
  bool mixed;
  uint32_t rec;
  unsigned width, entryBits;
  ExprId index;
  ExprId entry; // stands for what is looked up: a load of an access that there is not
  Gf2State state;
  Gf2Value next, at, data, looked;

  void evaluate(ExprId lookUp, ExprId after);
  bool takeByte(const Gf2Form &form);
  Gf2Bit held(unsigned bit) const;
  bool indexIsFrom(unsigned low) const;
  bool isShifted(unsigned bits, bool down) const;
};

/// Evaluates the next value and the index with the entry's own bits in place of the look-up.
void TableStep::evaluate(ExprId lookUp, ExprId after) {
  ExprId &last = loop.recs[rec].next, before = last;
  std::map<ExprId, ExprId> with = {{lookUp, entry}};
  last = p.g.substitute(after, with);
  Forms forms;
  bool closed = closeState(loop, state, forms) && state.recs.size() == 1;
  loop.recs[rec].next = before;
  if (!closed)
    return;
  Gf2Form place = gf2Of(loop, index, state, forms[0]);
  Gf2Form value = gf2Of(loop, entry, state, place);
  next = forms[0].value, at = place.value, looked = value.value;
  ok = place.ok && value.ok && place.unknownTable.empty() && forms[0].unknownTable.empty() &&
       takeByte(value);
}

/// Finds the byte's columns; false unless the step reads one, or none if that is mixed in already.
bool TableStep::takeByte(const Gf2Form &form) {
  unsigned found = 0;
  data.assign(8, Gf2Bit());
  for (unsigned k = 0; k < form.bytes.size(); ++k) {
    if (form.bytes[k].first >= loop.accesses.size())
      continue; // the entry, or what came before a made-up register
    ++found;
    byte = form.bytes[k];
    data.assign(8, Gf2Bit());
    for (unsigned i = 0; i < 8; ++i)
      data[i][64 + 8 * k + i] = true;
  }
  return found == (mixed ? 0 : 1);
}

/// Returns a bit of the register before the step.
Gf2Bit TableStep::held(unsigned bit) const {
  Gf2Bit b;
  if (bit < width)
    b[bit] = !(state.zero >> bit & 1);
  return b;
}

/// Returns true if the index is the byte with the eight bits of the register from `low` on.
bool TableStep::indexIsFrom(unsigned low) const {
  for (unsigned i = 0; i < at.size(); ++i)
    if (at[i] != (i < 8 ? data[i] ^ held(low + i) : Gf2Bit()))
      return false;
  return at.size() >= 8;
}

/// Returns true if the next value is the entry with the register of so many bits shifted by 8.
bool TableStep::isShifted(unsigned bits, bool down) const {
  uint64_t used = usedOf(loop, state.recs);
  for (unsigned i = 0; i < next.size(); ++i) {
    if (i >= bits) {
      if (next[i].any() && used >> i & 1)
        return false;
      continue;
    }
    Gf2Bit moved = down ? held(i + 8) : i >= 8 ? held(i - 8) : Gf2Bit();
    if (next[i] != (i < entryBits ? moved ^ looked[i] : moved))
      return false;
  }
  return true;
}

/// Bits that are known to be 0 fit several places, so all are tried. A register of 8 bits is
/// shifted out in a step, in either direction.
const char *TableStep::match(CrcPoly &crc) const {
  bool indexed = false;
  if (width >= 8 && indexIsFrom(0)) {
    indexed = true;
    crc = {width, /*reflected=*/true, 0};
    if (isShifted(width, /*down=*/true))
      return nullptr;
  }
  for (unsigned low = 0; low + 8 <= width; ++low) {
    if (!indexIsFrom(low))
      continue;
    indexed = true;
    crc = {low + 8, /*reflected=*/false, 0};
    if (isShifted(low + 8, /*down=*/false))
      return nullptr;
  }
  return indexed ? "what it looks up is not mixed with the register shifted by a byte"
                 : "its index is not a byte of the register with the byte that is read";
}

/// The look-ups of an iteration, one after the other. Each makes the register of the one before it.
class TableSteps {
public:
  TableSteps(Proof &p, uint32_t rec)
      : p(p), g(p.g), rec(rec), own(g.leaf(Op::Rec, rec, p.loop.recs[rec].width)), start(own) {}
  /// Finds the steps, the last one first; false if they are not all alike.
  bool find();
  /// Finds the steps after a word is mixed in.
  bool findMixed();
  CrcPoly crc;
  uint32_t table = 0;                               // of the loop's
  size_t first = 0;                                 // as that of each step
  std::vector<std::pair<uint32_t, unsigned>> bytes; // in the order of the steps
  const char *why = nullptr;                        // if there is one step, what is missing

private:
  Proof &p;
  ExprGraph &g;
  uint32_t rec;
  ExprId own;
  ExprId start; // the register before the first step: `own`, or `own` with a word
  uint64_t zero = 0;

  std::set<ExprId> lookUps(ExprId id) const;
  bool isCut(ExprId after, ExprId at);
  bool takeWord(ExprId word);
  bool add(ExprId after, ExprId before);
  bool addAlone(ExprId alone);
  ExprId stepBefore(ExprId after, size_t lookUps);
  ExprId stepFromTop(ExprId after, size_t lookUps);
};

std::set<ExprId> TableSteps::lookUps(ExprId id) const {
  std::set<ExprId> seen, found;
  lookUpsOf(p.loop, id, seen, found);
  return found;
}

/// Returns true if `after` is computed from the value `at` by one look-up, without the register
/// that the iteration begins with.
bool TableSteps::isCut(ExprId after, ExprId at) {
  std::map<ExprId, ExprId> with = {{at, g.opaque(g.width(at))}};
  ExprId rest = g.substitute(after, with);
  return lookUps(rest).size() == 1 &&
         (at == start || !anyNode(g, rest, [](const Expr &e) { return e.op == Op::Rec; }));
}

/// Takes a step from `before` to `after`, as if the loop had no other.
bool TableSteps::add(ExprId after, ExprId before) {
  std::map<ExprId, ExprId> with = {{before, own}};
  return addAlone(g.substitute(after, with));
}

bool TableSteps::addAlone(ExprId alone) {
  std::set<ExprId> one = lookUps(alone);
  if (one.size() != 1)
    return false;
  TableStep step(p, rec, *one.begin(), alone, /*mixed=*/start != own);
  CrcPoly found;
  uint32_t in = uint32_t(g[*one.begin()].value);
  if (!step.ok)
    return false;
  why = step.match(found);
  bool alike =
      bytes.empty() || (found == crc && in == table && step.first == first && step.zero() == zero);
  if (why || !alike)
    return false;
  crc = found, table = in, first = step.first, zero = step.zero();
  bytes.insert(bytes.begin(), step.byte);
  return true;
}

/// Makes up the register before the last of the look-ups, 16 bits fed from the top, and takes that
/// step. Returns NoExpr if more is left of it than the register.
ExprId TableSteps::stepFromTop(ExprId after, size_t count) {
  if (g.width(own) < 16 || start != own)
    return NoExpr;
  ExprId last = NoExpr, before = count == 2 ? own : NoExpr;
  for (ExprId id : lookUps(after)) { // each one's index has those before it
    size_t inside = lookUps(g[id].a).size();
    if (inside + 2 == count)
      last = last == NoExpr ? id : NoExpr;
    if (inside + 3 == count)
      before = before == NoExpr ? id : NoExpr;
  }
  if (last == NoExpr || before == NoExpr || g.width(last) != 16)
    return NoExpr;
  auto made = [&](ExprId entry, ExprId old) {
    ExprId moved = g.binary(Op::Shl, g.zextOrTrunc(old, 16), g.constant(8, 16));
    return g.binary(Op::Xor, g.zextOrTrunc(entry, 16), moved);
  };
  ExprId gone = g.leaf(Op::Load, p.loop.accesses.size() + 1, g.width(before));
  std::map<ExprId, ExprId> with = {{last, made(own, gone)}, {before, gone}};
  return addAlone(g.substitute(after, with)) ? g.zextOrTrunc(made(last, before), g.width(own))
                                             : NoExpr;
}

/// Finds the register before the last of the look-ups, and takes that step. Returns NoExpr if
/// there is none.
ExprId TableSteps::stepBefore(ExprId after, size_t count) {
  if (count == 1)
    return add(after, start) ? start : NoExpr;
  std::vector<ExprId> places;
  anyNode(g, after, [&](const Expr &e) {
    for (ExprId operand : {e.a, e.b, e.c})
      if (operand != NoExpr && g.width(operand) == g.width(own))
        places.push_back(operand);
    return false;
  });
  std::set<ExprId> tried;
  for (ExprId at : places)
    if (tried.insert(at).second && lookUps(at).size() == count - 1 && isCut(after, at) &&
        add(after, at))
      return at;
  return stepFromTop(after, count);
}

bool TableSteps::find() {
  ExprId after = p.loop.recs[rec].next;
  size_t count = lookUps(after).size();
  if (!count || count > mostLookUps)
    return false;
  for (; count && after != NoExpr; --count)
    after = stepBefore(after, count);
  return after == start;
}

/// Finds a value that is the register with a word, and steps from there. The word has to have the
/// bytes in the places that the steps take them from.
bool TableSteps::findMixed() {
  std::vector<ExprId> mixed;
  anyNode(g, p.loop.recs[rec].next, [&](const Expr &e) {
    if (e.op == Op::Xor && e.width == g.width(own) && (e.a == own || e.b == own))
      mixed.push_back(g.binary(Op::Xor, e.a, e.b));
    return false;
  });
  for (ExprId at : std::set<ExprId>(mixed.begin(), mixed.end())) {
    ExprId word = g[at].a == own ? g[at].b : g[at].a;
    start = at, bytes.clear(), why = nullptr;
    if (lookUps(word).empty() && find() && takeWord(word))
      return true;
  }
  return false;
}

/// Sets the bytes of the steps to those of the word; all others of it have to be 0.
bool TableSteps::takeWord(ExprId word) {
  for (unsigned k = 0; k < g.width(word) / 8; ++k) {
    ByteSource b = byteOf(p.loop, word, k);
    size_t step = crc.reflected ? k : crc.width / 8 - 1 - k;
    bool taken = step < bytes.size();
    if (taken ? b.kind != ByteSource::Loaded : b.kind != ByteSource::Constant || b.value)
      return false;
    if (taken)
      bytes[step] = {b.access, b.index};
  }
  return crc.width % 8 == 0 && bytes.size() * 8 <= crc.width;
}

} // namespace

/// The bytes of the steps have to lie one after the other. One step that is nearly that of a CRC is
/// refused with the reason.
Answer crcByAnyTable(Proof &p, Reduction &r) {
  const char *name = "recurrence", *need = "a shift register fed with the bytes";
  TableSteps bytewise(p, r.rec), wordwise(p, r.rec);
  bool found = bytewise.find();
  bool mixed = !found && wordwise.findMixed();
  TableSteps &steps = mixed ? wordwise : bytewise;
  found |= mixed;
  std::set<ExprId> seen, all;
  lookUpsOf(p.loop, p.loop.recs[r.rec].next, seen, all);
  if (!found && (all.size() != 1 || !steps.why))
    return Answer::NotMine;
  const Table &table = p.loop.tables[p.g[*all.begin()].value];
  if (table.address == NoExpr)
    return Answer::NotMine;
  p.match.idiom = Idiom::Crc;
  if (!found)
    return p.fail(name, Diag::CrcTableForm, need, "table " + table.name + ": " + steps.why);
  Weights w;
  std::vector<unsigned> order;
  if (Answer placed = bytesInOrder(p, steps.bytes, w, order); placed != Answer::Proved)
    return placed;
  if (!std::is_sorted(order.begin(), order.end()))
    return Answer::NotMine;
  Reduction::Crc crc;
  crc.representation.crc = steps.crc;
  crc.representation.bits = steps.crc.width;
  crc.recs = {r.rec};
  crc.entryBits = table.entryBits;
  crc.table = p.g.add(table.address, p.loop.word(steps.first * (table.entryBits / 8)));
  std::string direction = steps.crc.reflected ? "" : "not ";
  p.guard(name, Diag::CrcTableTested, need,
          std::to_string(steps.crc.width) + " bits, " + direction + "reflected, if table " +
              table.name + " is that of a CRC",
          "the routine tests the table, and makes the look-ups if it is not");
  r.kind = crc;
  return sourceRegion(p, w);
}

} // namespace memlift
