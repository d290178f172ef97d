// facts.cpp - a function as a graph, and the effect of its statements on operations in flight
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "async/async.h"
#include "decide/decide.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memlift {
namespace {

/// Returns the operation of a plain call that can be begun asynchronously, or null.
const Operation *operationOf(const CallInst &call) {
  const Function *f = call.getCalledFunction();
  if (!f || !f->isDeclaration() || f->hasLocalLinkage() || call.isMustTailCall() ||
      call.hasOperandBundles())
    return nullptr;
  return asyncOperationOf(f->getName().str().c_str());
}

MemoryLocation locationOf(Value *pointer, Value *bytes) {
  const auto *size = dyn_cast<ConstantInt>(bytes);
  return MemoryLocation(pointer, size && size->getValue().getActiveBits() < 62
                                     ? LocationSize::precise(size->getZExtValue())
                                     : LocationSize::afterPointer());
}

} // namespace

/// Returns whether a computation is nearly free and may be speculated: it cannot trap, and its
/// result is ignored where it means nothing.
static bool isCheap(const Instruction &i) {
  if (isa<CastInst>(i) || isa<GetElementPtrInst>(i) || isa<ICmpInst>(i))
    return true;
  switch (i.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor: return true;
  default: return false;
  }
}

bool isComputable(const Value &v, const Instruction &at, const DominatorTree &dt, unsigned depth) {
  const auto *def = dyn_cast<Instruction>(&v);
  if (!def || dt.dominates(def, &at))
    return true;
  return depth && isCheap(*def) && all_of(def->operands(), [&](const Use &operand) {
           return isComputable(*operand, at, dt, depth - 1);
         });
}

bool isAsyncCall(Instruction &i, AsyncCall &found) {
  auto *call = dyn_cast<CallInst>(&i);
  const Operation *o = call ? operationOf(*call) : nullptr;
  if (!o)
    return false;
  bool pattern = o->kind == OpKind::PatternFill;
  if (call->arg_size() != (pattern ? 4u : 3u))
    return false;
  found = AsyncCall();
  found.call = call;
  found.dst = call->getArgOperand(0);
  (o->copies() ? found.src : found.pattern) = call->getArgOperand(1);
  found.bytes = call->getArgOperand(pattern ? 3 : 2);
  found.isValue = o->kind == OpKind::Fill;
  found.period = pattern         ? call->getArgOperand(2)
                 : found.isValue ? ConstantInt::get(found.bytes->getType(), o->elementBits / 8)
                                 : nullptr;
  const auto *size = dyn_cast<ConstantInt>(found.bytes);
  return found.dst->getType()->isPointerTy() && (!size || size->getValue().uge(asyncMinBytes));
}

AsyncFacts::AsyncFacts(Function &f, LoopInfo &li, DominatorTree &dt, ScalarEvolution &se,
                       AAResults &aa)
    : dt(dt), aa(aa) {
  readBlocks(f, li, se);
}

void AsyncFacts::readBlocks(Function &f, LoopInfo &li, ScalarEvolution &se) {
  DenseMap<const BasicBlock *, uint32_t> number;
  DenseMap<const llvm::Loop *, uint32_t> loops;
  ReversePostOrderTraversal<Function *> order(&f);
  for (BasicBlock *block : order)
    number[block] = uint32_t(number.size());
  for (llvm::Loop *loop : li.getLoopsInPreorder()) {
    FlowLoop l;
    l.header = number[loop->getHeader()];
    l.parent = loop->getParentLoop() ? loops[loop->getParentLoop()] : NoLoop;
    l.iterations = se.getSmallConstantTripCount(loop);
    loops[loop] = uint32_t(flow.loops.size());
    flow.loops.push_back(l);
  }
  flow.blocks.resize(number.size());
  for (BasicBlock *block : order) {
    uint32_t b = number[block];
    FlowBlock &to = flow.blocks[b];
    std::vector<Instruction *> list;
    for (Instruction &i : *block)
      if (!isa<PHINode>(i))
        list.push_back(&i);
    to.statements = uint32_t(list.size());
    if (const llvm::Loop *loop = li.getLoopFor(block))
      to.loop = loops[loop];
    if (const DomTreeNode *node = dt.getNode(block); node && node->getIDom())
      to.idom = number[node->getIDom()->getBlock()];
    for (BasicBlock *s : successors(block)) {
      to.succs.push_back(number[s]);
      flow.blocks[number[s]].preds.push_back(b);
    }
    for (uint32_t i = 0; i < list.size(); ++i)
      if (AsyncCall call; isAsyncCall(*list[i], call)) {
        operations.push_back(call);
        places.push_back({b, i});
      }
    blocks.push_back(std::move(list));
  }
}

