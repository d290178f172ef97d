// report.cpp - sends a verdict to the compiler's own channels and to the remarks file
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace memlift {

constexpr char PassName[] = "memlift";

/// The message is for readers; the keys come after it and are shown in records only.
template <class R> static R fill(R r, const Remark &remark) {
  r << remark.message << DiagnosticInfoOptimizationBase::setExtraArgs();
  for (const RemarkArg &arg : remark.args)
    r << DiagnosticInfoOptimizationBase::Argument(arg.key, arg.value);
  return r;
}

void report(OptimizationRemarkEmitter &ore, Function &f, const Config &config, const Remark &remark,
            const DebugLoc &loc, const BasicBlock *block) {
  StringRef name = remark.name;
  switch (remark.kind) {
  case RemarkKind::Passed:
    ore.emit([&] { return fill(OptimizationRemark(PassName, name, loc, block), remark); });
    break;
  case RemarkKind::Missed:
    ore.emit([&] { return fill(OptimizationRemarkMissed(PassName, name, loc, block), remark); });
    break;
  case RemarkKind::Analysis:
    ore.emit([&] { return fill(OptimizationRemarkAnalysis(PassName, name, loc, block), remark); });
    break;
  }
  if (config.remarks.empty())
    return;
  std::string why = appendToFile(config.remarks, toYaml(remark));
  // A file of the command line that cannot be written was reported first, and was not carried into
  // the functions.
  if (!why.empty() && f.hasFnAttribute("memlift-remarks"))
    f.getContext().emitError(why + " [" + codeOf(Diag::RemarksUnwritable) + "]");
}

void report(Env &env, const LoopBinding &binding, const Outcome &outcome) {
  const BasicBlock *block =
      binding.nest.empty() ? binding.at->getParent() : binding.nest.back()->getHeader();
  Remark remark = makeRemark(binding.loop, outcome);
  if (env.profile)
    if (auto count = env.profile->getBlockProfileCount(block))
      remark.hotness = int64_t(std::min<uint64_t>(*count, INT64_MAX));
  report(env.ore, env.f, env.config, remark, binding.loc, block);
}

void printModel(const LoopBinding &binding, const Outcome &outcome) {
  std::string text = print(binding.loop);
  text += "; " + std::string(nameOf(outcome.decision.kind)) + " " + codeOf(outcome.decision.code) +
          ": " + makeRemark(binding.loop, outcome).message + "\n";
  errs() << text;
}

} // namespace memlift
