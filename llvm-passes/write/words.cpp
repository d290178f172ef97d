// words.cpp - words in place of a loop or a call, straight-line or in a loop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   before:  ...; br body
//   body:    to, from = phis; loads; stores; to, from += bytes of an iteration
//            br to == end, after, body
//   after:   remaining words; the code after the operation
#include "write/write.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <optional>

using namespace llvm;

namespace memlift {
namespace {

using Place = function_ref<Value *(uint64_t)>;

/// Loads and stores one group of words, at places relative to `to` and `from`.
void emitGroup(Materialiser &make, IRBuilder<> &b, ArrayRef<InlineWord> group, Place to,
               Place from) {
  std::vector<Value *> values;
  for (const InlineWord &w : group)
    values.push_back(w.value != NoExpr ? make.integer(w.value)
                                       : b.CreateAlignedLoad(b.getIntNTy(8 * w.bytes),
                                                             from(w.offset), Align(w.srcAlign)));
  for (size_t i = 0; i < values.size(); ++i)
    b.CreateAlignedStore(values[i], to(group[i].offset), Align(group[i].dstAlign));
}

/// Registers `body`, between `before` and `after`, as a loop that needs no judging.
void enterLoop(Env &env, BasicBlock *before, BasicBlock *body, BasicBlock *after) {
  env.dt.applyUpdates({{DominatorTree::Delete, before, after},
                       {DominatorTree::Insert, before, body},
                       {DominatorTree::Insert, body, after}});
  llvm::Loop *loop = env.li.AllocateLoop();
  if (llvm::Loop *parent = env.li.getLoopFor(before))
    parent->addChildLoop(loop);
  else
    env.li.addTopLevelLoop(loop);
  loop->addBasicBlockToLoop(body, env.li);
  env.se.forgetTopmostLoop(loop);
  env.se.forgetBlockAndLoopDispositions();
  addStringMetadataToLoop(loop, DoneTag, 1);
  addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
  addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
}

/// A pointer that steps by the bytes of an iteration.
class Walk {
public:
  Walk(IRBuilder<> &b, Value *start, BasicBlock *before) : b(b) {
    phi = b.CreatePHI(start->getType(), 2);
    phi->addIncoming(start, before);
  }
  Value *at(uint64_t offset) {
    return offset ? b.CreateConstGEP1_64(b.getInt8Ty(), phi, offset) : phi;
  }
  Value *step(uint64_t bytes) {
    Value *next = at(bytes);
    phi->addIncoming(next, phi->getParent());
    return next;
  }

private:
  IRBuilder<> &b;
  PHINode *phi;
};

void emitWordLoop(Env &env, LoopBinding &binding, Materialiser &make, const Match &match,
                  const WordLoop &l) {
  bool copies = l.value == NoExpr;
  uint64_t each = uint64_t(l.count) * l.bytes;
  if (!copies)
    make.integer(l.value);
  Value *to = make.pointer(match.dst, match.dstBase);
  Value *end = make.pointer(match.dst, match.dstBase, each * l.iterations);
  Value *from = copies ? make.pointer(match.src, match.srcBase) : nullptr;
  BasicBlock *before = binding.at->getParent();
  BasicBlock *after = SplitBlock(before, binding.at, &env.dt, &env.li, nullptr, "memlift.after");
  BasicBlock *body = BasicBlock::Create(env.f.getContext(), "memlift.words", &env.f, after);
  before->getTerminator()->setSuccessor(0, body);
  IRBuilder<> b(body);
  b.SetCurrentDebugLocation(make.builder.getCurrentDebugLocation());
  Walk dst(b, to, before);
  std::optional<Walk> src;
  if (copies)
    src.emplace(b, from, before);
  std::vector<InlineWord> words;
  for (unsigned k = 0; k < l.count; ++k)
    words.push_back({uint64_t(k) * l.bytes, l.bytes, l.bytes, l.bytes, l.value});
  emitGroup(
      make, b, words, [&](uint64_t n) { return dst.at(n); },
      [&](uint64_t n) { return src->at(n); });
  if (src)
    src->step(each);
  b.CreateCondBr(b.CreateICmpEQ(dst.step(each), end), after, body);
  enterLoop(env, before, body, after);
  make.builder.SetInsertPoint(binding.at);
}

} // namespace

void emitWords(Env &env, LoopBinding &binding, Materialiser &make, IRBuilder<> &builder,
               const Match &match, const Decision &decision) {
  if (decision.wordLoop.iterations)
    emitWordLoop(env, binding, make, match, decision.wordLoop);
  size_t group = decision.group ? decision.group : decision.words.size();
  ArrayRef<InlineWord> words = decision.words;
  for (; !words.empty(); words = words.drop_front(std::min(group, words.size())))
    emitGroup(
        make, builder, words.take_front(group),
        [&](uint64_t n) { return make.pointer(match.dst, match.dstBase, n); },
        [&](uint64_t n) { return make.pointer(match.src, match.srcBase, n); });
}

} // namespace memlift
