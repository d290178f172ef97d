// proof.h - the proof of one loop in progress: its facts, and the geometry they share
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One proof step is one function, one fact and one code. A step that fails does not
// stop the others: everything that can still be judged is judged, so that the
// programmer sees all reasons at once.
//
// Steps are free functions over a Proof. steps.h has those of copies and fills and
// those that every idiom needs; families.h has the families of sums and hashes.
#ifndef MEMLIFT_IDIOMS_RECOGNIZE_PROOF_H
#define MEMLIFT_IDIOMS_RECOGNIZE_PROOF_H

#include "../source_text.h"
#include "../algebra/bytes.h"
#include "recognize.h"
#include "region.h"

#include <algorithm>
#include <map>
#include <set>

namespace memlift {

/// Outcome of a family for one value, or of a step that families share.
enum class Answer : uint8_t {
  NotMine, // something else; no fact is entered
  Refused, // nearly a member; a fact says what is missing
  Proved
};

inline Answer provedIf(bool holds) { return holds ? Answer::Proved : Answer::NotMine; }

/// Result of Proof::fail(), for a step or a family that ends with a failed fact.
struct Refusal {
  operator bool() const { return false; }
  operator Answer() const { return Answer::Refused; }
};

/// The bytes that one run of the body writes, relative to the first store's offset.
struct Footprint {
  bool bulk = false;             // one store of a symbolic size
  int64_t low = 0;               // offset of the lowest byte
  unsigned size = 0;             // bytes, when not bulk
  ExprId sizeExpr = NoExpr;      // bytes, as an expression
  std::vector<ByteSource> bytes; // by address, when not bulk
  std::vector<uint32_t> storeOf; // access that stores each byte
};

struct Proof {
  Proof(Loop &loop, Match &match);
  /// Judges these stores alone.
  Proof(Loop &loop, Match &match, const std::vector<uint32_t> &stores);

  Loop &loop;
  Match &match;
  ExprGraph &g;

  // Stores, as indices of accesses.
  std::vector<uint32_t> stores;
  std::vector<uint32_t> counters; // stores to counters, see counter.cpp
  int stored = -1;                // the recurrence that is all that is stored
  // The region.
  Footprint body;
  Direction direction = Direction::None;
  ExprId lowOffset = NoExpr; // offset from the base of the lowest byte of all
  // Sums and hashes.
  std::vector<uint32_t> summed; // accesses that they read
  std::set<ExprId> tested;      // start values that are tested to be small
  uint32_t readRecs;            // number of recurrences that the reader supplied
  /// Recurrences, and those that hold the used bits of them.
  std::map<uint32_t, uint32_t> narrowed;
  std::set<uint32_t> wideStarts; // of these, those that may start with more bits
  bool lookedNarrow = false;

  /// Enter a fact: proved; failed, so that the loop is kept; true if it is at run time.
  void prove(const char *name, std::string need, std::string have, std::string evidence = "");
  Refusal fail(const char *name, Diag code, std::string need, std::string have,
               std::string evidence = "");
  void guard(const char *name, Diag code, std::string need, std::string have,
             std::string evidence = "");
  /// Adds a condition under which the operation may replace the loop.
  void require(ExprId condition);
  /// Adds one that the programmer should know of.
  void require(ExprId condition, const char *name, Diag code, std::string need, std::string have);
  bool failed() const;
  /// Names the idiom, unless the loop has a greater one.
  void name(Idiom idiom) { match.idiom = std::max(match.idiom, idiom); }

  /// Names an access in the programmer's terms: "store to d".
  std::string describe(const Access &a) const;
  std::string text(ExprId id) const { return sourceText(loop, id); }
  /// Names a place; the file only if it is not that of the loop.
  std::string where(const SourceLoc &loc) const;
  /// Returns the value in normal form, so that terms cancel before code is emitted.
  ExprId tidy(ExprId id) { return g.fromPoly(g.poly(id), g.width(id)); }
  /// Returns the address of an offset in the object of a base.
  ExprId address(uint32_t base, ExprId offset) {
    return g.add(g.leaf(Op::BaseAddr, base, loop.ptrBits), offset);
  }
  /// Returns the condition that [at, at + size) and [start, start + bytes) are disjoint.
  ExprId disjoint(ExprId at, ExprId size, ExprId start, ExprId bytes);
  /// Returns true for an access of unknown size, or one whose value is a byte to repeat.
  bool isBulk(const Access &a) const;
  /// Returns true if the loop is known to have an iteration.
  bool runs() const;
};

inline std::string nameOf(const LiveOut &l) { return l.name.empty() ? "a value" : l.name; }

/// Returns true if both accesses have one base and equal steps.
bool walkAlike(const ExprGraph &g, const Access &a, const Access &b);

/// Returns true if an access goes to the same place in every iteration.
bool isStill(const ExprGraph &g, const Access &a);

} // namespace memlift

#endif
