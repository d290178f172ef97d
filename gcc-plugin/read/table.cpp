// table.cpp - look-ups in constant arrays, and in others
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   crc = table[(crc ^ *p) & 255] ^ (crc >> 8);       table[3][byte], too
//
// The entries of an array are used only if they are known at compile time and cannot change, and if
// the index is provably within the array.
#include "translate.h"

namespace memlift {

constexpr uint64_t maxEntries = 4096;
constexpr unsigned maxSteps = 32;

/// Splits a byte offset into an object into an element number. Reading outside an object is
/// undefined, so no index does. The check excludes terms that wrap back into the object of `bytes`
/// bytes.
bool Translator::tableIndex(ExprId at, uint64_t bytes, uint64_t size, ExprId &index) {
  Poly poly = g.poly(at);
  for (auto &[monomial, factor] : poly) {
    if (factor % size || monomial.size() > 1)
      return false;
    const Expr *e = monomial.empty() ? nullptr : &g[monomial[0]];
    bool widened = e && (e->op == Op::ZExt || e->op == Op::SExt) &&
                   2 * g.width(e->a) <= ptrBits() && factor <= bytes;
    uint64_t most = e ? upperBound(binding.loop, monomial[0]) : 1;
    if (!widened && static_cast<unsigned __int128>(factor) * most > bytes)
      return false;
    factor /= size;
  }
  index = g.fromPoly(poly, ptrBits());
  return true;
}

/// Reads the bytes of a constant object, equal in every execution.
static bool constantBytes(tree decl, std::vector<unsigned char> &bytes) {
  // A weak object may be replaced when the program is linked.
  if (!VAR_P(decl) || TREE_THIS_VOLATILE(decl) || DECL_WEAK(decl) || !DECL_SIZE_UNIT(decl) ||
      !tree_fits_uhwi_p(DECL_SIZE_UNIT(decl)))
    return false;
  uint64_t size = tree_to_uhwi(DECL_SIZE_UNIT(decl));
  if (!size || size > 8 * maxEntries)
    return false;
  tree init = ctor_for_folding(decl);
  if (init == error_mark_node)
    return false;
  bytes.assign(size, 0);
  return !init || native_encode_initializer(init, bytes.data(), int(size)) == int(size);
}

/// Returns the entry at an offset in bytes.
static uint64_t entryAt(const std::vector<unsigned char> &bytes, size_t at, unsigned size) {
  uint64_t v = 0;
  for (unsigned i = 0; i < size; ++i)
    v |= uint64_t(bytes[at + i]) << 8 * (BYTES_BIG_ENDIAN ? size - 1 - i : i);
  return v;
}

/// Returns the assignment that defines a name, past conversions that widen, and past the 1 at least
/// that compilers write for a do loop. A value above `limit` has another sign, or is no longer the
/// same, after them.
static gassign *narrowDefinition(tree t, unsigned steps, uint64_t &limit) {
  gassign *def = TREE_CODE(t) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(t)) : nullptr;
  if (!def || !steps)
    return def;
  tree_code code = gimple_assign_rhs_code(def);
  tree from = gimple_assign_rhs1(def), type = TREE_TYPE(from);
  bool widens = CONVERT_EXPR_CODE_P(code) && INTEGRAL_TYPE_P(type) &&
                TYPE_PRECISION(type) <= TYPE_PRECISION(TREE_TYPE(t));
  bool oneAtLeast =
      code == MAX_EXPR && integer_onep(gimple_assign_rhs2(def)) && TYPE_UNSIGNED(type);
  if (!widens && !oneAtLeast)
    return def;
  if (!TYPE_UNSIGNED(type))
    limit = std::min(limit, maskOf(TYPE_PRECISION(type) - 1));
  return narrowDefinition(from, steps - 1, limit);
}

