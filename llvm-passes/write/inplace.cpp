// inplace.cpp - loops that take the place of a call
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   before:  ...; br trip == 0, after, body
//   body:    iv, scalars = phis; loads; stores; next ...; br iv + 1 == trip, after, body
//   after:   phis of the scalars; the next code
//
// A loop that stores, continues another loop, or is continued, steps pointers instead: no address
// is then computed again.
#include "write/blocks.h"
#include "write/fork.h"
#include "write/opaque.h"
#include "write/user.h"
#include "write/write.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <optional>

using namespace llvm;

namespace memlift {
namespace {

/// Makes `body` a loop of its own inside the loop around `before`.
void addLoop(Env &env, BasicBlock *before, BasicBlock *body, BasicBlock *after, bool few) {
  env.dt.applyUpdates(
      {{DominatorTree::Insert, before, body}, {DominatorTree::Insert, body, after}});
  llvm::Loop *loop = env.li.AllocateLoop();
  if (llvm::Loop *parent = env.li.getLoopFor(before))
    parent->addChildLoop(loop);
  else
    env.li.addTopLevelLoop(loop);
  loop->addBasicBlockToLoop(body, env.li);
  addStringMetadataToLoop(loop, DoneTag, 1);
  if (!few)
    return;
  addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
  addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
}

/// The pointers that the loads and stores of a loop have reached.
struct PointerState {
  Value *start = nullptr, *to = nullptr;
  SmallVector<Value *, 4> more; // InlineLoop::more
};

class LoopInPlace {
public:
  LoopInPlace(Env &env, LoopBinding &binding, Materialiser &make, const Match &match,
              const Decision &decision, size_t number, UserAccesses *user)
      : env(env), binding(binding), make(make), match(match), decision(decision), user(user),
        faults(decision.fixup.faults), l(decision.loops[number]), once(runsOnce(binding.loop, l)),
        ends(user && l.end != NoExpr && !once),
        continues(memlift::continues(decision.loops, number) || ends),
        walks(stepsPointers(decision.loops, number)), preStep(l.pointers == PointerStep::First),
        last(number + 1 == decision.loops.size()) {
    assert(!l.inTurn && (user || l.pointers != PointerStep::AfterLoads) && "not a habit of LLVM");
  }
  /// Emits the loop. Starts from the pointers in `at`, and updates them.
  void emit(PointerState &at);

private:
  Env &env;
  LoopBinding &binding;
  Materialiser &make;
  const Match &match;
  const Decision &decision;
  UserAccesses *user; // not null if loops end at addresses
  const bool faults;  // accesses may fault
  const InlineLoop &l;
  const bool once;      // at most one iteration: no loop at all
  const bool ends;      // at an address that other code may know
  const bool continues; // another loop continues from this one's pointers
  const bool walks;     // steps pointers
  const bool preStep;   // whether pointers step before the accesses
  const bool last;      // of the decision's loops
  Value *trip = nullptr, *start = nullptr, *to = nullptr;
  Value *reached = nullptr; // InlineLoop::reached
  SmallVector<Value *, 4> more;
  Value *extent = nullptr, *end = nullptr; // bytes that the walking pointer covers, and its end
  PointerState next;                       // pointers after an iteration
  std::vector<Value *> inits;
  std::vector<PHINode *> phis;
  std::vector<bool> several; // loads whose values one store uses several times

