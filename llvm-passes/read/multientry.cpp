// multientry.cpp - loops that LoopInfo does not know, for their remark
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/picture.h"

#include "cycles.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace memlift {
namespace {

bool accesses(const Instruction &i) { return isa<StoreInst>(i) || isa<LoadInst>(i); }

/// The first line of an access, in the function itself if any is.
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

std::vector<Picture> multiEntryLoops(Function &f) {
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
  std::vector<Picture> pictures;
  for (const std::vector<unsigned> &cycle : multiEntryCycles(graph)) {
    std::vector<BasicBlock *> body;
    for (unsigned b : cycle)
      body.push_back(blocks[b]);
    if (none_of(body, [](const BasicBlock *b) { return any_of(*b, accesses); }))
      continue;
    Picture pic;
    pic.at = body.front()->getTerminator();
    pic.loc = firstLine(f, body);
    pic.loop.loc = sourceLoc(pic.loc);
    pic.loop.origin = Origin::Loop;
    pic.loop.ptrBits = f.getParent()->getDataLayout().getPointerSizeInBits(0);
    pic.loop.bigEndian = f.getParent()->getDataLayout().isBigEndian();
    pic.loop.obstacles.push_back({Diag::NotInnermostForm, EnteredInSeveralPlaces, pic.loop.loc});
    pictures.push_back(std::move(pic));
  }
  return pictures;
}

} // namespace memlift
