// effects.cpp - reads every access and every other effect of a loop's body
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/body.h"
#include "read/exits.h"
#include "read/ring.h"
#include "recognize/proof.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace memlift {
namespace {

/// Larger accesses (huge first-class aggregates) are listed as obstacles: their bits do not fit an
/// expression's width.
constexpr uint64_t maxScalarBytes = 1024;

/// A memset or memcpy of a constant size up to this is read as one wide value, which may have
/// others beside it. A longer one is a row by itself.

/// Size limit of a stored value as a tree. Eight steps of a shift register in two directions, of
/// which a flag chooses one, are 50,000 nodes, most of them shared.
constexpr uint64_t maxStoredTree = 1 << 16;

bool hasNoEffect(const Instruction &i) {
  if (i.isDebugOrPseudoInst())
    return true;
  if (const auto *call = dyn_cast<IntrinsicInst>(&i))
    switch (call->getIntrinsicID()) {
    case Intrinsic::assume:
    case Intrinsic::prefetch: // a hint about memory that the operation reads anyway
    case Intrinsic::experimental_noalias_scope_decl: return true;
    default: break;
    }
  return !i.mayHaveSideEffects() && !i.mayReadFromMemory();
}

/// Returns whether instruction() below reads it as an access, if it has an effect.
bool isAccess(const Instruction &i) {
  return isa<LoadInst>(i) || isa<StoreInst>(i) || isMemCall(i);
}

std::string describe(const Instruction &i) {
  if (const auto *call = dyn_cast<CallBase>(&i)) {
    if (call->isInlineAsm())
      return "inline assembler";
    if (const Function *f = call->getCalledFunction())
      return "call of " + f->getName().str();
    return "call through a pointer";
  }
  if (isa<FenceInst>(i))
    return "memory fence";
  return i.getOpcodeName();
}

} // namespace

bool isSurelyKept(const llvm::Loop &loop) {
  if (!mayBeCounted(loop))
    return true;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &i : *block)
      if (isAccess(i) ? i.isVolatile() || i.isAtomic() : !hasNoEffect(i))
        return true;
  return false;
}

/// Sets the access's size, and whether all bits of its bytes are values.
void BodyReader::setType(Access &access, Type *type) {
  const DataLayout &dl = r.env.dl;
  // x87's ten bytes occupy twelve or sixteen.
  bool x87 = type->isX86_FP80Ty();
  TypeSize size = x87 ? dl.getTypeAllocSize(type) : dl.getTypeStoreSize(type);
  uint64_t bytes = size.getKnownMinValue();
  access.bytes = r.graph.constant(bytes, r.ptrBits);
  access.paddingBits = x87 || !dl.typeSizeEqualsStoreSize(type) || type->isAggregateType();
  if (size.isScalable() || bytes == 0 || bytes > maxScalarBytes) {
    access.affine = false;
    access.why = "the size of the access is not known";
    access.bytes = r.graph.constant(1, r.ptrBits);
  }
}

void BodyReader::simple(Instruction &i, Value *pointer, Type *type, Value *stored, Align align) {
  Access access;
  access.store = stored != nullptr;
  r.address(pointer, access);
  setType(access, type);
  access.align = align.value();
  access.conditional = conditional;
  access.isVolatile = i.isVolatile();
  access.atomic = i.isAtomic();
  access.loc = sourceLoc(i.getDebugLoc());
  auto copy = r.binding.fixedLoads.find(&i);
  access.fixed = access.affine && copy != r.binding.fixedLoads.end();
  if (access.fixed)
    access.value = r.value(copy->second);
  access.fixed |= access.affine && is_contained(r.binding.fixedStores, &i);
  uint64_t bits = 8 * r.graph[access.bytes].value;
  if (stored) {
    access.value = r.value(stored);
    if (r.graph.width(access.value) != bits || r.treeSize(access.value) > maxStoredTree)
      access.value = r.graph.opaque(unsigned(bits));
  }
  if (r.rings && access.value != NoExpr && access.affine && isStill(r.graph, access))
    access.value = r.rings->inIteration(access.value);
  if (i.hasMetadata(LLVMContext::MD_nontemporal))
    r.obstacle(Diag::SideEffects, "non-temporal access", i.getDebugLoc());
  ExprId entry = access.affine ? NoExpr : r.unknownEntry(i);
  access.lookUp = entry != NoExpr;
  r.addAccess(access, &i);
  if (access.lookUp)
    r.setLoaded(i, entry);
}

