// properties.cpp - attributes, conventions and flags of a function that keep its loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions.td lists the attributes. A calling convention that is not listed here as an ordinary
// one makes a function special: conventions are added to LLVM for functions that save other
// registers.
#include "compat.h"
#include "pass.h"
#include "read/binding.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace memlift {
namespace {

/// Returns whether a function of that convention may call C functions as any other.
bool isOrdinary(CallingConv::ID convention) {
  switch (convention) {
  case CallingConv::C:
  case CallingConv::Fast:
  case CallingConv::Cold:
  case CallingConv::Tail:
  case CallingConv::Swift:
  case CallingConv::SwiftTail:
  case CallingConv::PreserveMost: // the general registers, which its prologue saves
  case CallingConv::X86_StdCall:
  case CallingConv::X86_FastCall:
  case CallingConv::X86_ThisCall:
  case CallingConv::X86_VectorCall:
  case CallingConv::X86_RegCall:
  case CallingConv::X86_64_SysV:
  case CallingConv::Win64:
  case CallingConv::ARM_APCS:
  case CallingConv::ARM_AAPCS:
  case CallingConv::ARM_AAPCS_VFP:
  case CallingConv::AArch64_VectorCall:
  case CallingConv::AArch64_SVE_VectorCall: return true;
  default: return compat::isNewOrdinary(convention);
  }
}

bool hasAttribute(const Function &f, StringRef name) {
  if (f.hasFnAttribute(name))
    return true;
  // Looked up by name, as only some versions have the enumerators.
  Attribute::AttrKind kind = Attribute::getAttrKindFromName(name);
  return kind != Attribute::None && Attribute::canUseAsFnAttr(kind) && f.hasFnAttribute(kind);
}

bool hasFeature(const Function &f, StringRef feature) {
  StringRef all = f.getFnAttribute("target-features").getValueAsString();
  SmallVector<StringRef, 32> list;
  all.split(list, ',');
  return is_contained(list, feature);
}

/// Returns whether the target's features lack vector registers, as under clang's
/// -mgeneral-regs-only.
bool vectorsAreOff(const Function &f) {
  const Triple &triple = compat::tripleOf(*f.getParent());
  if (triple.getArch() == Triple::x86_64)
    return hasFeature(f, "-sse") || hasFeature(f, "-sse2");
  return triple.isAArch64() && (hasFeature(f, "-neon") || hasFeature(f, "-fp-armv8"));
}

/// Returns the register of -ffixed-REG as the backends know it. AArch64's x18 is the platform's,
/// and no routine touches it.
std::string reservedRegister(const Function &f) {
  StringRef all = f.getFnAttribute("target-features").getValueAsString();
  SmallVector<StringRef, 32> list;
  all.split(list, ',');
  for (StringRef feature : list)
    for (StringRef prefix : {"+reserve-", "+call-saved-"})
      if (feature.starts_with(prefix) && feature != "+reserve-x18" &&
          feature.drop_front(prefix.size()).find_first_of("0123456789") != StringRef::npos)
        return "compiled with " + feature.drop_front(1).str();
  return "";
}

} // namespace

Properties propertiesOf(const Function &f) {
  Properties found;
  for (const PropertyRecord *r = propertyRecords; r->word; ++r)
    forEachName(r->llvmAttributes, [&](const std::string &name) {
      if (hasAttribute(f, name))
        found.set(r->property, r->property == Property::Instrumented ? "" : "attribute " + name);
    });
  if (!isOrdinary(f.getCallingConv()))
    found.set(Property::Special, "another calling convention than C");
  if (isDataflowSanitized())
    found.set(Property::Instrumented, "-fsanitize=dataflow");
  if (vectorsAreOff(f))
    found.set(Property::NoVectors);
  std::string reserved = reservedRegister(f);
  if (!reserved.empty())
    found.set(Property::ReservedRegisters, reserved);
  if (f.getParent()->getModuleFlag("eh-asynch"))
    found.set(Property::FaultsThrow, "compiled with -fasync-exceptions");
  return found;
}

} // namespace memlift
