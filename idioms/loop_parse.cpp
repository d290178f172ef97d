// loop_parse.cpp - reads loop models from text, with line and column on error
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grammar is in loop_print.cpp's opening comment. Names must be declared
// (base, sym, dim) before they are used; `;` starts a comment.
#include "loop_parser.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace memlift {

bool Parser::baseLine() {
  Base b;
  std::string kind;
  if (!word(b.name) || !word(kind))
    return false;
  if (findName(loop.bases, b.name) != loop.bases.size())
    return fail("base '" + b.name + "' is declared twice");
  bool known = false;
  for (unsigned k = 0; k <= unsigned(BaseKind::Allocated); ++k)
    if (kind == baseKindNames[k]) {
      b.kind = BaseKind(k);
      known = true;
    }
  if (!known)
    return fail("unknown kind of base '" + kind + "'");
  while (!atLineEnd()) {
    if (acceptWord("align")) {
      if (!number(b.align))
        return false;
      if (b.align == 0 || (b.align & (b.align - 1)))
        return fail("an alignment is a power of two");
    } else if (acceptWord("object")) {
      if (!number(b.objectBytes))
        return false;
    } else if (acceptWord("noalias")) {
      b.noalias = true;
    } else {
      return fail("unknown base property");
    }
  }
  loop.bases.push_back(b);
  return true;
}

bool Parser::dimLine() {
  Dim d;
  if (!acceptWord("trip"))
    return fail("expected 'trip'");
  if (!acceptWord("unknown") && !wordExpr(d.trip, "a trip count"))
    return false;
  if ((acceptWord("max") && !number(d.maxTrip)) || (acceptWord("likely") && !number(d.likelyMost)))
    return false;
  d.nonzero = acceptWord("nonzero");
  if (!loop.accesses.empty())
    return fail("dims come before accesses");
  loop.dims.push_back(d);
  return true;
}

bool Parser::accessFlags(Access &a, bool &stop) {
  struct {
    const char *name;
    bool *flag;
  } flags[] = {{"conditional", &a.conditional},
               {"volatile", &a.isVolatile},
               {"atomic", &a.atomic},
               {"padding", &a.paddingBits},
               {"maywrap", &a.mayWrap},
               {"fixed", &a.fixed},
               {"lookup", &a.lookUp}};
  for (auto &f : flags)
    if (acceptWord(f.name))
      return *f.flag = true;
  uint64_t n;
  if (acceptWord("addrspace")) {
    if (!number(n))
      return false;
    a.addressSpace = unsigned(n);
    return true;
  }
  if (acceptWord("bytes"))
    return wordExpr(a.bytes, "a size");
  if (acceptWord("align")) {
    if (!number(a.align))
      return false;
    return (a.align && !(a.align & (a.align - 1))) || fail("an alignment is a power of two");
  }
  if (acceptWord("proved")) {
    if (!number(a.proved))
      return false;
    return (a.proved && !(a.proved & (a.proved - 1))) || fail("an alignment is a power of two");
  }
  stop = true;
  return true;
}

bool Parser::accessLine(bool store) {
  Access a;
  a.store = store;
  std::string name;
  if (!word(name))
    return false;
  a.base = uint32_t(findName(loop.bases, name));
  if (a.base == loop.bases.size())
    return fail("base '" + name + "' is not declared");
  if (acceptWord("nonaffine")) {
    a.affine = false;
    if (!string(a.why))
      return false;
  } else {
    if (!expect('+') || !wordExpr(a.offset, "an offset"))
      return false;
    if (!acceptWord("step") || !expect('['))
      return fail("expected 'step ['");
    while (!accept(']')) {
      ExprId step;
      if (!wordExpr(step, "a step"))
        return false;
      a.step.push_back(step);
    }
    if (a.step.size() != loop.dims.size())
      return fail("an access has one step per dim");
  }
  for (bool stop = false; !stop && !atLineEnd();)
    if (!accessFlags(a, stop))
      return false;
  if (a.bytes == NoExpr)
    return fail("an access needs 'bytes'");
  if (a.fixed && !a.affine)
    return fail("only an access to a known address is fixed");
  bool moves = !std::all_of(a.step.begin(), a.step.end(),
                            [&](ExprId step) { return loop.exprs.isConst(step, 0); });
  if (a.fixed && (moves || !loop.exprs.isConst(a.bytes)))
    return fail("a fixed load reads the same bytes in each iteration");
  bool given = (store || a.fixed) && acceptWord("value");
  if (given ? !expr(a.value) : store)
    return fail("a store needs 'value'");
  loop.accesses.push_back(a);
  return true;
}