Stop AsyncFacts::stopOfCall(const CallBase &call) {
  if (call.isInlineAsm() && !call.doesNotAccessMemory())
    return Stop::Assembler;
  if (call.hasFnAttr(Attribute::ReturnsTwice) || call.isConvergent() || call.isMustTailCall())
    return Stop::Call;
  if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
    switch (intrinsic->getIntrinsicID()) {
    case Intrinsic::stackrestore:
    case Intrinsic::stacksave:
    case Intrinsic::localescape: return Stop::Call;
    default: break;
    }
  if (const auto *mem = dyn_cast<AnyMemIntrinsic>(&call))
    return mem->isVolatile() ? Stop::Volatile : isa<MemIntrinsic>(mem) ? Stop::None : Stop::Atomic;
  if (!call.doesNotThrow() || !returning.call(call))
    return Stop::Call;
  return call.hasFnAttr(Attribute::NoSync) || call.onlyReadsMemory() ? Stop::None : Stop::Call;
}

/// Returns the reason why no operation may be in flight across a statement.
Stop AsyncFacts::stopOfAny(const Instruction &i) {
  if (i.isDebugOrPseudoInst())
    return Stop::None;
  if (i.isTerminator())
    return isa<BranchInst>(i) || isa<SwitchInst>(i)        ? Stop::None
           : isa<ReturnInst>(i) || isa<UnreachableInst>(i) ? Stop::Return
                                                           : Stop::Jump;
  if (i.isEHPad() || isa<VAArgInst>(i))
    return Stop::Jump;
  if (isa<FenceInst>(i) || i.isAtomic())
    return Stop::Atomic;
  if (const auto *call = dyn_cast<CallBase>(&i))
    return stopOfCall(*call);
  if (i.isVolatile())
    return Stop::Volatile;
  return Stop::None;
}

Stop AsyncFacts::stop(size_t operation, FlowPoint at) {
  const AsyncCall &op = operations[operation];
  Instruction *i = statement(at);
  if (Stop s = stopOfAny(*i); s != Stop::None)
    return s;
  if (!i->mayReadOrWriteMemory() || i->isDebugOrPseudoInst() || isa<AssumeInst>(i))
    return Stop::None;
  bool routine = isa<CallBase>(i) && !isa<MemIntrinsic>(i);
  if (overlaps(*i, op.dst, op.bytes, ModRefInfo::Mod))
    return routine ? Stop::Call : Stop::Writes;
  if (overlaps(*i, op.dst, op.bytes, ModRefInfo::Ref))
    return routine ? Stop::Call : Stop::Reads;
  if (op.src && overlaps(*i, op.src, op.bytes, ModRefInfo::Mod))
    return routine ? Stop::Call : Stop::Source;
  return Stop::None;
}

/// Queries ranges of a single statement only: other queries need a table of LLVM's that a host of
/// another version may not have when it loads the plugin.
bool AsyncFacts::overlaps(const Instruction &i, Value *pointer, Value *bytes, ModRefInfo how) {
  return aa.canInstructionRangeModRef(i, i, locationOf(pointer, bytes), how);
}

bool AsyncFacts::isThere(const Value *v, FlowPoint at) const {
  return !v || isComputable(*v, *statement(at), dt);
}

bool AsyncFacts::available(size_t operation, FlowPoint at) {
  const AsyncCall &op = operations[operation];
  for (Value *v : {op.dst, op.src, op.pattern, op.period, op.bytes})
    if (!isThere(v, at))
      return false;
  return true;
}

bool AsyncFacts::decides(uint32_t block, FlowPoint at) {
  const auto *branch = dyn_cast<BranchInst>(blocks[block].back());
  return branch && branch->isConditional() && isThere(branch->getCondition(), at);
}

uint64_t AsyncFacts::work(FlowPoint at) {
  const Instruction &i = *statement(at);
  if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&i))
    return intrinsic->isAssumeLikeIntrinsic() || i.isDebugOrPseudoInst() ? 0 : 1;
  return isa<CallBase>(i) ? asyncCall : 1;
}

} // namespace memlift
