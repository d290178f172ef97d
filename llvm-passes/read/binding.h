// binding.h - a loop model together with the IR that it was read from
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_BINDING_H
#define MEMLIFT_LLVM_READ_BINDING_H

#include "../../idioms/decide/budget.h"
#include "compat.h"
#include "loop.h"
#include "options.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"

#include <map>

namespace memlift {

/// What one run of the pass over a function works with.
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
  /// What is proved of the pointers of mem* calls: what they are multiples of.
  struct Aligned {
    uint64_t dst = 1, src = 1;
    std::string dstBy, srcBy; // from what, or who is at fault; if anybody listens
  };
  std::map<const llvm::Value *, Aligned> proved = {};
  CodeBudget budget = {}; // what loops in place have taken in this run
  unsigned registers = 8; // of integers that the target has
};

/// Where a Symbol of the loop model comes from: a value, or an expression that
/// the writer expands in the preheader.
struct SymbolSource {
  llvm::Value *value = nullptr;
  const llvm::SCEV *scev = nullptr;
};

/// A value used after the loop: its phi in the exit block, and what it will be.
struct LiveOutSource {
  llvm::PHINode *phi;
  const llvm::SCEV *value; // null: not known before the loop
  size_t exit = 0;         // number of the one it is used behind, if they are told apart
  ExprId known = NoExpr;   // an expression instead of `value`
};

/// The exits of a loop that are told apart behind it: in the order in which they are
/// tested; none if all lead to one block, and leave the same.
struct ExitsApart {
  std::vector<llvm::BasicBlock *> from;
  std::vector<ExprId> isLeft; // at that one, if not at one before; not of the last
};

struct LoopChain;
struct ChainLink;

struct LoopBinding {
  Loop loop;
  LoopChain *chain = nullptr;       // set beforehand: a loop model of one of its links
  std::vector<llvm::Value *> bases; // as loop.bases
  /// As loop.bases: accesses go through integers made of it, and may reach any
  /// object whose address is known outside.
  std::vector<bool> throughIntegers;
  std::vector<SymbolSource> syms;            // as loop.syms
  std::vector<llvm::Instruction *> accesses; // as loop.accesses
  /// Loads, and what is computed from them, with their copies in front of the
  /// loop: see reload.h; set beforehand.
  std::map<llvm::Instruction *, llvm::Instruction *> fixedLoads;
  /// The stores of counters that are kept in memory: their loads' copies are phis.
  std::vector<llvm::Instruction *> fixedStores;
  std::vector<llvm::Loop *> nest;      // as loop.dims; none: a call
  std::vector<LiveOutSource> liveOuts; // as loop.liveOuts
  ExitsApart exits;
  llvm::Instruction *at = nullptr; // new code goes in front of it
  llvm::DebugLoc loc;
};

/// Reads the nest (outermost loop first; simplified, LCSSA).
void readNest(Env &env, llvm::ArrayRef<llvm::Loop *> nest, LoopBinding &binding);
/// Proves of calls what their pointers are multiples of, while the function is as
/// the analyses know it.
void proveAligned(Env &env, llvm::ArrayRef<llvm::WeakVH> calls);
/// The innermost loops over memory that are entered in several places, in the order
/// of the program: obstacles only.
std::vector<LoopBinding> multiEntryLoops(llvm::Function &f);
/// Reads a call of memset, memcpy or memmove.
void readCall(Env &env, llvm::CallBase &call, LoopBinding &binding);

/// The loops that make a perfect nest around `innermost`, outermost first; at
/// least `innermost` itself.
std::vector<llvm::Loop *> widestNest(Env &env, llvm::Loop &innermost);
/// The condition, invariant in `outer`, under which `inner` runs at all in
/// an iteration of its parent, and whether it has to be true or false for it.
/// `always` if there is none. False: the control flow is something else.
struct InnerGuard {
  llvm::Value *condition = nullptr;
  bool runsIf = true;
};
bool innerGuard(Env &env, llvm::Loop &parent, llvm::Loop &inner, InnerGuard &guard);

/// The bits of a value that its users look at, as far as that is followed.
uint64_t usedBits(const llvm::Value &v, unsigned depth = 0);
/// To be called where a value changes in other bits than those.
void forgetFlags(llvm::Value &v, unsigned depth = 0);

FunctionFacts functionFacts(const llvm::Function &f, const Config &config);
/// The properties of Functions.td that `f` has.
Properties propertiesOf(const llvm::Function &f);
SourceLoc sourceLoc(const llvm::DebugLoc &loc);
/// The function's source file, the first half of every loop's id.
std::string sourcePath(const llvm::Function &f);

