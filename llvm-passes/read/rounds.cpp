// rounds.cpp - small loops inside a body, evaluated round by round
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i...) {                                  the loop of the picture
//     crc ^= p[i];
//     for (k = 0; k < 8; k++)                     a small loop: a constant number of
//       crc = crc & 1 ? crc >> 1 ^ poly : crc >> 1;    rounds, no memory
//   }
//
// Mostly the optimiser has unrolled it before us; at -Os and -O1 it may not.
// Look-ups in constant tables are allowed in it.
#include "read/picture.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memlift {

/// The bits of a 64-bit word, one by one.
constexpr unsigned maxRounds = 64;

/// A look-up with a computed index; a walk over the table is an access like others.
static bool isTableLoad(Env &env, const Instruction &i) {
  const auto *load = dyn_cast<LoadInst>(&i);
  if (!load || !load->isSimple())
    return false;
  auto *pointer = const_cast<Value *>(load->getPointerOperand());
  if (isa<SCEVAddRecExpr>(env.se.getSCEV(pointer)))
    return false;
  const auto *object =
      dyn_cast<GlobalVariable>(getUnderlyingObject(load->getPointerOperand()));
  return object && object->isConstant();
}

unsigned roundsOf(Env &env, const llvm::Loop &loop) {
  if (!loop.getSubLoops().empty() || !loop.getExitingBlock() ||
      !loop.getExitBlock() || !loop.getLoopLatch() || !loop.getLoopPreheader())
    return 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &i : *block)
      if (!i.isDebugOrPseudoInst() && !isTableLoad(env, i) &&
          (i.mayHaveSideEffects() || i.mayReadFromMemory()))
        return 0;
  unsigned rounds = env.se.getSmallConstantTripCount(&loop);
  return rounds <= maxRounds ? rounds : 0;
}

bool holdsSmallLoops(Env &env, const llvm::Loop &loop) {
  return all_of(loop.getSubLoops(), [&](const llvm::Loop *inside) {
    return roundsOf(env, *inside) != 0;
  });
}

/// The small loop in the body that the instruction is part of, if any.
llvm::Loop *Reader::smallLoopOf(const Instruction *i) const {
  if (pic.nest.empty())
    return nullptr;
  llvm::Loop *loop = env.li.getLoopFor(i->getParent());
  bool inside = loop && loop != pic.nest.back() && pic.nest.back()->contains(loop);
  return inside ? loop : nullptr;
}

/// What the instruction's value is when its loop is left: all phis of the
/// header step together, round by round. With one exit, the last round that
/// reaches the exit test is round number roundsOf(); what is used behind the
/// loop has been computed in it. One may use what another one before it leaves:
/// that does not change from round to round.
ExprId Reader::afterRounds(Instruction *i, llvm::Loop &loop, unsigned bits) {
  unsigned rounds = roundsOf(env, loop);
  if (!rounds || !env.dt.dominates(i->getParent(), loop.getExitingBlock()))
    return graph.opaque(bits);
  std::vector<std::pair<PHINode *, ExprId>> state;
  for (PHINode &phi : loop.getHeader()->phis())
    state.push_back(
        {&phi, value(phi.getIncomingValueForBlock(loop.getLoopPreheader()))});
  std::map<Value *, ExprId> before;
  for (auto &[known, v] : valueIndex) { // not what they are after the last round
    auto *inside = dyn_cast<Instruction>(known);
    if (!inside || !loop.contains(inside))
      before[known] = v;
  }
  llvm::Loop *around = stepped;
  std::map<Value *, ExprId> outside = std::move(valueIndex);
  stepped = &loop;
  for (unsigned round = 1;; ++round) {
    valueIndex = before;
    for (auto &[phi, v] : state)
      valueIndex[phi] = v;
    if (round == rounds)
      break;
    for (auto &[phi, v] : state)
      v = value(phi->getIncomingValueForBlock(loop.getLoopLatch()));
  }
  ExprId result = value(i);
  stepped = around;
  valueIndex = std::move(outside);
  return result;
}

} // namespace memlift
