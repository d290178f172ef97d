// routine.h - the call or the words that a decision asks for
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_WRITE_ROUTINE_H
#define MEMLIFT_GCC_WRITE_ROUTINE_H

#include "../../idioms/remark.h"
#include "emit.h"

namespace memlift {

/// Call once, from plugin_init.
void keepDeclarations(const char *pluginName);

/// Appends the decision's call, or its loads and stores, to the emitter.
void emitDecision(Emitter &e, const Match &match, const Decision &d, location_t where);

/// Appends the stores of counters of which nobody saw any but the last.
void emitFinals(Emitter &e, const Decision &d, location_t where);

/// Appends the calls that return something; e.results then has their results.
void emitCalls(Emitter &e, const Decision &d, location_t where);

/// Puts the loops that take the place of calls behind `at`, which has one
/// successor; returns the block behind them.
basic_block emitInPlace(Emitter &e, LoopBinding &binding, const Decision &d, basic_block at);

/// Where exits are told apart, makes one block for all to lead to; what is used behind
/// them is there then, and so is which one it was.
Nest gatherExits(const Nest &nest, LoopBinding &binding);
/// Puts the lowered nest beside the original one, behind the decision's guard
/// (or behind "true": the CFG clean-up then removes the original).
void writeNest(const Nest &nest, LoopBinding &binding, const Outcome &outcome);
/// The blocks that begin to test the guard, and that the nest begins behind where it fails: asks
/// what the guard asks in front of whether the trip count is 0, where the guard answers that, too.
void askSizeFirst(LoopBinding &binding, ExprId guard, basic_block fork, basic_block kept);
/// Replaces a call or an assignment. Its block may end in front of it then.
void writeStatement(gimple *old, LoopBinding &binding, const Outcome &outcome);

/// Appends the decision's words to the emitter.
void emitWords(Emitter &e, const Match &match, const Decision &d, location_t where);
/// Puts what the emitter has, and behind it the loop of words, in front of `old`.
void emitRounds(Emitter &e, const Match &match, const WordLoop &rounds, gimple *old);
/// Appends the store of a word.
void emitStore(Emitter &e, tree ref, tree value, location_t where);

} // namespace memlift

#endif
