// binding.h - a loop model together with the GIMPLE that its leaves stand for
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees are held for the length of one pass only: GCC collects garbage between
// passes, never inside one.
#ifndef MEMLIFT_GCC_READ_BINDING_H
#define MEMLIFT_GCC_READ_BINDING_H

#include "../compat.h"

#include "../../idioms/decide/budget.h"
#include "../../idioms/drive/driver.h"

namespace memlift {

/// A perfect nest of GCC loops, outermost first; the body is in the last one.
struct Nest {
  std::vector<class loop *> loops;
  edge exit = nullptr;      // the only exit of loops[0], null if there are several
  std::vector<edge> exits;  // the several exits, if each may be counted: see exits.h
  std::vector<edge> into;   // as exits: the edge on from each to the block after all of them
  size_t place = 0;         // how many exits are tested before the accesses
  std::vector<edge> guards; // between the loops: taken when the inner loop is reached
  class loop *outer() const { return loops.front(); }
  class loop *inner() const { return loops.back(); }
  bool isClosed() const { return exit || !exits.empty(); }
  /// Returns how many of several exits are tested before the block, in each iteration.
  size_t testsBefore(basic_block bb) const;
};

struct LoopChain;

/// Exits that are distinguished after the loop: none if all lead to one block, and leave equal
/// values.
struct ExitsApart {
  std::vector<ExprId> isLeft; // left at that exit, if not at an earlier one; none for the last
  struct Value {
    size_t exit;  // the exit after which the value is used
    ExprId known; // its value there; NoExpr: a recurrence, or unknown
  };
  std::vector<Value> values; // as liveOuts
  /// The live-out that a PHI after all exits stands for. A number n beyond the live-outs stands for
  /// a flag: was exit n - liveOuts.size() taken?
  std::map<tree, size_t> gathered;
};

struct LoopBinding : BoundLoop {
  LoopChain *chain = nullptr;          // set beforehand for the loop model of a link
  std::vector<tree> bases;             // pointer value per Loop::bases
  std::vector<tree> syms;              // invariant tree per Loop::syms
  std::map<gimple *, tree> fixedLoads; // the loads with their copies: see reload.h; set beforehand
  std::vector<gimple *> fixedStores;   // stores of counters in memory
  std::vector<tree> refs;              // memory reference per Loop::accesses, null if bulk
  /// Calls that were read as a load and a store, with their accesses: the load's (of memset: the
  /// store's) and the store's.
  std::map<gimple *, std::pair<uint32_t, uint32_t>> copies;
  std::vector<tree> recs;     // per Loop::recs: its final value's name after the nest
  std::vector<tree> tables;   // constant object per Loop::tables
  std::vector<tree> liveOuts; // value of the nest per Loop::liveOuts
  /// Values of the loop that are used after it, and their values there.
  std::vector<std::pair<tree, ExprId>> finals;
  ExitsApart apart;
  /// PHIs of the counters with their steps, and the blocks of loop.accesses, if the loop ends at
  /// what it reads.
  std::vector<std::pair<gphi *, int64_t>> steps;
  std::vector<basic_block> accessBlocks;
  /// PHIs that have what the last iteration loaded, and the accesses that stand for that.
  std::vector<std::pair<gphi *, uint32_t>> loaded;
  std::vector<tree> carried; // as loop.recs: the header's PHIs, if the loop ends at what it reads
  location_t where = UNKNOWN_LOCATION;
  int64_t hotness = -1; // see Remark
};

SourceLoc sourceLoc(location_t where);
/// Returns the symbol of a function or variable, as the linker knows it.
const char *assemblerName(tree decl);
/// Returns the code budget that loops in place share in the current function and run of the pass.
CodeBudget &codeBudget();
void forgetCodeBudget();
/// Returns the facts about the whole of current_function_decl (read/function.cpp).
FunctionFacts functionFacts(const std::string &keep, bool trustTypes);
/// Returns the properties of Functions.td that the current function, declared by `fndecl`, has.
Properties propertiesOf(tree fndecl);
/// Returns the properties from options that GCC does not keep per function, which a link does not
/// know.
Properties fileProperties();
/// Returns "<path>:<function>" of current_function_decl.
std::string functionId();
/// Fills in the word size, the byte order, the function, the place, and how often `block` ran in
/// the profile, if there is one.
void beginBinding(LoopBinding &binding, Origin origin, location_t where, basic_block block);

/// Returns the iterations that the profile has for each time that the nest runs, on average; 0 if
/// there is none. `iterations` is how often its body ran.
uint64_t profiledIterations(const Nest &nest, int64_t iterations);

/// Enters an obstacle for each statement of the nest that traps when it overflows (-ftrapv).
void readOverflow(const Nest &nest, LoopBinding &binding);

/// Returns the place of the loop in the source (read/nest.cpp).
location_t loopLocation(class loop *loop);

/// Returns the innermost loop with as many loops around it as are perfect around it, at most
/// `depth` in all (read/nest.cpp).
Nest nestAround(class loop *inner, unsigned depth);
/// Returns the block of the stores, or else of the loads, or of what the loop carries.
basic_block accessBlock(class loop *loop);
/// Returns whether a block of the loop runs before its single exit is tested.
bool runsBeforeExit(class loop *loop, basic_block bb);
/// Kind of stores in a loop. A loop with plain stores always gets a verdict; one with only memset
/// and memcpy calls gets one only if it can be made one call.
enum class Stores { None, Bulk, Plain };
Stores storesOf(class loop *inner);
/// Returns how often the latch of a loop in another loop's body runs, if it can be evaluated step
/// by step: few iterations, no memory. Otherwise returns -1.
int fewIterations(class loop *loop);

/// Returns whether the loop may be steps of a shift register in scalars: it touches no memory and
/// has a constant number of iterations, enough for a look-up.
bool mayBeRegister(class loop *loop);
/// A loop that folds a number until at most k bits are left (read/fold.cpp). Or it subtracts `by`
/// while the number is larger than `limit`, which is at least by - 1.
struct Fold {
  tree start, end;   // the number before and after the loop
  unsigned k, folds; // bits to fold to; folds that suffice for any start
  bool isSigned;
  uint64_t by = 0, limit = 0; // subtracted number, 0 for folds
  bool atOnce = false;        // the first step comes before any test
};
bool foldOf(class loop *loop, Fold &fold);
/// Returns whether the loop is left by its second test at the latest, as its second iteration
/// starts from constants.
bool isSettled(class loop *loop);
/// Returns true if the statement looks up an entry of a constant array at a computed index, not in
/// a walk over the array.
bool isTableLookUp(class loop *loop, gimple *stmt);
/// Returns true if there are loops inside and all of them are such small loops.
bool holdsSmallLoops(class loop *loop);
/// Reads a nest. Constructs that do not fit become obstacles in the loop model.
void readNest(const Nest &nest, LoopBinding &binding);

/// Lists the innermost loops over memory that are entered in several places, in program order; with
/// obstacles only (read/multientry.cpp).
std::vector<LoopBinding> multiEntryLoops();

/// Proved multiples of the addresses of a call or an assignment.
struct Multiples {
  uint64_t dst = 1, src = 1;
  std::string dstBy, srcBy; // the reason, or the limit; if remarks are enabled
};
class LowBits;
/// Returns true for statements that readStatement() may read.
bool isStatement(gimple *stmt);
/// Returns whether a call reads and changes memory atomically.
bool isAtomicOperation(gcall *stmt);
/// Returns which of memset, memcpy and memmove is called, END_BUILTINS if none is. With names
/// trusted, calls without built-ins count, too. Needs no current function.
built_in_function calledFunction(gimple *stmt);
/// Returns which of memset, memcpy and memmove a declaration's name stands for, END_BUILTINS if
/// none.
built_in_function functionNamed(tree decl);
/// Reads a memset, memcpy, memmove or aggregate assignment. Returns false if the statement is none
/// of these (read/call.cpp).
bool readStatement(gimple *stmt, LoopBinding &binding, const Multiples &proved = Multiples());
/// Returns how many low bits of the addresses of such a statement are worth proving.
unsigned bitsToProve(gimple *stmt, const Options &options);
/// Proves the multiples of the statement's addresses, up to 2^most.
Multiples proveStatement(gimple *stmt, unsigned most, LowBits &bits);
/// Raises the alignment of variables where that allows the statement to use words.
void raiseObjects(gimple *stmt, const Options &options, Multiples &proved);

} // namespace memlift

#endif
