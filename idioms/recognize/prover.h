// prover.h - the proof in progress: facts as they are found, shared geometry
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One proof step = one function = one fact = one code. A step that fails does
// not stop the others: whatever can still be judged is, so that the programmer
// sees everything that stands in the way at once.
#ifndef MEMLIFT_IDIOMS_PROVER_H
#define MEMLIFT_IDIOMS_PROVER_H

#include "../algebra/cases.h"
#include "../algebra/ones.h"
#include "bytes.h"
#include "weights.h"
#include "recognize.h"
#include "region.h"

#include <map>
#include <set>

namespace memlift {

/// What one run of the body writes, relative to the first store's offset.
struct Footprint {
  bool bulk = false;             // one store of a symbolic size
  int64_t low = 0;               // of the lowest byte
  unsigned size = 0;             // bytes, when not bulk
  ExprId sizeExpr = NoExpr;      // bytes, as an expression
  std::vector<ByteSource> bytes; // by address, when not bulk
  std::vector<uint32_t> storeOf; // access that stores each byte
};

/// A sum modulo m, and the one that it sums up if there is one.
struct ModularForms {
  Linear own, partner;
};

class Prover {
public:
  Prover(Loop &loop, Match &match);
  // Of these stores alone.
  Prover(Loop &loop, Match &match, const std::vector<uint32_t> &stores);

  // Steps that hold for every idiom, in proof order (facts.cpp).
  void functionAllowed();
  void assumptions();
  void tripCount();
  void loopForm();
  void addresses();
  void lookUps();
  void plainAccesses();
  void liveOuts();

  // A copy or a fill, if anything (nominate.cpp).
  bool nominate();
  bool counts(ExprId value) const;
  void nameValue(const Access &store, bool mixed);

  // Which bytes are written in all (contiguous.cpp).
  bool destination();
  bool bodyContiguous();
  bool nestContiguous();
  bool rowsApart(const Region &r) const;

  // Is nothing overwritten that the loop model takes to be fixed? (fixed.cpp)
  void fixedLoads();

  // Sums and hashes: no stores, but values carried along (reduce.cpp).
  bool isReduction() const { return stored >= 0 || (stores.empty() && carriesOut()); }
  void reduce();
  // The same beside a copy, of the bytes that are copied.
  void sumsBeside();

  // Counters that are stored beside it in each iteration (counter.cpp).
  void countersInMemory();

  // The idiom itself, once its bytes are known to be contiguous.
  void fill();
  void copy();
  // All of that: false if there is no one region, or nothing that it is filled with.
  bool bulk();

  bool failed() const { return anyFailed; }
  bool storesSeveral() const { return stores.size() > 1; }
  // Does any store go through memory at all, by a counter? A flag that is set in
  // each round is no fill, and neither is a walk along a list (nominate.cpp).
  bool walks() const;

private:
  Loop &loop;
  Match &match;
  ExprGraph &g;
  bool anyFailed = false;
  std::set<ExprId> tested; // start values that are to be small
  /// Recurrences and the ones that hold the bits of them that anybody sees.
  std::map<uint32_t, uint32_t> narrowed;
  std::set<uint32_t> wideStarts; // of these, which may start with more bits
  bool lookedNarrow = false;
  uint32_t readRecs;              // recurrences that the reader told
  std::vector<uint32_t> stores;   // access indices
  std::vector<uint32_t> counters; // stores beside them, see counter.cpp
  int stored = -1;                // recurrence that is all that is stored
  Footprint body;
  Direction direction = Direction::None;
  std::vector<uint32_t> summed; // accesses that sums were found to read
  ExprId lowOffset = NoExpr;    // from the base, of the lowest byte in all

  void prove(const char *name, std::string need, std::string have, std::string evidence = "");
  void fail(const char *name, Diag code, std::string need, std::string have,
            std::string evidence = "");
  void obstacles(const char *name, std::initializer_list<Diag> codes, const char *need);
  std::string describe(const Access &a) const;
  std::string strideText(ExprId step, uint64_t size) const;
  std::string text(ExprId id) const { return printExpr(loop, id); }
  std::string where(const SourceLoc &loc) const;
  /// The same value in normal form: what cancels is gone before it is emitted.
  ExprId tidy(ExprId id) { return g.fromPoly(g.poly(id), g.width(id)); }
  bool isBulk(const Access &a) const;

  bool reloaded(const ByteSource &b) const;
  bool readsOnce(uint32_t load) const;
  ByteSource sourceOf(const Access &store, unsigned k);
  bool scalarFootprint();
  bool placeStores(std::vector<std::pair<int64_t, uint32_t>> &placed);
  uint64_t regionAlign(uint32_t base, ExprId low, const Access &a, uint64_t &touched);

