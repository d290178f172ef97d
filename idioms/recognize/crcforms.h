// crcforms.h - the state of a loop as a matrix over GF(2)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// crc.cpp, crcany.cpp and crcchoice.cpp all need the same preparation: find the
// recurrences that make up one state, evaluate their next values over GF(2), and find
// the bits that are always 0. The set of recurrences is closed first: if a value
// depends on a recurrence outside the state, that one is added, and all are evaluated
// again.
#ifndef MEMLIFT_IDIOMS_CRCFORMS_H
#define MEMLIFT_IDIOMS_CRCFORMS_H

#include "../algebra/gf2.h"
#include "families.h"

namespace memlift {

using Forms = std::vector<Gf2Form>; // in the order of Gf2State::recs

/// Adds recurrences to the state until none is mixed with one outside. Then removes
/// bits from its zeros until an iteration keeps the rest zero. If this fails, the
/// last form is the one that failed. Bits of `assumed` are taken to be 0 before the loop, too.
bool closeState(const Loop &loop, Gf2State &state, Forms &forms, uint64_t assumed = 0);

/// Builds the matrix; `order` says where in the forms each byte by address is.
LinearMap mapOf(const Forms &forms, const std::vector<unsigned> &order);

/// Returns the bits of the state that code after the loop uses.
uint64_t usedOf(const Loop &loop, const std::vector<uint32_t> &recs);

/// Describes the register for a fact; `poly` is the polynomial's text.
std::string textOf(const CrcRepresentation &representation, const std::string &poly);

/// Places the bytes in the order of addresses, as for a sum in which each counts once.
Answer bytesInOrder(Proof &p, const std::vector<std::pair<uint32_t, unsigned>> &read, Weights &w,
                    std::vector<unsigned> &order);

/// Reports what is missing for a register.
Answer refuseCrc(Proof &p, CrcSlip slip);

/// Recognises one of several registers side by side, of which each takes every so manyth word.
Answer crcInLanes(Proof &p, Reduction &r, const Gf2State &state, const Forms &forms);

/// Recognise a register; one whose polynomial the program computes; one by a table that the
/// program fills, or by several; and one that a flag selects.
Answer crcRepresentation(Proof &p, Reduction &r);
Answer crcOfAnyPolynomial(Proof &p, Reduction &r);
Answer crcByAnyTable(Proof &p, Reduction &r);
Answer crcBySlices(Proof &p, Reduction &r);
Answer crcByChoice(Proof &p, Reduction &r);

} // namespace memlift

#endif
