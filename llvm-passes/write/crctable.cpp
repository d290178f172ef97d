// crctable.cpp - the constant that a CRC's call points to
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each polynomial has one constant in the whole program: the linker keeps one of those with equal
// names, and drops it where no call is left. Its name is not a C identifier.
#include "write/write.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace memlift {

/// Returns the content of a struct memlift_crc_poly of runtime/include/memlift/memlift.h.
static Constant *contentOf(LLVMContext &c, const CrcPoly &crc) {
  Type *i32 = Type::getInt32Ty(c), *i64 = Type::getInt64Ty(c);
  Constant *fields[] = {ConstantInt::get(i32, crc.width), ConstantInt::get(i32, crc.reflected),
                        ConstantInt::get(i64, crc.poly),
                        ConstantDataArray::get(c, ArrayRef<uint64_t>(crcTables(crc)))};
  return ConstantStruct::getAnon(fields);
}

Constant *crcTable(Module &m, const CrcPoly &crc) {
  std::string name = "memlift.crc" + std::to_string(crc.width) +
                     (crc.reflected ? ".reflected." : ".plain.") +
                     utohexstr(crc.poly, /*LowerCase=*/true);
  Constant *content = contentOf(m.getContext(), crc);
  GlobalVariable *old = m.getGlobalVariable(name, /*AllowInternal=*/true);
  if (old && old->hasInitializer() && old->getInitializer() == content)
    return old;
  bool share = !m.getNamedValue(name);
  auto *table = new GlobalVariable(
      m, content->getType(), /*isConstant=*/true,
      share ? GlobalValue::LinkOnceODRLinkage : GlobalValue::PrivateLinkage, content, name);
  table->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  table->setAlignment(Align(8));
  if (share) {
    table->setVisibility(GlobalValue::HiddenVisibility);
    if (compat::tripleOf(m).supportsCOMDAT())
      table->setComdat(m.getOrInsertComdat(name));
  }
  return table;
}

Constant *entryTable(Module &m, const Table &table) {
  LLVMContext &c = m.getContext();
  auto *type = ArrayType::get(IntegerType::get(c, table.entryBits), table.entries.size());
  std::vector<Constant *> entries;
  for (uint64_t e : table.entries)
    entries.push_back(ConstantInt::get(type->getElementType(), e));
  Constant *content = ConstantArray::get(type, entries);
  for (GlobalVariable &old : m.globals())
    if (old.getName().starts_with("memlift.table") && old.hasInitializer() &&
        old.getInitializer() == content)
      return &old;
  auto *fresh = new GlobalVariable(m, type, /*isConstant=*/true, GlobalValue::PrivateLinkage,
                                   content, "memlift.table");
  fresh->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  fresh->setAlignment(Align(table.entryBits / 8));
  return fresh;
}

} // namespace memlift
