// explain.h - where an alignment comes from, or who is at fault, in words
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   test at f.c:12
//   all callers of callee
//   caller at f.c:40 passes buf + 2
//
// A reader says which thing of its compiler a fact is; the words are the same for
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
    Argument,   // of a function whose callers are not all known
    Callers,    // an argument that all callers are known of
    Returned,   // by a function that is known
    Stored,     // in a variable that is only ever set in sight
    Result,     // of a call of anything else
    Loaded,     // from memory that anybody may write
    Test,       // on the way
    Assumption, // stated in the source
    Steps,      // of a loop
    Other,
  };
  Kind kind = Kind::Other;
  std::string name;  // of the variable, the argument, the function; may be empty
  std::string where; // "f.c:12"; may be empty
  // Of Callers, Returned and Stored: the worst of what is put there.
  std::string put, putAt;
};

/// "test at f.c:12; all callers of callee"; the order does not matter.
std::string whyAligned(const std::vector<AlignEvidence> &used);
/// "caller at f.c:40 passes buf + 2".
std::string whyNotAligned(const std::vector<AlignEvidence> &broken);
// Of a word of eight bytes: with so many zero bits it is told why they are, with
// fewer why not more.
constexpr unsigned enoughBits = 3;

/// "destination of memset", of its argument 0; "memlift_aligned" of the builtin's.
std::string operandName(const std::string &callee, unsigned argument);
/// "alignment of f, f.c:12: destination of memset: 8 bytes: test at f.c:10"
std::string alignmentLine(const std::string &function, const std::string &place,
                          const std::string &operand, unsigned bits, const std::string &why);
/// "64 bytes", of a number of zero bits.
std::string bytesText(unsigned bits);

} // namespace memlift

#endif
