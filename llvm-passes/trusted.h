// trusted.h - the alignment that declarations in a function promise for pointers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Under trust-types, an argument, a result, and a field or variable of static storage that is read
// is believed to be aligned as its declared pointee. The rest follows: a local variable is as
// aligned as the least aligned value assigned to it, a cast changes nothing, and &packed->x is as
// aligned as the packed struct. Only conversions from void * count, as allocators and callbacks
// return objects so. A static function's body limits its result, too. The origin of a pointer to
// pointers is not known, so nothing is believed of pointers read through one.
#ifndef MEMLIFT_LLVM_TRUSTED_H
#define MEMLIFT_LLVM_TRUSTED_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

#include <vector>

namespace memlift {

/// Calls `visit` with each statement and expression of `body`, itself first.
template <class Visit> void forEachStmt(clang::Stmt *body, Visit visit) {
  llvm::SmallVector<clang::Stmt *> work = {body};
  while (!work.empty()) {
    clang::Stmt *s = work.pop_back_val();
    if (!s)
      continue;
    work.append(s->child_begin(), s->child_end());
    visit(*s);
  }
}

class Trusted {
public:
  /// Reads all of `body`, which has no dependent types in it. Bodies of called functions are read
  /// for their returned values, `deep` calls deep.
  Trusted(clang::ASTContext &context, clang::Stmt *body, unsigned deep = 3);

  /// Returns the largest known power of two that divides the address `e`, a pointer, in bytes; 1:
  /// none.
  uint64_t of(const clang::Expr &e) const;

private:
  /// A value, or a step in bytes, that is assigned to a local variable somewhere.
  struct Given {
    const clang::VarDecl *variable;
    const clang::Expr *value; // null: a step
    uint64_t step;
  };

  clang::ASTContext &context;
  unsigned deep;
  std::vector<Given> given;
  llvm::DenseMap<const clang::VarDecl *, uint64_t> locals;

  void collect(clang::Stmt *body, std::vector<const clang::DeclRefExpr *> &names,
               llvm::DenseSet<const clang::Expr *> &plain);
  void give(const clang::Stmt &s, llvm::DenseSet<const clang::Expr *> &plain);
  void settle();

  uint64_t ofType(clang::QualType pointer) const;
  uint64_t ofCast(const clang::CastExpr &e) const;
  uint64_t ofSum(const clang::Expr &pointer, const clang::Expr &index) const;
  uint64_t ofPlace(const clang::Expr &lvalue) const;
  uint64_t ofField(const clang::MemberExpr &e) const;
  uint64_t ofLoad(const clang::Expr &lvalue) const;
  uint64_t ofCall(const clang::CallExpr &call) const;
  uint64_t stepOf(clang::QualType pointer, const clang::Expr *count) const;
  uint64_t factorOf(const clang::Expr &integer) const;
  bool isDeclared(const clang::Expr &lvalue) const;
};

} // namespace memlift

#endif
