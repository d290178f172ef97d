// steps.h - the proof steps of copies and fills, and those that every idiom needs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// recognize() calls them in proof order, which is the order of the facts in a remark.
#ifndef MEMLIFT_IDIOMS_RECOGNIZE_STEPS_H
#define MEMLIFT_IDIOMS_RECOGNIZE_STEPS_H

#include "proof.h"

namespace memlift {

// Steps that hold for every idiom (facts.cpp).
/// Judges the loop as a whole: function, assumptions, trip count, exits, effects.
void wholeLoop(Proof &p);
/// Judges its accesses, and the values that later code uses.
void accessesAndValues(Proof &p);
/// Reports look-ups as addresses that are not affine, once the loop is no CRC.
void lookUps(Proof &p);

// Copies and fills (recognize.cpp).
/// Runs all the steps of copies and fills; false if there is no one region, or no value
/// that fills it.
bool bulk(Proof &p);

// Candidates by the stored bytes (nominate.cpp).
/// Decides whether the loop may be a copy or a fill.
bool nominate(Proof &p);
/// Returns true if some store moves through memory by a counter. A flag that each
/// iteration sets is no fill, and neither is a walk along a list.
bool walks(const Proof &p);
/// Returns true if the value depends on the iteration and on nothing loaded.
bool countsIterations(const ExprGraph &g, ExprId value);
/// Returns the source of byte k of what an access stores.
ByteSource sourceOf(Proof &p, const Access &store, unsigned k);

// Bytes that the stores write altogether (contiguous.cpp).
/// Proves that the stores cover one region, each byte once.
bool contiguous(Proof &p);
/// Returns the alignment of the lowest byte of a region that `a` walks.
uint64_t regionAlign(Proof &p, uint32_t base, ExprId low, const Access &a, uint64_t &touched);

// The idiom itself, once its bytes are known to be contiguous (fill.cpp, copy.cpp).
void fill(Proof &p);
void copy(Proof &p);
/// Describes a step: "step 12 bytes: 4 of every 12".
std::string strideText(const Proof &p, ExprId step, uint64_t size);

// Values in memory that the loop reads or writes again (fixed.cpp, counter.cpp).
/// Checks that no fixed value of the loop model is overwritten.
void fixedLoads(Proof &p);
/// Judges one load from [at, at + size) against the region [dst, dst + bytes).
bool fixedDisjoint(Proof &p, uint32_t load);
/// Returns true for a load of a counter in memory.
bool isCounted(Proof &p, const Access &load);
/// Separates stores to counters from stores that move, if there are both.
void setCountersDisjoint(Proof &p);
/// Judges every counter; each one that fails has its own fact.
void countersInMemory(Proof &p);

// Loops that touch no memory (register.cpp).
/// Returns true if the loop may be steps of a shift register in scalars.
bool isRegister(const Proof &p);
/// Proves that its last values are linear, and that bits are mixed.
bool registerSteps(Proof &p);

// Numbers that few iterations read or write by bytes (number.cpp).
/// Proves that the loop stores the bytes of one word that is known before it. Enters no fact if
/// it does not.
bool numberStored(Proof &p);
/// Proves that each live-out is a word of memory, likewise.
bool numberRead(Proof &p);

// Tables whose entries are functions of their index (generator.cpp).
/// Proves that the loop fills a table with a linear function over GF(2) of the index. Enters no
/// fact if it does not.
bool tableGenerated(Proof &p);

// Loops that end at what they read (search.cpp).
/// Proves that a loop with such exits looks for bytes one after the other.
bool search(Proof &p);
/// Returns whether a loop that ends at what it reads stores or carries more than counters.
bool worksUpTo(const Loop &loop);
bool upTo(Proof &p);

// Sums and hashes: values are carried, and nothing else is stored (reduce.cpp).
/// Returns true if later code uses the last value of a recurrence.
bool carriesOut(const Proof &p);
bool isReduction(const Proof &p);
/// Judges the live-outs, or the one value that is stored, and names the idiom.
void reduce(Proof &p);
/// Judges sums beside a copy, of the bytes that are copied.
void sumsBeside(Proof &p);

// A sum that each iteration stores (stored.cpp).
/// Returns the recurrence whose next value the loop stores last, always to the same
/// place; or -1.
int storedState(Proof &p);
/// Requires that nothing the loop reads overlaps the stored value.
void stateDisjoint(Proof &p);

} // namespace memlift

#endif
