// known.cpp - alignment that is proved of arguments, returned pointers and variables
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../compat.h"
#include "known.h"

#include "builtin.h"
#include "reasons.h"
#include "../options.h"
#include "../read/binding.h"

namespace memlift {

/// Makes a function the current one, with dominators and loops.
class InFunction {
public:
  explicit InFunction(tree function) {
    push_cfun(DECL_STRUCT_FUNCTION(function));
    loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
    calculate_dominance_info(CDI_DOMINATORS);
  }
  ~InFunction() {
    loop_optimizer_finalize();
    pop_cfun();
  }
};

static bool isMarked(tree decl, const char *name) {
  return lookup_attribute(name, DECL_ATTRIBUTES(decl));
}

/// Returns whether the function has callers or effects that its statements do not show (aliases,
/// thunks, clones), or forbids analysis (noipa).
static bool isOpaque(cgraph_node *node) {
  return node->alias || node->thunk || node->has_aliases_p() || node->ifunc_resolver ||
         node->in_other_partition || node->simdclone || node->offloadable ||
         node->dispatcher_function || isMarked(node->decl, "noipa") ||
         isMarked(node->decl, "naked") || isMarked(node->decl, "omp declare simd");
}

static bool isOurPointer(tree type) {
  return POINTER_TYPE_P(type) && ADDR_SPACE_GENERIC_P(TYPE_ADDR_SPACE(TREE_TYPE(type))) &&
         TYPE_PRECISION(type) <= 64;
}

KnownEverywhere::KnownEverywhere() {
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
  if (!node->inlined_to && !node->thunk && !node->in_other_partition)
    nodes.push_back(node);
  for (cgraph_node *n : nodes)
    n->get_body(); // inlines
  prepareFunctions();
  prepareVariables();
  for (cgraph_node *n : nodes)
    collectBody(n->decl);
  finishArguments();
  for (auto &[variable, uses] : variables)
    finishVariable(variable, uses);
}

KnownEverywhere::~KnownEverywhere() {
  for (auto &[function, made] : bits) {
    push_cfun(DECL_STRUCT_FUNCTION(function));
    free_dominance_info(CDI_DOMINATORS);
    pop_cfun();
  }
}

void KnownEverywhere::assign(AlignSlots::AlignSlot h, const Assignment &p) {
  slots.assign(h);
  assignments.push_back(p);
}

/// Makes slots for the results of functions whose exact body is visible, and for the arguments of
/// functions whose calls are all visible.
void KnownEverywhere::prepareFunctions() {
  for (cgraph_node *node : nodes) {
    tree decl = node->decl;
    if (isOpaque(node))
      continue;
    if (isOurPointer(TREE_TYPE(TREE_TYPE(decl))) && node->get_availability() >= AVAIL_AVAILABLE)
      returns[decl] = slots.add();
    if (!node->only_called_directly_p() || stdarg_p(TREE_TYPE(decl)))
      continue;
    std::vector<AlignSlots::AlignSlot> &list = arguments[decl];
    for (tree p = DECL_ARGUMENTS(decl); p; p = DECL_CHAIN(p)) {
      list.push_back(slots.add());
      if (isOurPointer(TREE_TYPE(p)))
        parameters[p] = list.back();
    }
  }
}

void KnownEverywhere::prepareVariables() {
  varpool_node *node;
  FOR_EACH_DEFINED_VARIABLE(node) {
    tree v = node->decl;
    ipa_ref *ref = nullptr;
    bool open = !node->all_refs_explicit_p() || node->alias || node->has_aliases_p() ||
                node->in_other_partition || TREE_THIS_VOLATILE(v) || DECL_THREAD_LOCAL_P(v) ||
                DECL_HARD_REGISTER(v) || DECL_HAS_VALUE_EXPR_P(v) ||
                (node->get_section() && !node->implicit_section) || isMarked(v, "noinit") ||
                isMarked(v, "persistent");
    for (unsigned i = 0; !open && node->iterate_referring(i, ref); ++i)
      open = ref->use == IPA_REF_ADDR || ref->use == IPA_REF_ALIAS;
    if (!open)
      variables[v];
  }
}

void KnownEverywhere::collectCall(gcall *call, tree function) {
  tree callee = gimple_call_fndecl(call);
  unsigned count = gimple_call_num_args(call);
  for (unsigned k = 0; k < count; ++k)
    if (asksAlignmentOf(call, k))
      queries.push_back({{gimple_call_arg(call, k), function, call}, k});
  auto known = callee ? arguments.find(callee) : arguments.end();
  if (known == arguments.end() || known->second.size() != count)
    return;
  seen.insert(call);
  for (unsigned k = 0; k < count; ++k)
    assign(known->second[k], {gimple_call_arg(call, k), function, call});
}

void KnownEverywhere::collectReturn(greturn *ret, tree function) {
  auto known = returns.find(function);
  if (known == returns.end())
    return;
  tree value = gimple_return_retval(ret);
  if (value && is_gimple_val(value))
    assign(known->second, {value, function, ret});
  else
    returns.erase(known);
}

/// Returns the variable that `ref` accesses, if its uses are of interest.
static tree variableOf(tree ref) {
  tree base = get_base_address(ref);
  return base && VAR_P(base) ? base : NULL_TREE;
}

/// Finds the byte offset of a whole pointer in a variable. Returns false if the reference is none.
static bool isPointerAt(tree ref, HOST_WIDE_INT &offset) {
  poly_int64 at;
  if (!isOurPointer(TREE_TYPE(ref)) || !get_addr_base_and_unit_offset(ref, &at))
    return false;
  return !reverse_storage_order_for_component_p(ref) && at.is_constant(&offset);
}

void KnownEverywhere::collectStore(gimple *stmt, tree ref, tree function) {
  auto known = variables.find(variableOf(ref));
  if (known == variables.end())
    return;
  Uses &uses = known->second;
  HOST_WIDE_INT offset, from, length;
  bool reverse, single = gimple_assign_single_p(stmt) && gimple_assign_lhs(stmt) == ref;
  if (gimple_has_volatile_ops(stmt) || gimple_code(stmt) == GIMPLE_ASM) {
    uses.lost = true;
  } else if (single && isPointerAt(ref, offset) && is_gimple_val(gimple_assign_rhs1(stmt))) {
    uses.pointers[offset].push_back({gimple_assign_rhs1(stmt), function, stmt});
  } else {
    if (get_ref_base_and_extent_hwi(ref, &from, &length, &reverse) && !reverse)
      uses.others.push_back({from / 8, (from + length + 7) / 8});
    else
      uses.lost = true;
  }
}

void KnownEverywhere::collectLoad(gimple *stmt, tree ref) {
  auto known = variables.find(variableOf(ref));
  HOST_WIDE_INT offset;
  if (known == variables.end())
    return;
  if (gimple_has_volatile_ops(stmt) || gimple_code(stmt) == GIMPLE_ASM)
    known->second.lost = true;
  else if (isPointerAt(ref, offset))
    known->second.pointers[offset];
}

bool KnownEverywhere::visitLoad(gimple *stmt, tree, tree ref, void *walk) {
  static_cast<Walk *>(walk)->self->collectLoad(stmt, ref);
  return false;
}

bool KnownEverywhere::visitStore(gimple *stmt, tree, tree ref, void *walk) {
  auto *w = static_cast<Walk *>(walk);
  w->self->collectStore(stmt, ref, w->function);
  return false;
}

/// Gives up on a variable whose address is taken: any holder of the address may write it.
bool KnownEverywhere::visitAddress(gimple *, tree, tree ref, void *walk) {
  auto &variables = static_cast<Walk *>(walk)->self->variables;
  auto known = variables.find(variableOf(TREE_CODE(ref) == ADDR_EXPR ? TREE_OPERAND(ref, 0) : ref));
  if (known != variables.end())
    known->second.lost = true;
  return false;
}

void KnownEverywhere::collectBody(tree function) {
  Walk walk{this, function};
  basic_block bb;
  FOR_EACH_BB_FN(bb, DECL_STRUCT_FUNCTION(function)) {
    for (gphi_iterator i = gsi_start_phis(bb); !gsi_end_p(i); gsi_next(&i))
      walk_stmt_load_store_addr_ops(i.phi(), &walk, nullptr, nullptr, visitAddress);
    for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
      gimple *stmt = gsi_stmt(i);
      if (is_gimple_debug(stmt))
        continue;
      walk_stmt_load_store_addr_ops(stmt, &walk, visitLoad, visitStore, visitAddress);
      if (gcall *call = dyn_cast<gcall *>(stmt))
        collectCall(call, function);
      else if (greturn *ret = dyn_cast<greturn *>(stmt))
        collectReturn(ret, function);
      else if (gimple_store_p(stmt))
        wide.push_back({NULL_TREE, function, stmt});
    }
  }
}