bool Parser::recLine() {
  Recurrence r;
  uint64_t width;
  if (!word(r.name) || !number(width))
    return false;
  if (width < 1 || (width > 64 && width != 128) || findName(loop.recs, r.name) != loop.recs.size())
    return fail("bad or repeated recurrence");
  r.width = unsigned(width);
  if (!acceptWord("init"))
    return fail("expected 'init'");
  if (!expr(r.init))
    return false;
  if (loop.exprs.width(r.init) != r.width || !loop.exprs.isInvariant(r.init))
    return fail("the initial value must be invariant and of the same width");
  loop.recs.push_back(r);
  return true;
}

bool Parser::nextLine() {
  std::string name;
  if (!word(name))
    return false;
  size_t i = findName(loop.recs, name);
  if (i == loop.recs.size())
    return fail("recurrence '" + name + "' is not declared");
  if (!expr(loop.recs[i].next))
    return false;
  return loop.exprs.width(loop.recs[i].next) == loop.recs[i].width ||
         fail("the next value must have the recurrence's width");
}

bool Parser::letLine() {
  uint64_t n;
  ExprId value;
  if (!number(n))
    return false;
  if (n != lets.size())
    return fail("subexpressions are numbered from 0 on");
  if (!expr(value))
    return false;
  lets.push_back(value);
  return true;
}

bool Parser::tableLine() {
  Table t;
  uint64_t n;
  if (!word(t.name) || !number(n))
    return false;
  if ((n != 8 && n != 16 && n != 32 && n != 64) ||
      findName(loop.tables, t.name) != loop.tables.size())
    return fail("bad or repeated table");
  t.entryBits = unsigned(n);
  t.unknown = acceptWord("unknown");
  if (t.unknown) {
    if (acceptWord("at") && !wordExpr(t.address, "an address"))
      return false;
    loop.tables.push_back(std::move(t));
    return true;
  }
  if (!expect('['))
    return false;
  while (!accept(']')) {
    if (!number(n))
      return false;
    t.entries.push_back(n & maskOf(t.entryBits));
  }
  loop.tables.push_back(std::move(t));
  return true;
}

bool Parser::aliasLine() {
  uint64_t a, b;
  Alias entry;
  if (!number(a) || !number(b))
    return false;
  if (a >= loop.accesses.size() || b >= loop.accesses.size())
    return fail("no such access");
  entry.a = uint32_t(a);
  entry.b = uint32_t(b);
  if (acceptWord("none"))
    entry.kind = AliasKind::None;
  else if (!acceptWord("may"))
    return fail("expected 'none' or 'may'");
  if (!string(entry.evidence))
    return false;
  loop.aliases.push_back(entry);
  return true;
}

bool Parser::code(Diag &d) {
  std::string text;
  if (!word(text))
    return false;
  if (text.size() == 7 && !text.compare(0, 3, "MLF") &&
      diagFromCode(unsigned(std::atoi(text.c_str() + 3)), d))
    return true;
  return fail("unknown code '" + text + "'");
}

bool Parser::assumeLine() {
  Assumption a;
  if (!code(a.code) || !expr(a.condition) || !string(a.what))
    return false;
  if (loop.exprs.width(a.condition) != 1 || !loop.exprs.isInvariant(a.condition))
    return fail("an assumption is invariant and 1 bit wide");
  loop.assumptions.push_back(a);
  return true;
}

bool Parser::obstacleLine() {
  Obstacle o;
  if (!code(o.code) || !string(o.what))
    return false;
  loop.obstacles.push_back(o);
  return true;
}

bool Parser::liveOutLine() {
  LiveOut l;
  if (!string(l.name))
    return false;
  if (acceptWord("rec")) {
    std::string name;
    if (!word(name))
      return false;
    size_t i = findName(loop.recs, name);
    if (i == loop.recs.size())
      return fail("recurrence '" + name + "' is not declared");
    l.rec = int(i);
    if (acceptWord("used") && !number(l.used))
      return false;
    loop.liveOuts.push_back(l);
    return true;
  }
  l.rebuilt = acceptWord("rebuilt");
  if (!l.rebuilt && !acceptWord("lost"))
    return fail("expected 'rebuilt' or 'lost'");
  loop.liveOuts.push_back(l);
  return true;
}

bool Parser::targetLine() {
  uint64_t n;
  if (!number(n))
    return false;
  if (n != 16 && n != 32 && n != 64)
    return fail("a pointer has 16, 32 or 64 bits");
  if (loop.exprs.size())
    return fail("'target' comes before any expression");
  loop.ptrBits = unsigned(n);
  loop.bigEndian = acceptWord("big");
  return loop.bigEndian || acceptWord("little") || fail("expected 'little' or 'big'");
}

bool Parser::symLine() {
  Symbol s;
  uint64_t n;
  if (!word(s.name) || !number(n))
    return false;
  if (n < 1 || n > maxWidth || findName(loop.syms, s.name) != loop.syms.size())
    return fail("bad or repeated symbol");
  s.width = unsigned(n);
  if ((acceptWord("max") && !number(s.max)) || (acceptWord("likely") && !number(s.likely)))
    return false;
  if (acceptWord("behind")) {
    uint64_t stage, liveOut;
    if (!number(stage) || !number(liveOut))
      return false;
    if (stage > 1000 || liveOut > 1000)
      return fail("no such loop of the chain");
    s.stage = int(stage);
    s.liveOut = uint32_t(liveOut);
  }
  loop.syms.push_back(s);
  return true;
}

