// binding.h - a loop model together with the IR that it was read from
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_BINDING_H
#define MEMLIFT_LLVM_READ_BINDING_H

#include "../../idioms/decide/budget.h"
#include "../../idioms/drive/driver.h"
#include "compat.h"
#include "loop.h"
#include "options.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"

#include <map>

namespace memlift {

/// Environment of one run of the pass over a function.
struct Env {
  llvm::Function &f;
  llvm::LoopInfo &li;
  llvm::DominatorTree &dt;
  llvm::ScalarEvolution &se;
  llvm::AAResults &aa;
  llvm::AssumptionCache &ac;
  llvm::OptimizationRemarkEmitter &ore;
  const llvm::DataLayout &dl;
  Config config;
  /// Proved multiples of the pointers of a mem* call.
  struct Aligned {
    uint64_t dst = 1, src = 1;
    std::string dstBy, srcBy; // the reason, or the limit; if remarks are enabled
  };
  std::map<const llvm::Value *, Aligned> proved = {};
  CodeBudget budget = {};    // code that loops in place have taken in this run
  unsigned registers = 8;    // the target's integer registers
  unsigned vectorBits = 0;   // of the vectors that a later pass makes of loops; 0: it makes none
  unsigned unrolledMost = 0; // iterations of a few accesses that LLVM unrolls completely
  bool swapsBytes = true;    // by an instruction of the target
  llvm::BlockFrequencyInfo *profile = nullptr; // if the function has one that was read
};

/// Origin of a Symbol of the loop model: a value, or an expression that the writer expands in the
/// preheader.
struct SymbolSource {
  llvm::Value *value = nullptr;
  const llvm::SCEV *scev = nullptr;
};

/// A value used after the loop: its phi in the exit block, and its value there.
struct LiveOutSource {
  llvm::PHINode *phi;
  const llvm::SCEV *value; // null: not known before the loop
  size_t exit = 0;         // number of the exit that it is used after, if they are distinguished
  ExprId known = NoExpr;   // an expression instead of `value`
};

/// Exits that are distinguished after the loop, in the order of their tests. None if all lead to
/// one block, and leave equal values.
struct ExitsApart {
  std::vector<llvm::BasicBlock *> from;
  std::vector<ExprId> isLeft; // left at that exit, if not at an earlier one; none for the last
};

struct LoopChain;
struct ChainLink;

struct LoopBinding : BoundLoop {
  LoopChain *chain = nullptr;       // set beforehand for the loop model of a link
  std::vector<llvm::Value *> bases; // as loop.bases
  /// As loop.bases: whether accesses go through integers made of the base. Those may reach any
  /// object whose address escapes.
  std::vector<bool> throughIntegers;
  std::vector<SymbolSource> syms;            // as loop.syms
  std::vector<llvm::Instruction *> accesses; // as loop.accesses
  /// Loads, and values computed from them, with their copies before the loop: see reload.h; set
  /// beforehand.
  std::map<llvm::Instruction *, llvm::Instruction *> fixedLoads;
  /// The stores of counters that are kept in memory, whose loads' copies are phis.
  std::vector<llvm::Instruction *> fixedStores;
  std::vector<llvm::Loop *> nest;      // as loop.dims; none: a call
  std::vector<LiveOutSource> liveOuts; // as loop.liveOuts
  ExitsApart exits;
  /// Phis that have what the last iteration loaded, and the accesses that stand for that, if the
  /// loop ends at what it reads.
  std::vector<std::pair<llvm::PHINode *, uint32_t>> loaded;
  /// As loop.recs, in the order of the header, if the loop ends at what it reads.
  std::vector<llvm::PHINode *> carried;
  llvm::Instruction *at = nullptr; // insertion point: new code goes before it
  llvm::DebugLoc loc;
};

/// Reads a nest (outermost loop first; simplified, LCSSA).
void readNest(Env &env, llvm::ArrayRef<llvm::Loop *> nest, LoopBinding &binding);
/// Proves multiples of the calls' pointers, while the analyses fit the function.
void proveAligned(Env &env, llvm::ArrayRef<llvm::WeakVH> calls);
/// Lists the innermost loops over memory that are entered in several places, in program order; with
/// obstacles only.
std::vector<LoopBinding> multiEntryLoops(llvm::Function &f);
/// Reads a call of memset, memcpy or memmove.
void readCall(Env &env, llvm::CallBase &call, LoopBinding &binding);

/// Returns the loops that make a perfect nest around `innermost`, outermost first; at least
/// `innermost` itself.
std::vector<llvm::Loop *> widestNest(Env &env, llvm::Loop &innermost);
/// The condition, invariant in `outer`, under which `inner` runs at all in an iteration of its
/// parent, and the outcome that it needs. `always` if there is none.
struct InnerGuard {
  llvm::Value *condition = nullptr;
  bool runsIf = true;
};
/// Finds the guard of `inner` in its parent. Returns false for other control flow.
bool innerGuard(Env &env, llvm::Loop &parent, llvm::Loop &inner, InnerGuard &guard);

/// Returns the bits of a value that its users look at, as far as they are followed.
uint64_t usedBits(const llvm::Value &v, unsigned depth = 0);
/// Drops flags that depend on other bits. Call it where those bits of a value change.
void forgetFlags(llvm::Value &v, unsigned depth = 0);

FunctionFacts functionFacts(const llvm::Function &f, const Config &config);
/// Gives the loop model the facts of its function, with the code budget spent so far.
void addFunction(const Env &env, LoopBinding &binding);
/// Returns the properties of Functions.td that `f` has.
Properties propertiesOf(const llvm::Function &f);
SourceLoc sourceLoc(const llvm::DebugLoc &loc);
/// Returns the first half of the name of every loop of the function: its source file and symbol.
std::string functionId(const llvm::Function &f);

/// Replaces calls of __memset_chk and its like that have nothing to check by plain ones. Returns
/// true if there was one.
bool foldChecked(llvm::Function &f, const llvm::TargetLibraryInfo &tli);
/// Replaces calls of functions with the names and types of memset, memcpy and memmove by calls of
/// those. Returns true if there was one.
bool takeNamed(llvm::Function &f);
/// Returns true for memset, memcpy and memmove in their plain forms: not the element atomic ones,
/// and not the `inline` ones, which forbid calls.
bool isMemCall(const llvm::Instruction &i);
/// Returns true if the pass may look at the loop: it writes memory, or computes one number from its
/// reads.
bool isCandidate(Env &env, const llvm::Loop &loop);
bool hasStore(const llvm::Loop &loop);
/// Returns true for a loop in simple form where the reader will surely find obstacles: several
/// exits, or effects other than plain accesses.
bool isSurelyKept(const llvm::Loop &loop);
/// Returns how often the header of a small loop runs. Such a loop reads no memory but constant
/// tables and has a constant number of iterations. 0 for other loops.
unsigned iterationsOf(Env &env, const llvm::Loop &loop);
/// Returns true if all loops inside are small ones; also if there are none.
bool holdsSmallLoops(Env &env, const llvm::Loop &loop);

/// Returns the largest entry of the constant array that the value is loaded from; 0 if it is not.
uint64_t largestEntry(const llvm::DataLayout &dl, llvm::Value *v);

/// Returns the name of the value's variable in the debug information, or its own; "" if unknown.
std::string sourceName(const llvm::Value &v);

class Assumed;
class Rings;

/// Builds expressions, bases and symbols of one loop model.
class Reader {
public:
  Reader(Env &env, LoopBinding &binding);

