// attribute.cpp - __attribute__((memlift("off"))), "shape", "async" and "stream" in clang
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the GNU spelling: clang drops the argument of a plugin's attribute in double brackets. Clang
// passes an annotation on to the IR, which carry.cpp reads. opt and lld load the same library
// without clang. So references to clang are weak, and the attribute is registered only where
// clang's registry exists.
#include "compat.h"
#include "diag.h"
#include "pass.h"
#include "streamsize.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

#include <cstring>

#define ATTRIBUTE "N5clang14ParsedAttrInfoE"
__asm__(MEMLIFT_REGISTRY_NEEDS(ATTRIBUTE));
extern "C" __attribute__((weak)) void memliftAttributes() __asm__(MEMLIFT_REGISTRY_OF(ATTRIBUTE));

namespace memlift {
namespace {

using namespace clang;

struct Value {
  const char *name;
  bool implemented;
};

const Value values[] = {
#define MEMLIFT_ATTRIBUTE(Name, value, implemented, on, help) {value, implemented != 0},
#include "../intrinsics/generated/Builtins.inc"
};

bool isImplemented(llvm::StringRef text) {
  uint64_t store;
  for (const Value &v : values)
    if (text == v.name)
      return v.implemented;
  return parseStreamValue(text.str(), store);
}

template <size_t N>
void complain(Sema &sema, SourceLocation at, const char (&text)[N], llvm::StringRef argument = "",
              llvm::StringRef advice = "") {
  auto &diags = sema.getDiagnostics();
  diags.Report(at, diags.getCustomDiagID(DiagnosticsEngine::Error, text)) << argument << advice;
}

struct MemliftAttribute : ParsedAttrInfo {
  MemliftAttribute() {
    static constexpr Spelling names[] = {{ParsedAttr::AS_GNU, "memlift"}};
    Spellings = names;
    NumArgs = 1;
  }

  bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &attribute, const Decl *d) const override {
    if (llvm::isa<FunctionDecl>(d) || llvm::isa<FunctionTemplateDecl>(d))
      return true;
    complain(sema, attribute.getLoc(), "attribute 'memlift' belongs on a function [MLF0009]%0");
    return false;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *d,
                                   const ParsedAttr &attribute) const override {
    const Expr *argument = attribute.getNumArgs() == 1 && attribute.isArgExpr(0)
                               ? attribute.getArgAsExpr(0)->IgnoreParenCasts()
                               : nullptr;
    const auto *text = llvm::dyn_cast_or_null<StringLiteral>(argument);
    if (!text || text->getCharByteWidth() != 1) {
      complain(sema, attribute.getLoc(),
               "attribute 'memlift' takes one string: memlift(\"off\") "
               "[MLF0009]%0");
      return AttributeNotApplied;
    }
    if (!isImplemented(text->getString())) {
      complain(sema, attribute.getLoc(), "attribute memlift(\"%0\") has no meaning; %1 [MLF0009]",
               text->getString(), adviceOf(Diag::BadAttributeValue));
      return AttributeNotApplied;
    }
    std::string carried = "memlift:" + text->getString().str();
    d->addAttr(AnnotateAttr::CreateImplicit(sema.getASTContext(), carried, nullptr, 0,
                                            attribute.getRange()));
    return AttributeApplied;
  }
};

} // namespace

void registerAttribute() {
  if (!memliftAttributes)
    return;
  // Lives as long as the process: clang keeps a pointer to it.
  static auto *entry = new ParsedAttrInfoRegistry::Add<MemliftAttribute>(
      "memlift", "what memlift does with the loops of a function");
  (void)entry;
}

} // namespace memlift
