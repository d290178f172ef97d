// compat.h - every difference between the LLVM versions that memlift is built for
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differences are found by feature test (overload resolution, __has_include) where one exists; the
// others by LLVM_VERSION_MAJOR. No other file of this directory asks for a version.
#ifndef MEMLIFT_LLVM_COMPAT_H
#define MEMLIFT_LLVM_COMPAT_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DebugInfo.h"
#if LLVM_VERSION_MAJOR >= 19
#include "llvm/IR/DebugProgramInstruction.h"
#endif
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsRISCV.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Pass.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BuildLibCalls.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

/// Names for the assembler of llvm::Registry<T>, where `T` is a mangled name: what a definition of
/// it needs of the host, and the symbol by which a host is known to have it. Since LLVM 23 one
/// function gives both ends of the list.
#if LLVM_VERSION_MAJOR >= 23
#define MEMLIFT_REGISTRY_OF(T)                                                                     \
  "_ZN4llvm6detail27getRegistryLinkListInstanceINS_8RegistryI" T                                   \
  "JEEEEERNS0_23RegistryLinkListStorageIT_EEv"
#define MEMLIFT_REGISTRY_NEEDS(T) ".weak " MEMLIFT_REGISTRY_OF(T)
#else
#define MEMLIFT_REGISTRY_OF(T) "_ZN4llvm8RegistryI" T "E8add_nodeEPNS3_4nodeE"
#define MEMLIFT_REGISTRY_NEEDS(T)                                                                  \
  ".weak _ZN4llvm8RegistryI" T "E4HeadE\n\t.weak _ZN4llvm8RegistryI" T "E4TailE"
#endif

