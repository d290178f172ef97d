// spread.h - makes a function of a nest's iterations, which memlift_spread calls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_WRITE_SPREAD_H
#define MEMLIFT_GCC_WRITE_SPREAD_H

#include "../../idioms/decide/decide.h"
#include "../read/binding.h"

namespace memlift {

/// Carries out a decision with a SpreadPlan.
void spreadNest(const Nest &nest, LoopBinding &binding, const Decision &decision);

/// Keeps the declarations of the runtime's names from the garbage collector.
void keepSpreadDeclarations(const char *pluginName);

/// Moves the blocks from `entry` to `last`, which ends with a return, into a new function of
/// (environment, first, end, values), and returns its declaration. The first four assignments of
/// `entry` get the arguments. `asks`: a value of the function's attribute, or empty.
tree moveToFunction(basic_block entry, basic_block last, location_t where, const std::string &asks);

/// Returns whether joining compares signed numbers.
bool hasSign(Carry::Kind kind);
/// Returns the value of so many bits that changes none when it is joined.
wide_int neutral(Carry::Kind kind, unsigned bits);
/// Returns the type from which a joined value is extended to a word.
tree extendedFrom(tree type, Carry::Kind kind);
/// Returns the operation that joins two values.
tree_code treeCodeOf(Carry::Kind kind);

} // namespace memlift

#endif
