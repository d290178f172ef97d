// table.cpp - look-ups in constant arrays
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   crc = table[(crc ^ *p) & 255] ^ (crc >> 8);       table[3][byte], too
//
// Only arrays whose contents are known here and can be no others at run time,
// and only indices that are provably within the array. Dimensions are flattened.
#include "read/picture.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memlift {

constexpr uint64_t maxEntries = 4096;

static bool isConstantArray(const GlobalVariable &v) {
  return v.isConstant() && v.hasDefinitiveInitializer() && !v.isThreadLocal() &&
         v.getAddressSpace() == 0;
}

static bool readEntries(const GlobalVariable &array, const DataLayout &dl,
                        uint64_t bytes, std::vector<uint64_t> &entries) {
  auto *init = const_cast<Constant *>(array.getInitializer());
  Type *type = Type::getIntNTy(array.getContext(), unsigned(8 * bytes));
  uint64_t size = dl.getTypeAllocSize(array.getValueType()).getFixedValue();
  for (uint64_t at = 0; at + bytes <= size; at += bytes) {
    APInt offset(dl.getIndexSizeInBits(0), at);
    auto *n = dyn_cast_or_null<ConstantInt>(
        ConstantFoldLoadFromConst(init, type, offset, dl));
    if (!n)
      return false;
    entries.push_back(n->getZExtValue());
  }
  return true;
}

/// Takes the address apart into the array and the number of an entry of `bytes`
/// bytes. False unless every index is of that unit and the sum is in range.
bool Reader::tableIndex(GlobalVariable *&array, Value *pointer, uint64_t bytes,
                        ExprId &index) {
  compat::OffsetMap indices;
  APInt constant(ptrBits, 0);
  while (auto *gep = dyn_cast<GEPOperator>(pointer)) {
    if (!gep->collectOffset(env.dl, ptrBits, indices, constant))
      return false;
    pointer = gep->getPointerOperand();
  }
  array = dyn_cast<GlobalVariable>(pointer);
  if (!array || !isConstantArray(*array))
    return false;
  uint64_t size = env.dl.getTypeAllocSize(array->getValueType()).getFixedValue();
  if (size / bytes > maxEntries || constant.uge(size) || constant.urem(bytes))
    return false;
  uint64_t last = constant.getZExtValue();
  index = graph.constant(last / bytes, ptrBits);
  for (auto &[v, scale] : indices) {
    unsigned bits = v->getType()->getScalarSizeInBits();
    if (!v->getType()->isIntegerTy() || bits > ptrBits || scale.uge(size) ||
        scale.urem(bytes))
      return false;
    APInt most = env.se.getUnsignedRangeMax(env.se.getSCEV(v));
    if (most.isNegative() || most.uge(size)) // it is sign-extended
      return false;
    uint64_t step = scale.getZExtValue();
    last += step * most.getZExtValue();
    index = graph.add(index,
                      graph.mul(graph.zextOrTrunc(value(v), ptrBits),
                                graph.constant(step / bytes, ptrBits)));
  }
  return last + bytes <= size;
}

bool Reader::takeTable(LoadInst &load) {
  auto *type = dyn_cast<IntegerType>(load.getType());
  unsigned bits = type ? type->getBitWidth() : 0;
  if (!load.isSimple() || (bits != 8 && bits != 16 && bits != 32 && bits != 64))
    return false;
  // A linear walk over the array is an access like others.
  const SCEV *address = env.se.getSCEV(load.getPointerOperand());
  if (isa<SCEVAddRecExpr>(address) ||
      env.se.isLoopInvariant(address, pic.nest.front()))
    return false;
  GlobalVariable *array = nullptr;
  ExprId index = NoExpr;
  if (!tableIndex(array, load.getPointerOperand(), bits / 8, index))
    return false;
  auto [at, fresh] = tableOf.try_emplace({array, bits},
                                         uint32_t(pic.loop.tables.size()));
  if (fresh) {
    Table table{array->getName().str(), bits, {}};
    if (!readEntries(*array, env.dl, bits / 8, table.entries)) {
      tableOf.erase(at);
      return false;
    }
    pic.loop.tables.push_back(table);
  }
  loads[&load] = graph.table(at->second, index, bits);
  return true;
}

} // namespace memlift
