// rowread.cpp - the pictures of a row's units, and the values that it leaves
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/row.h"

#include "decide/row.h"
#include "prove/alias.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memlift {
namespace {

/// What the unit leaves in values that are carried in it gets symbols.
void nameStates(Reader &r, size_t stage, Picture &pic) {
  for (uint32_t i = 0; i < pic.liveOuts.size(); ++i) {
    int rec = pic.loop.liveOuts[i].rec;
    if (pic.liveOuts[i].value)
      pic.row->behind[pic.liveOuts[i].phi] = pic.liveOuts[i].value;
    if (rec < 0)
      continue;
    Symbol s{pic.loop.liveOuts[i].name + ".behind", pic.loop.recs[size_t(rec)].width};
    s.stage = int(stage);
    s.liveOut = i;
    pic.row->states[pic.liveOuts[i].phi] = r.graph.leaf(Op::Sym, pic.loop.syms.size(), s.width);
    pic.loop.syms.push_back(s);
    pic.syms.push_back({pic.liveOuts[i].phi, nullptr});
  }
}

/// Is no object of this unit written in another one's way?
bool isApart(Env &env, const Row &row, const Picture &pic) {
  auto meet = [&](const Picture &a, const Picture &b) {
    for (const Access &x : a.loop.accesses)
      for (const Access &y : b.loop.accesses)
        if (x.store != y.store &&
            (x.base == y.base || pic.throughIntegers[x.base] || pic.throughIntegers[y.base] ||
             !basesApart(env, pic.bases[x.base], pic.bases[y.base])))
          return true;
    return false;
  };
  for (const Picture &other : row.pictures)
    if (meet(pic, other))
      return false;
  return true;
}

/// Values of the row that something behind it uses.
void collectFinals(Row &row) {
  for (PHINode &phi : row.exit->phis())
    row.finals.push_back(&phi);
  for (BasicBlock *block : row.blocks) {
    if (row.unitOf(block))
      continue; // closed: used through phis only
    for (Instruction &i : *block)
      for (const Use &use : i.uses()) {
        auto *user = cast<Instruction>(use.getUser());
        auto *phi = dyn_cast<PHINode>(user);
        bool ours = row.blocks.count(user->getParent()) || (phi && phi->getParent() == row.exit);
        if (!ours) {
          row.finals.push_back(&i);
          break;
        }
      }
  }
}

bool readFinals(Reader &r, Picture &pic) {
  collectFinals(*pic.row);
  for (Instruction *i : pic.row->finals) {
    Type *type = i->getType();
    if (!(type->isIntegerTy() && type->getIntegerBitWidth() <= 64) &&
        !(type->isPointerTy() && type->getPointerAddressSpace() == 0))
      return false;
    ExprId v = r.behindRow(*i);
    if (v == NoExpr || !r.graph.isInvariant(v))
      return false;
    pic.loop.finals.push_back({i->getName().str(), v});
  }
  return true;
}

} // namespace

bool readRow(Env &env, Row &row) {
  row.pictures.reserve(row.units.size());
  for (size_t k = 0; k < row.units.size(); ++k) {
    Picture pic;
    const RowUnit &unit = row.units[k];
    if (k) {
      const Picture &before = row.pictures.back();
      pic.loop.exprs = before.loop.exprs;
      pic.loop.syms = before.loop.syms;
      pic.loop.bases = before.loop.bases;
      pic.bases = before.bases;
      pic.throughIntegers = before.throughIntegers;
      pic.syms = before.syms;
      pic.loop.follows = true;
    }
    pic.row = &row;
    unit.loop ? readNest(env, unit.loop, pic) : readCall(env, *unit.call, pic);
    if (row.failed || !pic.loop.obstacles.empty())
      return false;
    Reader r(env, pic);
    runsOnlyIf(pic.loop, r.reached(row.entry, unit.front(), 16));
    nameStates(r, k, pic);
    pic.loop.apart = k && isApart(env, row, pic);
    if (k + 1 == row.units.size() && !readFinals(r, pic))
      return false;
    if (row.failed)
      return false;
    row.pictures.push_back(std::move(pic));
  }
  return true;
}

} // namespace memlift
