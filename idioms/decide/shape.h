// shape.h - copies and fills as loops over words, where no routine may be called
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ShapeWriter's files: shape.cpp has fills and copies of regions that are aligned
// alike; shapeshift.cpp copies by shifted words; shapeblocks.cpp clears blocks;
// shapecompact.cpp writes the same in less code, shapeuser.cpp for memory that may
// fault, and shapesmall.cpp in least code.
#ifndef MEMLIFT_IDIOMS_SHAPE_H
#define MEMLIFT_IDIOMS_SHAPE_H

#include "decide.h"

namespace memlift {

/// Writes a copy or a fill as loops over words. The state is a position in the copy's
/// direction: head, words, remainder. Each member that writes loops begins where the
/// one before ends, which InlineLoop::startFollows and toFollows tell the plugins.
class ShapeWriter {
public:
  ShapeWriter(Loop &loop, const Match &match, const Core &core,
              const std::function<TargetFacts()> &target, Decision &d);
  /// Adds loops to the decision that have the result of the source's loop. False,
  /// with the reason in `why`, if none is known to be faster.
  bool write();
  /// Adds loops that do all of the operation, and have stored no byte after one that is still to be
  /// stored when one of their accesses faults. False, with the reason in `why`, if there are none.
  bool writeUser();
  std::string why, shape;
  ExprId guard = NoExpr;     // width 1; if it is false, the source's loop has to run; NoExpr: none
  bool whole = false;        // the loops do all of it, also where the regions overlap
  bool choosesAlike = false; // branches on the regions' relative alignment: words, or shifted words
  unsigned clears = 0;       // bytes of the blocks that one instruction clears; 0: not used

private:
  Loop &loop;
  const Match &match;
  const Core &core;
  const std::function<TargetFacts()> &target;
  Decision &d;
  ExprGraph &g;
  unsigned wordBits, word; // bits and bytes of a word
  unsigned group;          // words that are loaded before they are stored; a power of two
  uint64_t align, srcAlign;
  /// Bytes before and after the start of whole words, and after their end.
  ExprId head, rest, tail;
  /// Source and destination addresses where loops over words begin.
  ExprId from = NoExpr, to = NoExpr;
  size_t results = 0;     // scalars of loops so far, and phis of branches
  bool compact;           // as little code as possible
  bool down = false;      // a copy from the last byte to the first
  bool continues = false; // the next loop begins where the last one ends

  // Returns whether loops over words are worth it.
  bool suits();
  bool longEnough();
  bool wordsOnly() const;
  bool countedWords() const;
  bool byWords(uint64_t aligned) const;
  bool takesLittleCode() const;
  /// Stores wait for memory, so instructions between them cost nothing.
  bool memoryIsSlow() const { return core.storeTenths > 10; }
  // Arithmetic on sizes and addresses.
  void split();
  ExprId masked(ExprId v, uint64_t mask) { return g.binary(Op::And, v, loop.word(mask)); }
  ExprId over(ExprId v, uint64_t power);
  ExprId bit(ExprId v, uint64_t power);
  ExprId some(ExprId v) { return g.binary(Op::Ne, v, loop.word(0)); }
  bool wholeElements(unsigned bytes) const;
  void require(ExprId condition);
  unsigned iteration(unsigned least, unsigned perWord, unsigned steps, unsigned share = 10) const;
  // Branches and phis around loops that are written already.
  void choose(size_t from, ExprId condition, BranchWeight often, size_t others = 0);
  void onlyIf(size_t from, ExprId condition, BranchWeight often = Half);
  /// The value of the scalar or phi added last, or of the one `before` places
  /// earlier.
  ExprId result(size_t before = 0) {
    return g.leaf(Op::Result, FinalResult + results - 1 - before, wordBits);
  }
  ExprId phi(size_t from, ExprId ifTrue, ExprId ifFalse, Phi::Kind kind);
  /// Writes the loop for a piece of so many bytes, which runs once or never.
  using Piece = std::function<void(uint64_t bytes)>;
  void growing(unsigned unit, const Piece &piece);
  ExprId unaligned(ExprId address) { return some(masked(address, word - 1)); }
  void shrinking(uint64_t from, unsigned unit, const Piece &piece);
  void add(InlineLoop l);

