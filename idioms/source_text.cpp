// source_text.cpp - expressions of a loop model as a C programmer writes them, for messages
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An expression is written in two steps. It is rebuilt in a graph where all numbers have 64 bits
// and whatever C writes as an operand (names, accesses, casts, calls) is a symbol: there
// (zext 64 (add %n 4294967295:32)) plus 1 is n. The result is then written with C's precedence.
#include "source_text.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace memlift {

namespace {

/// C's precedence of operators, and that of what needs no parentheses anywhere.
enum Precedence {
  Lowest,
  Ternary,
  OrElse,
  AndAlso,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relation,
  Shift,
  Sum,
  Product,
  Operand
};

/// Returns true for operands that gcc's -Wparentheses wants in parentheses though C does not.
bool misleads(Precedence parent, Precedence child) {
  if (parent == Shift)
    return child == Sum;
  if (parent == OrElse)
    return child == AndAlso;
  return parent >= BitOr && parent <= BitAnd && child != parent && child != Shift &&
         child < Product;
}

std::string hex(uint64_t value) {
  std::string r;
  for (; value || r.empty(); value >>= 4)
    r.insert(0, 1, "0123456789abcdef"[value & 15]);
  return "0x" + r;
}

std::string number(uint64_t value) {
  return value < INT32_MAX ? std::to_string(value) : hex(value);
}

std::string mask(uint64_t value) {
  if (int64_t(value) < 0)
    return "~" + mask(~value);
  return value < 10 ? std::to_string(value) : hex(value);
}

template <class T> std::string nameOf(const std::vector<T> &list, size_t index) {
  // Compilers number copies after a dot.
  auto plain = [](const std::string &name) { return name.substr(0, name.find('.')); };
  std::string name = plain(list[index].name);
  for (size_t i = 0; i < list.size() && !name.empty(); ++i)
    if (i != index && plain(list[i].name) == name)
      return list[i].name != list[index].name ? list[index].name : name + std::to_string(index);
  return name.empty() ? "..." : name;
}

/// Limits of a text. Of longer ones, parts at a depth become "...".
constexpr unsigned rebuiltNodes = 400, textNodes = 60, mostTerms = 6;
constexpr size_t textCharacters = 160;
constexpr uint64_t mostDivisor = 1000; // odd ones, of elements of structures
constexpr Op quotientOp = Op::SRem;    // in the graph of Renderer: it has no division

class Renderer {
public:
  explicit Renderer(bool casts) : casts(casts) {}
  /// Rebuilds an expression of `loop` in the graph of this object.
  ExprId rebuild(const Loop &loop, ExprId id);
  /// `within`: precedence of what stands around the text.
  std::string text(ExprId id, Precedence within = Lowest);

private:
  bool casts; // shows conversions of sums
  ExprGraph g;
  std::vector<std::string> operands; // texts of symbols
  std::map<std::pair<const Loop *, ExprId>, ExprId> known;
  unsigned nodesLeft = 0; // that the text may still have

  ExprId word(uint64_t value) { return g.constant(value, 64); }
  ExprId operand(const std::string &text, unsigned width = 64);
  ExprId leaf(const Loop &loop, const Expr &e);
  ExprId node(const Loop &loop, const Expr &e, bool invariant);
  ExprId compared(const Loop &loop, const Expr &e);
  ExprId negated(ExprId test);
  ExprId pointedTo(const Loop &loop, const Expr &e);
  ExprId chosen(const Loop &loop, const Expr &e);
  ExprId converted(const Loop &loop, const Expr &e);
  ExprId shifted(const Loop &loop, const Expr &e, bool invariant);
  std::string element(const Loop &loop, const Access &a);
  std::string place(const Base &base, const std::string &name, ExprId offset, uint64_t bytes,
                    bool moves);
  ExprId divided(ExprId x, uint64_t by);
  ExprId multiplied(const Loop &loop, const Expr &e);

