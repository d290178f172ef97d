// crcforms.h - what a loop carries, as a matrix over GF(2)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_CRCFORMS_H
#define MEMLIFT_IDIOMS_CRCFORMS_H

#include "../algebra/gf2.h"
#include "../algebra/shiftregister.h"

namespace memlift {

using Forms = std::vector<Gf2Form>; // as Gf2State::recs

/// Adds recurrences to the state until none is mixed with one outside, then takes
/// bits out of its zeros until an iteration leaves them so. False with the form that
/// failed at the end.
bool closeState(const Loop &loop, Gf2State &state, Forms &forms);

/// The matrix; `order` says where in the forms each byte by address is.
LinearMap mapOf(const Forms &forms, const std::vector<unsigned> &order);

/// The bits of the state that the code after the loop looks at.
uint64_t usedOf(const Loop &loop, const std::vector<uint32_t> &recs);

/// For a fact; `poly` is how the polynomial reads.
std::string textOf(const HeldCrc &held, const std::string &poly);

} // namespace memlift

#endif