namespace memlift {
namespace compat {

/// Makes the branch of `if constexpr` that is not taken dependent, so that it is not checked
/// against this version's headers.
template <class Expander, class DL>
Expander expanderOf(llvm::ScalarEvolution &se, const DL &layout) {
  if constexpr (std::is_constructible_v<Expander, llvm::ScalarEvolution &, const DL &,
                                        const char *>)
    return Expander(se, layout, "memlift"); // LLVM 21 and older
  else
    return Expander(se, "memlift");
}

struct Expander {
  llvm::SCEVExpander raw;
  Expander(llvm::ScalarEvolution &se, const llvm::DataLayout &dl)
      : raw(expanderOf<llvm::SCEVExpander>(se, dl)) {}
};

/// Marks that the routine does not capture `dst` or `src`, so the call lets no pointer escape.
inline void setNoCapture(llvm::CallBase &call, unsigned param) {
#if LLVM_VERSION_MAJOR >= 21
  call.addParamAttr(
      param, llvm::Attribute::getWithCaptureInfo(call.getContext(), llvm::CaptureInfo::none()));
#else
  call.addParamAttr(param, llvm::Attribute::NoCapture);
#endif
}

template <class Map>
Map offsetMapOf(bool (llvm::GEPOperator::*)(const llvm::DataLayout &, unsigned, Map &,
                                            llvm::APInt &) const);
/// Variable indices of an address with their scales in bytes.
using OffsetMap = decltype(offsetMapOf(&llvm::GEPOperator::collectOffset));

/// The element of a list of ScalarEvolution's operands.
#if LLVM_VERSION_MAJOR >= 23
using ScevOperand = llvm::SCEVUse;
#else
using ScevOperand = const llvm::SCEV *;
#endif

/// Returns the number of -O1, -O2 or -O3, of which -Os and -Oz are kinds of the second. LLVM 23 has
/// no levels for sizes.
template <class Level> unsigned speedOf(Level level) {
  if constexpr (std::is_enum_v<Level>)
    return level == Level::O0 ? 0 : level == Level::O1 ? 1 : level == Level::O3 ? 3 : 2;
  else
    return level.getSpeedupLevel();
}

/// The low half of a carry-less product on RISC-V. Since LLVM 23 every target shares it.
#if LLVM_VERSION_MAJOR >= 23
inline constexpr llvm::Intrinsic::ID carrylessLow = llvm::Intrinsic::clmul;
#else
inline constexpr llvm::Intrinsic::ID carrylessLow = llvm::Intrinsic::riscv_clmul;
#endif

/// Record that gives a variable of the source its value; in LLVM 18, a call of an intrinsic.
#if LLVM_VERSION_MAJOR >= 19
using DebugRecord = llvm::DbgVariableRecord;
inline bool declares(DebugRecord &r) { return r.isDbgDeclare(); }
inline bool givesValue(DebugRecord &r) { return r.isDbgValue(); }
inline DebugRecord *copyOf(const DebugRecord &r) { return r.clone(); }
inline void destroy(DebugRecord *r) { r->deleteRecord(); }
inline void insertAtStart(llvm::BasicBlock &block, DebugRecord *r) {
  block.insertDbgRecordBefore(r, block.getFirstInsertionPt());
}
#else
using DebugRecord = llvm::DbgVariableIntrinsic;
inline bool declares(DebugRecord &r) { return llvm::isa<llvm::DbgDeclareInst>(r); }
inline bool givesValue(DebugRecord &r) { return llvm::isa<llvm::DbgValueInst>(r); }
inline DebugRecord *copyOf(const DebugRecord &r) { return llvm::cast<DebugRecord>(r.clone()); }
inline void destroy(DebugRecord *r) { r->deleteValue(); }
inline void insertAtStart(llvm::BasicBlock &block, DebugRecord *r) {
  r->insertBefore(&*block.getFirstInsertionPt());
}
#endif

/// Calls `visit` with each debug record that stands before the instruction, or is it.
template <class Visit> void forEachDebugRecord(llvm::Instruction &i, Visit visit) {
#if LLVM_VERSION_MAJOR >= 19
  for (DebugRecord &record : llvm::filterDbgVars(i.getDbgRecordRange()))
    visit(record);
#else
  if (auto *record = llvm::dyn_cast<DebugRecord>(&i))
    visit(*record);
#endif
}

/// Removes the debug records that are kept at an instruction. In LLVM 18 they are instructions.
inline void dropDebugRecords(llvm::Instruction &i) {
#if LLVM_VERSION_MAJOR >= 19
  i.dropDbgRecords();
#else
  (void)i;
#endif
}

/// Finds the debug records that describe a value.
inline void findDebugValues(llvm::Value &v, llvm::SmallVectorImpl<DebugRecord *> &records) {
#if LLVM_VERSION_MAJOR >= 22
  llvm::findDbgValues(&v, records);
#elif LLVM_VERSION_MAJOR >= 19
  llvm::SmallVector<llvm::DbgValueInst *, 1> older;
  llvm::findDbgValues(older, &v, &records);
#else
  llvm::SmallVector<llvm::DbgValueInst *, 1> found;
  llvm::findDbgValues(found, &v);
  records.append(found.begin(), found.end());
#endif
}

/// Returns whether the convention is one of those that LLVM 18 does not have, under which a
/// function calls C functions as any other.
inline bool isNewOrdinary(llvm::CallingConv::ID convention) {
#if LLVM_VERSION_MAJOR >= 19
  return convention == llvm::CallingConv::PreserveNone ||
         convention == llvm::CallingConv::RISCV_VectorCall;
#else
  (void)convention;
  return false;
#endif
}

using Predicates = llvm::SmallVector<const llvm::SCEVPredicate *, 4>;

/// Returns `s` as a recurrence of the loop under the predicates that are added to `needs`, or null.
inline const llvm::SCEVAddRecExpr *toRecurrence(llvm::ScalarEvolution &se, const llvm::SCEV *s,
                                                const llvm::Loop &loop, Predicates &needs) {
#if LLVM_VERSION_MAJOR >= 20
  return se.convertSCEVToAddRecWithPredicates(s, &loop, needs);
#else
  llvm::SmallPtrSet<const llvm::SCEVPredicate *, 4> set;
  const llvm::SCEVAddRecExpr *rec = se.convertSCEVToAddRecWithPredicates(s, &loop, set);
  needs.append(set.begin(), set.end());
  return rec;
#endif
}

inline bool implies(llvm::ScalarEvolution &se, const llvm::SCEVPredicate &p,
                    const llvm::SCEVPredicate &q) {
#if LLVM_VERSION_MAJOR >= 20
  return p.implies(&q, se);
#else
  (void)se;
  return p.implies(&q);
#endif
}

/// Converts a triple to the type that the registry of targets takes.
#if LLVM_VERSION_MAJOR >= 22
using RegistryTriple = llvm::Triple;
#else
using RegistryTriple = std::string;
#endif

/// Adds a pass at the end of every optimising pipeline; its callback has one more argument since
/// LLVM 20.
template <class Builder, class Add> void registerLast(Builder &builder, Add add) {
#if LLVM_VERSION_MAJOR >= 20
  builder.registerOptimizerLastEPCallback(
      [add](auto &mpm, auto level, llvm::ThinOrFullLTOPhase) { add(mpm, level); });
#else
  builder.registerOptimizerLastEPCallback([add](auto &mpm, auto level) { add(mpm, level); });
#endif
  builder.registerFullLinkTimeOptimizationLastEPCallback(add);
}

/// Adds a pass before the inliner of every optimising pipeline, the back end of ThinLTO included.
template <class Builder, class Add> void registerEarly(Builder &builder, Add add) {
#if LLVM_VERSION_MAJOR >= 20
  builder.registerPipelineEarlySimplificationEPCallback(
      [add](auto &mpm, auto level, llvm::ThinOrFullLTOPhase) { add(mpm, level); });
#else
  builder.registerPipelineEarlySimplificationEPCallback(
      [add](auto &mpm, auto level) { add(mpm, level); });
#endif
}

/// Marks the parameters that -mregparm passes in registers. LLVM 18 keeps its function for that to
/// itself: numbers and pointers take registers of 32 bits in order, while there are enough.
inline void passInRegisters(llvm::Function &f) {
#if LLVM_VERSION_MAJOR >= 19
  llvm::markRegisterParameterAttributes(&f);
#else
  auto *given = llvm::mdconst::extract_or_null<llvm::ConstantInt>(
      f.getParent()->getModuleFlag("NumRegisterParameters"));
  uint64_t left = given ? given->getZExtValue() : 0;
  for (llvm::Argument &a : f.args()) {
    if (!a.getType()->isIntegerTy() && !a.getType()->isPointerTy())
      continue;
    uint64_t bytes = f.getParent()->getDataLayout().getTypeAllocSize(a.getType());
    uint64_t needed = (bytes + 3) / 4;
    if (needed > 2)
      continue;
    if (needed > left)
      return;
    left -= needed;
    a.addAttr(llvm::Attribute::InReg);
  }
#endif
}

/// Features of RISC-V that say whether words may be unaligned; LLVM 18 has one, for vectors, too.
#if LLVM_VERSION_MAJOR >= 19
inline constexpr char unalignedOn[] = "+unaligned-scalar-mem";
inline constexpr char unalignedOff[] = "-unaligned-scalar-mem";
#else
inline constexpr char unalignedOn[] = "+fast-unaligned-access";
inline constexpr char unalignedOff[] = "-fast-unaligned-access";
#endif

inline llvm::Triple tripleOf(const llvm::Module &m) { return llvm::Triple(m.getTargetTriple()); }

} // namespace compat
} // namespace memlift

#endif