  /// Returns a number of bytes, which may be negative.
  Value *number(uint64_t bytes) { return ConstantInt::getSigned(trip->getType(), int64_t(bytes)); }
  Value *place(ExprId id, uint32_t base);
  void findSeveral(ExprId value);
  void prepareEnd();
  void prepare(const PointerState &at);
  Value *step(PHINode *at, uint64_t by, BasicBlock *before, Value *from, BasicBlock *body,
              Value *next = nullptr);
  uint64_t fromHere(uint64_t offset) const { return preStep ? offset - l.step : offset; }
  void groupLoads(std::vector<Value *> &loads, size_t at, Value **pointer);
  /// The pointers of this iteration's loads and stores.
  struct IterationPtrs {
    PHINode *from = nullptr, *into = nullptr;
    SmallVector<PHINode *, 4> more;
    Value *loads = nullptr;  // from `start`
    Value *stores = nullptr; // that the stores are relative to
    Value *of(const InlineLoad &a) const {
      return a.from == InlineLoad::FromStart ? loads
             : a.from == InlineLoad::FromTo  ? stores
                                             : more[a.from - InlineLoad::FromMore];
    }
  };
  IterationPtrs enter();
  void step(const IterationPtrs &here, BasicBlock *before, BasicBlock *body);
  Value *load(const InlineLoad &a, Value *from);
  void store(const IterationPtrs &here, size_t number, Value *value);
  void multiply(const IterationPtrs &here, size_t first, size_t end);
  void multiplyFirst(size_t store);
  void move(Materialiser::Inside &inside, IterationPtrs &here);
  std::vector<Value *> iterate(BasicBlock *before, BasicBlock *body, BasicBlock *after);
  void close(BasicBlock *before, BasicBlock *body, const std::vector<Value *> &values,
             PointerState &at);
};

/// Finds loads that a computed value uses several times. A value that is only moved uses its load
/// once.
void LoopInPlace::findSeveral(ExprId value) {
  std::vector<ExprId> open = {value};
  std::vector<bool> met(l.loads.size());
  while (!open.empty()) {
    const Expr &e = binding.loop.exprs[open.back()];
    open.pop_back();
    if (e.op == Op::Load) {
      several[e.value] = several[e.value] || met[e.value];
      met[e.value] = true;
    }
    for (ExprId operand : {e.a, e.b, e.c})
      if (operand != NoExpr && !binding.loop.exprs.isInvariant(operand))
        open.push_back(operand);
  }
}

/// Returns an address. Asm statements ask for no object, so nothing is added to that of one.
Value *LoopInPlace::place(ExprId id, uint32_t base) {
  if (!user)
    return make.pointer(id, base);
  return make.builder.CreateIntToPtr(make.integer(id), make.builder.getPtrTy());
}

/// Computes where the walking pointer ends.
void LoopInPlace::prepareEnd() {
  IRBuilder<> &b = make.builder;
  if (ends) {
    if (!last)
      make.set(l.end, launder(b, make.integer(l.end)));
    end = place(l.end, match.dstBase);
  } else {
    extent = make.integer(extentOf(binding.loop, l));
    end = b.CreateGEP(b.getInt8Ty(), to ? to : start, extent);
    if (user) // else a counter would step beside the pointers that asm statements use
      end = launder(b, end);
  }
}

void LoopInPlace::prepare(const PointerState &at) {
  if (user && (l.loads.empty() ? l.stores[0].bytes : l.loads[0].bytes) > 1)
    user->beforeWords();
  if (l.start != NoExpr)
    start = l.startFollows ? at.start : place(l.start, match.srcBase);
  if (l.hidden)
    start = launder(make.builder, start);
  if (l.to != NoExpr)
    to = l.toFollows ? at.to : place(l.to, match.dstBase);
  if (faults && last)
    user->resume(binding.at, to, start);
  make.builder.SetInsertPoint(binding.at);
  trip = ends ? make.builder.getIntN(binding.loop.ptrBits, 0) : make.integer(l.trip);
  if (l.reached != NoExpr)
    reached = place(l.reached, match.dstBase);
  for (size_t i = 0; i < l.more.size(); ++i)
    more.push_back(l.toFollows ? at.more[i] : make.pointer(l.more[i].at, l.more[i].base));
  if (walks && !once)
    prepareEnd();
  several.resize(l.loads.size());
  for (const InlineStore &s : l.stores) {
    if (Value *filled = user ? user->filled(make.builder, 8 * s.bytes) : nullptr)
      make.set(s.value, filled);
    make.prepare(s.value);
    findSeveral(s.value);
  }
  for (const InlineScalar &s : l.scalars) {
    inits.push_back(make.integer(s.init));
    make.prepare(s.next);
  }
}

/// Returns the pointer `at` after an iteration, unless it has stepped already. Steps after all its
/// uses, as it would need another register otherwise.
Value *LoopInPlace::step(PHINode *at, uint64_t by, BasicBlock *before, Value *from,
                         BasicBlock *body, Value *next) {
  IRBuilder<> &b = make.builder;
  at->addIncoming(from, before);
  if (!next)
    next = b.CreateGEP(b.getInt8Ty(), at, number(by));
  if (!once)
    at->addIncoming(next, body);
  return next;
}

/// Clusters the loads from number `at` on. Later loads through the pointer come after them: with
/// all loads of an iteration in flight, no registers would be left.
void LoopInPlace::groupLoads(std::vector<Value *> &loads, size_t at, Value **pointer) {
  SmallVector<Value *, 16> values(loads.begin() + long(at), loads.end());
  if (pointer)
    values.push_back(*pointer);
  pinTogether(make.builder, values, env.registers);
  std::copy_n(values.begin(), loads.size() - at, loads.begin() + long(at));
  if (pointer)
    *pointer = values.back();
}

/// Loads a word. The caller freezes a value used several times: it must be the same each time, even
/// from uninitialised memory.
Value *LoopInPlace::load(const InlineLoad &a, Value *from) {
  IRBuilder<> &b = make.builder;
  Type *type = a.bytes == 16 ? make.pairType() : b.getIntNTy(8 * a.bytes);
  Value *place = b.CreateGEP(b.getInt8Ty(), from, number(fromHere(a.offset)));
  return b.CreateAlignedLoad(type, place, Align(a.align));
}

void LoopInPlace::store(const IterationPtrs &here, size_t number, Value *value) {
  IRBuilder<> &b = make.builder;
  const InlineStore &s = l.stores[number];
  Value *place = b.CreateGEP(b.getInt8Ty(), here.stores, this->number(fromHere(s.offset)));
  b.CreateAlignedStore(value, place, Align(s.align));
}

/// Stores from number `first` on with an unpipelined multiplier: the next product begins before the
/// last one is used, so that work overlaps it. The barrier also hides that only 32 bits of a
/// product are used, which LLVM would widen to a 64-bit product.
void LoopInPlace::multiply(const IterationPtrs &here, size_t first, size_t end) {
  auto productsAt = [&](size_t i) {
    return i < end ? multipliesOf(binding.loop.exprs, l.stores[i].value) : std::vector<ExprId>();
  };
  std::vector<ExprId> now = productsAt(first);
  for (size_t i = first; i < end; ++i) {
    std::vector<ExprId> next = productsAt(i + 1), begun = now;
    for (ExprId id : next)
      if (!is_contained(now, id))
        begun.push_back(id);
    SmallVector<Value *, 8> values;
    for (ExprId id : begun)
      values.push_back(make.integer(id));
    if (!values.empty())
      pinTogether(make.builder, values, env.registers, /*orders=*/true);
    for (size_t k = 0; k < begun.size(); ++k)
      make.set(begun[k], values[k]);
    store(here, i, make.integer(l.stores[i].value));
    now = std::move(next);
  }
}

/// Multiplies for a whole group of stores first, side by side.
void LoopInPlace::multiplyFirst(size_t store) {
  std::vector<ExprId> ids = multipliesOfGroup(binding.loop.exprs, l, store);
  SmallVector<Value *, 8> values;
  for (ExprId id : ids)
    values.push_back(make.integer(id));
  if (values.size() > 1)
    pinTogether(make.builder, values, env.registers);
  for (size_t k = 0; k < ids.size(); ++k)
    make.set(ids[k], values[k]);
}

/// Emits the loads and stores of an iteration, a group at a time. All values of a group come before
/// its stores: computation between two stores would stall a core that completes instructions in
/// order.
void LoopInPlace::move(Materialiser::Inside &inside, IterationPtrs &here) {
  IRBuilder<> &b = make.builder;
  uint64_t ahead = preStep ? l.step : 0;
  auto load = [&](size_t end) {
    if (faults)
      user->load(l, end, [&](const InlineLoad &a) { return here.of(a); }, ahead, inside.loads);
    for (size_t i = inside.loads.size(); i < end; ++i) {
      Value *v = this->load(l.loads[i], here.of(l.loads[i]));
      inside.loads.push_back(several[i] ? b.CreateFreeze(v) : v);
    }
  };
  for (size_t end = 0; l.stores.empty() && end < l.loads.size();) {
    size_t at =
        std::exchange(end, l.group ? std::min(end + l.group, l.loads.size()) : l.loads.size());
    load(end);
    if (l.group)
      groupLoads(inside.loads, at, end == l.loads.size() ? nullptr : &here.loads);
  }
  make.beginLoop(inside);
  if (l.clears)
    clearBlock(b, here.stores);
  for (size_t i = 0; i < l.stores.size();) {
    size_t loads = loadsBefore(l, i);
    load(loads);
    make.setLoads(inside.loads);
    size_t first = i;
    while (i < l.stores.size() && loadsBefore(l, i) == loads)
      ++i;
    if (l.multiplies) {
      multiply(here, first, i);
      continue;
    }
    if (l.multipliesFirst)
      multiplyFirst(first);
    if (l.pointers == PointerStep::AfterLoads && loads == l.loads.size())
      next.start = launder(b, b.CreateGEP(b.getInt8Ty(), here.from, number(l.step)));
    for (size_t k = first; k < i; ++k)
      make.integer(l.stores[k].value);
    if (faults)
      user->store(l, first, i, here.stores, ahead);
    for (size_t k = first; !faults && k < i; ++k)
      store(here, k, make.integer(l.stores[k].value));
  }
}

/// Returns the pointers of an iteration. Descending loops decrement before the accesses, so offsets
/// are small and non-negative (compressed instructions). The decrement goes through an opaque asm;
/// otherwise LSR would fold it back and add a counter (CompilerFacts::countsDescents).
LoopInPlace::IterationPtrs LoopInPlace::enter() {
  IRBuilder<> &b = make.builder;
  IterationPtrs here;
  if (to)
    here.into = b.CreatePHI(to->getType(), 2);
  for (Value *pointer : more)
    here.more.push_back(b.CreatePHI(pointer->getType(), 2));
  if (walks && start)
    here.loads = here.from = b.CreatePHI(start->getType(), 2);
  here.stores = here.into;
  auto stepped = [&](PHINode *at) {
    return launder(b, b.CreateGEP(b.getInt8Ty(), at, number(l.step)));
  };
  if (preStep && here.from)
    here.loads = next.start = stepped(here.from);
  if (preStep && here.into)
    here.stores = next.to = stepped(here.into);
  return here;
}

void LoopInPlace::step(const IterationPtrs &here, BasicBlock *before, BasicBlock *body) {
  if (here.from)
    next.start = step(here.from, l.step, before, start, body, next.start);
  for (size_t i = 0; i < more.size(); ++i)
    next.more.push_back(step(here.more[i], l.more[i].step, before, more[i], body));
  if (here.into)
    next.to = step(here.into, l.step, before, to, body, next.to);
}

/// Fills the body; returns the scalars after an iteration.
std::vector<Value *> LoopInPlace::iterate(BasicBlock *before, BasicBlock *body, BasicBlock *after) {
  IRBuilder<> &b = make.builder;
  b.SetInsertPoint(body);
  Materialiser::Inside inside;
  inside.tables = &decision.tables;
  PHINode *iv = b.CreatePHI(trip->getType(), 2);
  inside.iv = iv;
  for (Value *init : inits) {
    phis.push_back(b.CreatePHI(init->getType(), 2));
    inside.scalars.push_back(phis.back());
  }
  IterationPtrs here = enter();
  if (start && !here.from) {
    Value *at = b.CreateMul(iv, ConstantInt::get(iv->getType(), l.step));
    here.loads = b.CreateGEP(b.getInt8Ty(), start, at);
  }
  if (faults)
    user->reach(here.stores ? here.stores : reached, !l.stores.empty() && l.stores[0].bytes == 1);
  move(inside, here);
  std::vector<Value *> values;
  for (const InlineScalar &s : l.scalars)
    values.push_back(make.integer(s.next));
  step(here, before, body);
  iv->addIncoming(ConstantInt::get(iv->getType(), 0), before);
  for (size_t i = 0; i < phis.size(); ++i)
    phis[i]->addIncoming(inits[i], before);
  if (once) {
    b.CreateBr(after);
    return values;
  }
  Value *count = b.CreateAdd(iv, ConstantInt::get(iv->getType(), 1));
  Value *done =
      walks ? b.CreateICmpEQ(to ? next.to : next.start, end) : b.CreateICmpEQ(count, trip);
  b.CreateCondBr(done, after, body);
  iv->addIncoming(count, body);
  for (size_t i = 0; i < phis.size(); ++i)
    phis[i]->addIncoming(values[i], body);
  return values;
}

/// Adds the phis after the loop: initial values, or those that leave the body.
void LoopInPlace::close(BasicBlock *before, BasicBlock *body, const std::vector<Value *> &values,
                        PointerState &at) {
  auto either = [&](Value *init, Value *value) {
    PHINode *final = make.builder.CreatePHI(value->getType(), 2);
    final->addIncoming(init, before);
    final->addIncoming(value, body);
    return final;
  };
  std::vector<Value *> finals;
  for (size_t i = 0; i < phis.size(); ++i)
    finals.push_back(either(inits[i], values[i]));
  if (!continues)
    at = PointerState();
  // In a loop that only stores, that is its end, whether it runs or not.
  if (continues && to)
    at.to = end && l.loads.empty() && !user ? end : either(to, next.to);
  at.more.clear();
  for (size_t i = 0; continues && i < more.size(); ++i)
    at.more.push_back(either(more[i], next.more[i]));
  if (continues && start)
    at.start = either(start, next.start);
  make.endLoop(finals);
  if (ends && !last)
    user->came(l.end, at.to, phis.empty() ? at.start : nullptr);
}

void LoopInPlace::emit(PointerState &at) {
  prepare(at);
  Instruction *rest = binding.at;
  BasicBlock *before = rest->getParent();
  DebugLoc where = make.builder.getCurrentDebugLocation();
  BasicBlock *after = SplitBlock(before, rest, &env.dt, &env.li, nullptr, "memlift.after");
  BasicBlock *body = BasicBlock::Create(env.f.getContext(), "memlift.body", &env.f, after);
  Instruction *old = before->getTerminator();
  make.builder.SetInsertPoint(old);
  make.builder.SetCurrentDebugLocation(where);
  Value *some = extent ? extent : trip;
  Value *none = ends ? make.builder.CreateICmpEQ(to, end)
                     : make.builder.CreateICmpEQ(some, ConstantInt::get(some->getType(), 0));
  unsigned often = runWeight(binding.loop, l);
  MDNode *weights = MDBuilder(env.f.getContext()).createBranchWeights(10 - often, often);
  make.builder.CreateCondBr(none, after, body, weights);
  old->eraseFromParent();
  std::vector<Value *> values = iterate(before, body, after);
  if (once)
    addBlock(env, before, body, after);
  else
    addLoop(env, before, body, after, l.few);
  make.builder.SetInsertPoint(after, after->begin());
  close(before, body, values, at);
  make.builder.SetInsertPoint(rest);
}

} // namespace

void emitInPlace(Env &env, LoopBinding &binding, Materialiser &make, const Match &match,
                 const Decision &decision) {
  DebugLoc where = make.builder.getCurrentDebugLocation();
  PointerState at;
  std::optional<UserAccesses> user;
  if (decision.fixup.exists())
    user.emplace(env, make, decision.fixup);
  auto each = [&](size_t i) {
    LoopInPlace(env, binding, make, match, decision, i, user ? &*user : nullptr).emit(at);
    make.builder.SetCurrentDebugLocation(where);
  };
  auto choose = [&](const Branch &c, size_t first, auto &inner, auto &other) {
    if (!c.others)
      prepareStores(binding, make, decision, first, first + c.loops);
    ArmEnd arms[2];
    if (!c.others)
      arms[1] = endOf(binding, make, match, c, false);
    Value *condition = make.integer(c.condition);
    Fork fork(env, binding, make, condition, c);
    PointerState before = at;
    fork.enter(true);
    inner();
    arms[0] = endOf(binding, make, match, c, true);
    fork.leave();
    at = before;
    if (c.others) {
      fork.enter(false);
      other();
      arms[1] = endOf(binding, make, match, c, false);
      fork.leave();
    }
    merge(make, binding.at->getParent(), arms);
    at = PointerState();
  };
  walkLoops(decision.loops, 0, decision.loops.size(), 0, each, choose);
  if (decision.fixup.faults)
    user->cover(at.to, binding.nest.front()->getUniqueExitBlock());
}

} // namespace memlift
