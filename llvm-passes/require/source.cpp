// source.cpp - finds the loops that must be lowered in clang's syntax tree, and numbers them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handler notes where "#pragma memlift require" stands, and lets the parser see nothing. An
// action that runs before clang's own looks for the loop that follows. It hangs a hint with the
// number of the requirement on that loop, and on all loops of a function with memlift("require").
// Instantiations of templates are functions of their own by then. As in attribute.cpp, hosts
// without clang load the library, too: symbols that bind at load time are weak.
#include "action.h"
#include "diag.h"
#include "pass.h"
#include "require/require.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

__asm__(".weak _ZTVN5clang13PragmaHandlerE\n\t.weak _ZN5clang13PragmaHandlerD2Ev");

namespace memlift {
namespace {

using namespace clang;

struct Pragma {
  SourceLocation at;
  std::string idiom;
  bool used = false; // stands before a loop
};

/// Requirements and pragmas of the file that is being compiled. clang compiles one at a time.
std::vector<Requirement> requirements;
std::vector<Pragma> pragmas;

void complain(DiagnosticsEngine &diags, SourceLocation at, const std::string &reason) {
  diags.Report(at, diags.getCustomDiagID(DiagnosticsEngine::Error, "%0 [%1]"))
      << toolMessage(Diag::BadRequirePragma, {{"reason", reason}})
      << codeOf(Diag::BadRequirePragma);
}

class MemliftPragma : public PragmaHandler {
public:
  MemliftPragma() : PragmaHandler("memlift") {}

  void HandlePragma(Preprocessor &pp, PragmaIntroducer introducer, Token &first) override {
    std::vector<std::string> words;
    Token token;
    for (pp.LexUnexpandedToken(token); token.isNot(tok::eod); pp.LexUnexpandedToken(token))
      words.push_back(pp.getSpelling(token));
    std::string why = whyBadPragma(words);
    if (why.empty())
      pragmas.push_back({introducer.Loc, words.size() > 1 ? words[1] : ""});
    else
      complain(pp.getDiagnostics(), first.getLocation(), why);
  }
};

bool isLoopStmt(const Stmt *s) {
  return llvm::isa_and_nonnull<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(s);
}

class RequireConsumer : public ASTConsumer {
public:
  explicit RequireConsumer(CompilerInstance &compiler) : compiler(compiler) {}

  void Initialize(ASTContext &c) override {
    context = &c;
    requirements.clear();
  }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *d : group)
      visit(*d);
    return true;
  }

  void HandleInlineFunctionDefinition(FunctionDecl *f) override { mark(*f); }

  void HandleTranslationUnit(ASTContext &) override {
    for (const Pragma &p : pragmas)
      if (!p.used)
        complain(compiler.getDiagnostics(), p.at, "no loop follows");
    pragmas.clear();
  }

private:
  CompilerInstance &compiler;
  ASTContext *context = nullptr;
  llvm::DenseSet<const Stmt *> done; // inline functions are seen twice

  /// A place where a loop hangs in the tree.
  struct Slot {
    Stmt **place;
    Stmt *loop;
  };

  /// Locations within macros stay so: a macro may hold the pragma and the loop.
  static SourceLocation beginOf(const Stmt &s) { return s.getBeginLoc(); }

  bool isBefore(SourceLocation a, SourceLocation b) const {
    return a.isValid() && b.isValid() &&
           context->getSourceManager().isBeforeInTranslationUnit(a, b);
  }

  void visit(Decl &d) {
    if (auto *f = llvm::dyn_cast<FunctionDecl>(&d))
      mark(*f);
    else if (auto *t = llvm::dyn_cast<FunctionTemplateDecl>(&d))
      mark(*t->getTemplatedDecl());
    else if (auto *t = llvm::dyn_cast<ClassTemplateDecl>(&d))
      visit(*t->getTemplatedDecl());
    else if (llvm::isa<NamespaceDecl, LinkageSpecDecl, CXXRecordDecl>(d))
      for (Decl *inner : llvm::cast<DeclContext>(&d)->decls())
        visit(*inner);
  }

  void collect(Stmt *s, std::vector<Slot> &loops, std::vector<const Stmt *> &all) {
    for (Stmt *&child : s->children()) {
      if (!child)
        continue;
      if (!llvm::isa<clang::Expr>(child))
        all.push_back(child);
      if (auto *with = llvm::dyn_cast<AttributedStmt>(child);
          with && isLoopStmt(with->getSubStmt()))
        loops.push_back({&child, with->getSubStmt()});
      else if (isLoopStmt(child) && !llvm::isa<AttributedStmt>(s))
        loops.push_back({&child, child});
      collect(child, loops, all);
    }
  }