/// Makes calls of __memset_chk and its like with nothing to check plain ones; true if
/// there was one.
bool foldChecked(llvm::Function &f, const llvm::TargetLibraryInfo &tli);
/// Takes calls of functions with the names and types of memset, memcpy and memmove for
/// those; true if there was one.
bool takeNamed(llvm::Function &f);
/// True for memset, memcpy and memmove in their plain forms: not the element
/// atomic ones, and not the `inline` ones, which forbid calls.
bool isMemCall(const llvm::Instruction &i);
/// True if the pass may look at the loop: it writes memory, or makes one number
/// of what it reads.
bool isCandidate(Env &env, const llvm::Loop &loop);
bool hasStore(const llvm::Loop &loop);
/// True where a look at the instructions says that the reader will find obstacles:
/// several exits, or effects other than plain accesses. A loop in simple form.
bool isSurelyKept(const llvm::Loop &loop);
/// How often the header of a small loop runs, which reads no memory but constant
/// tables and has a constant number of rounds; 0 if it is none.
unsigned roundsOf(Env &env, const llvm::Loop &loop);
/// True if all loops inside are small ones; also if there are none.
bool holdsSmallLoops(Env &env, const llvm::Loop &loop);

class Assumed;

/// Builds expressions, bases and symbols of one loop model.
class Reader {
public:
  Reader(Env &env, LoopBinding &binding);

  uint32_t baseOf(llvm::Value *pointer, bool throughIntegers = false);
  uint64_t largest(llvm::Value *value) const;
  ExprId symbolOf(llvm::Value *value);
  /// An invariant SCEV as an expression; NoExpr if it cannot be computed in
  /// front of the loop.
  ExprId expr(const llvm::SCEV *s);
  /// A value of the loop's body, or an invariant one. Never NoExpr.
  ExprId value(llvm::Value *v);
  /// The same in front of the nest, told by no more bits than it can have.
  ExprId startValue(llvm::Value *v);
  /// Of one bit.
  ExprId compared(llvm::CmpInst::Predicate how, ExprId a, ExprId b);
  /// Base, offset and steps of the access. `pointer` is its address.
  void address(llvm::Value *pointer, Access &access);
  void addAccess(const Access &access, llvm::Instruction *i);
  /// Takes a load for a look-up in a constant array, if it is one.
  bool takeTable(llvm::LoadInst &load);
  /// The entry of an array of unknown contents that a load looks up at a computed
  /// index, NoExpr if it is no such thing.
  ExprId unknownEntry(llvm::Instruction &i);
  void setLoaded(llvm::Instruction &i, ExprId value) { loads[&i] = value; }
  /// From now on `phi` is the value of recurrence `index` (see loop.h).
  void setRecurrence(llvm::PHINode *phi, uint32_t index);
  bool isRecurrence(const llvm::PHINode &phi) const {
    return recs.count(const_cast<llvm::PHINode *>(&phi));
  }
  /// How large an expression is if shared parts are counted at each use: what
  /// it costs to walk it without a memory of what has been seen.
  uint64_t treeSize(ExprId id);
  void obstacle(Diag code, const llvm::Twine &what, const llvm::DebugLoc &loc);
  /// True if the loop is kept in any case and nobody asks for all the reasons.
  /// The condition, seen from `top` in a chain, under which control comes to `block`.
  ExprId reached(llvm::BasicBlock *top, llvm::BasicBlock *block, unsigned budget);
  /// What code after the chain finds `v` to be; NoExpr if that is not known.
  ExprId afterChain(llvm::Instruction &v);
  bool mayStop() const { return env.config.options.quiet && isHopeless(binding.loop); }

  Env &env;
  LoopBinding &binding;
  ExprGraph &graph;
  unsigned ptrBits;
  Assumed *assumed = nullptr; // where something may be taken for granted

private:
  bool place(const llvm::SCEV *s, Access &access);
  bool placeAt(const llvm::SCEV *offset, Access &access);
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
  ExprId afterRounds(llvm::Instruction *i, llvm::Loop &loop, unsigned bits);
  ExprId tableEntry(llvm::LoadInst &load);
  ExprId nearSymbol(const llvm::SCEV *s, unsigned bits);
  ExprId scevSymbol(const llvm::SCEV *s);
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
  ExprId turnedBits(ExprId x, unsigned bits);
  ExprId funnelShift(llvm::IntrinsicInst *call, unsigned bits);
  ExprId phiValue(llvm::PHINode *phi, unsigned bits);
  ExprId forked(llvm::PHINode *phi, llvm::BasicBlock *fork, unsigned &budget);
  ExprId arriving(llvm::PHINode *phi, llvm::BasicBlock *from, llvm::BasicBlock *to,
                  unsigned &budget);
  ExprId countValue(llvm::PHINode *phi, unsigned bits);
  bool tableIndex(llvm::GlobalVariable *&array, llvm::Value *pointer, uint64_t bytes,
                  ExprId &index);
  bool split(const llvm::SCEV *s, const llvm::SCEV *&rest, std::vector<const llvm::SCEV *> &steps);

  unsigned depth = 0;            // of value()
  llvm::Loop *stepped = nullptr; // a small loop that is being evaluated
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
