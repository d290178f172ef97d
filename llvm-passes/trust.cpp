// trust.cpp - aligns pointers under trust-types as their declarations' pointees require
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IR pointers have no pointee type, and a load or store that carries an alignment may not be
// executed. So the declarations (trusted.h) are looked up while they exist: by an action that runs
// before clang's own, and does nothing without the option.
//
// The alignment is stated for one place only: a pointer given to memset, memcpy, memmove or
// memlift_aligned. An attribute of the argument or of the function that returns it would hold
// everywhere. But a pointer that is never dereferenced may have any value: the kernel's error
// numbers are odd, and LLVM would fold `p == ERR_PTR(-517)` to false. So clang is made to assume
// the alignment just before the call, and TrustedCallsPass turns the assumption into an attribute
// of the call's argument before it affects other code.
#include "action.h"
#include "align/builtin.h"
#include "options.h"
#include "pass.h"

#include "trusted.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Stmt.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/Sema.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace memlift {
namespace {

using namespace clang;

/// Returns how many leading arguments of a call are pointers that it dereferences, or asks about.
unsigned pointersOf(const CallExpr &call) {
  const FunctionDecl *f = call.getDirectCallee();
  if (!f || !f->getIdentifier() || f->getNumParams() != call.getNumArgs())
    return 0;
  llvm::StringRef name = f->getName();
  if (name == "__builtin_memlift_aligned" && call.getNumArgs() == 2)
    return 1;
  name.consume_front("__builtin_");
  unsigned count = name == "memset" ? 1 : name == "memcpy" || name == "memmove" ? 2 : 0;
  for (unsigned i = 0; i < count; i++)
    if (!f->getParamDecl(i)->getType()->isVoidPointerType())
      return 0;
  return call.getNumArgs() == 3 ? count : 0;
}

class TrustConsumer : public ASTConsumer {
public:
  explicit TrustConsumer(CompilerInstance &compiler) : compiler(compiler) {}
  void Initialize(ASTContext &c) override { context = &c; }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *d : group)
      visit(*d);
    return true;
  }

  void HandleInlineFunctionDefinition(FunctionDecl *f) override { mark(*f); }

private:
  CompilerInstance &compiler;
  ASTContext *context = nullptr;
  llvm::DenseSet<const Stmt *> done; // inline functions are seen twice

  void visit(Decl &d) {
    if (auto *f = llvm::dyn_cast<FunctionDecl>(&d))
      mark(*f);
    else if (llvm::isa<NamespaceDecl, LinkageSpecDecl>(d))
      for (Decl *inner : llvm::cast<DeclContext>(&d)->decls())
        visit(*inner);
  }

  void mark(FunctionDecl &f) {
    if (f.isDependentContext() || f.isInvalidDecl() || !f.doesThisDeclarationHaveABody() ||
        !compiler.hasSema() || !done.insert(f.getBody()).second)
      return;
    std::vector<CallExpr *> calls = callsIn(f.getBody());
    if (calls.empty())
      return;
    Trusted trusted(*context, f.getBody());
    for (CallExpr *call : calls)
      for (unsigned i = 0; i < pointersOf(*call); i++)
        assume(*call, i, trusted.of(*call->getArg(i)));
  }

  static std::vector<CallExpr *> callsIn(Stmt *body) {
    std::vector<CallExpr *> calls;
    forEachStmt(body, [&](Stmt &s) {
      if (auto *call = llvm::dyn_cast<CallExpr>(&s); call && pointersOf(*call))
        calls.push_back(call);
    });
    return calls;
  }

  /// Wraps an argument in __builtin_assume_aligned.
  void assume(CallExpr &call, unsigned i, uint64_t bytes) {
    // More than this is a null pointer, or a variable that is never assigned.
    if (bytes <= 1 || bytes > 4096)
      return;
    clang::Expr *arg = call.getArg(i);
    auto cast = [&](clang::Expr *e, QualType to) {
      return ImplicitCastExpr::Create(*context, to, CK_BitCast, e, nullptr, VK_PRValue,
                                      FPOptionsOverride());
    };
    QualType size = context->getSizeType();
    llvm::APInt n(unsigned(context->getTypeSize(size)), bytes);
    auto number = [&](const llvm::APInt &value) {
      return IntegerLiteral::Create(*context, value, size, arg->getExprLoc());
    };
    clang::Expr *given[] = {cast(arg, context->getPointerType(context->VoidTy.withConst())),
                            number(n), number(n & 0)};
    clang::Expr *assumed = compiler.getSema().BuildBuiltinCallExpr(
        arg->getExprLoc(), Builtin::BI__builtin_assume_aligned, given);
    if (assumed)
      call.setArg(i, cast(assumed, arg->getType()));
  }
};

