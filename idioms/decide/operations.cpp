// operations.cpp - the table of routines, and look-ups in it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The records of intrinsics/BulkOps.td become one array, in the order of enum Routine, so a
// routine's record is found by its number. A decision knows what it needs (a kind, a width, a
// sign, a byte order) and not the name of a routine. The look-ups below find the record that has
// these properties, so a new record is found without a change here. Routines that copy as well
// are left out of the first look-up; withCopy() finds them from the sum alone.
#include "operations.h"

#include <cassert>

namespace memlift {

namespace table {
using enum OpKind;
using enum ParamKind;
const Operation operations[] = {
#define MEMLIFT_OP(ENUM, SYMBOL, ...) {.routine = Routine::ENUM, .symbol = SYMBOL, __VA_ARGS__},
#define MEMLIFT_LIBC_OP(ENUM, SYMBOL, ...)                                                         \
  {.routine = Routine::ENUM,                                                                       \
   .symbol = SYMBOL,                                                                               \
   __VA_ARGS__,                                                                                    \
   .idiom = nullptr,                                                                               \
   .libc = nullptr,                                                                                \
   .async = false,                                                                                 \
   .prototype = nullptr},
#include "../../intrinsics/generated/BulkOps.inc"
};
} // namespace table

unsigned Operation::find(ParamKind k) const {
  unsigned i = 0;
  while (i < paramCount && params[i] != k)
    ++i;
  return i;
}

unsigned Operation::sizeParam() const {
  unsigned last = paramCount;
  for (unsigned i = 0; i < paramCount; ++i)
    if (params[i] == ParamKind::Size)
      last = i;
  return last;
}

const Operation *LibraryOperations::begin() const { return table::operations; }

/// The C library's routines are the last records.
const Operation *LibraryOperations::end() const { return &operationOf(Routine::Memset); }

const Operation &operationOf(Routine r) {
  assert(r != Routine::None);
  return table::operations[unsigned(r) - 1];
}

const Operation *findOperation(const std::string &symbol) {
  for (const Operation &o : LibraryOperations())
    if (symbol == o.symbol)
      return &o;
  return nullptr;
}

Routine routineFor(OpKind kind, unsigned elementBits, bool isSigned, bool swapped) {
  for (const Operation &o : LibraryOperations())
    if (o.kind == kind && o.elementBits == elementBits && o.isSigned == isSigned &&
        o.swapped == swapped && o.align == 1 && !o.inRows() && !(o.resultBits && o.writes()))
      return o.routine;
  return Routine::None;
}

Routine withCopy(Routine sum) {
  const Operation &alone = operationOf(sum);
  for (const Operation &o : LibraryOperations())
    if (o.resultBits && o.writes() && o.kind == alone.kind && o.elementBits == alone.elementBits &&
        o.isSigned == alone.isSigned && o.swapped == alone.swapped)
      return o.routine;
  return Routine::None;
}

unsigned bitsOf(ParamKind k) {
  return k < ParamKind::U8 ? 0 : 8u << (unsigned(k) - unsigned(ParamKind::U8));
}

const char *symbolOf(Routine r) { return r == Routine::None ? "" : operationOf(r).symbol; }

} // namespace memlift
