// loop_parse_expr.cpp - reads expressions and the facts of functions of loop models
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loop_parser.h"

#include <cctype>
#include <cstring>

namespace memlift {

bool Parser::constant(ExprId &id) {
  uint64_t value, width = loop.ptrBits;
  if (!number(value))
    return false;
  if (at < text.size() && text[at] == ':') {
    ++at;
    if (!number(width))
      return false;
  }
  if (width < 1 || (width > 64 && width != 128))
    return fail("a constant has 1 to 64 bits, or 128");
  id = loop.exprs.constant(value, unsigned(width));
  return true;
}

bool Parser::leaf(char sigil, ExprId &id) {
  ++at;
  std::string name;
  uint64_t n, width;
  if (sigil == '$') {
    if (!word(name))
      return false;
    size_t i = findName(loop.recs, name);
    if (i == loop.recs.size())
      return fail("recurrence '" + name + "' is not declared");
    id = loop.exprs.leaf(Op::Rec, i, loop.recs[i].width);
    return true;
  }
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
  if (sigil == '#') {
    if (n >= lets.size())
      return fail("#" + std::to_string(n) + " is no earlier subexpression");
    id = lets[n];
    return true;
  }
  if (sigil == '@') {
    if (n >= loop.accesses.size() || loop.accesses[n].store)
      return fail("@" + std::to_string(n) + " is not an earlier load");
    ExprId bytes = loop.accesses[n].bytes;
    // A bulk load has no width of its own; 8 marks "its bytes".
    uint64_t size = loop.exprs.isConst(bytes) ? loop.exprs[bytes].value : 1;
    if (!size && loop.origin == Origin::Loop)
      return fail("@" + std::to_string(n) + " reads no bytes");
    bool scalar = size >= 1 && size <= 8191;
    id = loop.exprs.leaf(Op::Load, n, scalar ? unsigned(8 * size) : 8);
    return true;
  }
  if (!expect(':') || !number(width))
    return false;
  if (width < 1 || width > maxWidth)
    return fail("width out of range");
  id = loop.exprs.opaque(unsigned(width));
  return true;
}

/// Returns true for the operations that accumulators of 128 bits need.
static bool takesWide(Op op) {
  return op != Op::Mul && op != Op::URem && op != Op::SRem && op != Op::AShr;
}

bool Parser::operation(ExprId &id, unsigned depth) {
  std::string name;
  if (!expect('(') || !word(name))
    return false;
  if (name == "table")
    return tableLookup(id, depth);
  const OpName *op = nullptr;
  for (size_t i = 0; i < opNameCount && !op; ++i)
    if (name == opNames[i].name)
      op = &opNames[i];
  if (!op)
    return fail("unknown operation '" + name + "'");
  uint64_t width = 0;
  if (takesWidth(op->op) && !number(width))
    return false;
  ExprId operand[3];
  unsigned wanted = op->op == Op::Select ? 3 : takesWidth(op->op) || op->op == Op::BSwap ? 1 : 2;
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
  if (isCrcStep(op->op)) {
    unsigned bits = g.width(operand[1]);
    if (g.width(operand[0]) != 32 || (bits != 8 && bits != 16 && bits != 32 && bits != 64))
      return fail("a step of a CRC has 32 bits, and 1, 2, 4 or 8 bytes");
    id = g.crc(op->op, operand[0], operand[1]);
    return true;
  }
  if (g.width(operand[0]) != g.width(operand[1]))
    return fail("operands of '" + name + "' differ in width");
  if (isDoubling(op->op) && g.width(operand[0]) != 64)
    return fail("operands of '" + name + "' have 64 bits");
  bool wide = g.width(operand[0]) > 64;
  if (wide && (g.width(operand[0]) != 128 || !takesWide(op->op)))
    return fail("operations have at most 64 bits, some of them 128");
  bool remainder = op->op == Op::URem || op->op == Op::SRem;
  if (remainder && !g.isDivisor(op->op, operand[1]))
    return fail("a remainder is by a positive constant");
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
  case Op::Memory:
    if (from != loop.ptrBits || width % 8 || width < 8 || width > 64)
      return fail("memory has an address and 1 to 8 whole bytes");
    id = g.memory(a, unsigned(width));
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
  if (std::strchr("%&@?$#", c))
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

bool Parser::tableLookup(ExprId &id, unsigned depth) {
  std::string name;
  ExprId entry;
  if (!word(name))
    return false;
  size_t i = findName(loop.tables, name);
  if (i == loop.tables.size())
    return fail("table '" + name + "' is not declared");
  if (!expr(entry, depth + 1) || !expect(')'))
    return false;
  id = loop.exprs.table(i, entry, loop.tables[i].entryBits);
  return true;
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

bool Parser::leaveLine() {
  DataExit e;
  e.after = uint32_t(loop.accesses.size());
  if (!expr(e.leaves))
    return false;
  loop.dataExits.push_back(e);
  return loop.exprs.width(e.leaves) == 1 || fail("a test is 1 bit wide");
}

bool Parser::boundLine() {
  Obstacle o = {Diag::SpreadBound, "", {}};
  if (!string(o.what))
    return false;
  loop.bound.push_back(o);
  return true;
}

bool Parser::functionLine() {
  if (!string(loop.function.name))
    return false;
  struct {
    const char *name;
    bool *flag;
  } flags[] = {{"off", &loop.function.off},
               {"nobuiltin", &loop.function.noBuiltin},
               {"implements", &loop.function.implementsIdiom},
               {"shape", &loop.function.shape},
               {"user", &loop.function.user},
               {"optsize", &loop.function.optSize},
               {"anycore", &loop.function.anyCore},
               {"compact", &loop.function.compact},
               {"noformed", &loop.function.formsNoCalls},
               {"versions", &loop.function.versionsLoops},
               {"librarycalls", &loop.function.callsLibrary},
               {"fourfold", &loop.function.widensFourfold},
               {"unrollsvectors", &loop.function.unrollsVectors},
               {"noswap", &loop.function.noSwap},
               {"spent", &loop.function.budgetSpent},
               {"trusttypes", &loop.function.trustTypes},
               {"stream", &loop.function.stream},
               {"spread", &loop.function.spread},
               {"local", &loop.function.local}};
  while (!atLineEnd()) {
    bool known = false;
    for (auto &[name, flag] : flags)
      if (!known && acceptWord(name))
        known = *flag = true;
    for (const PropertyRecord *r = propertyRecords; r->word && !known; ++r)
      if ((known = acceptWord(r->word)))
        loop.function.properties.set(r->property);
    if (!known && acceptWord("store"))
      known = number(loop.function.store);
    uint64_t bits = 0;
    if (!known && acceptWord("vectorises") && (known = number(bits)))
      loop.function.vectorBits = loop.function.wholeVectorBits = unsigned(bits);
    FunctionFacts &f = loop.function;
    for (auto [name, to] : {std::pair("wholevectors", &f.wholeVectorBits),
                            {"swapbits", &f.swapBits},
                            {"byteswapbits", &f.byteSwapBits}})
      if (!known && acceptWord(name) && (known = number(bits)))
        *to = unsigned(bits);
    if (!known)
      return fail("unknown function flag");
  }
  return true;
}

bool Parser::carryLine() {
  Carry c;
  if (!string(c.name))
    return false;
  for (unsigned k = 0; k < std::size(carryNames); ++k)
    if (acceptWord(carryNames[k])) {
      c.kind = Carry::Kind(k);
      loop.carries.push_back(c);
      return true;
    }
  return fail("expected add, xor, and, or, umin, umax, smin, smax, other");
}

} // namespace memlift
