// function.cpp - what holds for the whole function around a loop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/picture.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace memlift {

/// -ffreestanding and -fno-builtin arrive as "no-builtins",
/// -fno-builtin-memset as "no-builtin-memset".
static bool hasNoBuiltin(const Function &f) {
  if (f.hasFnAttribute(Attribute::NoBuiltin))
    return true;
  for (const char *name : {"no-builtins", "no-builtin-memset",
                           "no-builtin-memcpy", "no-builtin-memmove"})
    if (f.hasFnAttribute(name))
      return true;
  return false;
}

static bool isSanitized(const Function &f) {
  for (Attribute::AttrKind kind :
       {Attribute::SanitizeAddress, Attribute::SanitizeHWAddress,
        Attribute::SanitizeMemory, Attribute::SanitizeMemTag,
        Attribute::SanitizeThread})
    if (f.hasFnAttribute(kind))
      return true;
  // Known to some versions only, hence by name.
  for (const char *name : {"sanitize_type", "sanitize_realtime"}) {
    Attribute::AttrKind kind = Attribute::getAttrKindFromName(name);
    if (kind != Attribute::None && f.hasFnAttribute(kind))
      return true;
  }
  return false;
}

/// An interrupt handler saves only the registers that it sees used, or all of
/// them around a call; a naked function has no frame to call from.
static bool isSpecial(const Function &f) {
  switch (f.getCallingConv()) {
  case CallingConv::X86_INTR:
  case CallingConv::AVR_INTR:
  case CallingConv::AVR_SIGNAL:
  case CallingConv::MSP430_INTR:
  case CallingConv::M68k_INTR:
    return true;
  default:
    break;
  }
  return f.hasFnAttribute(Attribute::Naked) || f.hasFnAttribute("interrupt") ||
         f.hasFnAttribute("interrupt_handler") || f.hasFnAttribute("signal") ||
         f.hasFnAttribute("no_caller_saved_registers");
}

FunctionFacts functionFacts(const Function &f, const Config &config) {
  FunctionFacts r;
  // A static function that was cloned keeps the name in front of the dot.
  r.name = f.getName().str();
  std::string plain = f.getName().split('.').first.str();
  StringRef value = f.getFnAttribute("memlift").getValueAsString();
  r.off = config.off || value == "off";
  r.shape = value == "shape" && !inList(r.name, config.keep) && !inList(plain, config.keep);
  r.noBuiltin = hasNoBuiltin(f);
  r.sanitizer = isSanitized(f);
  r.special = isSpecial(f);
  r.implementsIdiom = implementsIdiom(r.name, config.keep) ||
                      implementsIdiom(plain, config.keep) ||
                      f.hasFnAttribute(ImplementsAttribute);
  r.optSize = f.hasOptSize();
  r.anyCore = !r.shape && !config.options.coreNamed;
  r.compact = r.anyCore && !f.hasFnAttribute(FastAttribute);
  r.trustTypes = config.trustTypes;
  return r;
}

SourceLoc sourceLoc(const DebugLoc &loc) {
  SourceLoc r;
  if (!loc)
    return r;
  r.file = loc->getFilename().str();
  r.line = loc.getLine();
  r.col = loc.getCol();
  return r;
}

std::string sourcePath(const Function &f) {
  if (const DISubprogram *sub = f.getSubprogram())
    if (!sub->getFilename().empty())
      return sub->getFilename().str();
  StringRef carried = f.getFnAttribute("memlift-source").getValueAsString();
  return carried.empty() ? f.getParent()->getSourceFileName() : carried.str();
}

} // namespace memlift
