// trust.cpp - with trust-types, pointers are as aligned as what their declarations point to
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers have no pointee in IR, and a load or store that carries an alignment may
// not be executed. So what a declaration says is put on the argument while
// declarations are there: by an action that runs before clang's own, and is asleep
// without the option. Only the declared type of an argument, of a result, or of what a
// pointer is read from (a field, a variable of static storage, an element of one) counts: what
// is made of it by a cast is as aligned as it was, &packed->x as the packed struct. A
// local variable holds what it was given, so it is as aligned as that.
//
// Clang assumes the alignment of what is read as a typedef that has align_value. So the
// expressions that read pointers get the types they have under such names, and what is
// assumed of a load becomes a property of the load (TrustedLoadsPass) before it is in
// anybody's way.
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
#include "clang/AST/Stmt.h"
#include "clang/AST/TypeOrdering.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace memlift {
namespace {

using namespace clang;

/// The type that a typedef names: up to LLVM 21, and from 22 on.
template <class Context>
auto named(const Context &c, const TypedefDecl *d, int) -> decltype(c.getTypedefType(d)) {
  return c.getTypedefType(d);
}
template <class Context, class Keyword = ElaboratedTypeKeyword>
auto named(const Context &c, const TypedefDecl *d, long)
    -> decltype(c.getTypedefType(Keyword::None, std::nullopt, d)) {
  return c.getTypedefType(Keyword::None, std::nullopt, d);
}

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
  llvm::DenseMap<QualType, QualType> trusted; // pointer types by those that say more

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
    markLoads(f.getBody());
  }

  /// Every expression that reads a pointer where it was stored.
  void markLoads(Stmt *body) {
    llvm::SmallVector<Stmt *> work = {body};
    while (!work.empty()) {
      Stmt *s = work.pop_back_val();
      if (!s)
        continue;
      work.append(s->child_begin(), s->child_end());
      if (auto *cast = llvm::dyn_cast<ImplicitCastExpr>(s);
          cast && cast->getCastKind() == CK_LValueToRValue)
        markLoad(*cast->getSubExpr()->IgnoreParens());
    }
  }

  /// A field, a variable of static storage, or an element of one. Where a pointer to
  /// pointers comes from is not known.
  static bool isDeclared(const clang::Expr &from) {
    if (auto *element = llvm::dyn_cast<ArraySubscriptExpr>(&from)) {
      auto *array = llvm::dyn_cast<ImplicitCastExpr>(element->getBase()->IgnoreParens());
      return array && array->getCastKind() == CK_ArrayToPointerDecay &&
             isDeclared(*array->getSubExpr()->IgnoreParens());
    }
    auto *name = llvm::dyn_cast<DeclRefExpr>(&from);
    auto *variable = name ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    return variable ? variable->hasGlobalStorage() : llvm::isa<MemberExpr>(from);
  }

  void markLoad(clang::Expr &from) {
    if (!isDeclared(from))
      return;
    QualType type = from.getType();
    QualType &known = trusted[type.getCanonicalType().getUnqualifiedType()];
    if (known.isNull())
      known = trustedType(type.getCanonicalType().getUnqualifiedType());
    if (known->getAs<TypedefType>())
      from.setType(known.withFastQualifiers(type.getCanonicalType().getLocalFastQualifiers()));
  }

  /// A name for the type of a pointer that says its alignment; the type itself if
  /// nothing can be said.
  QualType trustedType(QualType pointer) {
    clang::Expr *n = alignOf(pointer, SourceLocation());
    if (!n)
      return pointer;
    TypedefDecl *d = TypedefDecl::Create(
        *context, context->getTranslationUnitDecl(), SourceLocation(), SourceLocation(),
        &context->Idents.get("memlift_trusted"), context->getTrivialTypeSourceInfo(pointer));
    d->setImplicit();
    d->addAttr(AlignValueAttr::CreateImplicit(*context, n));
    return named(*context, d, 0);
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

/// The load of whose value, just read, the assumption says an alignment and no more.
llvm::LoadInst *trustedLoad(llvm::AssumeInst &assume, uint64_t &align) {
  if (assume.getNumOperandBundles() != 1 || assume.getOperandBundleAt(0).getTagName() != "align" ||
      assume.getOperandBundleAt(0).Inputs.size() != 2)
    return nullptr;
  auto inputs = assume.getOperandBundleAt(0).Inputs;
  auto *load = llvm::dyn_cast<llvm::LoadInst>(inputs[0]);
  auto *n = llvm::dyn_cast<llvm::ConstantInt>(inputs[1]);
  if (!load || !n || !n->getValue().isPowerOf2() || load->getNextNode() != &assume ||
      load->hasMetadata(llvm::LLVMContext::MD_align))
    return nullptr;
  align = n->getZExtValue();
  return load;
}

} // namespace

llvm::PreservedAnalyses TrustedLoadsPass::run(llvm::Function &f,
                                              llvm::FunctionAnalysisManager &) {
  bool changed = false;
  if (!configOf(f).trustTypes)
    return llvm::PreservedAnalyses::all();
  for (llvm::Instruction &i : llvm::make_early_inc_range(llvm::instructions(f))) {
    auto *assume = llvm::dyn_cast<llvm::AssumeInst>(&i);
    uint64_t align = 0;
    llvm::LoadInst *load = assume ? trustedLoad(*assume, align) : nullptr;
    if (!load)
      continue;
    llvm::Metadata *n = llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt64Ty(f.getContext()), align));
    load->setMetadata(llvm::LLVMContext::MD_align, llvm::MDNode::get(f.getContext(), n));
    assume->eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

void registerTrust() {
  if (!memliftAddAction)
    return;
  static auto *entry = new FrontendPluginRegistry::Add<TrustAction>(
      "memlift-trust", "arguments are aligned as --memlift-trust-types says");
  (void)entry;
}

} // namespace memlift
