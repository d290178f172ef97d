// targetfacts.cpp - the instructions of a function's target for products, CRC steps and clearing
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass has no TargetMachine. The function's attributes name its processor and features; the
// target's own tables expand them.
#include "targetfacts.h"

#include "compat.h"

#include "llvm/IR/Function.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"

#include <memory>

using namespace llvm;

namespace memlift {

static std::unique_ptr<MCSubtargetInfo> subtargetOf(const Function &f) {
  compat::RegistryTriple triple(compat::tripleOf(*f.getParent()).str());
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  StringRef cpu = f.getFnAttribute("target-cpu").getValueAsString();
  StringRef features = f.getFnAttribute("target-features").getValueAsString();
  return std::unique_ptr<MCSubtargetInfo>(target->createMCSubtargetInfo(triple, cpu, features));
}

bool shufflesBytes(const Function &f) {
  if (compat::tripleOf(*f.getParent()).getArch() != Triple::x86_64)
    return true;
  std::unique_ptr<MCSubtargetInfo> has = subtargetOf(f);
  return has && has->checkFeatures("+ssse3");
}

/// clang puts these features on each function, from whatever options. So no table is queried, which
/// costs as much as a small function does. A RISC-V function without them has aligned words.
bool takesUnaligned(const Function &f) {
  Triple triple = compat::tripleOf(*f.getParent());
  StringRef features = f.getFnAttribute("target-features").getValueAsString();
  auto has = [&](StringRef with, StringRef without) {
    size_t on = features.rfind(with), off = features.rfind(without);
    return on != StringRef::npos && (off == StringRef::npos || off < on);
  };
  if (triple.isRISCV())
    return has(compat::unalignedOn, compat::unalignedOff);
  return !triple.isSPARC() && !triple.isMIPS() && !has("+strict-align", "-strict-align");
}

/// DC ZVA is in every AArch64, but must not access device memory. All memory is device memory
/// before the MMU is on, and code for that is compiled with -mstrict-align.
static bool clearsBlocksIn(const MCSubtargetInfo *has) {
  return has && !has->checkFeatures("+strict-align");
}

TargetFacts targetOf(const Function &f) {
  TargetFacts facts;
  std::unique_ptr<MCSubtargetInfo> has = subtargetOf(f);
  // Without implicit floating point no register of that unit may be used.
  bool vectors = !f.hasFnAttribute(Attribute::NoImplicitFloat);
  switch (compat::tripleOf(*f.getParent()).getArch()) {
  case Triple::x86_64:
    facts.option = vectors ? "-mpclmul" : "";
    facts.checksTables = true;
    facts.clmul = has && vectors && has->checkFeatures("+pclmul");
    facts.crc32c = has && has->checkFeatures("+crc32");
    facts.vectors = has && vectors && has->checkFeatures("+sse2");
    break;
  case Triple::aarch64:
    facts.option = vectors ? "-march=armv8-a+aes" : "";
    facts.clmul = has && vectors && has->checkFeatures("+aes");
    facts.crc32 = facts.crc32c = has && has->checkFeatures("+crc");
    facts.vectors = has && vectors && has->checkFeatures("+neon");
    facts.clears = clearsBlocksIn(has.get());
    break;
  case Triple::aarch64_be: facts.clears = clearsBlocksIn(has.get()); break;
  case Triple::riscv64:
    facts.option = "-march=rv64gc_zbc";
    facts.clmul = has && (has->checkFeatures("+zbc") || has->checkFeatures("+zbkc"));
    facts.vectors = has && vectors && has->checkFeatures("+zve32x");
    break;
  default: break;
  }
  return facts;
}

} // namespace memlift