class TrustAction : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    return std::make_unique<TrustConsumer>(compiler);
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override {
    return trustsTypes() ? AddBeforeMainAction : CmdlineBeforeMainAction;
  }
};

/// Returns whether TrustConsumer wrote the assumption: only it gives an offset of zero.
bool isTrust(const llvm::AssumeInst &assume) {
  if (assume.getNumOperandBundles() != 1)
    return false;
  llvm::OperandBundleUse bundle = assume.getOperandBundleAt(0);
  auto isNumber = [&](unsigned i) { return llvm::isa<llvm::ConstantInt>(bundle.Inputs[i]); };
  return bundle.getTagName() == "align" && bundle.Inputs.size() == 3 && isNumber(1) &&
         isNumber(2) && llvm::cast<llvm::ConstantInt>(bundle.Inputs[2])->isZero();
}

/// Returns whether it is a call of the kind whose arguments were wrapped.
bool goesThrough(const llvm::CallBase &call) {
  const llvm::Function *f = call.getCalledFunction();
  return llvm::isa<llvm::MemIntrinsic>(call) || isAlignedCall(call) ||
         (f && (f->getName() == "memset" || f->getName() == "memcpy" || f->getName() == "memmove"));
}

void giveTo(llvm::CallBase &call, unsigned index, llvm::Align align) {
  if (call.getParamAlign(index).valueOrOne() >= align)
    return;
  call.removeParamAttr(index, llvm::Attribute::Alignment);
  call.addParamAttr(index, llvm::Attribute::getWithAlignment(call.getContext(), align));
  if (isAlignedCall(call)) // its pointer may never be dereferenced
    call.removeParamAttr(index, llvm::Attribute::NoUndef);
}

} // namespace

llvm::PreservedAnalyses TrustedCallsPass::run(llvm::Function &f, llvm::FunctionAnalysisManager &) {
  bool changed = false;
  if (!configOf(f).trustTypes)
    return llvm::PreservedAnalyses::all();
  for (llvm::Instruction &i : llvm::make_early_inc_range(llvm::instructions(f))) {
    auto *assume = llvm::dyn_cast<llvm::AssumeInst>(&i);
    if (!assume || !isTrust(*assume))
      continue;
    llvm::OperandBundleUse bundle = assume->getOperandBundleAt(0);
    llvm::Align align(llvm::cast<llvm::ConstantInt>(bundle.Inputs[1])->getZExtValue());
    llvm::Value *pointer = bundle.Inputs[0];
    // As clang emits it, each evaluation of an argument is a value of its own.
    for (llvm::Use &use : pointer->uses())
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
          call && call->getFunction() == &f && goesThrough(*call) && call->isArgOperand(&use) &&
          call->getArgOperandNo(&use) < 2 && !llvm::isa<llvm::Constant>(pointer))
        giveTo(*call, call->getArgOperandNo(&use), align);
    assume->eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

void registerTrust() {
  if (!memliftActions)
    return;
  static auto *entry = new FrontendPluginRegistry::Add<TrustAction>(
      "memlift-trust", "arguments are aligned as --memlift-trust-types says");
  (void)entry;
}

} // namespace memlift
