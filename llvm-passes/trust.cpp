// trust.cpp - with trust-types, arguments and results are as aligned as what they point to
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers have no pointee in IR, and a load or store that carries an alignment may
// not be executed. So what a declaration says is put on the argument while
// declarations are there: by an action that runs before clang's own, and is asleep
// without the option. Only the declared type of an argument or of a result counts: what
// is made of it by a cast is as aligned as it was, &packed->x as the packed struct.
#include "action.h"
#include "options.h"
#include "pass.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

namespace memlift {
namespace {

using namespace clang;

class TrustConsumer : public ASTConsumer {
public:
  void Initialize(ASTContext &c) override { context = &c; }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *d : group)
      visit(*d);
    return true;
  }

  void HandleInlineFunctionDefinition(FunctionDecl *f) override { mark(*f); }

private:
  ASTContext *context = nullptr;

  void visit(Decl &d) {
    if (auto *f = llvm::dyn_cast<FunctionDecl>(&d))
      mark(*f);
    else if (llvm::isa<NamespaceDecl, LinkageSpecDecl>(d))
      for (Decl *inner : llvm::cast<DeclContext>(&d)->decls())
        visit(*inner);
  }

  void mark(FunctionDecl &f) {
    if (f.isDependentContext())
      return;
    // Of a declaration too: calls of it stand in this file.
    if (clang::Expr *n = alignOf(f.getReturnType(), f.getLocation());
        n && !f.hasAttr<AssumeAlignedAttr>() && !f.getBuiltinID())
      f.addAttr(AssumeAlignedAttr::CreateImplicit(*context, n, nullptr));
    if (!f.doesThisDeclarationHaveABody())
      return;
    for (ParmVarDecl *p : f.parameters())
      if (clang::Expr *n = alignOf(p->getType(), p->getLocation());
          n && !p->hasAttr<AlignValueAttr>())
        p->addAttr(AlignValueAttr::CreateImplicit(*context, n));
  }

  /// What the type says of a pointer; null: nothing.
  clang::Expr *alignOf(QualType pointer, SourceLocation at) {
    QualType to = pointer->getPointeeType();
    if (!pointer->isPointerType() || to->isVoidType() || to->isFunctionType() ||
        to->isIncompleteType() || to->isDependentType() || to->isVariableArrayType() ||
        to.hasAddressSpace())
      return nullptr;
    int64_t bytes = context->getTypeAlignInChars(to).getQuantity();
    if (bytes <= 1)
      return nullptr;
    QualType type = context->getSizeType();
    llvm::APInt n(unsigned(context->getTypeSize(type)), uint64_t(bytes));
    return IntegerLiteral::Create(*context, n, type, at);
  }
};

class TrustAction : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &,
                                                 llvm::StringRef) override {
    return std::make_unique<TrustConsumer>();
  }
  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override {
    return trustsTypes() ? AddBeforeMainAction : CmdlineBeforeMainAction;
  }
};

} // namespace

void registerTrust() {
  if (!memliftAddAction)
    return;
  static auto *entry = new FrontendPluginRegistry::Add<TrustAction>(
      "memlift-trust", "arguments are aligned as --memlift-trust-types says");
  (void)entry;
}

} // namespace memlift
