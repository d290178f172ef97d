// map.cpp - the user's own routines in a module: their types, and the functions that implement them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mapcheck.cpp compares clang's declarations, most of which are not in the module: a function that
// nothing calls yet is in no module. The symbols that are here are compared again, for opt and for
// the link of LTO.
#include "compat.h"
#include "options.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <set>

using namespace llvm;

namespace memlift {
namespace {

/// Metadata names: the map was refused; the refusal was reported.
constexpr char RefusedMark[] = "memlift.map.refused";

CType typeOfIR(const Module &m, Type *type) {
  if (type->isVoidTy())
    return {CType::Void, 0, false};
  if (type->isPointerTy() && type->getPointerAddressSpace() == 0)
    return {CType::Pointer, 0, false};
  if (type->isIntegerTy())
    return {CType::Int, type->getIntegerBitWidth(), false};
  return {};
}

CFunction typeOfIR(const Module &m, FunctionType *type) {
  CFunction f;
  f.result = typeOfIR(m, type->getReturnType());
  for (Type *param : type->params())
    f.params.push_back(typeOfIR(m, param));
  f.variadic = type->isVarArg();
  return f;
}

/// Returns "file:line: " of a definition, if debug information has it.
std::string placeOf(const GlobalValue &v) {
  const auto *f = dyn_cast<Function>(&v);
  const DISubprogram *sub = f ? f->getSubprogram() : nullptr;
  if (!sub)
    return "";
  return sub->getFilename().str() + ":" + std::to_string(sub->getLine()) + ": ";
}

/// Returns "", or the mismatch between the module's symbol and the item.
std::string problem(const Module &m, const SymbolMap::Item &item, Diag &code) {
  const GlobalValue *old = m.getNamedValue(item.symbol);
  if (!old)
    return "";
  auto *type = dyn_cast<FunctionType>(old->getValueType());
  code = Diag::MapLinkage;
  if (!type || old->hasLocalLinkage())
    return placeOf(*old) + "'" + item.symbol + "' of the map is static, or no function";
  CFunction have = typeOfIR(m, type);
  code = Diag::MapPrototype;
  unsigned bits = m.getDataLayout().getPointerSizeInBits(0);
  if (fits(typeOf(item.routine, bits), have, /*signs=*/false))
    return "";
  return placeOf(*old) + "'" + item.symbol + "' is to be " + item.key +
         " of the map, which needs '" + prototypeOf(item.routine, item.symbol) + "', but is '" +
         describe(have, item.symbol) + "'";
}

} // namespace

bool checkMap(Module &m, const SymbolMap &map) {
  bool good = true;
  for (const SymbolMap::Item &item : map.items) {
    Diag code = Diag::MapPrototype;
    std::string why = problem(m, item, code);
    if (why.empty())
      continue;
    good = false;
    if (!m.getNamedMetadata(RefusedMark))
      m.getContext().emitError(Twine(why) + " [" + codeOf(code) + "]\nnote: " + adviceOf(code));
  }
  if (!good)
    m.getOrInsertNamedMetadata(RefusedMark);
  return good;
}

/// Adds the functions that `f` calls, or whose address it takes.
static void addReferenced(Function &f, std::vector<Function *> &list) {
  for (Instruction &in : instructions(f))
    for (Value *operand : in.operands()) {
      Value *used = operand->stripPointerCasts();
      if (auto *alias = dyn_cast<GlobalAlias>(used))
        used = alias->getAliaseeObject();
      if (auto *function = dyn_cast_or_null<Function>(used))
        list.push_back(function);
    }
}

/// Finds the functions that implement memcpy and its like, or have an alias of that name.
static std::vector<Function *> idiomFunctions(Module &m) {
  std::vector<Function *> list;
  for (Function &f : m)
    if (implementsIdiom(f.getName().str(), ""))
      list.push_back(&f);
  for (GlobalAlias &alias : m.aliases())
    if (auto *target = dyn_cast_or_null<Function>(alias.getAliaseeObject()))
      if (implementsIdiom(alias.getName().str(), ""))
        list.push_back(target);
  for (GlobalIFunc &ifunc : m.ifuncs())
    if (implementsIdiom(ifunc.getName().str(), ""))
      if (Function *resolver = ifunc.getResolverFunction())
        list.push_back(resolver);
  return list;
}

bool keepMapped(Module &m, const SymbolMap &map) {
  SmallVector<GlobalValue *, 4> kept;
  for (const SymbolMap::Item &item : map.items)
    if (Function *f = m.getFunction(item.symbol))
      if (!f->isDeclaration()) {
        // Once inlined, its loops would not be protected, and become calls of it.
        if (!f->hasFnAttribute(Attribute::AlwaysInline))
          f->addFnAttr(Attribute::NoInline);
        kept.push_back(f);
      }
  // No call of them may exist until loops become calls at the link.
  appendToUsed(m, kept);
  return !kept.empty();
}

bool markServants(Module &m, const SymbolMap &map) {
  std::vector<Function *> list = idiomFunctions(m);
  for (const SymbolMap::Item &item : map.items)
    if (Function *f = m.getFunction(item.symbol))
      list.push_back(f);
  std::set<Function *> seen;
  for (size_t i = 0; i < list.size(); ++i) {
    Function *f = list[i];
    if (f->isDeclaration() || !seen.insert(f).second)
      continue;
    f->addFnAttr(ImplementsAttribute);
    addReferenced(*f, list);
  }
  return !seen.empty();
}

} // namespace memlift
