// useraccess.h - accesses that may fault, as text for both compilers' asm statements
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_USERACCESS_H
#define MEMLIFT_IDIOMS_USERACCESS_H

#include <cstdint>
#include <string>

namespace memlift {

/// A record of UserAccess.td. Texts are by log2 of the bytes.
struct UserTarget {
  const char *arch; // nullptr ends the table
  const char *loads[4], *stores[4], *entry;
};

/// Returns the record of an architecture, or null if there is none.
const UserTarget *userTargetOf(const std::string &arch);

/// How a compiler writes the operands of an asm statement.
struct UserOperands {
  std::string before, between, behind; // around number and modifier: "${", ":", "}"
  bool modifierFirst;                  // "%k0", not "${0:k}"
  std::string fixup;                   // the label
  unsigned value = 0, address = 1;     // numbers of operands
};

/// Returns the access at `offset` bytes from the address, and its entry.
std::string userAccess(const UserTarget &target, bool store, unsigned bytes, int64_t offset,
                       const UserOperands &operands);

} // namespace memlift

#endif
