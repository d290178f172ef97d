// plugin.cpp - the places of memlift's passes in the pipelines
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// VectorizerStart is in every optimising pipeline but one: the default one, the first stage of LTO
// and the back end of ThinLTO. There LLVM's own loop idioms have run, and the remaining loops are
// still scalar. The link of full LTO has extension points of its own. Callbacks fire at -O0 too:
// the level decides.
#include "align/builtin.h"
#include "async/async.h"
#include "compat.h"
#include "pass.h"
#include "unrolled.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace memlift {

static bool parseFunctionPass(StringRef name, FunctionPassManager &fpm) {
  if (name == "memlift")
    fpm.addPass(MemliftPass());
  else if (name == "memlift-print")
    fpm.addPass(MemliftPass(/*printOnly=*/true));
  else if (name == "memlift-async")
    fpm.addPass(AsyncPass());
  else
    return false;
  return true;
}

static bool parseModulePass(StringRef name, ModulePassManager &mpm) {
  if (name == "memlift-carry")
    mpm.addPass(CarryPass());
  else if (name == "print<memlift-alignment>")
    mpm.addPass(PrintAlignmentPass(errs()));
  else
    return false;
  return true;
}

void registerPasses(PassBuilder &builder) {
  builder.registerPipelineStartEPCallback([](ModulePassManager &mpm, OptimizationLevel level) {
    mpm.addPass(CarryPass(level != OptimizationLevel::O0, level == OptimizationLevel::O3));
    mpm.addPass(UnoptimisedPass(level != OptimizationLevel::O0));
    if (level == OptimizationLevel::O0)
      return;
    mpm.addPass(createModuleToFunctionPassAdaptor(TrustedCallsPass()));
    mpm.addPass(createModuleToFunctionPassAdaptor(EarlyCallsPass()));
  });
  auto join = [](ModulePassManager &mpm, OptimizationLevel level) {
    if (level != OptimizationLevel::O0)
      mpm.addPass(JoinedPass());
  };
  compat::registerEarly(builder, join);
  builder.registerFullLinkTimeOptimizationEarlyEPCallback(join);
  registerAligned(builder);
  registerUnrolled(builder);
  builder.registerVectorizerStartEPCallback([](FunctionPassManager &fpm, OptimizationLevel level) {
    if (level != OptimizationLevel::O0)
      fpm.addPass(MemliftPass(/*printOnly=*/false, compat::speedOf(level)));
  });
  // Constants of other files are visible from here on: the table of a CRC.
  builder.registerFullLinkTimeOptimizationEarlyEPCallback(
      [](ModulePassManager &mpm, OptimizationLevel level) {
        if (level != OptimizationLevel::O0)
          mpm.addPass(createModuleToFunctionPassAdaptor(MemliftPass()));
      });
  builder.registerFullLinkTimeOptimizationLastEPCallback(
      [](ModulePassManager &mpm, OptimizationLevel level) {
        if (level != OptimizationLevel::O0)
          mpm.addPass(createModuleToFunctionPassAdaptor(SettlePass()));
      });
  registerAsync(builder);
  builder.registerPipelineParsingCallback(
      [](StringRef name, FunctionPassManager &fpm, ArrayRef<PassBuilder::PipelineElement>) {
        return parseFunctionPass(name, fpm);
      });
  builder.registerPipelineParsingCallback(
      [](StringRef name, ModulePassManager &mpm, ArrayRef<PassBuilder::PipelineElement>) {
        return parseModulePass(name, mpm);
      });
}

} // namespace memlift
