// trusted.cpp - alignment by declarations, on clang's AST
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trusted.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/Stmt.h"

#include <algorithm>

namespace memlift {
namespace {

using namespace clang;

/// Divides zero, and the value of a variable that is never assigned.
constexpr uint64_t AnyPower = uint64_t(1) << 62;
/// Larger powers of two are useless.
constexpr uint64_t MostFactor = 4096;

uint64_t lowestBit(uint64_t n) { return n ? n & -n : AnyPower; }

const VarDecl *localOf(const clang::Expr *e) {
  auto *name = llvm::dyn_cast_or_null<DeclRefExpr>(e ? e->IgnoreParens() : nullptr);
  auto *v = name ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  if (!v || !v->hasLocalStorage() || !v->getType()->isPointerType())
    return nullptr;
  // Blocks and lambdas use it in functions of their own.
  return name->refersToEnclosingVariableOrCapture() || v->hasAttr<BlocksAttr>() ? nullptr : v;
}

/// Strips nested pointer casts.
const clang::Expr &castFrom(const clang::Expr &expr) {
  const clang::Expr *e = expr.IgnoreParens();
  for (auto *cast = llvm::dyn_cast<CastExpr>(e);
       cast && (cast->getCastKind() == CK_BitCast || cast->getCastKind() == CK_NoOp);
       cast = llvm::dyn_cast<CastExpr>(e))
    e = cast->getSubExpr()->IgnoreParens();
  return *e;
}

} // namespace

Trusted::Trusted(ASTContext &context, Stmt *body, unsigned deep) : context(context), deep(deep) {
  std::vector<const DeclRefExpr *> names;
  llvm::DenseSet<const clang::Expr *> plain;
  collect(body, names, plain);
  // Other uses of a variable may store any pointer there, whatever its type says.
  for (const DeclRefExpr *name : names)
    if (const VarDecl *v = localOf(name); v && !plain.count(name))
      locals[v] = ofType(v->getType());
  settle();
}

void Trusted::collect(Stmt *body, std::vector<const DeclRefExpr *> &names,
                      llvm::DenseSet<const clang::Expr *> &plain) {
  forEachStmt(body, [&](Stmt &s) {
    give(s, plain);
    if (auto *name = llvm::dyn_cast<DeclRefExpr>(&s))
      names.push_back(name);
  });
}

/// Notes the values that `s` assigns to local variables, and that it uses them in no other way.
void Trusted::give(const Stmt &s, llvm::DenseSet<const clang::Expr *> &plain) {
  auto add = [&](const clang::Expr *target, const clang::Expr *value, uint64_t step) {
    if (const VarDecl *v = localOf(target)) {
      plain.insert(target->IgnoreParens());
      given.push_back({v, value, step});
    }
  };
  if (auto *declared = llvm::dyn_cast<DeclStmt>(&s)) {
    for (const Decl *d : declared->decls())
      if (auto *v = llvm::dyn_cast<VarDecl>(d);
          v && v->hasLocalStorage() && v->getType()->isPointerType() && v->getInit())
        given.push_back({v, v->getInit(), 0});
  } else if (auto *cast = llvm::dyn_cast<ImplicitCastExpr>(&s)) {
    if (cast->getCastKind() == CK_LValueToRValue && localOf(cast->getSubExpr()))
      plain.insert(cast->getSubExpr()->IgnoreParens());
  } else if (auto *step = llvm::dyn_cast<UnaryOperator>(&s)) {
    if (step->isIncrementDecrementOp())
      add(step->getSubExpr(), nullptr, stepOf(step->getSubExpr()->getType(), nullptr));
  } else if (auto *op = llvm::dyn_cast<BinaryOperator>(&s)) {
    if (op->getOpcode() == BO_Assign)
      add(op->getLHS(), op->getRHS(), 0);
    else if (op->isCompoundAssignmentOp())
      add(op->getLHS(), nullptr, stepOf(op->getLHS()->getType(), op->getRHS()));
  }
}

/// Starts from the largest possible factors, and lowers those that an assigned value contradicts.
void Trusted::settle() {
  for (const Given &g : given)
    if (!locals.count(g.variable))
      locals[g.variable] =
          llvm::isa<ParmVarDecl>(g.variable) ? ofType(g.variable->getType()) : AnyPower;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Given &g : given) {
      uint64_t now = locals[g.variable];
      uint64_t next = std::min(now, g.value ? of(*g.value) : g.step);
      locals[g.variable] = next;
      changed |= next != now;
    }
  }
}

