// multientry.cpp - finds loops that LoopInfo does not know, for their remark
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/binding.h"

#include "cycles.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace memlift {
namespace {

bool accesses(const Instruction &i) { return isa<StoreInst>(i) || isa<LoadInst>(i); }

/// Returns the place of the first access, in the function itself if there is one.
DebugLoc firstLine(const Function &f, const std::vector<BasicBlock *> &blocks) {
  DebugLoc first;
  for (const BasicBlock *block : blocks)
    for (const Instruction &i : *block) {
      const DebugLoc &loc = i.getDebugLoc();
      bool inlined = loc && loc->getInlinedAt();
      if (accesses(i) && loc && loc.getLine() && !inlined &&
          (!first || loc.getLine() < first.getLine()))
        first = loc;
    }
  return first ? first : DebugLoc(blocks.front()->getTerminator()->getDebugLoc());
}

} // namespace

std::vector<LoopBinding> multiEntryLoops(Function &f) {
  std::vector<BasicBlock *> blocks;
  std::map<const BasicBlock *, unsigned> number;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&f)) {
    number[block] = unsigned(blocks.size());
    blocks.push_back(block);
  }
  FlowGraph graph(blocks.size());
  for (size_t b = 0; b < blocks.size(); ++b)
    for (const BasicBlock *next : successors(blocks[b]))
      graph[b].push_back(number[next]);
  std::vector<LoopBinding> bindings;
  for (const std::vector<unsigned> &cycle : multiEntryCycles(graph)) {
    std::vector<BasicBlock *> body;
    for (unsigned b : cycle)
      body.push_back(blocks[b]);
    if (none_of(body, [](const BasicBlock *b) { return any_of(*b, accesses); }))
      continue;
    LoopBinding binding;
    binding.at = body.front()->getTerminator();
    binding.loc = firstLine(f, body);
    binding.loop.loc = sourceLoc(binding.loc);
    binding.loop.origin = Origin::Loop;
    binding.loop.ptrBits = f.getParent()->getDataLayout().getPointerSizeInBits(0);
    binding.loop.bigEndian = f.getParent()->getDataLayout().isBigEndian();
    binding.loop.obstacles.push_back(
        {Diag::NotInnermostForm, EnteredInSeveralPlaces, binding.loop.loc});
    bindings.push_back(std::move(binding));
  }
  return bindings;
}

} // namespace memlift
