// base.cpp - the known facts about a pointer that does not change in the nest
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prove.h"

namespace memlift {

static void describeObject(tree object, Base &base) {
  if (!DECL_P(object)) {
    base.name = "constant";
    base.kind = BaseKind::Global;
    return;
  }
  if (DECL_NAME(object))
    base.name = IDENTIFIER_POINTER(DECL_NAME(object));
  base.kind = is_global_var(object) ? BaseKind::Global : BaseKind::Local;
  if (TREE_CODE(object) == PARM_DECL)
    base.kind = BaseKind::Argument;
  // A definition in another unit, or the replacement of a weak one, may be larger.
  bool own = !DECL_EXTERNAL(object) && !DECL_WEAK(object) && !DECL_COMMON(object);
  if (own && DECL_SIZE_UNIT(object) && tree_fits_uhwi_p(DECL_SIZE_UNIT(object)))
    base.objectBytes = tree_to_uhwi(DECL_SIZE_UNIT(object));
}

Base describeBase(tree pointer) {
  Base base;
  unsigned align = get_pointer_alignment(pointer);
  base.align = align >= BITS_PER_UNIT ? align / BITS_PER_UNIT : 1;
  if (TREE_CODE(pointer) == ADDR_EXPR) {
    describeObject(TREE_OPERAND(pointer, 0), base);
  } else if (TREE_CODE(pointer) == SSA_NAME) {
    tree var = SSA_NAME_VAR(pointer);
    if (var && DECL_NAME(var))
      base.name = IDENTIFIER_POINTER(DECL_NAME(var));
    gimple *def = SSA_NAME_DEF_STMT(pointer);
    if (SSA_NAME_IS_DEFAULT_DEF(pointer) && var && TREE_CODE(var) == PARM_DECL)
      base.kind = BaseKind::Argument;
    else if (is_gimple_call(def) && gimple_call_flags(def) & ECF_MALLOC)
      base.kind = BaseKind::Allocated;
  }
  if (base.name.empty())
    base.name = "p";
  return base;
}

/// Returns the alignment of a reference. An access itself asserts its type's alignment; GCC keeps
/// less where the source says so (packed, an underaligned typedef).
uint64_t alignOf(tree ref) {
  unsigned align = get_object_alignment(ref);
  return align >= BITS_PER_UNIT ? align / BITS_PER_UNIT : 1;
}

unsigned addressSpaceOf(tree ref) {
  unsigned space = TYPE_ADDR_SPACE(TREE_TYPE(ref));
  while (handled_component_p(ref))
    ref = TREE_OPERAND(ref, 0);
  if (!space)
    space = TYPE_ADDR_SPACE(TREE_TYPE(ref));
  if (!space && (TREE_CODE(ref) == MEM_REF || TREE_CODE(ref) == TARGET_MEM_REF))
    space = TYPE_ADDR_SPACE(TREE_TYPE(TREE_TYPE(TREE_OPERAND(ref, 0))));
  return space;
}

} // namespace memlift