  /// Returns the index of the loop that stands just after the pragma.
  size_t loopAfter(const Pragma &p, const std::vector<Slot> &loops,
                   const std::vector<const Stmt *> &all) const {
    size_t best = loops.size();
    for (size_t i = 0; i < loops.size(); ++i)
      if (isBefore(p.at, beginOf(*loops[i].loop)) &&
          (best == loops.size() || isBefore(beginOf(*loops[i].loop), beginOf(*loops[best].loop))))
        best = i;
    if (best == loops.size())
      return best;
    for (const Stmt *s : all)
      if (!llvm::isa<AttributedStmt, LabelStmt>(s) && isBefore(p.at, beginOf(*s)) &&
          isBefore(beginOf(*s), beginOf(*loops[best].loop)))
        return loops.size();
    return best;
  }

  bool contains(const Stmt &body, SourceLocation at) const {
    return isBefore(beginOf(body), at) && isBefore(at, body.getEndLoc());
  }

  void mark(FunctionDecl &f) {
    if (f.isInvalidDecl() || !f.doesThisDeclarationHaveABody() || !f.getBody())
      return;
    bool whole = false;
    for (const auto *a : f.specific_attrs<AnnotateAttr>())
      whole |= a->getAnnotation() == "memlift:require";
    bool near = whole || llvm::any_of(pragmas, [&](const Pragma &p) {
                  return contains(*f.getBody(), p.at);
                });
    if (!near || !done.insert(f.getBody()).second)
      return;
    std::vector<Slot> loops;
    std::vector<const Stmt *> all;
    collect(f.getBody(), loops, all);
    std::vector<Requirement> wanted(loops.size());
    std::vector<bool> has(loops.size(), whole);
    for (Pragma &p : pragmas) {
      size_t i = contains(*f.getBody(), p.at) ? loopAfter(p, loops, all) : loops.size();
      if (i == loops.size())
        continue;
      p.used = has[i] = true;
      wanted[i].pragma = true;
      wanted[i].idiom = p.idiom;
    }
    if (f.isDependentContext())
      return;
    // From the last one: a wrapped outer loop moves no loop inside it.
    for (size_t i = 0; i < loops.size(); ++i)
      if (has[i])
        hang(loops[i], wanted[i]);
  }

  void hang(const Slot &slot, Requirement r) {
    if (!done.insert(slot.loop).second) // in a lambda, as part of the function around it
      return;
    SourceLocation at = context->getSourceManager().getExpansionLoc(beginOf(*slot.loop));
    PresumedLoc place = context->getSourceManager().getPresumedLoc(at);
    if (place.isValid()) {
      r.file = place.getFilename();
      r.line = place.getLine();
      r.col = place.getColumn();
    }
    requirements.push_back(r);
    llvm::APInt number(32, firstHint + unsigned(requirements.size()) - 1);
    auto *value = IntegerLiteral::Create(*context, number, context->IntTy, at);
    const Attr *hint = LoopHintAttr::CreateImplicit(
        *context, LoopHintAttr::PipelineInitiationInterval, LoopHintAttr::Numeric, value, at);
    llvm::SmallVector<const Attr *, 4> attrs = {hint};
    if (auto *with = llvm::dyn_cast<AttributedStmt>(*slot.place))
      attrs.append(with->getAttrs().begin(), with->getAttrs().end());
    *slot.place = AttributedStmt::Create(*context, at, attrs, slot.loop);
  }
};

class RequireAction : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    pragmas.clear();
    // Not by the registry of pragmas: under -E the pragma is to stay in the output.
    compiler.getPreprocessor().AddPragmaHandler(new MemliftPragma);
    return std::make_unique<RequireConsumer>(compiler);
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

const Requirement *requirementOf(uint64_t hint) {
  return hint >= firstHint && hint - firstHint < requirements.size()
             ? &requirements[hint - firstHint]
             : nullptr;
}

void registerRequire() {
  if (!memliftActions)
    return;
  static auto *entry = new FrontendPluginRegistry::Add<RequireAction>(
      "memlift-require", "checks that required loops are lowered");
  (void)entry;
}

} // namespace memlift
