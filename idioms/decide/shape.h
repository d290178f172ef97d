// shape.h - copies and fills as loops over words, where no routine may be called
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_SHAPE_H
#define MEMLIFT_IDIOMS_SHAPE_H

#include "decide.h"

namespace memlift {

class ShapeWriter {
public:
  ShapeWriter(Loop &loop, const Match &match, const Core &core, Decision &d);
  /// Adds loops to the decision that leave what the source's loop leaves. False, with
  /// the reason in `why`, if none is known to be faster.
  bool write();
  std::string why, shape;
  ExprId guard = NoExpr;     // width 1; if there is one: else the source's loop has to run
  /// Width 1; if there is one: else the loops of d.repeat have to run.
  ExprId alike = NoExpr;

private:
  Loop &loop;
  const Match &match;
  const Core &core;
  Decision &d;
  ExprGraph &g;
  unsigned wordBits, word;   // of a word: bits, bytes
  unsigned group;            // words of an iteration of the main loop; a power of two
  uint64_t align, srcAlign;
  ExprId head, rest, tail;   // bytes up to the first whole word, behind it, and the last

  bool suits();
  bool longEnough();
  bool wordsOnly() const;
  bool countedWords() const;
  void split();
  ExprId masked(ExprId v, uint64_t mask) { return g.binary(Op::And, v, loop.word(mask)); }
  ExprId over(ExprId v, uint64_t power);
  ExprId bit(ExprId v, uint64_t power);
  bool wholeElements(unsigned bytes) const;
  void require(ExprId condition);

  bool fill();
  ExprId patternByte(ExprId words, ExprId index);
  ExprId turned(ExprId words);
  bool copy();
  void staysAhead();
  bool alignedAlike() const;
  bool alignedUnlike() const;
  unsigned copyUnit() const;
  void copyLoop(std::vector<InlineLoop> &to, ExprId trip, ExprId offset, unsigned count,
                unsigned bytes);
  void wholeWords(std::vector<InlineLoop> &to);
  /// A word of the source that belongs to two of the destination.
  struct Carried {
    ExprId at;               // the address behind it
    ExprId value;
    ExprId by, back;         // bits of it that are done, and the others
    size_t scalars;          // of loops so far
  };
  Carried firstWord(std::vector<InlineLoop> &to);
  void shiftLoop(std::vector<InlineLoop> &to, Carried &c, ExprId trip, ExprId offset,
                 unsigned count);
  void shiftedWords(std::vector<InlineLoop> &to);
  void fillLoop(ExprId trip, ExprId at, unsigned count, unsigned bytes, ExprId value);
};

} // namespace memlift

#endif
