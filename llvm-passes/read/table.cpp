// table.cpp - look-ups in constant arrays
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   crc = table[(crc ^ *p) & 255] ^ (crc >> 8);       table[3][byte], too
//
// Only arrays are used whose entries are known at compile time and cannot change. Dimensions are
// flattened. Reading outside the array is undefined, so no index does; the check excludes indices
// that wrap back into it.
#include "read/binding.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

using namespace llvm;

namespace memlift {

constexpr uint64_t maxEntries = 4096;

static bool isConstantArray(const GlobalVariable &v) {
  return v.isConstant() && v.hasDefinitiveInitializer() && !v.isThreadLocal() &&
         v.getAddressSpace() == 0;
}

static bool readEntries(const GlobalVariable &array, const DataLayout &dl, uint64_t bytes,
                        std::vector<uint64_t> &entries) {
  auto *init = const_cast<Constant *>(array.getInitializer());
  Type *type = Type::getIntNTy(array.getContext(), unsigned(8 * bytes));
  uint64_t size = dl.getTypeAllocSize(array.getValueType()).getFixedValue();
  for (uint64_t at = 0; at + bytes <= size; at += bytes) {
    APInt offset(dl.getIndexSizeInBits(0), at);
    auto *n = dyn_cast_or_null<ConstantInt>(ConstantFoldLoadFromConst(init, type, offset, dl));
    if (!n)
      return false;
    entries.push_back(n->getZExtValue());
  }
  return true;
}

/// Splits the address into the array and byte offsets. Returns false if the base is no constant
/// array, or no number of its bytes is known.
static bool splitOffset(const DataLayout &dl, unsigned ptrBits, Value *pointer,
                        compat::OffsetMap &indices, APInt &constant, GlobalVariable *&array) {
  while (auto *gep = dyn_cast<GEPOperator>(pointer)) {
    if (!gep->collectOffset(dl, ptrBits, indices, constant))
      return false;
    pointer = gep->getPointerOperand();
  }
  array = dyn_cast<GlobalVariable>(pointer);
  return array && isConstantArray(*array);
}

uint64_t largestEntry(const DataLayout &dl, Value *v) {
  if (auto *widened = dyn_cast<ZExtInst>(v))
    v = widened->getOperand(0);
  // A copy runs at least once, as compilers write a do loop.
  if (auto *max = dyn_cast<MinMaxIntrinsic>(v)) {
    auto *least = dyn_cast<ConstantInt>(max->getRHS());
    if (max->getIntrinsicID() != Intrinsic::umax || !least || !least->isOne())
      return 0;
    v = max->getLHS();
  }
  auto *load = dyn_cast<LoadInst>(v);
  if (!load || !load->isSimple() || !load->getType()->isIntegerTy())
    return 0;
  const unsigned ptrBits = dl.getIndexTypeSizeInBits(load->getPointerOperandType());
  compat::OffsetMap indices;
  APInt constant(ptrBits, 0);
  GlobalVariable *array = nullptr;
  if (!splitOffset(dl, ptrBits, load->getPointerOperand(), indices, constant, array))
    return 0;
  const auto *type = dyn_cast<ArrayType>(array->getValueType());
  const uint64_t bytes = load->getType()->getIntegerBitWidth() / 8;
  std::vector<uint64_t> entries;
  auto whole = [&](const APInt &offset) { return offset.urem(bytes) == 0; };
  if (!type || type->getElementType() != load->getType() || !bytes || !whole(constant) ||
      !all_of(indices, [&](const auto &index) { return whole(index.second); }) ||
      type->getNumElements() > maxEntries || !readEntries(*array, dl, bytes, entries) ||
      entries.empty())
    return 0;
  return *std::max_element(entries.begin(), entries.end()); // LLVM 18 has none for ranges
}

/// Returns whether a value has been widened, or is known to be no larger than `most`.
static bool narrowOrSmall(const Value *v, const APInt &most, unsigned ptrBits) {
  const auto *cast = dyn_cast<CastInst>(v);
  bool widened = cast && (isa<ZExtInst>(cast) || isa<SExtInst>(cast)) &&
                 2 * cast->getSrcTy()->getScalarSizeInBits() <= ptrBits;
  return widened || 2 * most.getActiveBits() <= ptrBits;
}

/// Splits the address into the array and the number of an entry of `bytes` bytes. Returns false
/// unless every index is a multiple of that and none can wrap.
bool Reader::tableIndex(GlobalVariable *&array, Value *pointer, uint64_t bytes, ExprId &index) {
  compat::OffsetMap indices;
  APInt constant(ptrBits, 0);
  if (!splitOffset(env.dl, ptrBits, pointer, indices, constant, array))
    return false;
  uint64_t size = env.dl.getTypeAllocSize(array->getValueType()).getFixedValue();
  if (size / bytes > maxEntries || constant.uge(size) || constant.urem(bytes))
    return false;
  index = graph.constant(constant.getZExtValue() / bytes, ptrBits);
  for (auto &[v, scale] : indices) {
    unsigned bits = v->getType()->getScalarSizeInBits();
    if (!v->getType()->isIntegerTy() || bits > ptrBits || scale.uge(size) || scale.urem(bytes))
      return false;
    // A sign-extended index of 32 bits cannot wrap around the address space.
    APInt most = env.se.getUnsignedRangeMax(env.se.getSCEV(v));
    if (2 * bits > ptrBits && !narrowOrSmall(v, most, ptrBits))
      return false;
    uint64_t step = scale.getZExtValue();
    ExprId wide = value(v);
    if (bits < ptrBits)
      wide = graph.cast(most.isNegative() ? Op::SExt : Op::ZExt, wide, ptrBits);
    index = graph.add(index, graph.mul(wide, graph.constant(step / bytes, ptrBits)));
  }
  return true;
}

/// Returns the entry that is looked up, or NoExpr.
ExprId Reader::tableEntry(LoadInst &load) {
  auto *type = dyn_cast<IntegerType>(load.getType());
  unsigned bits = type ? type->getBitWidth() : 0;
  if (!load.isSimple() || (bits != 8 && bits != 16 && bits != 32 && bits != 64))
    return NoExpr;
  GlobalVariable *array = nullptr;
  ExprId index = NoExpr;
  if (!tableIndex(array, load.getPointerOperand(), bits / 8, index))
    return NoExpr;
  auto [at, fresh] = tableOf.try_emplace({array, bits}, uint32_t(binding.loop.tables.size()));
  if (fresh) {
    Table table{array->getName().str(), bits, {}, /*unknown=*/false};
    if (!readEntries(*array, env.dl, bits / 8, table.entries)) {
      tableOf.erase(at);
      return NoExpr;
    }
    binding.loop.tables.push_back(table);
  }
  return graph.table(at->second, index, bits);
}

static bool writesMemory(const llvm::Loop &loop) {
  return any_of(loop.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &i) { return i.mayWriteToMemory(); });
  });
}

