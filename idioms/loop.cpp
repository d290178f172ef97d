// loop.cpp - queries on a loop model, and the names that are never touched
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loop.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace memlift {

AliasKind Loop::alias(uint32_t a, uint32_t b, std::string *evidence) const {
  for (const Alias &entry : aliases)
    if ((entry.a == a && entry.b == b) || (entry.a == b && entry.b == a)) {
      if (evidence)
        *evidence = entry.evidence;
      return entry.kind;
    }
  return AliasKind::May;
}

/// Functions whose body is the idiom: a call in its place would call itself.
static const char *const idiomFunctions[] = {
    "memcpy",       "memmove",        "memset",         "mempcpy",          "memccpy",
    "bcopy",        "bzero",          "explicit_bzero", "memset_explicit",  "wmemcpy",
    "wmemmove",     "wmemset",        "wmempcpy",       "stpcpy",           "strcpy",
    "strncpy",      "stpncpy",        "strlcpy",        "copy_page",        "clear_page",
    "copy_to_user", "copy_from_user", "memcpy_toio",    "memcpy_fromio",    "memset_io",
    "memset16",     "memset32",       "memset64",       "memzero_explicit",
};

bool inList(const std::string &name, const std::string &list) {
  size_t at = 0;
  while (at <= list.size()) {
    size_t comma = list.find(',', at);
    if (comma == std::string::npos)
      comma = list.size();
    if (!name.empty() && list.compare(at, comma - at, name) == 0)
      return true;
    at = comma + 1;
  }
  return false;
}

/// Returns the greatest number of an iteration that is known; all ones if none is.
static uint64_t lastIteration(const Loop &loop, const Expr &iv) {
  uint64_t most = 0;
  if (iv.value < loop.dims.size()) {
    const Dim &dim = loop.dims[iv.value];
    most = loop.exprs.isConst(dim.trip) ? loop.exprs[dim.trip].value : dim.maxTrip;
  }
  return most ? most - 1 : maskOf(iv.width);
}

/// `steps` is for the whole expression: a part may be used many times.
static uint64_t boundOf(const Loop &loop, ExprId id, unsigned depth, unsigned &steps) {
  const ExprGraph &g = loop.exprs;
  const Expr &e = g[id];
  uint64_t all = maskOf(e.width);
  if (!depth || !steps || e.width > 64)
    return ~uint64_t(0);
  --steps;
  auto of = [&](ExprId operand) { return boundOf(loop, operand, depth - 1, steps); };
  switch (e.op) {
  case Op::Const: return e.value;
  case Op::Sym: return loop.syms[e.value].max ? loop.syms[e.value].max : all;
  case Op::Iv: return lastIteration(loop, e);
  case Op::ZExt: return of(e.a);
  case Op::Trunc: return std::min(all, of(e.a));
  case Op::And: return std::min(of(e.a), of(e.b));
  case Op::URem: return std::min(of(e.a), g[e.b].value - 1);
  case Op::Select: return std::max(of(e.b), of(e.c));
  case Op::LShr: return g.isConst(e.b) && g[e.b].value < e.width ? of(e.a) >> g[e.b].value : all;
  case Op::Or:
  case Op::Xor: {
    uint64_t bits = of(e.a) | of(e.b), mask = 0;
    while (mask < bits)
      mask = mask << 1 | 1;
    return std::min(all, mask);
  }
  case Op::Eq:
  case Op::Ne:
  case Op::ULt:
  case Op::ULe: return 1;
  default: return all;
  }
}

uint64_t upperBound(const Loop &loop, ExprId id) {
  unsigned steps = 1024;
  return boundOf(loop, id, /*depth=*/32, steps);
}

uint64_t possibleBits(const Loop &loop, ExprId id) {
  uint64_t bits = upperBound(loop, id);
  for (unsigned by = 1; by < 64; by *= 2)
    bits |= bits >> by;
  return bits;
}

/// Returns whether the loop runs if only its bound is great: no other condition skips all of it.
static bool runsForGreat(const Loop &loop, ExprId bound) {
  const ExprGraph &g = loop.exprs;
  const Expr &trip = g[loop.dims[0].trip];
  if (trip.op != Op::Select)
    return true;
  const Expr &test = g[trip.a];
  return (test.op == Op::ULt || test.op == Op::ULe) &&
         ((test.a == bound && g.isConst(test.b)) || (test.b == bound && g.isConst(test.a)));
}

void dropCertain(Loop &loop) {
  // The address of an access may rest on another assumption, whose test uses the trip count.
  // A loop that data may end need not run until its counter wraps.
  if (loop.assumptions.size() != 1 || loop.dims.size() != 1 || !loop.dataExits.empty())
    return;
  if (loop.dims[0].trip == NoExpr ||
      !runsForGreat(loop, loop.exprs[loop.assumptions[0].condition].a))
    return;
  uint64_t widest = 0;
  for (const Access &a : loop.accesses) {
    if (!a.affine || a.conditional || a.fixed || a.step.size() != 1 ||
        !loop.exprs.isConst(a.step[0]))
      continue;
    uint64_t up = loop.exprs[a.step[0]].value, down = -up & maskOf(loop.ptrBits);
    widest = std::max(widest, std::min(up, down));
  }
  // No object has half of the address space; nearly all of it is asked for.
  if (widest && loop.assumptions[0].otherwise > maskOf(loop.ptrBits) / 8 * 7 / widest)
    loop.assumptions.clear();
}

bool implementsIdiom(const std::string &name, const std::string &keep) {
  size_t dot = name.find('.', 1);
  if (dot != std::string::npos && implementsIdiom(name.substr(0, dot), keep))
    return true;
  if (name.rfind("memlift_", 0) == 0 || inList(name, keep))
    return true;
  // Kernels, C libraries and compiler run-times decorate these names:
  // __memcpy, __GI_memset, __memcpy_generic, __aeabi_memclr8, memcpy_avx.
  std::string bare = name.substr(
      name.find_first_not_of('_') == std::string::npos ? 0 : name.find_first_not_of('_'));
  for (const char *prefix :
       {"GI_", "aeabi_", "asan_", "msan_", "tsan_", "hwasan_", "pi_", "kasan_"})
    if (bare.rfind(prefix, 0) == 0)
      bare = bare.substr(std::strlen(prefix));
  for (const char *known : idiomFunctions) {
    if (bare == known)
      return true;
    // Only a leading underscore marks a decorated variant: a user's own
    // memset_header() is no memset.
    if (name[0] == '_' && bare.rfind(known, 0) == 0 &&
        (bare[std::strlen(known)] == '_' || std::isdigit(bare[std::strlen(known)])))
      return true;
  }
  return bare.rfind("memclr", 0) == 0 && name.rfind("__aeabi_", 0) == 0;
}

} // namespace memlift