uint64_t largestEntry(tree t) {
  uint64_t limit = ~uint64_t(0);
  gassign *def = narrowDefinition(t, /*steps=*/3, limit);
  tree ref = def && gimple_assign_load_p(def) ? gimple_assign_rhs1(def) : NULL_TREE;
  if (!ref || TREE_CODE(ref) != ARRAY_REF || gimple_has_volatile_ops(def))
    return 0;
  tree array = TREE_OPERAND(ref, 0), type = TREE_TYPE(ref);
  if (TREE_CODE(array) == MEM_REF && TREE_CODE(TREE_OPERAND(array, 0)) == ADDR_EXPR &&
      integer_zerop(TREE_OPERAND(array, 1)))
    array = TREE_OPERAND(TREE_OPERAND(array, 0), 0);
  std::vector<unsigned char> bytes;
  if (!VAR_P(array) || !INTEGRAL_TYPE_P(type) || !TYPE_UNSIGNED(type) ||
      TYPE_PRECISION(type) > 64 || TYPE_PRECISION(type) % 8 || !constantBytes(array, bytes))
    return 0;
  const unsigned size = TYPE_PRECISION(type) / 8;
  uint64_t most = 0;
  for (size_t at = 0; at + size <= bytes.size() && at < size * maxEntries; at += size)
    most = std::max(most, entryAt(bytes, at, size));
  return bytes.size() <= size * maxEntries && most <= limit ? most : 0;
}

/// Returns the number of the table that the object is, as entries of `size` bytes.
static uint32_t tableOf(LoopBinding &binding, tree decl, const std::vector<unsigned char> &bytes,
                        unsigned size) {
  for (size_t i = 0; i < binding.tables.size(); ++i)
    if (binding.tables[i] == decl && binding.loop.tables[i].entryBits == 8 * size)
      return uint32_t(i);
  Table table;
  table.name = DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "table";
  table.entryBits = 8 * size;
  for (size_t at = 0; at + size <= bytes.size(); at += size)
    table.entries.push_back(entryAt(bytes, at, size));
  binding.loop.tables.push_back(table);
  binding.tables.push_back(decl);
  return uint32_t(binding.tables.size() - 1);
}

/// Returns the number of the table of entries that are unknown at compile time.
static uint32_t unknownTable(LoopBinding &binding, tree root, unsigned size, bool &fresh) {
  for (size_t i = 0; i < binding.tables.size(); ++i)
    if (operand_equal_p(binding.tables[i], root, 0) && binding.loop.tables[i].unknown &&
        binding.loop.tables[i].entryBits == 8 * size)
      return uint32_t(i);
  tree var = TREE_CODE(root) == ADDR_EXPR  ? get_base_address(TREE_OPERAND(root, 0))
             : TREE_CODE(root) == SSA_NAME ? SSA_NAME_VAR(root)
                                           : NULL_TREE;
  Table table;
  bool named = var && DECL_P(var) && DECL_NAME(var);
  table.name = named ? IDENTIFIER_POINTER(DECL_NAME(var)) : "table";
  table.entryBits = 8 * size;
  table.unknown = true;
  binding.loop.tables.push_back(table);
  binding.tables.push_back(root);
  fresh = true;
  return uint32_t(binding.tables.size() - 1);
}

/// Returns the constant-looking variable that a pointer points into, null if there is none.
static tree constantRoot(tree pointer) {
  for (unsigned i = 0; i < maxSteps; ++i) {
    if (TREE_CODE(pointer) == ADDR_EXPR) {
      tree decl = get_base_address(TREE_OPERAND(pointer, 0));
      return decl && VAR_P(decl) && TREE_READONLY(decl) ? decl : NULL_TREE;
    }
    gassign *def =
        TREE_CODE(pointer) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(pointer)) : nullptr;
    tree_code code = def ? gimple_assign_rhs_code(def) : ERROR_MARK;
    if (code != POINTER_PLUS_EXPR && code != SSA_NAME && code != ADDR_EXPR &&
        !CONVERT_EXPR_CODE_P(code))
      return NULL_TREE;
    pointer = gimple_assign_rhs1(def);
  }
  return NULL_TREE;
}

