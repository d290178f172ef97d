// iterations.cpp - evaluates small loops inside a body, iteration by iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i...) {                                  the loop of the loop model
//     crc ^= p[i];
//     for (k = 0; k < 8; k++)                     a small loop: a constant number of
//       crc = crc & 1 ? crc >> 1 ^ poly : crc >> 1;    iterations, no memory
//   }
//
// Mostly the optimiser has unrolled it before; at -Os and -O1 it may not. Look-ups in constant
// tables are allowed in it.
//
//     while (s >> 16)                             or a fold until nothing is left to
//       s = (s & 0xffff) + (s >> 16);             fold: another fold changes nothing, so
//                                                 it is evaluated as often as any start needs
//
//     while (t == 65535)                          or a loop of at most two iterations, as
//       t = 0;                                    the second starts from constants: LLVM's
//                                                 form of a fold where s >> 16 is at most 1
#include "../../idioms/algebra/ones.h"
#include "read/binding.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace memlift {

/// As many as a 64-bit word has bits.
constexpr unsigned maxIterations = 64;

/// Returns whether it is a look-up with a computed index; a walk over the table is an ordinary
/// access.
static bool isTableLoad(Env &env, const Instruction &i) {
  const auto *load = dyn_cast<LoadInst>(&i);
  if (!load || !load->isSimple())
    return false;
  auto *pointer = const_cast<Value *>(load->getPointerOperand());
  if (isa<SCEVAddRecExpr>(env.se.getSCEV(pointer)))
    return false;
  const auto *object = dyn_cast<GlobalVariable>(getUnderlyingObject(load->getPointerOperand()));
  return object && object->isConstant();
}

/// Returns whether `high` is `v` shifted right by k bits, or a phi that always holds that of the
/// phi `v`. After an arithmetic shift, `high` is negative for as long as the number to be folded
/// is.
static bool isHighPart(const llvm::Loop &loop, Value *high, PHINode *v, uint64_t &k) {
  using namespace PatternMatch;
  if (match(high, m_Shr(m_Specific(v), m_ConstantInt(k))))
    return true;
  auto *phi = dyn_cast<PHINode>(high);
  BasicBlock *before = loop.getLoopPredecessor(), *latch = loop.getLoopLatch();
  if (!phi || phi->getParent() != loop.getHeader())
    return false;
  auto *first = dyn_cast<BinaryOperator>(phi->getIncomingValueForBlock(before));
  auto *later = dyn_cast<BinaryOperator>(phi->getIncomingValueForBlock(latch));
  return first && later && first->getOpcode() == later->getOpcode() &&
         match(first, m_Shr(m_Specific(v->getIncomingValueForBlock(before)), m_ConstantInt(k))) &&
         match(later, m_Shr(m_Specific(v->getIncomingValueForBlock(latch)), m_SpecificInt(k)));
}

/// Returns whether the loop is left where `left` has no bits above the lowest k. Under a signed
/// comparison, each number that it folds must be positive: the first is known to be, the later ones
/// by the comparison.
static bool leavesFolded(Env &env, const llvm::Loop &loop, Value *left, PHINode *v, uint64_t k) {
  using namespace PatternMatch;
  auto *branch = dyn_cast<BranchInst>(loop.getExitingBlock()->getTerminator());
  auto *test =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!test)
    return false;
  bool exitIf = !loop.contains(branch->getSuccessor(0));
  CmpInst::Predicate when = exitIf ? test->getPredicate() : test->getInversePredicate();
  Value *a = test->getOperand(0);
  uint64_t bits;
  const APInt *limit;
  if (!match(test->getOperand(1), m_APInt(limit)) || limit->getActiveBits() > 64)
    return false;
  uint64_t at = limit->getZExtValue();
  if (when == CmpInst::ICMP_EQ && at == 0)
    return match(a, m_Shr(m_Specific(left), m_SpecificInt(k))) ||
           (left == v && isHighPart(loop, a, v, bits) && bits == k);
  if (CmpInst::isSigned(when)) {
    Value *first = v->getIncomingValueForBlock(loop.getLoopPredecessor());
    const SCEV *most = env.se.getConstant(v->getType(), (uint64_t(1) << k) - 1);
    if (left == v || limit->isNegative() ||
        !env.se.isLoopEntryGuardedByCond(&loop, CmpInst::ICMP_SGT, env.se.getSCEV(first), most))
      return false;
    when = ICmpInst::getUnsignedPredicate(when);
  }
  return a == left && ((when == CmpInst::ICMP_ULT && at == uint64_t(1) << k) ||
                       (when == CmpInst::ICMP_ULE && at == (uint64_t(1) << k) - 1));
}

/// Returns how often the header of  while (s >> k) s = (s & (1 << k) - 1) + (s >> k);  has to run
/// at most; 0 for other loops. Folding a folded number changes nothing.
static unsigned foldIterations(Env &env, const llvm::Loop &loop) {
  using namespace PatternMatch;
  for (PHINode &phi : loop.getHeader()->phis()) {
    Value *next = phi.getIncomingValueForBlock(loop.getLoopLatch()), *high;
    uint64_t k = 0, mask;
    if (!phi.getType()->isIntegerTy() || phi.getType()->getIntegerBitWidth() > 64 ||
        !match(next, m_c_Add(m_And(m_Specific(&phi), m_ConstantInt(mask)), m_Value(high))) ||
        !isHighPart(loop, high, &phi, k) || k < 1 || 2 * k > phi.getType()->getIntegerBitWidth() ||
        mask != (uint64_t(1) << k) - 1)
      continue;
    unsigned folds = foldsToEnd(phi.getType()->getIntegerBitWidth(), unsigned(k));
    bool after = loop.getExitingBlock() == loop.getLoopLatch();
    if (after && leavesFolded(env, loop, next, &phi, k))
      return folds;
    if (loop.getExitingBlock() == loop.getHeader() && leavesFolded(env, loop, &phi, &phi, k))
      return folds + 1;
  }
  return 0;
}