/// Returns whether the call is skipped only where its size is zero. It would do nothing there, so
/// it may as well run every time.
bool BodyReader::skippedOnlyIfEmpty(MemIntrinsic &call, ExprId bytes) {
  const BasicBlock *block = call.getParent();
  const BasicBlock *before = block->getSinglePredecessor();
  if (!before || !runsEveryTime(*before))
    return false;
  const auto *branch = dyn_cast<BranchInst>(before->getTerminator());
  const auto *test =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!test || !test->isEquality() || !match(test->getOperand(1), PatternMatch::m_Zero()) ||
      !test->getOperand(0)->getType()->isIntegerTy())
    return false;
  bool ifNotZero = test->getPredicate() == CmpInst::ICMP_NE;
  return branch->getSuccessor(ifNotZero ? 0 : 1) == block &&
         r.graph.vanishesWith(bytes, r.expr(r.env.se.getSCEV(test->getOperand(0))));
}

/// Adds one side of a memset, memcpy or memmove inside the loop.
void BodyReader::memCallSide(MemIntrinsic &call, bool store, ExprId bytes, ExprId stored) {
  Access access;
  access.store = store;
  auto *transfer = dyn_cast<MemTransferInst>(&call);
  r.address(store ? call.getRawDest() : transfer->getRawSource(), access);
  access.bytes = bytes;
  MaybeAlign align = store ? call.getDestAlign() : transfer->getSourceAlign();
  access.align = align.valueOrOne().value();
  access.conditional = conditional && !skippedOnlyIfEmpty(call, bytes);
  access.isVolatile = call.isVolatile();
  access.loc = sourceLoc(call.getDebugLoc());
  access.value = stored;
  r.addAccess(access, &call);
}

/// Reads a copy of a constant ("p[i] = (struct v){1, 2}") as stores of its words. Returns true if
/// it could.
bool BodyReader::constantSource(MemTransferInst &call, uint64_t bytes) {
  const DataLayout &dl = r.env.dl;
  APInt offset(dl.getIndexTypeSizeInBits(call.getRawSource()->getType()), 0);
  auto *global = dyn_cast<GlobalVariable>(call.getRawSource()->stripAndAccumulateConstantOffsets(
      dl, offset, /*AllowNonInbounds=*/true));
  if (!global || !global->isConstant() || !global->hasDefinitiveInitializer() ||
      offset.isNegative())
    return false;
  std::vector<std::pair<uint64_t, uint64_t>> words; // value, bytes
  for (uint64_t at = 0, size; at < bytes; at += size, offset += size) {
    for (size = 8; at + size > bytes;)
      size /= 2;
    Type *type = IntegerType::get(call.getContext(), unsigned(8 * size));
    auto *word = dyn_cast_or_null<ConstantInt>(
        ConstantFoldLoadFromConst(global->getInitializer(), type, offset, dl));
    if (!word)
      return false;
    words.push_back({word->getZExtValue(), size});
  }
  uint64_t at = 0;
  for (auto [value, size] : words) {
    memCallSide(call, true, r.graph.constant(size, r.ptrBits),
                r.graph.constant(value, unsigned(8 * size)));
    Access &part = r.binding.loop.accesses.back();
    part.align = MinAlign(part.align, at);
    if (part.affine)
      part.offset = r.graph.add(part.offset, r.graph.constant(at, r.ptrBits));
    at += size;
  }
  return true;
}

void BodyReader::memCall(MemIntrinsic &call) {
  Value *length = call.getLength();
  ExprId bytes = NoExpr;
  if (r.env.se.isSCEVable(length->getType()))
    bytes = r.expr(r.env.se.getSCEV(length));
  bool known = r.graph.isConst(bytes);
  if (bytes == NoExpr || r.graph.width(bytes) > r.ptrBits || r.graph.isConst(bytes, 0)) {
    r.obstacle(Diag::SideEffects, describe(call), call.getDebugLoc());
    return;
  }
  bytes = r.graph.zextOrTrunc(bytes, r.ptrBits);
  bool value = known && r.graph[bytes].value <= maxValueBytes;
  auto *transfer = dyn_cast<MemTransferInst>(&call);
  if (value && transfer && constantSource(*transfer, r.graph[bytes].value))
    return;
  unsigned bits = value ? unsigned(8 * r.graph[bytes].value) : 8;
  if (auto *set = dyn_cast<MemSetInst>(&call)) {
    ExprId byte = r.value(set->getValue());
    memCallSide(call, true, bytes, r.graph.splat(byte, bits));
    return;
  }
  uint32_t load = uint32_t(r.binding.loop.accesses.size());
  memCallSide(call, false, bytes, NoExpr);
  memCallSide(call, true, bytes, r.graph.leaf(Op::Load, load, bits));
}

