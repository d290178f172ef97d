// inplace.h - loops that take the place of a call where none may be made
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// InPlaceWriter's files: inplace.cpp has sums of bytes and Adler-32, pairsinplace.cpp
// sums of 16-bit words, inetinplace.cpp the Internet checksum, crcinplace.cpp CRCs.
#ifndef MEMLIFT_IDIOMS_INPLACE_H
#define MEMLIFT_IDIOMS_INPLACE_H

#include "decide.h"

namespace memlift {

/// Writes loops that compute the results of calls which may not be made. Every loop
/// is appended to the decision; values after it are Op::Result of its scalars.
class InPlaceWriter {
public:
  /// `facts` may be null; only a CRC asks it.
  InPlaceWriter(Loop &loop, const Match &match, const Core &core,
                const std::function<TargetFacts()> &facts, Decision &d);
  /// Adds loops to the decision that compute the result of call `index`, and notes
  /// that in the call. False, with the reason in `why`, if no loop in place is known
  /// to be faster than the source's.
  bool expand(size_t index);
  std::string why, shape;

private:
  /// One region as bytes up to an aligned address, then whole words, then bytes.
  struct WordSplit {
    ExprId head, words, tail; // numbers of bytes, words, bytes
    ExprId wordsAt, tailAt;   // addresses
    bool hasHead;
  };
  /// The instructions and constants that a CRC is computed with.
  struct CrcForm {
    CrcPoly crc;
    bool clmul = false;
    Op instruction = Op::Const; // Op::Const: none
    std::vector<uint64_t> fold; // constants of products
    uint64_t most = 0;          // largest size in bytes, 0 if unknown
    void choose(const CrcPoly &poly, const TargetFacts &target, const Loop &loop,
                uint64_t mostBytes);
  };
  /// The two sums of Adler-32 after the loops so far.
  struct Sums {
    ExprId plain, weighted;
  };

  Loop &loop;
  const Match &match;
  const Core &core;
  const std::function<TargetFacts()> &facts;
  Decision &d;
  ExprGraph &g;
  unsigned wordBits, width;              // bits of a load; bits of an accumulator
  ExprId start = NoExpr, bytes = NoExpr; // region of the call
  uint64_t align = 1;
  Sums sums{NoExpr, NoExpr};
  std::vector<ExprId> summed; // region that `sums` are of
  CrcForm form;

  ExprId num(uint64_t v) { return g.constant(v, width); }
  ExprId lanes(uint64_t low, unsigned step);
  ExprId multiplier(unsigned first);
  ExprId shift(Op op, ExprId a, unsigned n);
  ExprId load(unsigned bits) { return g.leaf(Op::Load, 0, bits); }
  ExprId wide(ExprId a) { return g.zextOrTrunc(a, width); }
  /// Returns the logarithm of a power of two.
  static unsigned logOf(unsigned power) {
    unsigned log = 0;
    while (1u << log < power)
      ++log;
    return log;
  }
  ExprId scalar(size_t i) { return g.leaf(Op::Rec, i, width); }
  WordSplit split(unsigned chunkBytes);
  /// Appends a loop and returns the final values of its scalars.
  std::vector<ExprId> add(ExprId trip, ExprId at, uint64_t step, unsigned loads, unsigned loadBytes,
                          bool few, const std::vector<InlineScalar> &scalars);

  ExprId sumBytes(bool isSigned);
  void adlerSums();
  ExprId modularSums(const ReturningCall &c);
  ExprId reduced(ExprId v, uint64_t modulus, bool fold);

  // inetinplace.cpp
  ExprId carry(ExprId a, ExprId b);
  ExprId num(uint64_t v, ExprId like) { return g.constant(v, g.width(like)); }
  ExprId rotatedBy(ExprId v, ExprId bits);
  ExprId fold(ExprId sum);
  ExprId bytesOf(ExprId w, ExprId before, ExprId count);
  /// A ones' complement sum in progress.
  struct OnesSum {
    ExprId sum, carries; // the carries are still to be added
  };
  std::vector<InlineScalar> addTo(const OnesSum &of, unsigned place, unsigned count,
                                  const std::function<ExprId(unsigned)> &word);
  void addWords(std::vector<OnesSum> &sums, ExprId trip, ExprId at, unsigned count, bool follows);
  void addPartialWord(std::vector<OnesSum> &sums, ExprId at, ExprId before, ExprId count,
                      bool follows);
  ExprId inetAligned();
  ExprId inetAnywhere();
  ExprId inet(ExprId init);

  // pairsinplace.cpp
  struct PairSums {
    ExprId low, high; // sums of the bytes of 16-bit words
  };
  ExprId topLane(ExprId v);
  void addPairs(PairSums &sums, ExprId trip, ExprId at, unsigned count,
                const std::function<ExprId(unsigned)> &word, bool toLanes);
  void addPartialPairs(PairSums &sums, ExprId at, ExprId before, ExprId count);
  ExprId pairs(bool swapped);

  // crcinplace.cpp
  bool crc(ReturningCall &c);
  ExprId crcLoad(unsigned i, unsigned bytes);
  ExprId crcConstant(CrcRow row, unsigned which);
  ExprId folded(ExprId v, CrcRow row);
  ExprId reducedWord(ExprId t);
  ExprId finished(ExprId v);
  ExprId crcAfter(ExprId state, unsigned bytes);
  ExprId crcSteps(ExprId state, ExprId trip, ExprId at, unsigned bytes, bool few);
  ExprId crcPiece(ExprId count, unsigned bytes, ExprId &at);
  ExprId crcRest(ExprId state, ExprId at, ExprId count);
  ExprId foldedBlocks(ExprId at, ExprId count, ExprId &first);
  ExprId foldedAll(ExprId state, ExprId at, ExprId count);
  ExprId crcByProducts(ExprId state);
  ExprId crcByTable(const ReturningCall &c);
  void explainTable(const TargetFacts &target);
  uint32_t crcTable(const CrcPoly &poly, unsigned bits, unsigned entryBits);
};

} // namespace memlift

#endif
