// call.cpp - reads memset, memcpy, memmove and aggregate assignments as loop models
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These have no dimension: one bulk store, or a bulk load and a bulk store. The assignment of a
// large aggregate is one of them, as GCC calls memcpy for it.
#include "../align/lowbits.h"
#include "../align/reasons.h"
#include "../options.h"
#include "../prove/prove.h"
#include "translate.h"

namespace memlift {
namespace {

class StatementReader {
public:
  StatementReader(LoopBinding &binding, gimple *stmt, const Multiples &proved)
      : binding(binding), stmt(stmt), proved(proved), t(binding, nullptr) {
    t.at(gimple_bb(stmt));
  }
  bool call();
  bool assignment();

private:
  LoopBinding &binding;
  gimple *stmt;
  const Multiples &proved;
  Translator t;

  bool add(tree pointer, bool store, ExprId bytes, uint64_t align, ExprId value);
  bool addRef(tree ref, bool store, ExprId bytes, ExprId value);
};

bool StatementReader::add(tree pointer, bool store, ExprId bytes, uint64_t align, ExprId value) {
  Access a;
  uint32_t base;
  ExprId offset;
  if (bytes == NoExpr || !t.pointer(pointer, base, offset))
    return false;
  a.store = store;
  a.base = base;
  a.offset = offset;
  a.bytes = bytes;
  a.align = align;
  a.proved = store ? proved.dst : proved.src;
  a.provedBy = store ? proved.dstBy : proved.srcBy;
  a.value = value;
  a.loc = binding.loop.loc;
  binding.loop.accesses.push_back(a);
  binding.refs.push_back(NULL_TREE);
  return true;
}

/// Returns the alignment that GCC uses when it expands the call: none where the call is no
/// built-in.
static uint64_t alignOfPointer(gimple *call, tree pointer) {
  unsigned align =
      gimple_call_builtin_p(call, BUILT_IN_NORMAL) ? get_pointer_alignment(pointer) : 0;
  return align >= BITS_PER_UNIT ? align / BITS_PER_UNIT : 1;
}

} // namespace

built_in_function functionNamed(tree decl) {
  if (!pluginOptions.trustNames || !decl || !TREE_PUBLIC(decl) || fndecl_built_in_p(decl))
    return END_BUILTINS;
  static const std::map<std::string, built_in_function> names = {
      {"memset", BUILT_IN_MEMSET}, {"memcpy", BUILT_IN_MEMCPY}, {"memmove", BUILT_IN_MEMMOVE}};
  auto known = names.find(assemblerName(decl));
  return known == names.end() ? END_BUILTINS : known->second;
}

/// Returns the function named by a call without built-ins, if it is declared as the C library does
/// and visible outside.
static built_in_function namedFunction(gimple *stmt) {
  built_in_function known = functionNamed(gimple_call_fndecl(stmt));
  if (known == END_BUILTINS || gimple_call_num_args(stmt) != 3 ||
      (flag_exceptions && !gimple_call_nothrow_p(as_a<gcall *>(stmt))))
    return END_BUILTINS;
  auto isPointer = [](tree t) { return POINTER_TYPE_P(t) && !addressSpaceOf(t); };
  tree types[] = {TREE_TYPE(gimple_call_arg(stmt, 0)), TREE_TYPE(gimple_call_arg(stmt, 1)),
                  TREE_TYPE(gimple_call_arg(stmt, 2))};
  bool second = known == BUILT_IN_MEMSET
                    ? INTEGRAL_TYPE_P(types[1]) &&
                          TYPE_PRECISION(types[1]) == TYPE_PRECISION(integer_type_node)
                    : isPointer(types[1]);
  bool whole =
      INTEGRAL_TYPE_P(types[2]) && TYPE_PRECISION(types[2]) == TYPE_PRECISION(size_type_node);
  tree result = gimple_call_return_type(as_a<gcall *>(stmt));
  return isPointer(types[0]) && second && whole && isPointer(result) ? known : END_BUILTINS;
}

built_in_function calledFunction(gimple *stmt) {
  if (!is_gimple_call(stmt))
    return END_BUILTINS;
  for (built_in_function f : {BUILT_IN_MEMSET, BUILT_IN_MEMCPY, BUILT_IN_MEMMOVE})
    if (gimple_call_builtin_p(stmt, f))
      return f;
  return namedFunction(stmt);
}

namespace {

bool StatementReader::call() {
  built_in_function called = calledFunction(stmt);
  bool set = called == BUILT_IN_MEMSET, copy = called == BUILT_IN_MEMCPY;
  if (called == END_BUILTINS)
    return false;
  tree dst = gimple_call_arg(stmt, 0), src = gimple_call_arg(stmt, 1);
  ExprId bytes = t.value(gimple_call_arg(stmt, 2));
  if (set) {
    ExprId value = t.value(src);
    return value != NoExpr && add(dst, true, bytes, alignOfPointer(stmt, dst),
                                  binding.loop.exprs.cast(Op::Trunc, value, 8));
  }
  if (!add(src, false, bytes, alignOfPointer(stmt, src), NoExpr) ||
      !add(dst, true, bytes, alignOfPointer(stmt, dst), binding.loop.exprs.leaf(Op::Load, 0, 8)))
    return false;
  if (copy)
    binding.loop.aliases.push_back({0, 1, AliasKind::None, "memcpy's contract"});
  return true;
}

/// Returns whether a reference can become an address: no bit-field, no register, no other address
/// space, no reversed byte order.
static bool addressable(tree ref) {
  if (TREE_THIS_VOLATILE(ref) || addressSpaceOf(ref) || reverse_storage_order_for_component_p(ref))
    return false;
  tree base = ref;
  for (; handled_component_p(base); base = TREE_OPERAND(base, 0)) {
    if (TREE_CODE(base) == BIT_FIELD_REF ||
        (TREE_CODE(base) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(base, 1))))
      return false;
    if (TREE_CODE(base) == VIEW_CONVERT_EXPR || TREE_THIS_VOLATILE(base))
      return false;
  }
  if (TREE_CODE(base) == MEM_REF || TREE_CODE(base) == STRING_CST)
    return true;
  return VAR_P(base) ? !DECL_HARD_REGISTER(base) && !DECL_HAS_VALUE_EXPR_P(base)
                     : TREE_CODE(base) == PARM_DECL;
}

bool StatementReader::addRef(tree ref, bool store, ExprId bytes, ExprId value) {
  return addressable(ref) && add(build_fold_addr_expr(ref), store, bytes, alignOf(ref), value);
}

/// Returns whether an assignment copies an aggregate in memory. One that fits a register is moved
/// in it, and is of no interest.
static bool isBulkAssignment(gimple *stmt) {
  if (!is_gimple_assign(stmt) || !gimple_store_p(stmt) || gimple_clobber_p(stmt) ||
      gimple_has_volatile_ops(stmt) || stmt_could_throw_p(cfun, stmt))
    return false;
  tree type = TREE_TYPE(gimple_assign_lhs(stmt)), size = TYPE_SIZE_UNIT(type);
  return AGGREGATE_TYPE_P(type) && TYPE_MODE(type) == BLKmode && size && tree_fits_uhwi_p(size);
}

bool StatementReader::assignment() {
  tree lhs = gimple_assign_lhs(stmt), rhs = gimple_assign_rhs1(stmt);
  ExprId bytes = binding.loop.word(tree_to_uhwi(TYPE_SIZE_UNIT(TREE_TYPE(lhs))));
  if (TREE_CODE(rhs) == CONSTRUCTOR)
    return CONSTRUCTOR_NELTS(rhs) == 0 &&
           addRef(lhs, true, bytes, binding.loop.exprs.constant(0, 8));
  if (!gimple_assign_load_p(stmt) || !addRef(rhs, false, bytes, NoExpr) ||
      !addRef(lhs, true, bytes, binding.loop.exprs.leaf(Op::Load, 0, 8)))
    return false;
  binding.loop.aliases.push_back(
      {0, 1, AliasKind::None, "an assignment's operands do not overlap"});
  return true;
}

} // namespace

