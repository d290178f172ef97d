// print.cpp - what is known of the alignment of each memory operation, and why
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   alignment of callee, f.c:12: destination of memset: 64 bytes: all callers ...
//
// opt -passes='print<memlift-alignment>': changes nothing.
#include "align/builtin.h"
#include "align/reasons.h"
#include "options.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace memlift {
namespace {

void printOne(raw_ostream &out, Instruction &i, StringRef callee, unsigned argument,
              Value &pointer, KnownEverywhere &known) {
  LowBits &bits = known.bitsOf(*i.getFunction());
  AlignProof how;
  unsigned have = bits.zeroBits(pointer, Holders::mostBits, i, &how);
  if (have >= enoughBits) { // why it is that much says more than why not a page
    how = AlignProof();
    bits.zeroBits(pointer, have, i, &how);
  }
  out << alignmentLine(i.getFunction()->getName().str(), sourcePlace(i),
                       operandName(callee.str(), argument), have,
                       reasonOf(how, &known))
      << "\n";
}

void printAll(raw_ostream &out, Instruction &i, KnownEverywhere &known) {
  if (isAlignedCall(i))
    return printOne(out, i, "memlift_aligned", 0, *cast<CallInst>(i).getArgOperand(0),
                    known);
  auto *call = dyn_cast<AnyMemIntrinsic>(&i);
  if (!call)
    return;
  StringRef name = isa<AnyMemSetInst>(call)    ? "memset"
                   : isa<AnyMemMoveInst>(call) ? "memmove"
                                               : "memcpy";
  printOne(out, i, name, 0, *call->getRawDest(), known);
  if (auto *transfer = dyn_cast<AnyMemTransferInst>(call))
    printOne(out, i, name, 1, *transfer->getRawSource(), known);
}

void printModule(raw_ostream &out, Module &m, KnownEverywhere &known) {
  for (Function &f : m)
    for (Instruction &i : instructions(f))
      printAll(out, i, known);
}

} // namespace

PreservedAnalyses PrintAlignmentPass::run(Module &m, ModuleAnalysisManager &mam) {
  if (ifAsked && !printsAlignment())
    return PreservedAnalyses::all();
  FunctionAnalysisManager &fam =
      mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  KnownEverywhere known(m, fam);
  known.find();
  printModule(out, m, known);
  return PreservedAnalyses::all();
}

} // namespace memlift