  bool fill();
  // shapeblocks.cpp
  bool maybeBlocks() const;
  ExprId clearBlocks(ExprId words);
  void clearWhole(ExprId at, ExprId bytes);
  // shape.cpp: fills
  ExprId repeated();
  void fillAnyway(ExprId at, uint64_t count, uint64_t bytes, ExprId words);
  void fillHead(unsigned unit, ExprId words);
  void fillTail(unsigned unit, ExprId words);
  // Words at the end that are filled without a test; there are four, and a head takes
  // at most one.
  static constexpr unsigned LastWords = 3;
  void lastWords(uint64_t from, unsigned unit, const Piece &piece, ExprId words);
  void filledWords(unsigned count, unsigned unit, bool whole, bool ends, ExprId words);
  ExprId patternByte(ExprId words, ExprId index);
  ExprId rotated(ExprId words);
  // shape.cpp: copies
  bool copy();
  void copyWords();
  bool goesDown() const;
  void staysAhead();
  ExprId after(ExprId region, ExprId done);
  uint64_t place(unsigned i, unsigned bytes) const;
  uint64_t stepOf(unsigned count, unsigned bytes) const {
    return down ? 0 - uint64_t(count) * bytes : uint64_t(count) * bytes;
  }
  bool alignedAlike() const;
  bool alignedUnlike() const;
  unsigned copyUnit() const;
  unsigned shiftGroup() const;
  void copyLoop(ExprId trip, ExprId done, unsigned count, unsigned bytes);
  void reachWords();
  void wholeWords();
  /// A word of the source that belongs to two words of the destination.
  struct Carried {
    ExprId at; // the address after it
    ExprId value;
    ExprId by, back; // bits of it that are done, and the others
  };
  /// Converts a number of bytes to bits.
  ExprId bitsOf(ExprId bytes) { return g.binary(Op::Shl, bytes, loop.word(3)); }
  /// The other bits of a word, modulo its width: a shift by all bits becomes one by
  /// 0.
  ExprId othersOf(ExprId bits) { return masked(g.sub(loop.word(0), bits), wordBits - 1); }
  ExprId nearer(ExprId w, ExprId by, ExprId back);
  ExprId farther(ExprId w, ExprId by, ExprId back);
  InlineLoop wordAt(ExprId trip, ExprId at);
  void storePiece(ExprId &left, ExprId trip, ExprId at, unsigned bytes);
  // shapeshift.cpp: copies by shifted words
  Carried firstWord();
  ExprId held(ExprId at);
  ExprId firstHeld();
  void storeFirst(ExprId w);
  void lastBytes(const Carried &c);
  void shiftLoop(Carried &c, ExprId trip, ExprId done, unsigned count);
  void shiftedWords();
  // shapecompact.cpp: the same in less code
  void inLittleCode(const char *how);
  bool compactCopy();
  void compactFill(unsigned unit, ExprId words);
  void carriedWords();
  ExprId nearerOrNone(ExprId w, ExprId more);
  // shapeshort.cpp: fewer than four words
  bool wholePatterns() const;
  bool takesShort() const;
  bool takesHalves() const;
  uint64_t leastBytes() const;
  void fewWords(ExprId first, ExprId middle, ExprId end, ExprId words);
  void fewElements(unsigned unit, ExprId words);
  void shortFill(unsigned unit, ExprId words);
  void shortCopy();
  // shapeuser.cpp: accesses that may fault
  bool suitsUser();
  ExprId wordsFrom = NoExpr, wordsTo = NoExpr; // addresses of the destination
  ExprId regionEnd = NoExpr;                   // where the copy ends, in its direction
  ExprId apart = NoExpr;                       // the source minus the destination, of a copy
  ExprId value = NoExpr;                       // UserFixup::value
  ExprId sourceOf(ExprId to) { return g.binary(Op::Add, to, apart); }
  void splitUser();
  void userWords();
  ExprId holdsWords(uint64_t least);
  void userGroups();
  void userShifted();
  void userRest(bool tested);
  void nameUser();
  // shapesmall.cpp: least code
  bool takesSmall() const;
  bool suitsSmall();
  ExprId apartEnough();
  void smallFill();
  void smallCopy();
  bool small();
  void fillLoop(ExprId trip, ExprId at, unsigned count, unsigned bytes, ExprId value);
};

} // namespace memlift

#endif