bool Parser::finalLine() {
  Final f;
  if (!string(f.name) || !expr(f.value))
    return false;
  loop.finals.push_back(f);
  return loop.exprs.isInvariant(f.value) || fail("a final value is invariant");
}

bool Parser::statement(const std::string &keyword) {
  if (keyword == "at") {
    uint64_t line, col;
    if (!string(loop.loc.file) || !number(line) || !number(col))
      return false;
    loop.loc.line = unsigned(line);
    loop.loc.col = unsigned(col);
    return true;
  }
  if (keyword == "function")
    return functionLine();
  if (keyword == "target")
    return targetLine();
  if (keyword == "origin") {
    loop.origin = acceptWord("call")         ? Origin::Call
                  : acceptWord("assignment") ? Origin::Assignment
                                             : Origin::Loop;
    return loop.origin != Origin::Loop || acceptWord("loop") ||
           fail("expected 'loop', 'call' or 'assignment'");
  }
  if (keyword == "touched")
    return loop.touchedNearby = true;
  if (keyword == "looped")
    return loop.touchedNearby = loop.readInLoop = true;
  if (keyword == "enclosed")
    return loop.enclosed = true;
  if (keyword == "profiled")
    return number(loop.profiled);
  if (keyword == "resumable")
    return loop.resumable = true;
  if (keyword == "carriesover")
    return loop.carriesOver = true;
  if (keyword == "vectors") {
    uint64_t bits;
    if (!number(bits))
      return false;
    loop.vectorBits = unsigned(bits);
    return true;
  }
  if (keyword == "sym")
    return symLine();
  if (keyword == "base")
    return baseLine();
  if (keyword == "dim")
    return dimLine();
  if (keyword == "load")
    return accessLine(false);
  if (keyword == "store")
    return accessLine(true);
  if (keyword == "leave")
    return leaveLine();
  if (keyword == "rec")
    return recLine();
  if (keyword == "next")
    return nextLine();
  if (keyword == "let")
    return letLine();
  if (keyword == "table")
    return tableLine();
  if (keyword == "alias")
    return aliasLine();
  if (keyword == "assume")
    return assumeLine();
  if (keyword == "obstacle")
    return obstacleLine();
  if (keyword == "bound")
    return boundLine();
  if (keyword == "carry")
    return carryLine();
  if (keyword == "liveout")
    return liveOutLine();
  if (keyword == "final")
    return finalLine();
  if (keyword == "apart")
    return loop.disjoint = true;
  if (keyword == "follows")
    return (loop.follows = another) || fail("the first loop follows none");
  return fail("unknown statement '" + keyword + "'");
}

/// Requires values that fit their stores; recognisers rely on it.
bool Parser::finish() {
  for (const Access &a : loop.accesses) {
    if (!a.store)
      continue;
    unsigned width = loop.exprs.width(a.value);
    bool scalar = loop.exprs.isConst(a.bytes) && loop.origin == Origin::Loop &&
                  loop.exprs[a.bytes].value * 8 == width;
    if (scalar || width == 8)
      continue;
    const Expr value = loop.exprs[a.value];
    if (value.op != Op::Load)
      return fail("a stored value has 8 * bytes bits, or 8, or is a load");
    ExprId read = loop.accesses[value.value].bytes;
    if (loop.exprs.isConst(a.bytes) && loop.exprs.isConst(read) && read != a.bytes)
      return fail("a load that is stored has as many bytes as the store");
  }
  for (const Recurrence &r : loop.recs)
    if (r.next == NoExpr)
      return fail("recurrence '" + r.name + "' has no 'next'");
  return true;
}

bool Parser::run(std::vector<Loop> &loops) {
  for (skipSpace(); at < text.size(); skipSpace()) {
    loop = Loop();
    lets.clear();
    if (!acceptWord("loop"))
      return fail("expected 'loop'");
    if (!string(loop.id) || !expect('{'))
      return false;
    while (!accept('}')) {
      std::string keyword;
      if (at >= text.size())
        return fail("unterminated loop: '}' is missing");
      if (!word(keyword) || !statement(keyword))
        return false;
      if (!atLineEnd())
        return fail("unexpected text after '" + keyword + "'");
    }
    if (!finish())
      return false;
    loops.push_back(std::move(loop));
    another = true;
  }
  return true;
}

bool parseLoops(const std::string &text, std::vector<Loop> &loops, ParseError &error) {
  error = ParseError();
  return Parser(text, error).run(loops);
}

} // namespace memlift