/// Returns the alignment that a pointer's type promises; 1: none.
uint64_t Trusted::ofType(QualType pointer) const {
  QualType to = pointer->getPointeeType();
  if (!pointer->isPointerType() || to->isVoidType() || to->isFunctionType() ||
      to->isIncompleteType() || to->isDependentType() || to->isVariableArrayType() ||
      to.hasAddressSpace())
    return 1;
  return lowestBit(std::max<uint64_t>(context.getTypeAlignInChars(to).getQuantity(), 1));
}

uint64_t Trusted::of(const clang::Expr &expr) const {
  const clang::Expr &e = *expr.IgnoreParens();
  if (auto *cast = llvm::dyn_cast<CastExpr>(&e))
    return ofCast(*cast);
  if (auto *op = llvm::dyn_cast<UnaryOperator>(&e)) {
    if (op->getOpcode() == UO_AddrOf)
      return ofPlace(*op->getSubExpr());
    return op->isIncrementDecrementOp() ? ofLoad(*op->getSubExpr()->IgnoreParens()) : 1;
  }
  if (auto *op = llvm::dyn_cast<BinaryOperator>(&e)) {
    if (op->getOpcode() == BO_Comma || op->getOpcode() == BO_Assign)
      return of(*op->getRHS());
    if (op->isCompoundAssignmentOp())
      return ofLoad(*op->getLHS()->IgnoreParens());
    if (!op->isAdditiveOp())
      return 1;
    bool left = op->getLHS()->getType()->isPointerType();
    return ofSum(*(left ? op->getLHS() : op->getRHS()), *(left ? op->getRHS() : op->getLHS()));
  }
  if (auto *choice = llvm::dyn_cast<AbstractConditionalOperator>(&e))
    return std::min(of(*choice->getTrueExpr()), of(*choice->getFalseExpr()));
  if (auto *opaque = llvm::dyn_cast<OpaqueValueExpr>(&e))
    return opaque->getSourceExpr() ? of(*opaque->getSourceExpr()) : 1;
  if (auto *full = llvm::dyn_cast<FullExpr>(&e))
    return of(*full->getSubExpr());
  if (auto *statements = llvm::dyn_cast<StmtExpr>(&e)) {
    const CompoundStmt *all = statements->getSubStmt();
    auto *last = all->body_empty() ? nullptr : llvm::dyn_cast<clang::Expr>(all->body_back());
    return last ? of(*last) : 1;
  }
  if (auto *call = llvm::dyn_cast<CallExpr>(&e))
    return ofCall(*call);
  return 1;
}

uint64_t Trusted::ofCast(const CastExpr &e) const {
  switch (e.getCastKind()) {
  case CK_LValueToRValue: return ofLoad(*e.getSubExpr()->IgnoreParens());
  case CK_ArrayToPointerDecay: return ofPlace(*e.getSubExpr());
  case CK_BitCast:
  case CK_NoOp:
    if (!e.getSubExpr()->getType()->isPointerType())
      return 1;
    if (!e.getType()->isVoidPointerType() && castFrom(e).getType()->isVoidPointerType())
      return ofType(e.getType());
    return of(*e.getSubExpr());
  case CK_NullToPointer: return AnyPower;
  default: return 1;
  }
}

uint64_t Trusted::ofSum(const clang::Expr &pointer, const clang::Expr &index) const {
  return std::min(of(pointer), stepOf(pointer.getType(), &index));
}

/// Returns the largest power of two that divides the bytes of `count` elements; null: of one.
uint64_t Trusted::stepOf(QualType pointer, const clang::Expr *count) const {
  QualType to = pointer->getPointeeType();
  if (to.isNull() || to->isIncompleteType() || to->isVariableArrayType() || to->isFunctionType())
    return 1; // GNU C's size of void and functions is one byte
  uint64_t size = lowestBit(context.getTypeSizeInChars(to).getQuantity());
  uint64_t factor = count ? factorOf(*count) : 1;
  return size >= AnyPower || factor >= AnyPower ? AnyPower : size * factor;
}

