// binding.h - a loop model together with the GIMPLE that its leaves stand for
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees are held for the length of one pass only: GCC collects garbage between
// passes, never inside one.
#ifndef MEMLIFT_GCC_READ_BINDING_H
#define MEMLIFT_GCC_READ_BINDING_H

#include "../compat.h"

#include "../../idioms/decide/budget.h"
#include "../../idioms/decide/decide.h"

namespace memlift {

/// A perfect nest of GCC loops, outermost first; the body is in the last one.
struct Nest {
  std::vector<class loop *> loops;
  edge exit = nullptr;      // the only exit of loops[0], null if there are several
  std::vector<edge> exits;  // these, if each may be counted: see exits.h
  std::vector<edge> into;   // as exits: the way from there to the block behind all
  size_t place = 0;         // how many of them are tested before the accesses
  std::vector<edge> guards; // between the loops: taken when the inner loop is reached
  class loop *outer() const { return loops.front(); }
  class loop *inner() const { return loops.back(); }
  bool isClosed() const { return exit || !exits.empty(); }
  /// How many of several exits are tested in front of the block, in each iteration.
  size_t testsBefore(basic_block bb) const;
};

struct LoopChain;

/// Exits that are told apart behind the loop: none if all lead to one block, and leave
/// the same.
struct ExitsApart {
  std::vector<ExprId> isLeft; // at that one, if not at one before; not of the last
  struct Value {
    size_t exit;  // that it is used behind
    ExprId known; // what it is there; NoExpr: a recurrence, or unknown
  };
  std::vector<Value> values; // as liveOuts
  /// What a PHI behind all exits stands for: a live-out, or, of a number beyond them,
  /// whether it is that exit.
  std::map<tree, size_t> gathered;
};

struct LoopBinding {
  Loop loop;
  LoopChain *chain = nullptr;          // set beforehand: a loop model of one of its links
  std::vector<tree> bases;             // pointer value per Loop::bases
  std::vector<tree> syms;              // invariant tree per Loop::syms
  std::map<gimple *, tree> fixedLoads; // with their copies: see reload.h; set beforehand
  std::vector<gimple *> fixedStores;   // of counters in memory
  std::vector<tree> refs;              // memory reference per Loop::accesses, null if bulk
  std::vector<tree> recs;              // per Loop::recs, what code behind the nest finds it as
  std::vector<tree> tables;            // constant object per Loop::tables
  std::vector<tree> liveOuts;          // value of the nest per Loop::liveOuts
  /// A value of the loop that is used behind it, and what it is there.
  std::vector<std::pair<tree, ExprId>> finals;
  ExitsApart apart;
  location_t where = UNKNOWN_LOCATION;
};

SourceLoc sourceLoc(location_t where);
/// The symbol of a function or variable, as the linker knows it.
const char *assemblerName(tree decl);
/// What holds for the whole of current_function_decl (read/function.cpp).
/// What loops in place have taken in the function that is compiled, in this run of the pass.
CodeBudget &codeBudget();
void forgetCodeBudget();
FunctionFacts functionFacts(const std::string &keep, bool trustTypes);
/// The properties of Functions.td that the current function has, whose declaration is `fndecl`.
Properties propertiesOf(tree fndecl);
/// Those that come from options which GCC does not keep for each function: the link does not know
/// them.
Properties fileProperties();
/// "<path>:<function>" of current_function_decl.
std::string functionId();
/// Fills in the word size, the byte order, the function and the place.
void beginBinding(LoopBinding &binding, Origin origin, location_t where, unsigned ordinal);

/// Enters an obstacle for each statement of the nest that traps when it overflows (-ftrapv).
void readOverflow(const Nest &nest, LoopBinding &binding);

/// Where the loop stands in the source (read/nest.cpp).
location_t loopLocation(class loop *loop);

/// The innermost loop with as many loops around it as are perfect around it,
/// at most `depth` in all (read/nest.cpp).
Nest nestAround(class loop *inner, unsigned depth);
/// How a loop writes memory: one with plain stores always gets a verdict; one
/// with nothing but memset and memcpy calls only if it can be made one call.
enum class Stores { None, Bulk, Plain };
Stores storesOf(class loop *inner);
/// How often the latch of a loop inside another one's body runs, if the body can be
/// read with that loop evaluated step by step: few rounds, no memory; else -1.
int fewRounds(class loop *loop);
/// A loop that folds a number until it has no more than k bits (read/fold.cpp), or that
/// takes `by` away while the number is larger than `limit`, which is at least by - 1.
struct Fold {
  tree start, end;   // the number before and behind the loop
  unsigned k, folds; // as many as there have to be at most
  bool isSigned;
  uint64_t by = 0, limit = 0; // by: 0 if it folds
  bool atOnce = false;        // for the first time before any test
};
bool foldOf(class loop *loop, Fold &fold);
/// Is the loop left when its latch has run once, if not before? It goes on with
/// constants.
bool isSettled(class loop *loop);
/// True if the statement looks something up in a constant array: not a walk over it.
bool isTableLookUp(class loop *loop, gimple *stmt);
/// True if all loops inside are such; there is at least one.
bool holdsSmallLoops(class loop *loop);
/// Reads a nest; what does not fit is in the loop model as obstacles.
void readNest(const Nest &nest, unsigned ordinal, LoopBinding &binding);

/// The innermost loops over memory that are entered in several places, in the order
/// of the program: obstacles only (read/multientry.cpp).
std::vector<LoopBinding> multiEntryLoops();

/// What the addresses of a call or an assignment are proved to be multiples of.
struct Multiples {
  uint64_t dst = 1, src = 1;
  std::string dstBy, srcBy; // from what, or who is at fault; if anybody listens
};
class LowBits;
/// True for what readStatement() may read.
bool isStatement(gimple *stmt);
/// Which of memset, memcpy and memmove is called, END_BUILTINS if none is; with names trusted also
/// where there are no built-ins. Needs no current function.
built_in_function calledFunction(gimple *stmt);
/// The same of a declaration's name alone.
built_in_function functionNamed(tree decl);
/// Reads a memset, memcpy, memmove or aggregate assignment; false if the
/// statement is none of these (read/call.cpp).
bool readStatement(gimple *stmt, unsigned ordinal, LoopBinding &binding,
                   const Multiples &proved = Multiples());
/// Of a statement that can be read, how many of the lowest bits of its addresses it
/// matters to know.
unsigned bitsToProve(gimple *stmt, const Options &options);
/// The same bits, proved.
Multiples proveStatement(gimple *stmt, unsigned most, LowBits &bits);
/// Moves variables to where words are aligned, if that makes words of the statement.
void raiseObjects(gimple *stmt, const Options &options, Multiples &proved);

} // namespace memlift

#endif