  std::string write(ExprId id, Precedence within, unsigned depth, bool right = false);
  std::string writeSum(ExprId id, unsigned depth, Precedence &is);
  std::string writeProduct(const Monomial &factors, uint64_t times, unsigned depth, Precedence &is);
  std::string writeBinary(const Expr &e, unsigned depth, Precedence &is);
};

ExprId Renderer::operand(const std::string &text, unsigned width) {
  size_t i = size_t(std::find(operands.begin(), operands.end(), text) - operands.begin());
  if (i == operands.size())
    operands.push_back(text);
  return g.leaf(Op::Sym, i, width);
}

static bool divides(uint64_t by, const Poly &sum) {
  return std::all_of(sum.begin(), sum.end(),
                     [&](auto &term) { return int64_t(term.second) % int64_t(by) == 0; });
}

ExprId Renderer::divided(ExprId x, uint64_t by) {
  Poly sum = g.poly(x);
  if (!divides(by, sum))
    return g.isConst(x) ? word(g[x].value / by) : g.binary(quotientOp, x, word(by));
  for (auto &[factors, times] : sum)
    times = uint64_t(int64_t(times) / int64_t(by));
  return g.fromPoly(sum, 64);
}

/// Returns `bytes` bytes at a distance from a base as C accesses them: "d[i]", "*d", "total".
std::string Renderer::place(const Base &base, const std::string &name, ExprId offset,
                            uint64_t bytes, bool moves) {
  Poly sum = g.poly(offset);
  if (sum.empty() && !moves)
    return base.kind == BaseKind::Global || base.kind == BaseKind::Local ? name : "*" + name;
  if (divides(bytes, sum))
    return name + "[" + text(divided(offset, bytes)) + "]";
  return "*(uint" + std::to_string(8 * bytes) + "_t *)((char *)" + name + " + " + text(offset) +
         ")";
}

std::string Renderer::element(const Loop &loop, const Access &a) {
  std::string name = nameOf(loop.bases, a.base);
  if (!a.affine || !loop.exprs.isConst(a.bytes) || loop.exprs[a.bytes].value > 8 ||
      loop.dims.size() > 3)
    return name + "[...]";
  ExprId offset = rebuild(loop, a.offset);
  bool moves = false;
  for (size_t k = 0; k < a.step.size(); ++k) {
    ExprId step = rebuild(loop, a.step[k]);
    offset = g.add(offset, g.mul(step, operand(std::string(1, char('i' + k)))));
    moves |= !g.isConst(step, 0);
  }
  return place(loop.bases[a.base], name, offset, loop.exprs[a.bytes].value, moves);
}

ExprId Renderer::leaf(const Loop &loop, const Expr &e) {
  switch (e.op) {
  case Op::Const: {
    // Readers do not say which constants are signed: small negative numbers are more likely than
    // numbers near the upper limit.
    int64_t small = signExtend(e.value, e.width);
    bool negative =
        small < 0 && e.width <= 64 && (e.width == 64 || small >= -(int64_t(1) << e.width / 2));
    return e.width == 1 ? g.constant(e.value, 1) : word(negative ? uint64_t(small) : e.value);
  }
  case Op::Sym: {
    const Symbol &s = loop.syms[e.value];
    if (s.source != NoExpr && loop.source)
      return rebuild(*loop.source, s.source);
    return operand(nameOf(loop.syms, e.value), e.width == 1 ? 1 : 64);
  }
  case Op::BaseAddr: return operand(nameOf(loop.bases, e.value));
  case Op::Rec: return operand(nameOf(loop.recs, e.value), e.width == 1 ? 1 : 64);
  case Op::Iv: return operand(std::string(1, char('i' + e.value)));
  case Op::Load: // some proofs have loads of accesses that there are not
    if (e.value >= loop.accesses.size())
      return operand("...", e.width == 1 ? 1 : 64);
    return operand(element(loop, loop.accesses[e.value]), e.width == 1 ? 1 : 64);
  default: return operand("...", e.width == 1 ? 1 : 64);
  }
}

/// Conversions: that to fewer bits is a cast; that to more bits is one where casts are wanted.
ExprId Renderer::converted(const Loop &loop, const Expr &e) {
  ExprId x = rebuild(loop, e.a);
  const Expr &from = loop.exprs[e.a];
  if (e.op == Op::Trunc && e.width == 1)
    return g.binary(Op::Ne, g.binary(Op::And, x, word(1)), word(0));
  if (from.width == 1)
    return g.cast(e.op, x, 64);
  unsigned bits = e.op == Op::Trunc ? e.width : from.width;
  bool sums = from.op == Op::Add || from.op == Op::Mul || from.op == Op::Shl ||
              (from.op == Op::Sub && !loop.exprs.isConst(from.a, maskOf(bits)));
  if (bits >= 64 || g.isConst(x) || (e.op != Op::Trunc && !(casts && sums)))
    return x;
  if (bits != 8 && bits != 16 && bits != 32)
    return g.binary(Op::And, x, word(maskOf(bits)));
  const char *type = e.op == Op::SExt ? "(int" : "(uint";
  std::string inner = text(x);
  if (g[x].op != Op::Sym)
    inner = "(" + inner + ")";
  return operand(type + std::to_string(bits) + "_t)" + inner);
}

/// Shifts that stand for products and quotients are those where no bytes are put together.
ExprId Renderer::shifted(const Loop &loop, const Expr &e, bool invariant) {
  ExprId x = rebuild(loop, e.a), by = rebuild(loop, e.b);
  uint64_t amount = g.isConst(by) ? g[by].value : 64;
  if (!invariant || amount >= 32)
    return g.binary(e.op == Op::LShr ? Op::AShr : e.op, x, by);
  if (e.op == Op::Shl)
    return amount < 8 ? g.mul(x, word(uint64_t(1) << amount)) : g.binary(e.op, x, by);
  return divided(x, uint64_t(1) << amount);
}

/// Products. One with the inverse of an odd number is an exact quotient: x - x % 3, times that
/// inverse, is x / 3.
ExprId Renderer::multiplied(const Loop &loop, const Expr &e) {
  ExprId x = rebuild(loop, e.a), y = rebuild(loop, e.b);
  const Expr &by = loop.exprs[e.b];
  if (by.op != Op::Const || by.value % 2 == 0 || e.width > 64)
    return g.mul(x, y);
  uint64_t odd = inverseOf(by.value) & maskOf(e.width);
  if (odd < 3 || odd >= mostDivisor || by.value < mostDivisor)
    return g.mul(x, y);
  Poly sum = g.poly(x);
  for (auto &[factors, times] : sum)
    if (factors.size() == 1 && int64_t(times) == -1 && g[factors[0]].op == Op::URem &&
        g.isConst(g[factors[0]].b, odd) && g.equal(g.add(x, factors[0]), g[factors[0]].a))
      return divided(g[factors[0]].a, odd);
  return divided(x, odd);
}

/// Comparisons. Readers have only unsigned ones: signed operands have their sign bits flipped.
ExprId Renderer::compared(const Loop &loop, const Expr &e) {
  const ExprGraph &from = loop.exprs;
  bool order = e.op == Op::ULt || e.op == Op::ULe;
  uint64_t sign = uint64_t(1) << ((from.width(e.a) - 1) & 63);
  auto flipped = [&](ExprId x) { return from[x].op == Op::Xor && from.isConst(from[x].b, sign); };
  bool isSigned = order && (flipped(e.a) || flipped(e.b));
  auto side = [&](ExprId x) {
    if (from.width(x) == 1)
      return g.cast(Op::ZExt, rebuild(loop, x), 64);
    if (order && from.isConst(x))
      return isSigned ? word(uint64_t(signExtend(from[x].value ^ sign, from.width(x))))
             : int64_t(from[x].value) < 0 ? operand(mask(from[x].value))
                                          : word(from[x].value);
    if (isSigned && !flipped(x))
      return g.binary(Op::Xor, rebuild(loop, x), word(sign));
    return rebuild(loop, isSigned ? from[x].a : x);
  };
  ExprId x = side(e.a);
  return g.binary(e.op, x, side(e.b));
}

/// Conditional expressions, and those of them that are a minimum or maximum.
ExprId Renderer::chosen(const Loop &loop, const Expr &e) {
  ExprId test = rebuild(loop, e.a), yes = rebuild(loop, e.b), no = rebuild(loop, e.c);
  const Expr t = g[test]; // a copy: text() may add nodes
  bool less = t.op == Op::ULt || t.op == Op::ULe;
  if (!less || !((t.a == yes && t.b == no) || (t.a == no && t.b == yes)))
    return g.select(test, yes, no);
  std::string a = text(yes), b = text(no);
  return operand((t.a == yes ? "min(" : "max(") + std::min(a, b) + ", " + std::max(a, b) + ")");
}

ExprId Renderer::negated(ExprId test) {
  const Expr t = g[test];
  switch (t.op) {
  case Op::Eq: return g.binary(Op::Ne, t.a, t.b);
  case Op::Ne: return g.binary(Op::Eq, t.a, t.b);
  case Op::ULt: return g.binary(Op::ULe, t.b, t.a);
  case Op::ULe: return g.binary(Op::ULt, t.b, t.a);
  default: return g.binary(Op::Xor, test, g.constant(1, 1));
  }
}

/// Returns what an address points to, before the loop.
ExprId Renderer::pointedTo(const Loop &loop, const Expr &e) {
  ExprId address = rebuild(loop, e.a);
  Poly sum = g.poly(address);
  for (size_t i = 0; i < loop.bases.size() && e.width <= 64; ++i) {
    std::string name = nameOf(loop.bases, i);
    ExprId base = operand(name);
    auto at = sum.find({base});
    if (at != sum.end() && at->second == 1)
      return operand(place(loop.bases[i], name, g.sub(address, base), e.width / 8, false));
  }
  return operand("...");
}

ExprId Renderer::node(const Loop &loop, const Expr &e, bool invariant) {
  auto call = [&](const std::string &name) {
    return operand(name + "(" + text(rebuild(loop, e.a)) + ")");
  };
  switch (e.op) {
  case Op::Table:
    return operand(nameOf(loop.tables, e.value) + "[" + text(rebuild(loop, e.a)) + "]");
  case Op::Memory: return pointedTo(loop, e);
  case Op::ZExt:
  case Op::SExt:
  case Op::Trunc: return converted(loop, e);
  case Op::BSwap: return call("bswap" + std::to_string(e.width));
  case Op::Splat: return call("repeat");
  case Op::Shl:
  case Op::LShr:
  case Op::AShr: return shifted(loop, e, invariant);
  case Op::Eq:
  case Op::Ne:
  case Op::ULt:
  case Op::ULe: return compared(loop, e);
  case Op::Select: return chosen(loop, e);
  case Op::Pair: // these are in decisions only
  case Op::ClMul:
  case Op::Crc32:
  case Op::Crc32c: return operand("...");
  case Op::Xor:
    if (e.width == 1 && loop.exprs.isConst(e.b, 1))
      return negated(rebuild(loop, e.a));
    break;
  case Op::URem:
  case Op::SRem: return g.binary(Op::URem, rebuild(loop, e.a), word(loop.exprs[e.b].value));
  case Op::Mul: return multiplied(loop, e);
  case Op::Sub:
    if (e.width == 1 && loop.exprs.isConst(e.a)) // 1 - x is !x, and 0 - x is x
      return loop.exprs.isConst(e.a, 1) ? negated(rebuild(loop, e.b)) : rebuild(loop, e.b);
    if (loop.exprs.isConst(e.a)) // a limit: not negative
      return g.sub(word(loop.exprs[e.a].value), rebuild(loop, e.b));
    break;
  default: break;
  }
  ExprId x = rebuild(loop, e.a); // first: operands keep the order of the source
  return g.binary(e.op, x, rebuild(loop, e.b));
}

ExprId Renderer::rebuild(const Loop &loop, ExprId id) {
  auto [at, fresh] = known.try_emplace({&loop, id}, NoExpr);
  if (!fresh)
    return at->second;
  if (known.size() > rebuiltNodes)
    return operand("...", loop.exprs.width(id) == 1 ? 1 : 64);
  const Expr &e = loop.exprs[id];
  ExprId r = e.a == NoExpr ? leaf(loop, e) : node(loop, e, loop.exprs.isInvariant(id));
  if (g[r].op == Op::Add || g[r].op == Op::Sub || g[r].op == Op::Mul)
    r = g.fromPoly(g.poly(r), g.width(r)); // equal sums are equal nodes
  return known[{&loop, id}] = r;
}

std::string Renderer::text(ExprId id, Precedence within) {
  std::string r;
  for (unsigned depth : {12, 8, 6, 5, 4, 3, 2, 1}) {
    unsigned outer = nodesLeft;
    nodesLeft = textNodes;
    r = write(id, within, depth);
    bool fits = nodesLeft && r.size() <= textCharacters;
    nodesLeft = outer;
    if (fits)
      break;
  }
  return r;
}

std::string Renderer::write(ExprId id, Precedence within, unsigned depth, bool right) {
  const Expr e = g[id];
  if (!depth || !nodesLeft)
    return "...";
  --nodesLeft;
  Precedence is = Operand;
  std::string r;
  switch (e.op) {
  case Op::Sym: return operands[e.value];
  case Op::ZExt:
  case Op::SExt: return write(e.a, within, depth, right);
  case Op::Const:
  case Op::Add:
  case Op::Sub:
  case Op::Mul: r = writeSum(id, depth, is); break;
  case Op::Select:
    r = write(e.a, OrElse, depth - 1) + " ? " + write(e.b, OrElse, depth - 1) + " : " +
        write(e.c, Ternary, depth - 1);
    is = Ternary;
    break;
  default: r = writeBinary(e, depth, is);
  }
  return is < within || (right && is == within) || misleads(within, is) ? "(" + r + ")" : r;
}

std::string Renderer::writeProduct(const Monomial &factors, uint64_t times, unsigned depth,
                                   Precedence &is) {
  std::vector<std::string> texts;
  is = Operand;
  bool alone = times == 1 && factors.size() == 1;
  for (ExprId f : factors)
    texts.push_back(write(f, alone ? Sum : Product, depth - 1, !alone));
  std::sort(texts.begin(), texts.end());
  if (times != 1 || texts.empty())
    texts.insert(texts.begin(), number(times));
  std::string r;
  for (const std::string &t : texts)
    r += (r.empty() ? "" : " * ") + t;
  if (texts.size() > 1)
    is = Product;
  return r;
}

/// Writes what is added first, in a fixed order, then what is subtracted; constants come last.
std::string Renderer::writeSum(ExprId id, unsigned depth, Precedence &is) {
  std::vector<std::tuple<int, size_t, std::string>> terms;
  Poly sum = g.poly(id);
  for (auto &[factors, times] : sum) {
    bool minus = int64_t(times) < 0;
    Precedence part;
    if (sum.size() > mostTerms && terms.size() == mostTerms - 2) {
      terms.push_back({3, 0, "..."});
      break;
    }
    std::string t = writeProduct(factors, minus ? -times : times, depth, part);
    bool isName = t.find_first_of("[(* ") == std::string::npos;
    terms.push_back({4 * minus + (factors.empty() ? 2 : !isName), t.size(), t});
    is = part;
  }
  std::sort(terms.begin(), terms.end());
  std::string r;
  for (auto &[order, size, t] : terms)
    r += (order < 4 ? r.empty() ? "" : " + " : r.empty() ? "-" : " - ") + t;
  if (terms.size() > 1)
    is = Sum;
  return terms.empty() ? "0" : r;
}

std::string Renderer::writeBinary(const Expr &e, unsigned depth, Precedence &is) {
  bool logic = e.width == 1;
  std::string op;
  switch (e.op) {
  case Op::URem: op = "%", is = Product; break;
  case quotientOp: op = "/", is = Product; break;
  case Op::And: op = logic ? "&&" : "&", is = logic ? AndAlso : BitAnd; break;
  case Op::Or: op = logic ? "||" : "|", is = logic ? OrElse : BitOr; break;
  case Op::Xor: op = logic ? "!=" : "^", is = logic ? Equality : BitXor; break;
  case Op::Shl: op = "<<", is = Shift; break;
  case Op::AShr: op = ">>", is = Shift; break;
  case Op::Eq: op = "==", is = Equality; break;
  case Op::Ne: op = "!=", is = Equality; break;
  case Op::ULt: op = "<", is = Relation; break;
  default: op = "<=", is = Relation;
  }
  ExprId a = e.a, b = e.b;
  if (is == Relation && g.isConst(a)) { // C programs compare with constants
    std::swap(a, b);
    op[0] = '>';
  }
  if (e.op == Op::Xor && g.isConst(b, maskOf(e.width))) {
    is = Operand;
    return (logic ? "!" : "~") + write(a, Operand, depth - 1);
  }
  bool bits = is >= BitOr && is <= BitAnd;
  std::string right = bits && g.isConst(b) ? mask(g[b].value) : write(b, is, depth - 1, true);
  return write(a, is, depth - 1) + " " + op + " " + right;
}

} // namespace

std::string sourceText(const Loop &loop, ExprId id) {
  if (id == NoExpr)
    return "unknown";
  const Expr &e = loop.exprs[id];
  if (e.op == Op::Const && e.width <= 8)
    return std::to_string(e.value);
  int64_t value = signExtend(e.value, e.width);
  if (e.op == Op::Const && e.width != loop.ptrBits && (value < -0xffff || value > 0xffff))
    return hex(e.value); // bytes rather than a count
  Renderer renderer(/*casts=*/e.width == 1);
  return renderer.text(renderer.rebuild(loop, id), e.width == loop.ptrBits ? OrElse : Lowest);
}

} // namespace memlift