/// Returns the instruction's value in an iteration that starts from constants; null if it is no
/// constant.
static Constant *inRound(Env &env, Value *v, std::map<Value *, Constant *> &known,
                         unsigned depth = 8) {
  if (auto *c = dyn_cast<Constant>(v))
    return c;
  auto it = known.find(v);
  auto *i = dyn_cast<Instruction>(v);
  if (it != known.end() || !i || isa<PHINode>(i) || !depth)
    return it != known.end() ? it->second : nullptr;
  SmallVector<Constant *, 4> operands;
  for (Value *operand : i->operands())
    if (Constant *c = inRound(env, operand, known, depth - 1))
      operands.push_back(c);
    else
      return nullptr;
  return known[v] = ConstantFoldInstOperands(i, operands, env.dl);
}

/// Returns whether the loop is left in its second iteration at the latest, as that one starts from
/// constants.
static bool isSettled(Env &env, const llvm::Loop &loop) {
  auto *branch = dyn_cast<BranchInst>(loop.getExitingBlock()->getTerminator());
  if (!branch || !branch->isConditional() ||
      !env.dt.dominates(loop.getExitingBlock(), loop.getLoopLatch()))
    return false;
  std::map<Value *, Constant *> known;
  for (PHINode &phi : loop.getHeader()->phis())
    if (!(known[&phi] = dyn_cast<ConstantInt>(phi.getIncomingValueForBlock(loop.getLoopLatch()))))
      return false;
  auto *test = dyn_cast_or_null<ConstantInt>(inRound(env, branch->getCondition(), known));
  return test && !loop.contains(branch->getSuccessor(test->isOne() ? 0 : 1));
}

unsigned iterationsOf(Env &env, const llvm::Loop &loop) {
  if (!loop.getSubLoops().empty() || !loop.getExitingBlock() || !loop.getExitBlock() ||
      !loop.getLoopLatch() || !loop.getLoopPredecessor())
    return 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &i : *block)
      if (!i.isDebugOrPseudoInst() && !isTableLoad(env, i) &&
          (i.mayHaveSideEffects() || i.mayReadFromMemory()))
        return 0;
  unsigned iterations = env.se.getSmallConstantTripCount(&loop);
  if (!iterations)
    iterations = foldIterations(env, loop);
  if (!iterations && isSettled(env, loop))
    iterations = 2;
  return iterations <= maxIterations ? iterations : 0;
}

bool holdsSmallLoops(Env &env, const llvm::Loop &loop) {
  return all_of(loop.getSubLoops(),
                [&](const llvm::Loop *inside) { return iterationsOf(env, *inside) != 0; });
}

/// Returns the small loop in the body that the instruction is part of, if any.
llvm::Loop *Reader::smallLoopOf(const Instruction *i) const {
  if (binding.nest.empty())
    return nullptr;
  llvm::Loop *loop = env.li.getLoopFor(i->getParent());
  bool inside = loop && loop != binding.nest.back() && binding.nest.back()->contains(loop);
  return inside ? loop : nullptr;
}

/// Returns the instruction's value when its loop is left. All phis of the header step together,
/// iteration by iteration. With one exit, the last iteration that reaches the exit test is number
/// iterationsOf(); values used after the loop are computed in it. The value may use those of an
/// earlier loop: they do not change between iterations.
ExprId Reader::afterIterations(Instruction *i, llvm::Loop &loop, unsigned bits) {
  unsigned iterations = iterationsOf(env, loop);
  if (!iterations || !env.dt.dominates(i->getParent(), loop.getExitingBlock()))
    return graph.opaque(bits);
  std::vector<std::pair<PHINode *, ExprId>> state;
  for (PHINode &phi : loop.getHeader()->phis())
    state.push_back({&phi, value(phi.getIncomingValueForBlock(loop.getLoopPredecessor()))});
  std::map<Value *, ExprId> before;
  for (auto &[known, v] : valueIndex) { // memoized values after the last iteration would be wrong
                                        // in others
    auto *inside = dyn_cast<Instruction>(known);
    if (!inside || !loop.contains(inside))
      before[known] = v;
  }
  llvm::Loop *around = stepped;
  std::map<Value *, ExprId> outside = std::move(valueIndex);
  auto *branch = cast<BranchInst>(loop.getExitingBlock()->getTerminator());
  ExprId again = NoExpr, early = NoExpr; // its value if the loop is left before
  stepped = &loop;
  for (unsigned round = 1;; ++round) {
    valueIndex = before;
    for (auto &[phi, v] : state)
      valueIndex[phi] = v;
    if (round == iterations)
      break;
    if (iterations == 2 && isSettled(env, loop)) {
      again = value(branch->getCondition());
      if (!loop.contains(branch->getSuccessor(0)))
        again = graph.binary(Op::Xor, again, graph.constant(1, 1));
      early = value(i);
    }
    for (auto &[phi, v] : state)
      v = value(phi->getIncomingValueForBlock(loop.getLoopLatch()));
  }
  ExprId result = value(i);
  if (again != NoExpr)
    result = graph.select(again, result, early);
  stepped = around;
  valueIndex = std::move(outside);
  return result;
}

} // namespace memlift
