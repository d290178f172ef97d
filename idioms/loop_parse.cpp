// loop_parse.cpp - reads loop pictures from text, with line and column on error
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grammar is in loop_print.cpp's opening comment. Names must be declared
// (base, sym, dim) before they are used; `;` starts a comment.
#include "loop.h"
#include "loop_lexer.h"
#include "loop_text.h"

#include <cstdlib>
#include <cstring>

namespace memlift {

namespace {

class Parser : Lexer {
public:
  using Lexer::Lexer;
  bool run(std::vector<Loop> &loops);

private:
  Loop loop;
  static constexpr unsigned maxDepth = 200;
  static constexpr uint64_t maxWidth = 65535;

  bool statement(const std::string &keyword);
  bool functionLine();
  bool targetLine();
  bool symLine();
  bool baseLine();
  bool dimLine();
  bool accessLine(bool store);
  bool accessFlags(Access &a, bool &stop);
  bool aliasLine();
  bool obstacleLine();
  bool liveOutLine();
  bool wordExpr(ExprId &id, const char *what);
  bool expr(ExprId &id, unsigned depth = 0);
  bool constant(ExprId &id);
  bool leaf(char sigil, ExprId &id);
  bool operation(ExprId &id, unsigned depth);
  bool unary(Op op, ExprId a, uint64_t width, ExprId &id);
  bool finish();
};

bool Parser::constant(ExprId &id) {
  uint64_t value, width = loop.ptrBits;
  if (!number(value))
    return false;
  if (at < text.size() && text[at] == ':') {
    ++at;
    if (!number(width))
      return false;
  }
  if (width < 1 || width > 64)
    return fail("a constant has 1 to 64 bits");
  id = loop.exprs.constant(value, unsigned(width));
  return true;
}

template <class T>
static size_t findName(const std::vector<T> &list, const std::string &name) {
  for (size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name)
      return i;
  return list.size();
}

bool Parser::leaf(char sigil, ExprId &id) {
  ++at;
  std::string name;
  uint64_t n, width;
  if (sigil == '%' || sigil == '&') {
    if (!word(name))
      return false;
    bool sym = sigil == '%';
    size_t i = sym ? findName(loop.syms, name) : findName(loop.bases, name);
    if (i == (sym ? loop.syms.size() : loop.bases.size()))
      return fail("'" + name + "' is not declared");
    id = sym ? loop.exprs.leaf(Op::Sym, i, loop.syms[i].width)
             : loop.exprs.leaf(Op::BaseAddr, i, loop.ptrBits);
    return true;
  }
  if (!number(n))
    return false;
  if (sigil == '@') {
    if (n >= loop.accesses.size() || loop.accesses[n].store)
      return fail("@" + std::to_string(n) + " is not an earlier load");
    ExprId bytes = loop.accesses[n].bytes;
    // A bulk load has no width of its own; 8 marks "its bytes".
    uint64_t size = loop.exprs.isConst(bytes) ? loop.exprs[bytes].value : 1;
    id = loop.exprs.leaf(Op::Load, n, size <= 8191 ? unsigned(8 * size) : 8);
    return true;
  }
  if (!expect(':') || !number(width))
    return false;
  if (width < 1 || width > maxWidth)
    return fail("width out of range");
  id = loop.exprs.opaque(unsigned(width));
  return true;
}

bool Parser::operation(ExprId &id, unsigned depth) {
  std::string name;
  if (!expect('(') || !word(name))
    return false;
  const OpName *op = nullptr;
  for (size_t i = 0; i < opNameCount; ++i)
    if (name == opNames[i].name)
      op = &opNames[i];
  if (!op)
    return fail("unknown operation '" + name + "'");
  uint64_t width = 0;
  if (takesWidth(op->op) && !number(width))
    return false;
  ExprId operand[3];
  unsigned wanted = op->op == Op::Select ? 3
                    : takesWidth(op->op) || op->op == Op::BSwap ? 1 : 2;
  for (unsigned i = 0; i < wanted; ++i)
    if (!expr(operand[i], depth + 1))
      return false;
  if (!expect(')'))
    return false;
  if (wanted == 1)
    return unary(op->op, operand[0], width, id);
  ExprGraph &g = loop.exprs;
  if (op->op == Op::Select) {
    if (g.width(operand[0]) != 1 || g.width(operand[1]) != g.width(operand[2]))
      return fail("select needs a 1-bit condition and two equal widths");
    id = g.select(operand[0], operand[1], operand[2]);
    return true;
  }
  if (g.width(operand[0]) != g.width(operand[1]))
    return fail("operands of '" + name + "' differ in width");
  if (g.width(operand[0]) > 64)
    return fail("operations have at most 64 bits");
  id = g.binary(op->op, operand[0], operand[1]);
  return true;
}

bool Parser::unary(Op op, ExprId a, uint64_t width, ExprId &id) {
  ExprGraph &g = loop.exprs;
  unsigned from = g.width(a);
  switch (op) {
  case Op::Splat:
    if (width < from || width > maxWidth || width % from)
      return fail("splat must repeat its operand a whole number of times");
    id = g.splat(a, unsigned(width));
    return true;
  case Op::BSwap:
    if (from % 16)
      return fail("bswap needs a multiple of 16 bits");
    id = g.cast(op, a, from);
    return true;
  case Op::Trunc:
    if (width < 1 || width >= from)
      return fail("trunc must narrow");
    break;
  default:
    if (width <= from || width > maxWidth)
      return fail("an extension must widen");
    break;
  }
  id = g.cast(op, a, unsigned(width));
  return true;
}

bool Parser::expr(ExprId &id, unsigned depth) {
  if (depth > maxDepth)
    return fail("expression is nested too deeply");
  skipSpace();
  if (at >= text.size())
    return fail("expected an expression");
  char c = text[at];
  if (c == '(')
    return operation(id, depth);
  if (std::strchr("%&@?", c))
    return leaf(c, id);
  if (text.compare(at, 2, "iv") == 0) {
    at += 2;
    uint64_t dim;
    if (!number(dim))
      return false;
    if (dim >= loop.dims.size())
      return fail("iv" + std::to_string(dim) + " has no dim");
    id = loop.exprs.leaf(Op::Iv, dim, loop.ptrBits);
    return true;
  }
  return constant(id);
}

bool Parser::wordExpr(ExprId &id, const char *what) {
  if (!expr(id))
    return false;
  if (loop.exprs.width(id) != loop.ptrBits)
    return fail(std::string(what) + " must have the width of a pointer");
  if (!loop.exprs.isInvariant(id))
    return fail(std::string(what) + " must be invariant");
  return true;
}

bool Parser::functionLine() {
  if (!string(loop.function.name))
    return false;
  struct { const char *name; bool *flag; } flags[] = {
      {"off", &loop.function.off},
      {"nobuiltin", &loop.function.noBuiltin},
      {"sanitizer", &loop.function.sanitizer},
      {"special", &loop.function.special},
      {"implements", &loop.function.implementsIdiom},
      {"optsize", &loop.function.optSize},
      {"trusttypes", &loop.function.trustTypes}};
  while (!atLineEnd()) {
    bool known = false;
    for (auto &f : flags)
      if (!known && acceptWord(f.name))
        known = *f.flag = true;
    if (!known)
      return fail("unknown function flag");
  }
  return true;
}

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
  if (acceptWord("max") && !number(d.maxTrip))
    return false;
  d.nonzero = acceptWord("nonzero");
  if (!loop.accesses.empty())
    return fail("dims come before accesses");
  loop.dims.push_back(d);
  return true;
}

bool Parser::accessFlags(Access &a, bool &stop) {
  struct { const char *name; bool *flag; } flags[] = {
      {"conditional", &a.conditional}, {"volatile", &a.isVolatile},
      {"atomic", &a.atomic}, {"padding", &a.paddingBits},
      {"maywrap", &a.mayWrap}};
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
    return (a.align && !(a.align & (a.align - 1))) ||
           fail("an alignment is a power of two");
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
  if (store && (!acceptWord("value") || !expr(a.value)))
    return fail("a store needs 'value'");
  loop.accesses.push_back(a);
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

bool Parser::obstacleLine() {
  Obstacle o;
  std::string code;
  if (!word(code))
    return false;
  if (code.size() != 7 || code.compare(0, 3, "MLF") ||
      !diagFromCode(unsigned(std::atoi(code.c_str() + 3)), o.code))
    return fail("unknown code '" + code + "'");
  if (!string(o.what))
    return false;
  loop.obstacles.push_back(o);
  return true;
}

bool Parser::liveOutLine() {
  LiveOut l;
  if (!string(l.name))
    return false;
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
  return loop.bigEndian || acceptWord("little") ||
         fail("expected 'little' or 'big'");
}

bool Parser::symLine() {
  Symbol s;
  uint64_t n;
  if (!word(s.name) || !number(n))
    return false;
  if (n < 1 || n > maxWidth || findName(loop.syms, s.name) != loop.syms.size())
    return fail("bad or repeated symbol");
  s.width = unsigned(n);
  loop.syms.push_back(s);
  return true;
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
  if (keyword == "function") return functionLine();
  if (keyword == "target") return targetLine();
  if (keyword == "origin") {
    loop.origin = acceptWord("call") ? Origin::Call
                  : acceptWord("assignment") ? Origin::Assignment
                                             : Origin::Loop;
    return loop.origin != Origin::Loop || acceptWord("loop") ||
           fail("expected 'loop', 'call' or 'assignment'");
  }
  if (keyword == "sym") return symLine();
  if (keyword == "base") return baseLine();
  if (keyword == "dim") return dimLine();
  if (keyword == "load") return accessLine(false);
  if (keyword == "store") return accessLine(true);
  if (keyword == "alias") return aliasLine();
  if (keyword == "obstacle") return obstacleLine();
  if (keyword == "liveout") return liveOutLine();
  return fail("unknown statement '" + keyword + "'");
}

/// Values must fit their stores; only then may recognisers rely on it.
bool Parser::finish() {
  for (const Access &a : loop.accesses) {
    if (!a.store)
      continue;
    unsigned width = loop.exprs.width(a.value);
    bool scalar = loop.exprs.isConst(a.bytes) && loop.origin == Origin::Loop &&
                  loop.exprs[a.bytes].value * 8 == width;
    if (!scalar && width != 8 && loop.exprs[a.value].op != Op::Load)
      return fail("a stored value has 8 * bytes bits, or 8, or is a load");
  }
  return true;
}

bool Parser::run(std::vector<Loop> &loops) {
  for (skipSpace(); at < text.size(); skipSpace()) {
    loop = Loop();
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
  }
  return true;
}

} // namespace

bool parseLoops(const std::string &text, std::vector<Loop> &loops,
                ParseError &error) {
  error = ParseError();
  return Parser(text, error).run(loops);
}

} // namespace memlift
