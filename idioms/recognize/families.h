// families.h - the families of sums and hashes, and what they share
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A family judges one value that the loop carries out: r.rec of r.liveOut. If it proves
// it, it completes `r`. reduce.cpp lists the families in the order in which they are
// asked.
#ifndef MEMLIFT_IDIOMS_RECOGNIZE_FAMILIES_H
#define MEMLIFT_IDIOMS_RECOGNIZE_FAMILIES_H

#include "../algebra/ones.h"
#include "proof.h"
#include "weights.h"

namespace memlift {

Answer lastOf(Proof &p, Reduction &r);         // last.cpp: what the last iteration reads
Answer wideLiveOut(Proof &p, Reduction &r);    // modsum.cpp: used before it is cut
Answer narrowSum(Proof &p, Reduction &r);      // lowbits.cpp: a sum of fewer bits
Answer modularOf(Proof &p, Reduction &r);      // modsum.cpp: reduced modulo m
Answer narrowLiveOut(Proof &p, Reduction &r);  // lowbits.cpp: reduced, of fewer bits
Answer inetOf(Proof &p, Reduction &r);         // inet.cpp: ones' complement
Answer wideSumOf(Proof &p, Reduction &r);      // wide.cpp: in 128 bits
Answer carriesOf(Proof &p, Reduction &r);      // carry.cpp: another sum's carries
Answer xorFoldOf(Proof &p, Reduction &r);      // xorfold.cpp
Answer countOf(Proof &p, Reduction &r);        // count.cpp: of one byte
Answer crcOf(Proof &p, Reduction &r);          // crc.cpp, crcany.cpp, crctable.cpp, crcchoice.cpp
Answer alternatingSum(Proof &p, Reduction &r); // parity.cpp: factors that alternate
Answer lazySum(Proof &p, Reduction &r);        // carry.cpp: folded only when large
Answer nearlyModular(Proof &p, Reduction &r);  // modsum.cpp: refuses other remainders
Answer hashOf(Proof &p, Reduction &r);         // hash.cpp: refuses what has no fast form
Answer integerSum(Proof &p, Reduction &r);     // sum.cpp: linear in the integers

// The bytes that a sum reads (source.cpp).
/// Sorts the bytes of a form by address. Refuses them if they are not one interval with
/// equal steps. With `lanes`, bytes that other sums of the loop read may fill gaps.
Answer weightsOf(Proof &p, const Linear &form, Weights &w, bool lanes = false);
/// Reports how the bytes count, if they do not count as words that are all alike.
Answer failWeights(Proof &p, const Weights &w);
/// Requires that all reductions of a loop read the same region.
Answer sourceRegion(Proof &p, const Weights &w);
/// Requires, at run time, so few elements that their sum fits in 64 bits.
void fitIn64Bits(Proof &p, const Reduction &r);
/// Requires that the loop reads from the first byte to the last.
Answer forwards(Proof &p);

// Sums in the integers (sum.cpp).
/// Matches next = own + factor * (every element) + a constant or invariants. Makes `r` a
/// Sum.
bool sumOf(Proof &p, const Linear &form, Reduction &r, const Weights &w);
/// Returns true if sumOf() made `r` a sum of unsigned elements, each counted once, which a
/// routine reads with any start value.
bool countsOnce(const Reduction &r);
/// Matches the plain sum of every element, with factor 1 and nothing else. Fills in
/// `w`, whose width is set.
Answer plainSum(Proof &p, const Linear &form, uint32_t rec, Weights &w, Elements &e);
/// Matches next = own + U * partner + sum((U - i) * element i), where the partner sums
/// the elements and an iteration reads U of them. If the partner is added before its
/// update, the factors are U - 1 - i, and the last element does not count yet. Completes
/// `sums`, whose partner is set, and the layout of the elements in `r`.
Answer weightsOfSums(Proof &p, const Linear &form, const Linear &partner, Reduction &r,
                     Reduction::WeightedSum &sums, Weights &w);

/// Computes the start value of a ones' complement sum in 64 bits; proves or tests that
/// it is within the modulus (inet.cpp).
bool onesStart(Proof &p, const OnesForm &form, ExprId &sum);

/// Fails if the loop leaves only what it read last: that is no sum of anything (last.cpp).
bool moreThanLast(Proof &p);

} // namespace memlift

#endif
