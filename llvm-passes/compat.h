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
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Pass.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

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

/// Finds the debug records that describe a value.
inline void findDebugValues(llvm::Value &v,
                            llvm::SmallVectorImpl<llvm::DbgVariableRecord *> &records) {
#if LLVM_VERSION_MAJOR >= 22
  llvm::findDbgValues(&v, records);
#else
  llvm::SmallVector<llvm::DbgValueInst *, 1> older;
  llvm::findDbgValues(older, &v, &records);
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

inline llvm::Triple tripleOf(const llvm::Module &m) { return llvm::Triple(m.getTargetTriple()); }

} // namespace compat
} // namespace memlift

#endif
