// write.h - decisions as IR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_WRITE_H
#define MEMLIFT_LLVM_WRITE_H

#include "decide/decide.h"
#include "read/binding.h"

#include "llvm/IR/IRBuilder.h"

namespace memlift {

/// Computes expressions of a loop model in front of `loop model.at`. A symbol that
/// might be undef or poison is frozen once, so that the guard and the call see
/// one value and a branch on it is defined.
class Materialiser {
public:
  Materialiser(Env &env, LoopBinding &binding);
  llvm::Value *integer(ExprId id);
  /// From now on what exists only beside the operation (see ExprGraph::isLate)
  /// is computed in front of `at`, or, if that is null, of `loop model.at`, too.
  void enter(llvm::Instruction *at) { late = at; }
  /// The address `id` as a pointer made from its base, so that alias analysis
  /// still knows the object; `offset` bytes further.
  llvm::Value *pointer(ExprId id, uint32_t base, uint64_t offset = 0);
  llvm::Value * final(const LiveOutSource &out);
  /// What the decision's next call returned, for Op::Result.
  void addResult(llvm::Value *v) { results.push_back(v); }
  llvm::IRBuilder<> builder;
  /// Of 128 bits that a loop in place has for a scalar or loads.
  llvm::Type *pairType();

  /// What a loop in place calls its iteration, loads, scalars and tables.
  struct Inside {
    llvm::Value *iv = nullptr;
    std::vector<llvm::Value *> loads, scalars;
    const std::vector<Table> *tables = nullptr;
  };
  /// Computes here what does not vary in `id`.
  void prepare(ExprId id);
  /// From here to endLoop(), values are of an iteration of a loop in place.
  void beginLoop(Inside of);
  void endLoop(const std::vector<llvm::Value *> &finals);
  /// Adds the phi of a branch: the next Op::Result after those of the loops so far.
  void merge(llvm::Value *value) { finals.push_back(value); }
  /// From here to endLoop(), `id` is this.
  void set(ExprId id, llvm::Value *value) { done[id] = value; }
  /// More of them than when the loop began.
  void setLoads(const std::vector<llvm::Value *> &loads) { inside.loads = loads; }
  /// What has been computed; an arm that does not dominate what comes next puts it back.
  std::map<ExprId, llvm::Value *> values() const { return done; }
  void setValues(std::map<ExprId, llvm::Value *> known) { done = std::move(known); }

private:
  llvm::Value *memory(const Expr &e);
  llvm::Value *lookUp(const Expr &e);

  // clmul.cpp
  llvm::Value *pair(llvm::Value *low, llvm::Value *high);
  llvm::Value *vectorOf(ExprId id, unsigned &half);
  llvm::Value *half(ExprId id); // null: not half of a vector
  llvm::Value *product(const Expr &e);
  llvm::Value *product86(const Expr &e);
  llvm::Value *turned(llvm::Value *v);
  llvm::Value *crcStep(const Expr &e);

  llvm::Value *symbol(uint64_t index);
  llvm::Value *node(ExprId id);
  llvm::Value *splat(const Expr &e);
  llvm::Value *frozen(llvm::Value *v);

  Env &env;
  LoopBinding &binding;
  llvm::Instruction *late = nullptr; // null: nothing is guarded
  llvm::SCEVExpander expander;
  std::map<ExprId, llvm::Value *> done, outside;
  std::vector<llvm::Value *> results, finals;
  Inside inside;
};

/// Emits the loops that take the place of calls, in front of `loop model.at`.
void emitInPlace(Env &env, LoopBinding &binding, Materialiser &make, const Match &match,
                 const Decision &decision);

/// Emits the decision's call or words at the builder.
void emitOperation(Env &env, LoopBinding &binding, Materialiser &make, llvm::IRBuilder<> &builder,
                   const Match &match, const Decision &decision);

/// Emits the decision's words, and the loop of words in front of them. A loop goes in
/// front of `loop model.at`, where the builder has to stand.
void emitWords(Env &env, LoopBinding &binding, Materialiser &make, llvm::IRBuilder<> &builder,
               const Match &match, const Decision &decision);

/// Emits the decision's calls that return what the loop computes.
void emitReturningCalls(LoopBinding &binding, Materialiser &make, llvm::IRBuilder<> &builder,
                        const Match &match, const Decision &decision);

/// A constant array of the table's entries.
llvm::Constant *entryTable(llvm::Module &m, const Table &table);

/// A constant struct memlift_crc_poly in the module, all tables filled in.
llvm::Constant *crcTable(llvm::Module &m, const CrcPoly &crc);

/// False if the decision asks for what the writer does not know: such a loop
/// is kept.
bool canWrite(const LoopBinding &binding, const Decision &decision);

/// True if the module lets us declare every routine: no symbol of that name
/// that is something else.
bool canDeclareRoutines(const llvm::Module &m);

/// Puts the decision in place of the loop nest or call, or in front of the
/// loop behind its guard. The loop model's IR pointers are dead afterwards.
/// Where exits are told apart, makes one block for all to lead to; what is used behind
/// them is there then, and so is which one it was.
void gatherExits(Env &env, LoopBinding &binding);
void rewriteLoop(Env &env, LoopBinding &binding, const Match &match, const Decision &decision);
/// Asks in front of `pre`, which ends with the decision's guard, what that asks, instead of whether
/// the trip count is 0: where that is all that is asked there, and the guard answers it too.
void askSizeFirst(Env &env, LoopBinding &binding, const Decision &decision, llvm::BasicBlock *pre);
void rewriteCall(Env &env, LoopBinding &binding, const Match &match, const Decision &decision);

/// Puts the decision of a chain beside it; `binding` is the last link's loop model, with
/// the joined loop in it.
struct Joined;
void rewriteChain(Env &env, LoopChain &row, LoopBinding &binding, const Joined &joined);

/// Answers guards of an earlier stage whose pointers turn out to be into
/// different objects. The other branch stays, for the optimiser to delete.
bool settleGuards(llvm::Function &f, llvm::AAResults &aa);
constexpr char GuardedAttribute[] = "memlift-guarded";
/// memlift_move between disjoint regions becomes memlift_copy.
void useCopy(llvm::CallBase &call);
/// So does memlift_copy_forward, whose call is deleted.
void useCopyForSteps(llvm::CallBase &call);

/// Metadata on loops.
constexpr char DoneTag[] = "memlift.done"; // stands beside a guarded call
/// A loop that stays beside the operation that replaces it.
void markKept(llvm::Loop &loop);
constexpr char OffTag[] = "memlift.off"; // is of a function with "off"

} // namespace memlift

#endif