static bool isMemCall(gimple *stmt) { return calledFunction(stmt) != END_BUILTINS; }

bool isStatement(gimple *stmt) { return isMemCall(stmt) || isBulkAssignment(stmt); }

/// The addresses of a statement, and the alignment that GCC uses for them; the source may be
/// missing.
struct Addresses {
  tree dst = NULL_TREE, src = NULL_TREE;
  uint64_t align = 1, bytes = 0;
};

static Addresses addressesOf(gimple *stmt) {
  Addresses a;
  if (isMemCall(stmt)) {
    tree size = gimple_call_arg(stmt, 2);
    a.bytes = tree_fits_uhwi_p(size) ? tree_to_uhwi(size) : 0;
    a.dst = gimple_call_arg(stmt, 0);
    a.align = alignOfPointer(stmt, a.dst);
    if (calledFunction(stmt) == BUILT_IN_MEMSET)
      return a;
    a.src = gimple_call_arg(stmt, 1);
    a.align = std::min(a.align, alignOfPointer(stmt, a.src));
    return a;
  }
  tree lhs = gimple_assign_lhs(stmt), rhs = gimple_assign_rhs1(stmt);
  a.bytes = tree_to_uhwi(TYPE_SIZE_UNIT(TREE_TYPE(lhs)));
  a.align = alignOf(lhs);
  if (!addressable(lhs))
    return a;
  a.dst = build_fold_addr_expr(lhs);
  if (!gimple_assign_load_p(stmt) || !addressable(rhs))
    return a;
  a.src = build_fold_addr_expr(rhs);
  a.align = std::min(a.align, alignOf(rhs));
  return a;
}

