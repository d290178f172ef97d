// write.h - decisions as IR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_WRITE_H
#define MEMLIFT_LLVM_WRITE_H

#include "decide/decide.h"
#include "read/binding.h"

#include "llvm/IR/IRBuilder.h"

namespace memlift {

/// Computes expressions of a loop model before `binding.at`. A symbol that might be undef or poison
/// is frozen once. So the guard and the call see one value, and a branch on it is defined.
class Materialiser {
public:
  Materialiser(Env &env, LoopBinding &binding);
  llvm::Value *integer(ExprId id);
  /// Sets the place where expressions that exist only beside the operation (see ExprGraph::isLate)
  /// are computed: before `at`, or if that is null before `binding.at`.
  void enter(llvm::Instruction *at) { late = at; }
  /// Returns the address `id` as a pointer made from its base, so that alias analysis still knows
  /// the object; `offset` bytes further.
  llvm::Value *pointer(ExprId id, uint32_t base, uint64_t offset = 0);
  llvm::Value * final(const LiveOutSource &out);
  /// Adds the result of the decision's next call, for Op::Result.
  void addResult(llvm::Value *v) { results.push_back(v); }
  llvm::IRBuilder<> builder;
  ExprGraph &graph() { return binding.loop.exprs; }
  /// Returns the type of 128 bits of a scalar or loads in a loop in place.
  llvm::Type *pairType();

  /// Names of a loop in place for its iteration, loads, scalars and tables.
  struct Inside {
    llvm::Value *iv = nullptr;
    std::vector<llvm::Value *> loads, scalars;
    const std::vector<Table> *tables = nullptr;
  };
  /// Computes the invariant subexpressions of `id` here.
  void prepare(ExprId id);
  /// Starts an iteration of a loop in place: until endLoop(), values are of it.
  void beginLoop(Inside of);
  void endLoop(const std::vector<llvm::Value *> &finals);
  /// Sets the tables of look-ups outside of loops in place.
  void useTables(const std::vector<Table> &tables) { inside.tables = &tables; }
  /// Adds the phi of a branch: the next Op::Result after those of the loops so far.
  void merge(llvm::Value *value) { finals.push_back(value); }
  /// Sets the value of `id` until endLoop().
  void set(ExprId id, llvm::Value *value) { done[id] = value; }
  /// Sets the loads after more have been emitted than at beginLoop().
  void setLoads(const std::vector<llvm::Value *> &loads) { inside.loads = loads; }
  /// Returns the values computed so far; an arm that does not dominate later code restores them.
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
  llvm::Value *byteSwapped(llvm::Value *v);
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

/// Emits the loops that take the place of calls, before `binding.at`.
void emitInPlace(Env &env, LoopBinding &binding, Materialiser &make, const Match &match,
                 const Decision &decision);

/// Emits the decision's call or words at the builder.
void emitOperation(Env &env, LoopBinding &binding, Materialiser &make, llvm::IRBuilder<> &builder,
                   const Match &match, const Decision &decision);

/// Emits the decision's words, and the loop of words before them. A loop goes before `binding.at`,
/// which must be the builder's place.
void emitWords(Env &env, LoopBinding &binding, Materialiser &make, llvm::IRBuilder<> &builder,
               const Match &match, const Decision &decision);

/// Emits the decision's calls that return the loop's results.
void emitReturningCalls(LoopBinding &binding, Materialiser &make, llvm::IRBuilder<> &builder,
                        const Match &match, const Decision &decision);

/// Returns a constant array of the table's entries.
llvm::Constant *entryTable(llvm::Module &m, const Table &table);

/// Returns a constant struct memlift_crc_poly in the module, all tables filled in.
llvm::Constant *crcTable(llvm::Module &m, const CrcPoly &crc);

/// Stops the compiler if a live-out would be left without a value, or get one of another width.
/// Recognition proves every live-out, so only an error of memlift's own leads here.
void checkResults(const LoopBinding &binding, const Decision &decision);

/// Returns whether the module allows declaring every routine: it has no symbol of that name that is
/// something else.
bool canDeclareRoutines(const llvm::Module &m);

/// Makes one block for all distinguished exits to lead to. It has the values used after them, and a
/// flag for each exit.
void gatherExits(Env &env, LoopBinding &binding);
/// Puts the decision in place of the loop nest or call, or before the loop with its guard. The loop
/// model's IR pointers are dead afterwards.
void rewriteLoop(Env &env, LoopBinding &binding, const Match &match, const Decision &decision);
/// Enters a loop that ends at what it reads where the decision finds that it ends.
void skipAhead(Env &env, LoopBinding &binding, const Match &match, const Decision &decision);
/// Hoists the minimum-size guard, at the end of `pre`, above the zero-trip test: where nothing else
/// is tested there, and the guard answers that test, too.
void askSizeFirst(Env &env, LoopBinding &binding, const Decision &decision, llvm::BasicBlock *pre);
void rewriteCall(Env &env, LoopBinding &binding, const Match &match, const Decision &decision);

/// Puts the decision of a chain beside it; `binding` is the last link's loop model, with
/// the joined loop in it.
struct Joined;
void rewriteChain(Env &env, LoopChain &row, LoopBinding &binding, const Joined &joined);

/// Returns the branch weights of a decision's guard; null: unknown. Loops for few iterations are
/// entered without a jump: they have less time for one.
llvm::MDNode *weightsOf(const Env &env, const Decision &decision);

/// Answers guards of an earlier stage whose pointers turn out to be into different objects. The
/// other branch stays, for the optimiser to delete.
bool settleGuards(llvm::Function &f, llvm::AAResults &aa);
constexpr char GuardedAttribute[] = "memlift-guarded";
/// Replaces memlift_move between disjoint regions by memlift_copy.
void useCopy(llvm::CallBase &call);
/// Replaces memlift_copy_forward likewise, and deletes its call.
void useCopyForSteps(llvm::CallBase &call);

/// Metadata on loops.
constexpr char DoneTag[] = "memlift.done"; // beside a guarded call
/// Marks a loop that stays beside the operation that replaces it.
void markKept(llvm::Loop &loop);
constexpr char OffTag[] = "memlift.off"; // from a function with "off"

} // namespace memlift

#endif
