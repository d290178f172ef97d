// print.cpp - prints the known alignment of each memory operation, and its reason
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   alignment of callee, f.c:12: destination of memset: 64 bytes: all callers ...
//
// Run by opt -passes='print<memlift-alignment>'; changes nothing.
#include "align/builtin.h"
#include "align/reasons.h"
#include "options.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace memlift {
namespace {

void printOne(raw_ostream &out, Instruction &i, StringRef callee, unsigned argument, Value &pointer,
              KnownEverywhere &known) {
  LowBits &bits = known.bitsOf(*i.getFunction());
  AlignProof how;
  unsigned have = bits.zeroBits(pointer, AlignSlots::mostBits, i, &how);
  if (have >= enoughBits) { // the reason for this much tells more than the reason against a page
    how = AlignProof();
    bits.zeroBits(pointer, have, i, &how);
  }
  out << alignmentLine(i.getFunction()->getName().str(), sourcePlace(i),
                       operandName(callee.str(), argument), have, reasonOf(how, &known))
      << "\n";
}

void printModule(raw_ostream &out, Module &m, KnownEverywhere &known) {
  for (Function &f : m)
    for (Instruction &i : instructions(f))
      eachPointer(i, /*calls=*/true, [&](StringRef name, unsigned k, Value &pointer) {
        printOne(out, i, name, k, pointer, known);
      });
}

} // namespace

PreservedAnalyses PrintAlignmentPass::run(Module &m, ModuleAnalysisManager &mam) {
  if (ifAsked && !printsAlignment())
    return PreservedAnalyses::all();
  FunctionAnalysisManager &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  KnownEverywhere known(m, fam);
  known.find(/*calls=*/true);
  printModule(out, m, known);
  return PreservedAnalyses::all();
}

} // namespace memlift
