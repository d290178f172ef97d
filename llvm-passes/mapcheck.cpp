// mapcheck.cpp - compares clang's declarations with the prototypes that the map needs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang puts no function into a module that nothing calls, and most functions that loops will call
// are only declared. So an action that runs alongside clang's own looks at the declarations, and
// does nothing without a map. As in attribute.cpp, hosts without clang load the library, too:
// symbols that bind at load time are weak.
#include "action.h"
#include "options.h"
#include "pass.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

namespace memlift {
namespace {

using namespace clang;

CType typeOfC(const ASTContext &c, QualType type) {
  if (type->isVoidType())
    return {CType::Void, 0, false};
  if (type->isPointerType())
    return {CType::Pointer, 0, false};
  if (type->isIntegralOrEnumerationType())
    return {CType::Int, unsigned(c.getTypeSize(type)), type->isSignedIntegerOrEnumerationType()};
  return {};
}

CFunction typeOfC(const ASTContext &c, const FunctionDecl &f) {
  CFunction type;
  type.result = typeOfC(c, f.getReturnType());
  type.known = f.getType()->getAs<FunctionProtoType>() != nullptr;
  type.variadic = f.isVariadic();
  for (const ParmVarDecl *p : f.parameters())
    type.params.push_back(typeOfC(c, p->getType()));
  return type;
}

/// Returns the linker's name of the declaration: the name in C, or an asm label.
std::string symbolOf(const ValueDecl &d) {
  if (const auto *label = d.getAttr<AsmLabelAttr>())
    return label->getLabel().str();
  return d.getDeclName().isIdentifier() ? d.getName().str() : "";
}

class MapConsumer : public ASTConsumer {
public:
  explicit MapConsumer(SymbolMap map) : map(std::move(map)) {}

  void HandleTranslationUnit(ASTContext &c) override { walk(c, *c.getTranslationUnitDecl()); }

private:
  SymbolMap map;

  void walk(ASTContext &c, const DeclContext &scope) {
    for (const Decl *d : scope.decls())
      if (const auto *linkage = llvm::dyn_cast<LinkageSpecDecl>(d))
        walk(c, *linkage);
      else if (const auto *v = llvm::dyn_cast<ValueDecl>(d))
        check(c, *v);
  }

  void check(ASTContext &c, const ValueDecl &d) {
    const auto *f = llvm::dyn_cast<FunctionDecl>(&d);
    if (!f && !llvm::isa<VarDecl>(d))
      return;
    for (const SymbolMap::Item &item : map.items) {
      if (symbolOf(d) != item.symbol)
        continue;
      bool isStatic = f ? f->getStorageClass() == SC_Static : true;
      // A C++ function has another name for the linker.
      if (f && !isStatic && !f->hasAttr<AsmLabelAttr>() && !f->isExternC())
        continue;
      if (isStatic)
        complain(c, d, item, Diag::MapLinkage, "static, or no function");
      else
        checkType(c, *f, item);
    }
  }

  void checkType(ASTContext &c, const FunctionDecl &f, const SymbolMap::Item &item) {
    auto bits = unsigned(c.getTypeSize(c.VoidPtrTy));
    if (fits(typeOf(item.routine, bits), typeOfC(c, f), /*signs=*/true))
      return;
    std::string have;
    llvm::raw_string_ostream out(have);
    f.getType().print(out, c.getPrintingPolicy(), item.symbol);
    // Matches a declarator of any kind: uint32_t (my_sum)(const void *).
    std::string around = "(" + item.symbol + ")";
    size_t at = out.str().find(around);
    if (at != std::string::npos)
      have.replace(at, around.size(), item.symbol);
    complain(c, f, item, Diag::MapPrototype, have);
  }

  void complain(ASTContext &c, const ValueDecl &d, const SymbolMap::Item &item, Diag code,
                const std::string &have) {
    DiagnosticsEngine &diags = c.getDiagnostics();
    if (code == Diag::MapLinkage) {
      diags.Report(d.getLocation(),
                   diags.getCustomDiagID(DiagnosticsEngine::Error, "'%0' of the map is %1 [%2]"))
          << item.symbol << have << codeOf(code);
    } else {
      diags.Report(d.getLocation(),
                   diags.getCustomDiagID(DiagnosticsEngine::Error,
                                         "'%0' is to be %1 of the map, which needs '%2', but is "
                                         "'%3' [%4]"))
          << item.symbol << item.key << prototypeOf(item.routine, item.symbol) << have
          << codeOf(code);
    }
  }
};

class MapAction : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<MapConsumer>(givenMap());
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override {
    return givenMap().empty() ? CmdlineBeforeMainAction : AddBeforeMainAction;
  }
};

} // namespace

void registerMapCheck() {
  if (!memliftActions)
    return;
  static auto *entry = new FrontendPluginRegistry::Add<MapAction>(
      "memlift-map", "compares declarations with what --memlift-map needs");
  (void)entry;
}

} // namespace memlift
