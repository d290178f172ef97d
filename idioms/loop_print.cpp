// loop_print.cpp - a loop model as text
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   loop "copy.c:copy#0" {
//     at "copy.c" 4 3
//     function copy
//     target 64 little
//     base d argument align 1
//     base s argument align 1
//     sym n 64
//     dim trip %n
//     load s + 0 step [4] bytes 4 align 4
//     store d + 0 step [4] bytes 4 align 4 value @0
//   }
//
// A recurrence is declared before the accesses and continued after them:
//   rec sum 32 init %seed          next sum (add $sum (zext 32 @0))
//   table crc 32 [0 1996959894 ...]      table filled 32 unknown at &t
//
// Expressions: 12 (pointer width) or 12:8, %symbol, &base, @access (what that
// load read), $recurrence, iv0, ?3:32 (unknown), (op operand...),
// (zext 64 operand), (table crc index), (memory 32 address).
//
// Repeated subexpressions of a large expression have lines of their own before it:
//
//   let 0 (lshr $c 1:32)           next c (xor #0 (and #0 1:32))
#include "loop.h"
#include "loop_text.h"

#include <algorithm>
#include <map>

namespace memlift {

const OpName opNames[] = {
    {Op::Add, "add"},       {Op::Sub, "sub"},       {Op::Mul, "mul"},     {Op::URem, "urem"},
    {Op::SRem, "srem"},     {Op::And, "and"},       {Op::Or, "or"},       {Op::Xor, "xor"},
    {Op::Shl, "shl"},       {Op::LShr, "lshr"},     {Op::AShr, "ashr"},   {Op::Eq, "eq"},
    {Op::Ne, "ne"},         {Op::ULt, "ult"},       {Op::ULe, "ule"},     {Op::ZExt, "zext"},
    {Op::SExt, "sext"},     {Op::Trunc, "trunc"},   {Op::BSwap, "bswap"}, {Op::Splat, "splat"},
    {Op::Select, "select"}, {Op::Memory, "memory"}, {Op::Pair, "pair"},   {Op::ClMul, "clmul"},
    {Op::Crc32, "crc32"},   {Op::Crc32c, "crc32c"},
};
const size_t opNameCount = sizeof opNames / sizeof *opNames;

const char *const baseKindNames[] = {"unknown", "argument", "global", "local", "allocated"};

std::string quote(const std::string &s) {
  std::string r = "\"";
  for (char c : s) {
    if (c == '"' || c == '\\')
      r += '\\';
    r += (unsigned char)c < 0x20 ? ' ' : c;
  }
  return r + '"';
}

/// Returns a name that the parser accepts and that no other element of the list has.
template <class T> static std::string nameIn(const std::vector<T> &list, size_t index) {
  auto clean = [](const std::string &raw) {
    std::string r = raw.empty() ? "v" : raw;
    for (char &c : r)
      if (!isalnum((unsigned char)c) && c != '_' && c != '.')
        c = '_';
    if (isdigit((unsigned char)r[0]))
      r.insert(0, "v");
    return r;
  };
  std::string name = clean(list[index].name);
  for (size_t i = 0; i < list.size(); ++i)
    if (i != index && clean(list[i].name) == name)
      return name + "." + std::to_string(index);
  return name;
}

namespace {

/// Writes expressions: those of a whole loop model, or one alone.
class Writer {
public:
  Writer(const Loop &loop, size_t limit) : loop(loop), g(loop.exprs), limit(limit) {}
  std::string text(ExprId id);
  /// Returns the lines that name the repeated subexpressions of `id`.
  std::string lets(ExprId id);

private:
  const Loop &loop;
  const ExprGraph &g;
  size_t limit;                   // limit on the characters of an expression
  std::map<ExprId, size_t> named; // those with a line of their own

  void write(ExprId id, std::string &r);
  std::string leaf(const Expr &e) const;
  void operation(const Expr &e, std::string &r);
};

std::string Writer::leaf(const Expr &e) const {
  std::string width = std::to_string(e.width);
  switch (e.op) {
  case Op::Const:
    if (e.width != loop.ptrBits)
      return std::to_string(e.value) + ":" + width;
    return std::to_string(signExtend(e.value, e.width));
  case Op::Sym: return "%" + nameIn(loop.syms, e.value);
  case Op::BaseAddr: return "&" + nameIn(loop.bases, e.value);
  case Op::Iv: return "iv" + std::to_string(e.value);
  case Op::Load: return "@" + std::to_string(e.value);
  case Op::Rec: return "$" + nameIn(loop.recs, e.value);
  case Op::Result: return "result" + std::to_string(e.value);
  case Op::ClearsBlocks: return "clears" + std::to_string(e.value);
  default: return "?" + std::to_string(e.value) + ":" + width;
  }
}

void Writer::operation(const Expr &e, std::string &r) {
  r += '(';
  if (e.op == Op::Table)
    r += "table " + nameIn(loop.tables, e.value);
  for (const OpName &n : opNames)
    if (n.op == e.op)
      r += n.name;
  if (takesWidth(e.op))
    r += ' ' + std::to_string(e.width);
  for (ExprId operand : {e.a, e.b, e.c})
    if (operand != NoExpr && r.size() <= limit) {
      r += ' ';
      write(operand, r);
    }
  r += ')';
}

void Writer::write(ExprId id, std::string &r) {
  const Expr &e = g[id];
  auto name = named.find(id);
  if (name != named.end())
    r += '#' + std::to_string(name->second);
  else if (e.a == NoExpr)
    r += leaf(e);
  else
    operation(e, r);
}

std::string Writer::text(ExprId id) {
  std::string r;
  if (id == NoExpr)
    return "unknown";
  write(id, r);
  return r.size() <= limit ? r : r.substr(0, limit) + "...";
}

/// Limits of expressions: longer ones, with each subexpression counted as often as it is used,
/// are cut into pieces of at most so many levels.
constexpr uint64_t longExpr = 64, deepExpr = 40, smallestNamed = 4;

std::string Writer::lets(ExprId id) {
  // Operands have smaller numbers than the nodes that use them.
  std::map<ExprId, unsigned> uses = {{id, 1}};
  std::map<ExprId, uint64_t> size, depth;
  for (auto it = uses.rbegin(); it != uses.rend(); ++it)
    for (ExprId operand : {g[it->first].a, g[it->first].b, g[it->first].c})
      if (operand != NoExpr && !named.count(it->first))
        ++uses[operand];
  for (auto &[sub, times] : uses) {
    size[sub] = 1;
    for (ExprId operand : {g[sub].a, g[sub].b, g[sub].c})
      if (operand != NoExpr && !named.count(sub))
        size[sub] = std::min(size[sub] + size[operand], uint64_t(1) << 32);
  }
  std::string r;
  for (auto &[sub, times] : uses) {
    if (size[id] <= longExpr || sub == id || named.count(sub))
      continue;
    for (ExprId operand : {g[sub].a, g[sub].b, g[sub].c})
      if (operand != NoExpr && !named.count(operand))
        depth[sub] = std::max(depth[sub], depth[operand] + 1);
    if (size[sub] < smallestNamed || (times < 2 && depth[sub] < deepExpr))
      continue;
    std::string line = text(sub);
    r += "  let " + std::to_string(named.size()) + " " + line + "\n";
    named.emplace(sub, named.size());
  }
  return r;
}

/// Limit on the text of a message; a longer expression is cut.
constexpr size_t longText = 1000;

} // namespace

std::string printExpr(const Loop &loop, ExprId id) { return Writer(loop, longText).text(id); }

static std::string printAccess(const Loop &loop, Writer &w, const Access &a) {
  std::string r = (a.value == NoExpr ? "" : w.lets(a.value)) + (a.store ? "  store " : "  load ");
  r += nameIn(loop.bases, a.base);
  if (a.affine) {
    r += " + " + w.text(a.offset) + " step [";
    for (size_t k = 0; k < a.step.size(); ++k)
      r += (k ? " " : "") + w.text(a.step[k]);
    r += "]";
  } else {
    r += " nonaffine " + quote(a.why);
    if (a.mayWrap)
      r += " maywrap";
  }
  r += " bytes " + w.text(a.bytes);
  r += " align " + std::to_string(a.align);
  if (a.proved > 1)
    r += " proved " + std::to_string(a.proved);
  if (a.conditional)
    r += " conditional";
  if (a.isVolatile)
    r += " volatile";
  if (a.atomic)
    r += " atomic";
  if (a.lookUp)
    r += " lookup";
  if (a.paddingBits)
    r += " padding";
  if (a.fixed)
    r += " fixed";
  if (a.addressSpace)
    r += " addrspace " + std::to_string(a.addressSpace);
  if (a.value != NoExpr)
    r += " value " + w.text(a.value);
  return r;
}

static std::string printFunction(const FunctionFacts &f) {
  std::string r = "  function " + quote(f.name);
  const std::pair<bool, const char *> flags[] = {{f.off, " off"},
                                                 {f.noBuiltin, " nobuiltin"},
                                                 {f.implementsIdiom, " implements"},
                                                 {f.optSize, " optsize"},
                                                 {f.anyCore, " anycore"},
                                                 {f.compact, " compact"},
                                                 {f.formsNoCalls, " noformed"},
                                                 {f.versionsLoops, " versions"},
                                                 {f.callsLibrary, " librarycalls"},
                                                 {f.widensFourfold, " fourfold"},
                                                 {f.unrollsVectors, " unrollsvectors"},
                                                 {f.noSwap, " noswap"},
                                                 {f.trustTypes, " trusttypes"},
                                                 {f.shape, " shape"},
                                                 {f.user, " user"},
                                                 {f.stream, " stream"},
                                                 {f.spread, " spread"},
                                                 {f.local, " local"},
                                                 {f.budgetSpent, " spent"}};
  for (auto &[set, name] : flags)
    if (set)
      r += name;
  for (const PropertyRecord *p = propertyRecords; p->word; ++p)
    if (f.properties.has(p->property))
      r += std::string(" ") + p->word;
  if (f.vectorBits)
    r += " vectorises " + std::to_string(f.vectorBits);
  if (f.wholeVectorBits && f.wholeVectorBits != f.vectorBits)
    r += " wholevectors " + std::to_string(f.wholeVectorBits);
  if (f.swapBits != FunctionFacts().swapBits)
    r += " swapbits " + std::to_string(f.swapBits);
  if (f.byteSwapBits != FunctionFacts().byteSwapBits)
    r += " byteswapbits " + std::to_string(f.byteSwapBits);
  if (f.store)
    r += " store " + std::to_string(f.store);
  return r + "\n";
}

static std::string printBase(const Loop &loop, size_t i) {
  const Base &b = loop.bases[i];
  std::string r = "  base " + nameIn(loop.bases, i) + " " + baseKindNames[unsigned(b.kind)] +
                  " align " + std::to_string(b.align);
  if (b.objectBytes)
    r += " object " + std::to_string(b.objectBytes);
  return r + (b.noalias ? " noalias\n" : "\n");
}

static std::string printRest(const Loop &loop, Writer &w) {
  std::string r;
  for (const Alias &a : loop.aliases)
    r += "  alias " + std::to_string(a.a) + " " + std::to_string(a.b) +
         (a.kind == AliasKind::None ? " none " : " may ") + quote(a.evidence) + "\n";
  for (const Assumption &a : loop.assumptions)
    r += "  assume " + codeOf(a.code) + " " + w.text(a.condition) + " " + quote(a.what) + "\n";
  for (const Carry &c : loop.carries)
    r += "  carry " + quote(c.name) + " " + carryNames[c.kind] + "\n";
  for (const Obstacle &o : loop.bound)
    r += "  bound " + quote(o.what) + "\n";
  for (const Obstacle &o : loop.obstacles)
    r += "  obstacle " + codeOf(o.code) + " " + quote(o.what) + "\n";
  for (const LiveOut &l : loop.liveOuts) {
    r += "  liveout " + quote(l.name);
    if (l.rec >= 0)
      r += " rec " + nameIn(loop.recs, size_t(l.rec)) +
           (~l.used ? " used " + std::to_string(l.used) + "\n" : "\n");
    else
      r += l.rebuilt ? " rebuilt\n" : " lost\n";
  }
  for (const Final &f : loop.finals)
    r += w.lets(f.value) + "  final " + quote(f.name) + " " + w.text(f.value) + "\n";
  return r;
}

static std::string printTables(const Loop &loop, Writer &w) {
  std::string r;
  for (size_t i = 0; i < loop.tables.size(); ++i) {
    r += "  table " + nameIn(loop.tables, i) + " " + std::to_string(loop.tables[i].entryBits);
    ExprId address = loop.tables[i].address;
    if (loop.tables[i].unknown) {
      r += " unknown" + (address == NoExpr ? "" : " at " + w.text(address)) + "\n";
      continue;
    }
    r += " [";
    for (size_t k = 0; k < loop.tables[i].entries.size(); ++k)
      r += (k ? " " : "") + std::to_string(loop.tables[i].entries[k]);
    r += "]\n";
  }
  return r;
}

std::string print(const Loop &loop) {
  Writer w(loop, SIZE_MAX);
  std::string r = "loop " + quote(loop.id) + " {\n";
  r += "  at " + quote(loop.loc.file) + " " + std::to_string(loop.loc.line) + " " +
       std::to_string(loop.loc.col) + "\n";
  r += loop.follows ? loop.disjoint ? "  follows\n  apart\n" : "  follows\n" : "";
  r += printFunction(loop.function);
  r += "  target " + std::to_string(loop.ptrBits) + (loop.bigEndian ? " big\n" : " little\n");
  if (loop.touchedNearby)
    r += loop.readInLoop ? "  looped\n" : "  touched\n";
  if (loop.enclosed)
    r += "  enclosed\n";
  if (loop.profiled)
    r += "  profiled " + std::to_string(loop.profiled) + "\n";
  if (loop.resumable)
    r += "  resumable\n";
  if (loop.carriesOver)
    r += "  carriesover\n";
  if (loop.vectorBits)
    r += "  vectors " + std::to_string(loop.vectorBits) + "\n";
  if (loop.origin != Origin::Loop)
    r += loop.origin == Origin::Call ? "  origin call\n" : "  origin assignment\n";
  for (size_t i = 0; i < loop.bases.size(); ++i)
    r += printBase(loop, i);
  for (size_t i = 0; i < loop.syms.size(); ++i)
    r += "  sym " + nameIn(loop.syms, i) + " " + std::to_string(loop.syms[i].width) +
         (loop.syms[i].max ? " max " + std::to_string(loop.syms[i].max) : "") +
         (loop.syms[i].likely ? " likely " + std::to_string(loop.syms[i].likely) : "") +
         (loop.syms[i].stage < 0 ? ""
                                 : " behind " + std::to_string(loop.syms[i].stage) + " " +
                                       std::to_string(loop.syms[i].liveOut)) +
         "\n";
  for (const Dim &d : loop.dims) {
    r += "  dim trip " + w.text(d.trip);
    r += d.maxTrip ? " max " + std::to_string(d.maxTrip) : "";
    r += d.likelyMost ? " likely " + std::to_string(d.likelyMost) : "";
    r += d.nonzero ? " nonzero\n" : "\n";
  }
  r += printTables(loop, w);
  for (size_t i = 0; i < loop.recs.size(); ++i)
    r += "  rec " + nameIn(loop.recs, i) + " " + std::to_string(loop.recs[i].width) + " init " +
         w.text(loop.recs[i].init) + "\n";
  size_t exit = 0;
  for (size_t i = 0; i <= loop.accesses.size(); ++i) {
    for (; exit < loop.dataExits.size() && loop.dataExits[exit].after == i; ++exit) {
      r += w.lets(loop.dataExits[exit].leaves);
      r += "  leave " + w.text(loop.dataExits[exit].leaves) + "\n";
    }
    if (i < loop.accesses.size())
      r += printAccess(loop, w, loop.accesses[i]) + "\n";
  }
  for (size_t i = 0; i < loop.recs.size(); ++i) {
    r += w.lets(loop.recs[i].next);
    r += "  next " + nameIn(loop.recs, i) + " " + w.text(loop.recs[i].next) + "\n";
  }
  return r + printRest(loop, w) + "}\n";
}

} // namespace memlift
