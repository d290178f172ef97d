// second_llvm.cpp - somebody else's plugin: a pass that tells which functions it has seen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/Passes/PassBuilder.h>
#if __has_include(<llvm/Plugins/PassPlugin.h>)
#include <llvm/Plugins/PassPlugin.h>
#else
#include <llvm/Passes/PassPlugin.h>
#endif

namespace {
struct Tell : llvm::PassInfoMixin<Tell> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
    llvm::errs() << "second plugin: " << function.getName() << "\n";
    return llvm::PreservedAnalyses::all();
  }
};
} // namespace

extern "C" llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "second", "1", [](llvm::PassBuilder &builder) {
            builder.registerVectorizerStartEPCallback(
                [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) {
                  passes.addPass(Tell());
                });
          }};
}