void BodyReader::instruction(Instruction &i) {
  if (auto *load = dyn_cast<LoadInst>(&i)) {
    if (!r.takeTable(*load))
      simple(i, load->getPointerOperand(), load->getType(), nullptr, load->getAlign());
    return;
  }
  if (auto *store = dyn_cast<StoreInst>(&i))
    return simple(i, store->getPointerOperand(), store->getValueOperand()->getType(),
                  store->getValueOperand(), store->getAlign());
  if (isMemCall(i))
    return memCall(cast<MemIntrinsic>(i));
  if (hasNoEffect(i))
    return;
  bool atomic = isa<AtomicRMWInst>(i) || isa<AtomicCmpXchgInst>(i);
  r.obstacle(atomic ? Diag::AtomicAccess : Diag::SideEffects, describe(i), i.getDebugLoc());
}

/// Visits the blocks in an order in which the program can run them.
void BodyReader::body(llvm::Loop &loop) {
  LoopBlocksRPO order(&loop);
  order.perform(&r.env.li);
  for (BasicBlock *block : order) {
    if (r.env.li.getLoopFor(block) != &loop)
      continue; // the inner loop of a nest: read by itself
    conditional = !runsEveryTime(*block);
    InnerGuard when;
    if (conditional)
      runsUnder(*block, when);
    for (Instruction &i : *block) {
      instruction(i);
      if (r.mayStop())
        return;
    }
    conditions.resize(r.binding.loop.accesses.size(), when);
  }
  oneCondition(loop);
}

/// Finds the branch that alone decides whether the block runs in an iteration.
bool BodyReader::runsUnder(BasicBlock &block, InnerGuard &when) const {
  BasicBlock *fork = block.getSinglePredecessor();
  auto *branch = fork ? dyn_cast<BranchInst>(fork->getTerminator()) : nullptr;
  llvm::Loop *loop = r.env.li.getLoopFor(&block);
  if (!branch || !branch->isConditional() || !loop->contains(fork) || !runsEveryTime(*fork) ||
      loop->isLoopExiting(fork) || branch->getSuccessor(0) == branch->getSuccessor(1) ||
      !loop->isLoopInvariant(branch->getCondition()))
    return false;
  when = {branch->getCondition(), branch->getSuccessor(0) == &block};
  return true;
}

/// Returns the condition of if (really) d[i] = s[i]; with `really` invariant: the loop does
/// nothing, or does it in every iteration.
void BodyReader::oneCondition(const llvm::Loop &loop) {
  std::vector<Access> &list = r.binding.loop.accesses;
  std::vector<Dim> &dims = r.binding.loop.dims;
  if (list.empty() || dims.size() != 1 || dims[0].trip == NoExpr ||
      !r.binding.loop.obstacles.empty() || !conditions[0].condition)
    return;
  for (const PHINode &phi : loop.getHeader()->phis())
    if (!r.env.se.isSCEVable(phi.getType()) || r.isRecurrence(phi))
      return;
  for (const Access &a : list)
    if (!a.conditional)
      return;
  for (const InnerGuard &when : conditions)
    if (when.condition != conditions[0].condition || when.runsIf != conditions[0].runsIf)
      return;
  ExprId condition = r.value(conditions[0].condition);
  if (!r.graph.isInvariant(condition))
    return;
  for (Access &a : list)
    a.conditional = false;
  ExprId zero = r.graph.constant(0, r.ptrBits);
  dims[0].trip = conditions[0].runsIf ? r.graph.select(condition, dims[0].trip, zero)
                                      : r.graph.select(condition, zero, dims[0].trip);
  dims[0].nonzero = false;
}

/// Returns whether the block runs in every iteration that does not leave the loop before it: with
/// one exit edge, it does if it dominates the latch.
bool BodyReader::runsEveryTime(const BasicBlock &block) const {
  llvm::Loop *loop = r.env.li.getLoopFor(&block);
  const BasicBlock *latch = loop->getLoopLatch();
  return latch && r.env.dt.dominates(&block, latch);
}

} // namespace memlift