/// Drops the arguments of functions that have a call not met as a statement.
void KnownEverywhere::finishArguments() {
  for (cgraph_node *node : nodes) {
    bool all = arguments.count(node->decl);
    for (cgraph_edge *e = node->callers; all && e; e = e->next_caller)
      all = e->call_stmt && seen.count(e->call_stmt);
    if (!all)
      for (tree p = DECL_ARGUMENTS(node->decl); p; p = DECL_CHAIN(p))
        parameters.erase(p);
  }
}

/// Returns the known zero bits of the variable's initial value at that offset; 0 if unknown.
static unsigned firstBits(tree variable, HOST_WIDE_INT offset) {
  tree first = DECL_INITIAL(variable);
  if (first == error_mark_node && in_lto_p)
    first = varpool_node::get(variable)->get_constructor();
  if (first == error_mark_node)
    return 0;
  if (!first || initializer_zerop(first))
    return AlignSlots::mostBits;
  tree value = fold_ctor_reference(ptr_type_node, first, offset * 8, POINTER_SIZE, variable);
  if (value)
    STRIP_NOPS(value);
  if (value && integer_zerop(value))
    return AlignSlots::mostBits;
  if (!value || TREE_CODE(value) != ADDR_EXPR)
    return 0;
  return unsigned(floor_log2(get_object_alignment(TREE_OPERAND(value, 0)) / 8));
}