unsigned bitsToProve(gimple *stmt, const Options &options) {
  Addresses a = addressesOf(stmt);
  return bitsToProve(a.bytes, a.align, POINTER_SIZE, options);
}

Multiples proveStatement(gimple *stmt, unsigned most, LowBits &bits) {
  Addresses a = addressesOf(stmt);
  Multiples proved;
  bool quiet = pluginOptions.judge.quiet;
  auto multiple = [&](tree address, std::string &by) {
    AlignProof how;
    unsigned zeros = bits.zeroBits(address, most, stmt, quiet ? nullptr : &how);
    if (!quiet)
      by = reasonOf(how, nullptr);
    return uint64_t(1) << zeros;
  };
  if (a.dst)
    proved.dst = multiple(a.dst, proved.dstBy);
  if (a.src)
    proved.src = multiple(a.src, proved.srcBy);
  return proved;
}

/// Returns the variable of an address, if GCC chooses its place. `bytes` becomes the offset from
/// its start.
static tree placeable(tree address, uint64_t &bytes) {
  poly_int64 off;
  HOST_WIDE_INT at = 0;
  if (!address || TREE_CODE(address) != ADDR_EXPR)
    return NULL_TREE;
  tree base = get_addr_base_and_unit_offset(TREE_OPERAND(address, 0), &off);
  if (!base || !VAR_P(base) || !off.is_constant(&at) || DECL_HARD_REGISTER(base) ||
      DECL_HAS_VALUE_EXPR_P(base))
    return NULL_TREE;
  bytes = uint64_t(at);
  if (!decl_in_symtab_p(base))
    return auto_var_in_fn_p(base, current_function_decl) ? base : NULL_TREE;
  varpool_node *node = varpool_node::get(base);
  bool ours =
      node && node->can_increase_alignment_p() && (!node->get_section() || node->implicit_section);
  return ours ? base : NULL_TREE;
}

/// Returns the largest multiple that the address can be aligned to, at most `word`.
static uint64_t reachable(tree variable, uint64_t bytes, uint64_t word) {
  return variable ? std::min(bytes ? bytes & (0 - bytes) : word, word) : 1;
}

static void raise(tree variable, uint64_t align) {
  unsigned bits = unsigned(align) * BITS_PER_UNIT;
  if (DECL_ALIGN(variable) >= bits)
    return;
  if (decl_in_symtab_p(variable)) {
    symtab_node::get(variable)->increase_alignment(bits);
    return;
  }
  SET_DECL_ALIGN(variable, bits);
  DECL_USER_ALIGN(variable) = 1;
}

void raiseObjects(gimple *stmt, const Options &options, Multiples &proved) {
  constexpr uint64_t narrowest = 4; // a copy in narrower words gains nothing
  Addresses a = addressesOf(stmt);
  uint64_t word = POINTER_SIZE / 8, dstAt = 0, srcAt = 0;
  if (a.bytes < narrowest || a.bytes > coreOf(options).expandMaxBytes || !a.dst)
    return;
  tree dst = placeable(a.dst, dstAt), src = placeable(a.src, srcAt);
  uint64_t to = std::max(proved.dst, reachable(dst, dstAt, word));
  uint64_t from = std::max(proved.src, reachable(src, srcAt, word));
  if (to < narrowest || (a.src && from < narrowest))
    return;
  if (to > proved.dst)
    raise(dst, proved.dst = to);
  if (a.src && from > proved.src)
    raise(src, proved.src = from);
}

bool readStatement(gimple *stmt, LoopBinding &binding, const Multiples &proved) {
  bool call = isMemCall(stmt);
  if (!call && !isBulkAssignment(stmt))
    return false;
  beginBinding(binding, call ? Origin::Call : Origin::Assignment, gimple_location(stmt),
               gimple_bb(stmt));
  StatementReader reader(binding, stmt, proved);
  return call ? reader.call() : reader.assignment();
}

bool isAtomicOperation(gcall *stmt) {
  if (!gimple_call_builtin_p(stmt, BUILT_IN_NORMAL))
    return false;
  int code = DECL_FUNCTION_CODE(gimple_call_fndecl(stmt));
  bool fence = code == BUILT_IN_ATOMIC_THREAD_FENCE || code == BUILT_IN_ATOMIC_SIGNAL_FENCE ||
               code == BUILT_IN_SYNC_SYNCHRONIZE;
  return !fence &&
         ((code >= BUILT_IN_ATOMIC_TEST_AND_SET && code <= BUILT_IN_ATOMIC_FETCH_OR_16) ||
          (code >= BUILT_IN_SYNC_FETCH_AND_ADD_N && code <= BUILT_IN_SYNC_LOCK_RELEASE_16));
}

} // namespace memlift