/// Takes a reference apart. Returns false unless it is to an integer of 1, 2, 4 or 8 bytes.
static bool isEntry(tree ref, Reference &to, unsigned &size) {
  tree type = TREE_TYPE(ref);
  if (!INTEGRAL_TYPE_P(type) || TYPE_PRECISION(type) > 64 || TREE_THIS_VOLATILE(ref) ||
      !splitReference(ref, to) || !to.wholeBytes)
    return false;
  size = unsigned(tree_to_uhwi(TYPE_SIZE_UNIT(type)));
  return TYPE_PRECISION(type) == 8 * size && !(size & (size - 1));
}

ExprId Translator::tableEntry(tree ref) {
  Reference to;
  bool bits = false;
  unsigned size;
  if (!isEntry(ref, to, size) || !constantRoot(to.pointer))
    return NoExpr;
  ExprId at = to.offset ? value(to.offset) : binding.loop.word(0);
  if (at == NoExpr || g.width(at) != ptrBits())
    return NoExpr;
  at = g.add(at, binding.loop.word(uint64_t(to.bytes)));
  tree root = to.pointer;
  for (unsigned i = 0; i < maxSteps && peel(root, at); ++i)
    ;
  std::vector<unsigned char> bytes;
  if (TREE_CODE(root) != ADDR_EXPR || !constantBytes(TREE_OPERAND(root, 0), bytes))
    return NoExpr;
  ExprId index;
  if (bytes.size() / size > maxEntries || g.isInvariant(at) ||
      !tableIndex(at, bytes.size(), size, index) || address(ref, bits).ok)
    return NoExpr;
  return g.table(tableOf(binding, TREE_OPERAND(root, 0), bytes, size), index, 8 * size);
}

/// Returns the value of a load in a small loop that is being evaluated.
ExprId Translator::loadedInRound(gassign *def) {
  return stepped && gimple_assign_load_p(def) ? tableEntry(gimple_assign_rhs1(def)) : NoExpr;
}

bool isTableLookUp(class loop *loop, gimple *stmt) {
  if (!gimple_assign_load_p(stmt) || gimple_vdef(stmt) || gimple_has_volatile_ops(stmt))
    return false;
  tree ref = gimple_assign_rhs1(stmt);
  if (TREE_CODE(ref) != ARRAY_REF || TREE_CODE(TREE_OPERAND(ref, 1)) != SSA_NAME)
    return false;
  tree decl = get_base_address(ref);
  tree index = analyze_scalar_evolution(loop, TREE_OPERAND(ref, 1));
  return decl && VAR_P(decl) && TREE_READONLY(decl) && index &&
         TREE_CODE(index) != POLYNOMIAL_CHREC;
}

/// Returns the entry at pointer + index * size, of a pointer that the nest does not change.
ExprId Translator::unknownEntry(tree ref) {
  Reference to;
  unsigned size;
  if (!nest || storesOf(nest->inner()) != Stores::None || !isEntry(ref, to, size))
    return NoExpr;
  tree decl = constantRoot(to.pointer);
  std::vector<unsigned char> bytes;
  if (decl && constantBytes(decl, bytes))
    return NoExpr;
  ExprId at = to.offset ? value(to.offset) : binding.loop.word(0);
  if (at == NoExpr || g.width(at) != ptrBits())
    return NoExpr;
  at = g.add(at, binding.loop.word(uint64_t(to.bytes)));
  tree root = to.pointer;
  for (unsigned i = 0; i < maxSteps && !invariant(root) && peel(root, at); ++i)
    ;
  Poly poly = g.poly(at);
  for (auto &[monomial, factor] : poly) {
    if (factor % size)
      return NoExpr;
    factor /= size;
  }
  if (!invariant(root) || g.isInvariant(at))
    return NoExpr;
  bool fresh = false;
  uint32_t which = unknownTable(binding, root, size, fresh), base;
  ExprId offset;
  if (fresh && pointer(root, base, offset))
    binding.loop.tables[which].address = g.add(g.leaf(Op::BaseAddr, base, ptrBits()), offset);
  return g.table(which, g.fromPoly(poly, ptrBits()), 8 * size);
}

} // namespace memlift
