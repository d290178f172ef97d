// properties.cpp - GCC's attributes and options of a function that keep its loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions.td lists the attributes and options that have a name. This file adds those without:
// sanitizers as a set, transactions, registers, calling conventions.
#include "../carry.h"
#include "../targetfacts.h"
#include "binding.h"

namespace memlift {
namespace {

bool hasAttribute(tree fndecl, const char *name) {
  return lookup_attribute(name, DECL_ATTRIBUTES(fndecl)) ||
         lookup_attribute(name, TYPE_ATTRIBUTES(TREE_TYPE(fndecl)));
}

void namedAttributes(tree fndecl, Properties &found) {
  if (!DECL_ATTRIBUTES(fndecl) && !TYPE_ATTRIBUTES(TREE_TYPE(fndecl)))
    return;
  for (const PropertyRecord *r = propertyRecords; r->word; ++r)
    forEachName(r->gccAttributes, [&](const std::string &name) {
      if (hasAttribute(fndecl, name.c_str()))
        found.set(r->property, "attribute " + name);
    });
}

/// Adds options that can be set per function; they hold for the current one.
void namedOptions(Properties &found) {
  for (const PropertyRecord *r = propertyRecords; r->word; ++r)
    forEachName(r->gccOptions, [&](const std::string &name) {
      constexpr unsigned languages = CL_COMMON | CL_TARGET;
      size_t index = find_opt(name.c_str(), languages);
      if (index != OPT_SPECIAL_unknown &&
          option_enabled(int(index), languages, &global_options) > 0)
        found.set(r->property, "compiled with -" + name);
    });
}

/// Returns whether the function is a transaction's clone, or holds a statement that begins one.
/// Transactions are lowered after all of our passes.
bool holdsTransaction(tree fndecl) {
  if (!flag_tm)
    return false;
  const cgraph_node *node = cgraph_node::get(fndecl);
  if (node && node->tm_clone)
    return true;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun) {
    gimple_stmt_iterator last = gsi_last_bb(bb);
    if (!gsi_end_p(last) && gimple_code(gsi_stmt(last)) == GIMPLE_TRANSACTION)
      return true;
  }
  return false;
}

/// Returns whether it is AArch64's platform register, which no routine touches.
bool isPlatformRegister(const char *name) {
#ifdef TARGET_GENERAL_REGS_ONLY
  return strcmp(name, "x18") == 0 || strcmp(name, "r18") == 0;
#else
  return name == nullptr;
#endif
}

/// Returns "compiled with -ffixed-rbx", or nothing.
std::string reservedRegisters() {
  auto *list = static_cast<vec<cl_deferred_option> *>(common_deferred_options);
  for (unsigned i = 0; list && i < list->length(); ++i) {
    const cl_deferred_option &o = (*list)[i];
    if ((o.opt_index == OPT_ffixed_ || o.opt_index == OPT_fcall_saved_) &&
        !isPlatformRegister(o.arg))
      return std::string("compiled with ") +
             (o.opt_index == OPT_ffixed_ ? "-ffixed-" : "-fcall-saved-") + o.arg;
  }
  return "";
}

} // namespace

Properties fileProperties() {
  Properties found;
  if (flag_split_stack > 0)
    found.set(Property::SplitStack, "compiled with -fsplit-stack");
  std::string reserved = reservedRegisters();
  if (!reserved.empty())
    found.set(Property::ReservedRegisters, reserved);
  return found;
}

Properties propertiesOf(tree fndecl) {
  // As GCC's own passes decide it. The kernel's sanitizers have bits of their own beside these,
  // which no_sanitize_address does not clear.
  constexpr unsigned watched = SANITIZE_ADDRESS | SANITIZE_HWADDRESS | SANITIZE_THREAD;
  Properties found = fileProperties();
  namedAttributes(fndecl, found);
  namedOptions(found);
  if (sanitize_flags_p(watched, fndecl))
    found.set(Property::Instrumented);
  if (holdsTransaction(fndecl))
    found.set(Property::Transactional);
  if (vectorsAreOff())
    found.set(Property::NoVectors);
  if (callsAreForeign())
    found.set(Property::ForeignCalls);
  carriedProperties(fndecl, found);
  return found;
}

} // namespace memlift