  uint32_t baseOf(llvm::Value *pointer, bool throughIntegers = false);
  uint64_t largest(llvm::Value *value) const;
  /// Returns the name in the source, or one made of `prefix` and `n`.
  std::string nameOf(const llvm::Value &v, const char *prefix, size_t n) const;
  ExprId symbolOf(llvm::Value *value);
  /// Returns an invariant SCEV as an expression; NoExpr if it cannot be computed before the loop.
  ExprId expr(const llvm::SCEV *s);
  /// Returns a value of the loop's body, or an invariant one. Never NoExpr.
  ExprId value(llvm::Value *v);
  /// Returns a value before the nest, expressed in no more bits than it can have.
  ExprId startValue(llvm::Value *v);
  /// Returns a comparison, of width 1.
  ExprId compared(llvm::CmpInst::Predicate how, ExprId a, ExprId b);
  /// Fills in base, offset and steps of the access. `pointer` is its address.
  void address(llvm::Value *pointer, Access &access);
  /// Splits an address into base, offset and steps. Returns false and sets `why` if it is not
  /// affine.
  bool place(const llvm::SCEV *s, Access &access);
  /// Fills in offset and steps from a known base.
  bool placeAt(const llvm::SCEV *offset, Access &access);
  void addAccess(const Access &access, llvm::Instruction *i);
  /// Takes a load as a look-up in a constant array. Returns false if it is none.
  bool takeTable(llvm::LoadInst &load);
  /// Returns the entry of an array of unknown contents that a load looks up at a computed index;
  /// NoExpr if the load is no such look-up.
  ExprId unknownEntry(llvm::Instruction &i);
  void setLoaded(llvm::Instruction &i, ExprId value) { loads[&i] = value; }
  /// From now on `phi` is the value of recurrence `index` (see loop.h).
  void setRecurrence(llvm::PHINode *phi, uint32_t index);
  /// From now on, or no longer, `phi` is the value `at`, and what was known before is not.
  void setIndex(llvm::PHINode &phi, ExprId at) { recs[&phi] = at, valueIndex.clear(); }
  void forgetIndex(llvm::PHINode &phi) { recs.erase(&phi), valueIndex.clear(); }
  bool isRecurrence(const llvm::PHINode &phi) const {
    return recs.count(const_cast<llvm::PHINode *>(&phi));
  }
  /// Returns the size of an expression with shared subexpressions counted at each use: the cost of
  /// walking it without memoization.
  uint64_t treeSize(ExprId id);
  void obstacle(Diag code, const llvm::Twine &what, const llvm::DebugLoc &loc);
  /// Returns the condition, seen from `top` in a chain, under which control comes to `block`.
  ExprId reached(llvm::BasicBlock *top, llvm::BasicBlock *block, unsigned budget);
  /// Returns the value of `v` after the chain; NoExpr if that is not known.
  ExprId afterChain(llvm::Instruction &v);
  /// Returns true if the loop is kept in any case and nothing needs all of its reasons.
  bool mayStop() const { return env.config.options.quiet && isHopeless(binding.loop); }