/// Returns the largest power of two that divides an integer: AnyPower if it is zero, else at most
/// MostFactor.
uint64_t Trusted::factorOf(const clang::Expr &integer) const {
  const clang::Expr &e = *integer.IgnoreParenImpCasts();
  if (!e.getType()->isIntegerType() || e.isValueDependent())
    return 1;
  clang::Expr::EvalResult known;
  if (e.EvaluateAsInt(known, context)) {
    uint64_t power = lowestBit(known.Val.getInt().extOrTrunc(64).getZExtValue());
    return power == AnyPower ? power : std::min(power, MostFactor);
  }
  auto *op = llvm::dyn_cast<BinaryOperator>(&e);
  if (!op)
    return 1;
  if (op->isAdditiveOp())
    return std::min(factorOf(*op->getLHS()), factorOf(*op->getRHS()));
  if (op->getOpcode() != BO_Mul)
    return 1;
  // A product that wraps keeps its factors of two: a power of two divides the modulus.
  return std::min(std::min(factorOf(*op->getLHS()), MostFactor) *
                      std::min(factorOf(*op->getRHS()), MostFactor),
                  MostFactor);
}

/// Returns the alignment that a call's result type promises, or the body of a function local to
/// this file.
uint64_t Trusted::ofCall(const CallExpr &call) const {
  if (call.getBuiltinCallee())
    return 1;
  uint64_t said = ofType(call.getType());
  const FunctionDecl *callee = call.getDirectCallee(), *defined = nullptr;
  if (!deep || !callee || !callee->hasBody(defined) || defined->isInvalidDecl() ||
      defined->isDependentContext() || defined->isExternallyVisible())
    return said;
  Trusted inside(context, defined->getBody(), deep - 1);
  uint64_t least = AnyPower;
  forEachStmt(defined->getBody(), [&](Stmt &s) {
    auto *value = llvm::dyn_cast<ReturnStmt>(&s);
    if (value)
      least = std::min(least, value->getRetValue() ? inside.of(*value->getRetValue()) : 1);
  });
  return std::max(said, least < AnyPower ? least : 1);
}

/// Returns the alignment of the address of a variable, a field or an element.
uint64_t Trusted::ofPlace(const clang::Expr &lvalue) const {
  const clang::Expr &e = *lvalue.IgnoreParens();
  if (auto *name = llvm::dyn_cast<DeclRefExpr>(&e)) {
    auto *v = llvm::dyn_cast<VarDecl>(name->getDecl());
    if (!v || v->isInvalidDecl())
      return 1;
    QualType type = v->getType();
    return type->isReferenceType() ? ofType(context.getPointerType(type.getNonReferenceType()))
                                   : lowestBit(context.getDeclAlign(v).getQuantity());
  }
  if (auto *member = llvm::dyn_cast<MemberExpr>(&e))
    return ofField(*member);
  if (auto *element = llvm::dyn_cast<ArraySubscriptExpr>(&e))
    return ofSum(*element->getBase(), *element->getIdx());
  if (auto *op = llvm::dyn_cast<UnaryOperator>(&e))
    return op->getOpcode() == UO_Deref ? of(*op->getSubExpr()) : 1;
  return 1;
}

uint64_t Trusted::ofField(const MemberExpr &e) const {
  auto *field = llvm::dyn_cast<FieldDecl>(e.getMemberDecl());
  if (!field || field->isBitField() || field->getParent()->isInvalidDecl() ||
      !field->getParent()->isCompleteDefinition() || field->getType()->isReferenceType())
    return 1;
  uint64_t base = e.isArrow() ? of(*e.getBase()) : ofPlace(*e.getBase());
  const ASTRecordLayout &layout = context.getASTRecordLayout(field->getParent());
  uint64_t bits = layout.getFieldOffset(field->getFieldIndex());
  return std::min(base, lowestBit(bits / context.getCharWidth()));
}

/// Returns whether it is a field, a variable of static storage, or an element of one.
bool Trusted::isDeclared(const clang::Expr &lvalue) const {
  if (auto *element = llvm::dyn_cast<ArraySubscriptExpr>(&lvalue)) {
    auto *array = llvm::dyn_cast<ImplicitCastExpr>(element->getBase()->IgnoreParens());
    return array && array->getCastKind() == CK_ArrayToPointerDecay &&
           isDeclared(*array->getSubExpr()->IgnoreParens());
  }
  auto *name = llvm::dyn_cast<DeclRefExpr>(&lvalue);
  auto *variable = name ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  return variable ? variable->hasGlobalStorage() : llvm::isa<MemberExpr>(lvalue);
}

/// Returns the alignment of the pointer that is stored there.
uint64_t Trusted::ofLoad(const clang::Expr &lvalue) const {
  if (const VarDecl *v = localOf(&lvalue)) {
    auto found = locals.find(v);
    if (found != locals.end())
      return found->second;
    return llvm::isa<ParmVarDecl>(v) ? ofType(v->getType()) : 1;
  }
  return isDeclared(lvalue) ? ofType(lvalue.getType()) : 1;
}

} // namespace memlift