  bool carriesOut() const;
  bool readBeforeWritten();
  int storedState();
  void readOnce();
  void stateApart();
  bool reduceStored();
  bool reduceAll();
  bool reduceOne(uint32_t liveOut);
  bool sumOf(const Linear &form, Reduction &r, const Weights &w);
  bool weightedSumOf(const Linear &form, Reduction &r, Weights &w);
  bool bytesInOrder(const std::vector<std::pair<uint32_t, unsigned>> &read, Weights &w,
                    std::vector<unsigned> &order);
  bool crcByChoice(Reduction &r, bool &told);
  bool crcWhere(ExprId choice, bool is, Reduction &r);
  bool crcHeld(Reduction &r);
  bool crcOfAnyPolynomial(Reduction &r, CrcSlip &slip);
  bool mixesInvariants(uint32_t rec);
  bool proveAnyPolynomial(Reduction &r, const std::vector<HeldCrc> &trials);
  bool crcOf(Reduction &r);
  OnesForm reducedOnes(uint32_t rec);
  bool inetOf(Reduction &r);
  bool onesElements(const OnesForm &form, Reduction &r, Weights &w);
  bool onesStart(const OnesForm &form, Reduction &r);
  bool carriesOf(Reduction &r);
  bool carriesRegion(const Exact &words, Reduction &r);
  bool lazySum(Reduction &r);
  bool wideSumOf(Reduction &r);
  bool alternatingForms(Reduction &r, Linear forms[2], OnesForm &ones);
  bool alternatingSum(Reduction &r);
  void require(ExprId condition, const char *name, Diag code, std::string need, std::string have);
  bool xorFoldOf(Reduction &r);
  bool lastOf(Reduction &r);
  bool moreThanLast();
  bool modularOf(Reduction &r);
  bool modularWith(Reduction &r, uint64_t top, ModularForms &forms);
  bool modularShape(const ModularForms &forms, Reduction &r, Weights &w);
  bool coupled(uint32_t rec) const;
  void startsSmall(const Reduction &r);
  bool nearlyModular(uint32_t rec);
  bool beyondRange(uint32_t rec);
  uint32_t cutTo(uint32_t rec) const;
  bool carriesItself(uint32_t rec) const;
  bool wideLiveOut(Reduction &r);
  void narrowRecurrences();
  bool narrowLiveOut(Reduction &r);
  bool narrowSum(Reduction &r, Weights &w);
  bool hashOf(uint32_t rec);
  ExprId lowPart(ExprId id, unsigned to, std::map<ExprId, ExprId> &known);
  bool integerSum(Reduction &r, Weights &w);
  bool plainSum(const Linear &form, uint32_t a, Weights &w, Elements &e);
  bool weightsOfSums(const Linear &form, const Linear &partner, Reduction &r, Weights &w);
  bool samePlace(const Weights &x, const Weights &y) const;
  bool polyhashOf(const Linear &form, Reduction &r, const Weights &w);
  bool weightsOf(const Linear &form, Weights &w, bool lanes = false);
  void addLanes(const Weights &w, std::map<int64_t, Weight> &placed) const;
  bool sourceRegion(const Weights &w);
  void failWeights(const Weights &w);

  unsigned patternPeriod() const;
  void setPattern(unsigned period);
  bool sourceBytes(uint32_t &first, ExprId &lowSource);
  bool swapped(unsigned word);
  unsigned wordsSwapped(ExprId &lowSource);
  ExprId sourceOf(unsigned i);
  bool bulkSource(uint32_t &first, ExprId &lowSource);
  bool sameSteps(const Access &load, const Access &store);
  void overlap(uint32_t load, ExprId lowSource);
  void overlapSameBase(ExprId lowSource, bool up, bool down);
  unsigned sourceByte(unsigned i) const;
  bool safeWithin(bool ascending) const;
  bool repeatsWithin(unsigned distance) const;
  bool stepsWithin(unsigned step) const;
  bool movedAtOnce() const;
  unsigned stepBytes() const;
  bool repeatedFill(uint64_t distance);
  ExprId firstBytes(unsigned count, bool native);
  uint64_t firstAlign() const;
  void require(ExprId condition);
  bool fixedApart(uint32_t load);
  bool keepApart(ExprId at, uint64_t size, ExprId start, ExprId bytes);
  bool countsInPlace(const Access &a) const;
  bool isCounted(const Access &load);
  bool staysFixed(uint32_t load);
  void setCountersApart();
  bool counterApart(uint32_t counter, uint32_t other);
  ExprId lastStored(const Access &counter);
  void counterKept(uint32_t index);
  bool writesItself(const Access &load) const;
  bool neverOverlap(std::string &evidence) const;
  void moves();
  void guardFact(bool up, bool down);
};

} // namespace memlift

#endif