/// Returns true for a constant of another file that the link of full LTO will see.
static bool isSeenLater(const GlobalVariable *v) {
  auto *thin =
      v ? mdconst::extract_or_null<ConstantInt>(v->getParent()->getModuleFlag("ThinLTO")) : nullptr;
  return thin && thin->isZero() && v->isConstant() && v->isDeclaration();
}

/// Moves constant offsets from a pointer to `constant`, as far as they are whole entries. Compilers
/// compute the pointers of tables that lie one after the other before the loop.
static Value *withoutOffset(const DataLayout &dl, Value *array, uint64_t bytes, APInt &constant) {
  for (auto *gep = dyn_cast<GEPOperator>(array); gep; gep = dyn_cast<GEPOperator>(array)) {
    APInt more = constant;
    if (!gep->hasAllConstantIndices() || !gep->accumulateConstantOffset(dl, more) ||
        more.urem(bytes))
      break;
    constant = more;
    array = gep->getPointerOperand();
  }
  return array;
}

/// Returns the entry at pointer + index * size, of a pointer that the nest does not change. Only in
/// loops that carry a scalar and store nothing.
ExprId Reader::unknownEntry(Instruction &i) {
  auto *load = dyn_cast<LoadInst>(&i);
  auto *type = load ? dyn_cast<IntegerType>(load->getType()) : nullptr;
  unsigned bits = type ? type->getBitWidth() : 0;
  if (!load || !load->isSimple() || writesMemory(*binding.nest.back()) ||
      (bits != 8 && bits != 16 && bits != 32 && bits != 64))
    return NoExpr;
  compat::OffsetMap indices;
  APInt constant(ptrBits, 0);
  Value *array = load->getPointerOperand();
  while (auto *gep = dyn_cast<GEPOperator>(array)) {
    if (!inNest(gep))
      break;
    if (!gep->collectOffset(env.dl, ptrBits, indices, constant))
      return NoExpr;
    array = gep->getPointerOperand();
  }
  array = withoutOffset(env.dl, array, bits / 8, constant);
  auto *global = dyn_cast<GlobalVariable>(getUnderlyingObject(array));
  if (inNest(array) || (global && isConstantArray(*global)) || constant.urem(bits / 8) ||
      indices.empty())
    return NoExpr;
  ExprId index = graph.constant(constant.getZExtValue() / (bits / 8), ptrBits);
  for (auto &[v, scale] : indices) {
    if (!v->getType()->isIntegerTy() || scale.urem(bits / 8))
      return NoExpr;
    ExprId by = graph.constant(scale.getZExtValue() / (bits / 8), ptrBits), wide = value(v);
    bool narrow = graph.width(wide) < ptrBits;
    wide = narrow ? graph.cast(Op::SExt, wide, ptrBits) : graph.zextOrTrunc(wide, ptrBits);
    index = graph.add(index, graph.mul(wide, by));
  }
  auto [at, fresh] = tableOf.try_emplace({array, bits}, uint32_t(binding.loop.tables.size()));
  if (fresh) {
    std::string name = array->hasName() ? array->getName().str() : "table";
    Table table{name, bits, {}, /*unknown=*/true};
    if (!isSeenLater(global) && !inChain(array) && array->getType()->getPointerAddressSpace() == 0)
      table.address = graph.leaf(Op::BaseAddr, baseOf(array), ptrBits);
    binding.loop.tables.push_back(table);
  }
  return graph.table(at->second, index, bits);
}

bool Reader::takeTable(LoadInst &load) {
  // A linear walk over the array is an ordinary access.
  const SCEV *address = env.se.getSCEV(load.getPointerOperand());
  if (isa<SCEVAddRecExpr>(address) || env.se.isLoopInvariant(address, binding.nest.front()))
    return false;
  ExprId entry = tableEntry(load);
  if (entry == NoExpr)
    return false;
  loads[&load] = entry;
  return true;
}

} // namespace memlift