  Env &env;
  LoopBinding &binding;
  ExprGraph &graph;
  unsigned ptrBits;
  Assumed *assumed = nullptr; // set where assumptions may be made
  Rings *rings = nullptr;     // set where the loop may have them

private:
  bool placeInteger(const llvm::SCEV *s, Access &access);
  bool inNest(const llvm::Value *v) const;
  bool inChain(const llvm::Value *v) const;
  ExprId both(ExprId a, ExprId b);
  ExprId edgeTaken(llvm::BasicBlock *from, llvm::BasicBlock *to);
  ExprId chosen(llvm::PHINode &phi, llvm::BasicBlock *top,
                llvm::function_ref<ExprId(llvm::Value *)> each);
  ExprId chainValue(llvm::Value *v, unsigned bits);
  ExprId frontValue(llvm::Value *v, unsigned bits);
  bool rowPointer(const llvm::SCEV *s, uint32_t &base, ExprId &offset);
  bool rowPointerAt(llvm::Value *v, uint32_t &base, ExprId &offset);
  ExprId chosenPointer(llvm::PHINode &phi, llvm::BasicBlock *top, uint32_t &base);
  ExprId divided(const llvm::SCEVUDivExpr *s);
  ExprId extremum(const llvm::SCEVNAryExpr *s);
  llvm::Loop *smallLoopOf(const llvm::Instruction *i) const;
  ExprId afterIterations(llvm::Instruction *i, llvm::Loop &loop, unsigned bits);
  ExprId tableEntry(llvm::LoadInst &load);
  ExprId nearSymbol(const llvm::SCEV *s, unsigned bits);
  ExprId scevSymbol(const llvm::SCEV *s);
  ExprId sourceLeaf(Loop &source, const llvm::SCEV *s) const;
  ExprId sourceValue(Loop &source, const llvm::SCEV *s) const;
  void showSource(const llvm::SCEV *s);
  ExprId convert(const llvm::SCEV *s);
  ExprId convertNary(const llvm::SCEVNAryExpr *s, Op op);
  ExprId wholeConstant(llvm::Constant *c, unsigned bits);
  ExprId invariantValue(llvm::Value *v, unsigned bits);
  ExprId steppedPointer(llvm::Instruction *i, unsigned bits);
  ExprId bodyValue(llvm::Instruction *i, unsigned bits);
  ExprId binaryValue(llvm::Instruction *i, Op op);
  ExprId quotient(llvm::Value *x, llvm::Value *by, unsigned bits);
  ExprId compareValue(llvm::Instruction *i);
  ExprId extracted(llvm::ExtractValueInst *part, unsigned bits);
  ExprId carriedOn(llvm::IntrinsicInst &add, bool carry, unsigned bits);
  ExprId extremum(llvm::MinMaxIntrinsic &call);
  ExprId intrinsicValue(llvm::IntrinsicInst *call, unsigned bits);
  ExprId reversedBits(ExprId x, unsigned bits);
  ExprId funnelShift(llvm::IntrinsicInst *call, unsigned bits);
  ExprId phiValue(llvm::PHINode *phi, unsigned bits);
  ExprId forked(llvm::PHINode *phi, llvm::BasicBlock *fork, unsigned &budget);
  ExprId arriving(llvm::PHINode *phi, llvm::BasicBlock *from, llvm::BasicBlock *to,
                  unsigned &budget);
  ExprId countValue(llvm::PHINode *phi, unsigned bits);
  bool tableIndex(llvm::GlobalVariable *&array, llvm::Value *pointer, uint64_t bytes,
                  ExprId &index);
  bool split(const llvm::SCEV *s, const llvm::SCEV *&rest, std::vector<const llvm::SCEV *> &steps);

  unsigned depth = 0;            // recursion depth of value()
  llvm::Loop *stepped = nullptr; // the small loop that is being evaluated
  llvm::SCEVExpander expander;
  std::map<std::pair<llvm::Value *, bool>, uint32_t> baseIndex;
  std::map<llvm::Value *, ExprId> symbolIndex;
  std::map<const llvm::SCEV *, ExprId> scevIndex;
  std::map<llvm::Value *, ExprId> valueIndex;
  std::map<llvm::Instruction *, ExprId> loads;
  std::map<llvm::PHINode *, ExprId> recs;
  std::map<std::pair<llvm::Value *, unsigned>, uint32_t> tableOf;
  std::vector<uint64_t> treeSizes;
};

} // namespace memlift

#endif
