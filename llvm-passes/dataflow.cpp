// dataflow.cpp - detects -fsanitize=dataflow, which the IR does not show while memlift runs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// That sanitizer renames each function (to f.dfsan) in the very last pass. A call of one of our
// routines would then have a name that no library defines. Only the front end knows of the
// sanitizer earlier.
#include "action.h"
#include "pass.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

#include <atomic>

namespace memlift {
namespace {

std::atomic<bool> dataflow{false};

class DataflowAction : public clang::PluginASTAction {
protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &instance,
                                                        llvm::StringRef) override {
    dataflow = instance.getLangOpts().Sanitize.has(clang::SanitizerKind::DataFlow);
    return std::make_unique<clang::ASTConsumer>();
  }
  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

bool isDataflowSanitized() { return dataflow; }

void registerDataflow() {
  if (!memliftActions)
    return;
  static auto *entry = new clang::FrontendPluginRegistry::Add<DataflowAction>(
      "memlift-dataflow", "sees whether -fsanitize=dataflow is on");
  (void)entry;
}

} // namespace memlift