void KnownEverywhere::finishVariable(tree variable, Uses &uses) {
  HOST_WIDE_INT size = POINTER_SIZE / 8;
  if (uses.lost)
    return;
  for (auto &[offset, stored] : uses.pointers) {
    if (!isWhole(offset, size, uses.pointers, uses.others))
      continue;
    AlignSlots::AlignSlot h = places[{variable, offset}] = slots.add(firstBits(variable, offset));
    for (const Assignment &p : stored)
      assign(h, p);
  }
}

bool KnownEverywhere::slotOf(tree name, AlignSlots::AlignSlot &h) const {
  auto found = [&h](const auto &map, const auto &key) {
    auto it = map.find(key);
    if (it != map.end())
      h = it->second;
    return it != map.end();
  };
  if (TREE_CODE(name) != SSA_NAME || !isOurPointer(TREE_TYPE(name)))
    return false;
  if (SSA_NAME_IS_DEFAULT_DEF(name))
    return SSA_NAME_VAR(name) && found(parameters, SSA_NAME_VAR(name));
  gimple *def = SSA_NAME_DEF_STMT(name);
  if (is_gimple_call(def))
    return gimple_call_fndecl(def) && found(returns, gimple_call_fndecl(def));
  HOST_WIDE_INT offset;
  return gimple_assign_load_p(def) && variableOf(gimple_assign_rhs1(def)) &&
         isPointerAt(gimple_assign_rhs1(def), offset) &&
         found(places, Place(variableOf(gimple_assign_rhs1(def)), offset));
}

unsigned KnownEverywhere::read(tree name) {
  AlignSlots::AlignSlot h;
  if (!slotOf(name, h))
    return 0;
  names[name] = h;
  return slots.read(h);
}

/// Returns the LowBits of the current function.
LowBits &KnownEverywhere::bitsOf(tree function) {
  std::unique_ptr<LowBits> &made = bits[function];
  if (!made)
    made = std::make_unique<LowBits>([this](tree name) { return read(name); });
  return *made;
}

unsigned KnownEverywhere::ask(const Assignment &p, unsigned limit, AlignProof *how) {
  if (!isOurPointer(TREE_TYPE(p.value)))
    return 0;
  InFunction here(p.function);
  return bitsOf(p.function).zeroBits(p.value, limit, p.at, how);
}

bool KnownEverywhere::holds(tree name, const Assignment *&worst) const {
  AlignSlots::AlignSlot h;
  worst = nullptr;
  if (!slotOf(name, h))
    return false;
  if (slots.worst(h) != AlignSlots::noPut)
    worst = &assignments[slots.worst(h)];
  return true;
}

/// Repeats the queries until they read no further names: a query may read more once less is known.
void KnownEverywhere::find() {
  auto answer = [this](AlignSlots::Assignment p, unsigned limit) {
    return ask(assignments[p], limit);
  };
  size_t before;
  do {
    before = names.size();
    for (const auto &q : queries)
      ask(q.first, AlignSlots::mostBits);
    for (const Assignment &w : wide) {
      InFunction here(w.function);
      unsigned most = isStatement(w.at) ? bitsToProve(w.at, pluginOptions.judge) : 0;
      if (most)
        proveStatement(w.at, most, bitsOf(w.function));
    }
    slots.settle(answer);
  } while (names.size() != before);
}

void KnownEverywhere::print() {
  for (const auto &[q, argument] : queries) {
    AlignProof how;
    unsigned have = ask(q, AlignSlots::mostBits, &how);
    if (have >= enoughBits) {
      how = AlignProof();
      ask(q, have, &how);
    }
    tree callee = gimple_call_fndecl(q.at), in = q.function;
    fprintf(stderr, "%s\n",
            alignmentLine(IDENTIFIER_POINTER(DECL_NAME(in)), sourcePlace(q.at),
                          operandName(IDENTIFIER_POINTER(DECL_NAME(callee)), argument), have,
                          reasonOf(how, this))
                .c_str());
  }
}

void KnownEverywhere::write() {
  for (auto [name, h] : names) {
    remember(name, *this);
    unsigned bits = slots.bits(h);
    unsigned align = 0, off = 0;
    ptr_info_def *info = get_ptr_info(name);
    if (bits && (!get_ptr_info_alignment(info, &align, &off) || align < 1u << bits))
      set_ptr_info_alignment(info, 1u << bits, 0);
  }
}

} // namespace memlift
