// trusted.h - how aligned the declarations in a function say that a pointer is
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What trust-types believes: an argument, a result, and a field or variable of static
// storage that is read, points to what its declaration says. All else follows: a local
// variable is as aligned as the least of what it is given, a cast changes nothing, and
// &packed->x is as aligned as the packed struct. Only what a void * is converted to counts: that
// is how allocators and callbacks hand out objects. What a static function returns is also what its
// body says. Where a pointer to pointers comes from is not known, so nothing is believed of what is
// read through one.
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
  /// Reads all of `body`, which has no dependent types in it. Bodies of functions that are called
  /// are read for what they return, and those that they call in turn: so `deep`.
  Trusted(clang::ASTContext &context, clang::Stmt *body, unsigned deep = 3);

  /// Bytes, a power of two, that divide the address that `e`, a pointer, is; 1: nothing is said.
  uint64_t of(const clang::Expr &e) const;

private:
  /// A value, or a step in bytes, that a local variable is given somewhere.
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
