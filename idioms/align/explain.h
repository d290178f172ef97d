// explain.h - explains in words where an alignment comes from, or what prevents it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   test at f.c:12
//   all callers of callee
//   caller at f.c:40 passes buf + 2
//
// A reader says what a fact is in terms of its compiler; the words are the same for
// all compilers.
#ifndef MEMLIFT_IDIOMS_ALIGN_EXPLAIN_H
#define MEMLIFT_IDIOMS_ALIGN_EXPLAIN_H

#include <cstdint>
#include <string>
#include <vector>

namespace memlift {

struct AlignEvidence {
  enum class Kind : uint8_t {
    Object,     // a variable, as it is declared
    Argument,   // an argument of a function whose callers are not all known
    Callers,    // an argument whose callers are all known
    Returned,   // the result of a function that is known
    Stored,     // a variable all of whose assignments are visible
    Result,     // the result of any other call
    Loaded,     // loaded from memory that unknown code may write
    Test,       // a test that dominates the use
    Assumption, // stated in the source
    Steps,      // steps of a loop
    Other,
  };
  Kind kind = Kind::Other;
  std::string name;  // name of the variable, the argument, the function; may be empty
  std::string where; // "f.c:12"; may be empty
  // Callers, Returned and Stored: the least aligned assignment.
  std::string put, putAt;
};

/// Joins the evidence: "test at f.c:12; all callers of callee"; the order does not
/// matter.
std::string whyAligned(const std::vector<AlignEvidence> &used);
/// Names the cause: "caller at f.c:40 passes buf + 2".
std::string whyNotAligned(const std::vector<AlignEvidence> &broken);
// From this many zero bits on (a word of eight bytes), the message explains why they
// are zero; below it, why not more are.
constexpr unsigned enoughBits = 3;

/// Names an operand: "destination of memset" for its argument 0, or
/// "memlift_aligned".
std::string operandName(const std::string &callee, unsigned argument);
/// Formats a line: "alignment of f, f.c:12: destination of memset: 8 bytes: test at
/// f.c:10".
std::string alignmentLine(const std::string &function, const std::string &place,
                          const std::string &operand, unsigned bits, const std::string &why);
/// Formats a number of zero bits: "64 bytes".
std::string bytesText(unsigned bits);

} // namespace memlift

#endif
