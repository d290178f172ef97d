// routine.h - the call or the words that a decision asks for
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_WRITE_ROUTINE_H
#define MEMLIFT_GCC_WRITE_ROUTINE_H

#include "../../idioms/decide/decide.h"
#include "emit.h"

namespace memlift {

/// Registers the declarations with the garbage collector; call once, from plugin_init.
void keepDeclarations(const char *pluginName);

/// Appends the decision's call, or its loads and stores, to the emitter.
void emitDecision(Emitter &e, const Match &match, const Decision &d, location_t where);

/// Appends the stores of counters' final values, whose other stores were unobservable.
void emitFinals(Emitter &e, const Decision &d, location_t where);

/// Appends calls that return values; e.results then has their results.
void emitCalls(Emitter &e, const std::vector<ReturningCall> &calls, location_t where);

/// Puts the loops that take the place of calls after `at`, which has one successor; returns the
/// block after them.
basic_block emitInPlace(Emitter &e, LoopBinding &binding, const Decision &d, basic_block at);

/// Makes one block for all distinguished exits to lead to. It has the values used after them, and a
/// flag for each exit.
Nest gatherExits(const Nest &nest, LoopBinding &binding);
/// Puts the lowered nest beside the original one, after the decision's guard (or after "true": the
/// CFG clean-up then removes the original).
void writeNest(const Nest &nest, LoopBinding &binding, const Outcome &outcome);
/// Hoists the minimum-size guard above the zero-trip test, where the guard answers that test, too.
/// `fork` starts with the guard's test, and `kept` leads to the nest if it fails.
void askSizeFirst(LoopBinding &binding, ExprId guard, basic_block fork, basic_block kept);
/// Replaces a call or an assignment. Its block may end before it then.
void writeStatement(gimple *old, LoopBinding &binding, const Outcome &outcome);

/// Appends the decision's words to the emitter.
void emitWords(Emitter &e, const Match &match, const Decision &d, location_t where);
/// Puts the emitter's statements, and after them the loop of words, before `old`.
void emitWordLoop(Emitter &e, const Match &match, const WordLoop &iterations, gimple *old);
/// Appends the store of a word.
void emitStore(Emitter &e, tree ref, tree value, location_t where);

} // namespace memlift

#endif
