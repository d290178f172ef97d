// prover.h - the proof in progress: facts as they are found, shared geometry
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One proof step is one function, one fact and one code. A step that fails does not
// stop the others: everything that can still be judged is judged, so that the
// programmer sees all reasons at once.
#ifndef MEMLIFT_IDIOMS_PROVER_H
#define MEMLIFT_IDIOMS_PROVER_H

#include "../algebra/cases.h"
#include "../algebra/gf2.h"
#include "../algebra/ones.h"
#include "bytes.h"
#include "weights.h"
#include "recognize.h"
#include "region.h"

#include <map>
#include <set>

namespace memlift {

/// The bytes that one run of the body writes, relative to the first store's offset.
struct Footprint {
  bool bulk = false;             // one store of a symbolic size
  int64_t low = 0;               // offset of the lowest byte
  unsigned size = 0;             // bytes, when not bulk
  ExprId sizeExpr = NoExpr;      // bytes, as an expression
  std::vector<ByteSource> bytes; // by address, when not bulk
  std::vector<uint32_t> storeOf; // access that stores each byte
};

/// The forms of a sum modulo m and of the sum that it adds up, if there is one.
struct ModularForms {
  Linear own, partner;
};

/// Outcome of a family for one value, or of a step that families share.
enum class Answer : uint8_t {
  NotMine, // something else; no fact is entered
  Refused, // nearly a member; a fact says what is missing
  Proved
};

inline Answer provedIf(bool holds) { return holds ? Answer::Proved : Answer::NotMine; }

/// Proves one loop. The public steps are called in order by recognize(); the private
/// ones belong to the families, one file each. State that steps share: the footprint
/// of the body, the direction, and the expressions added so far.
class Prover {
public:
  Prover(Loop &loop, Match &match);
  // Judges these stores alone.
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

  // Decides whether it may be a copy or a fill (nominate.cpp).
  bool nominate();
  bool counts(ExprId value) const;
  void nameValue(const Access &store, bool mixed);

  // Proves which bytes are written altogether (contiguous.cpp).
  bool destination();
  bool bodyContiguous();
  bool nestContiguous();
  bool rowsApart(const Region &r) const;

  // Checks that no fixed value of the loop model is overwritten (fixed.cpp).
  void fixedLoads();

  // Sums and hashes: values are carried, and nothing else is stored (reduce.cpp).
  bool isReduction() const { return stored >= 0 || (stores.empty() && carriesOut()); }
  void reduce();
  // Sums beside a copy, of the bytes that are copied.
  void sumsBeside();

  // Counters that each iteration stores beside it (counter.cpp).
  void countersInMemory();

  // Proves the idiom itself, once its bytes are known to be contiguous.
  void fill();
  void copy();
  // Runs all of these; false if there is no one region, or no value that fills it.
  bool bulk();

  bool failed() const { return anyFailed; }
  bool storesSeveral() const { return stores.size() > 1; }
  // Returns true if some store moves through memory by a counter. A flag that each
  // iteration sets is no fill, and neither is a walk along a list (nominate.cpp).
  bool walks() const;

private:
  Loop &loop;
  Match &match;
  ExprGraph &g;
  bool anyFailed = false;
  std::set<ExprId> tested; // start values that are tested to be small
  /// Recurrences, and those that hold the used bits of them.
  std::map<uint32_t, uint32_t> narrowed;
  std::set<uint32_t> wideStarts; // of these, those that may start with more bits
  bool lookedNarrow = false;
  uint32_t readRecs;              // number of recurrences that the reader supplied
  std::vector<uint32_t> stores;   // access indices
  std::vector<uint32_t> counters; // stores to counters, see counter.cpp
  int stored = -1;                // the recurrence that is all that is stored
  Footprint body;
  Direction direction = Direction::None;
  std::vector<uint32_t> summed; // accesses that sums read
  ExprId lowOffset = NoExpr;    // offset from the base of the lowest byte of all

  /// Enters a proved fact, and a failed one.
  void prove(const char *name, std::string need, std::string have, std::string evidence = "");
  Answer fail(const char *name, Diag code, std::string need, std::string have,
              std::string evidence = "");
  void obstacles(const char *name, std::initializer_list<Diag> codes, const char *need);
  std::string describe(const Access &a) const;
  std::string strideText(ExprId step, uint64_t size) const;
  std::string text(ExprId id) const { return printExpr(loop, id); }
  std::string where(const SourceLoc &loc) const;
  /// Returns the value in normal form, so that terms cancel before code is emitted.
  ExprId tidy(ExprId id) { return g.fromPoly(g.poly(id), g.width(id)); }
  bool isBulk(const Access &a) const;

  // nominate.cpp and contiguous.cpp: the stored bytes and their region.
  bool reloaded(const ByteSource &b) const;
  bool readsOnce(uint32_t load) const;
  ByteSource sourceOf(const Access &store, unsigned k);
  bool scalarFootprint();
  bool placeStores(std::vector<std::pair<int64_t, uint32_t>> &placed);
  uint64_t regionAlign(uint32_t base, ExprId low, const Access &a, uint64_t &touched);

  // reduce.cpp and stored.cpp: which live-outs or stored values are judged.
  bool carriesOut() const;
  bool readBeforeWritten();
  int storedState();
  void readOnce();
  void stateApart();
  bool reduceStored();
  bool reduceAll();
  bool reduceOne(uint32_t liveOut);
  // sum.cpp: forms over the integers.
  bool sumOf(const Linear &form, Reduction &r, const Weights &w);
  Answer weightedSumOf(const Linear &form, Reduction &r, Weights &w);
  // crc*.cpp: linear maps over GF(2).
  Answer bytesInOrder(const std::vector<std::pair<uint32_t, unsigned>> &read, Weights &w,
                      std::vector<unsigned> &order);
  Answer crcByChoice(Reduction &r);
  bool crcWhere(ExprId choice, bool is, Reduction &r);
  Answer crcHeld(Reduction &r);
  Answer crcOfAnyPolynomial(Reduction &r);
  Answer mixesInvariants(uint32_t rec);
  Answer proveAnyPolynomial(Reduction &r, const std::vector<HeldCrc> &trials);
  Answer refuseCrc(CrcSlip slip);
  Answer formsInOrder(Gf2State &state, std::vector<Gf2Form> &forms, Weights &w,
                      std::vector<unsigned> &order);
  Answer crcOf(Reduction &r);
  // inet.cpp, carry.cpp, wide.cpp, parity.cpp, xorfold.cpp, last.cpp: one family
  // each.
  OnesForm reducedOnes(uint32_t rec);
  Answer inetOf(Reduction &r);
  Answer onesElements(const OnesForm &form, Reduction &r, Weights &w);
  bool onesStart(const OnesForm &form, Reduction &r);
  Answer carriesOf(Reduction &r);
  Answer carriesRegion(const Exact &words, Reduction &r);
  Answer lazySum(Reduction &r);
  Answer wideSumOf(Reduction &r);
  bool alternatingForms(Reduction &r, Linear forms[2], OnesForm &ones);
  Answer alternatingSum(Reduction &r);
  void require(ExprId condition, const char *name, Diag code, std::string need, std::string have);
  Answer xorFoldOf(Reduction &r);
  Answer lastOf(Reduction &r);
  bool moreThanLast();
  // modsum.cpp: sums reduced modulo m.
  Answer modularOf(Reduction &r);
  bool modularWith(Reduction &r, uint64_t top, ModularForms &forms);
  Answer modularShape(const ModularForms &forms, Reduction &r, Weights &w);
  bool coupled(uint32_t rec) const;
  void startsSmall(const Reduction &r);
  Answer nearlyModular(Reduction &r);
  Answer beyondRange(uint32_t rec);
  uint32_t cutTo(uint32_t rec) const;
  bool carriesItself(uint32_t rec) const;
  // lowbits.cpp: recurrences that are narrower than their type; hash.cpp: named and
  // kept.
  Answer wideLiveOut(Reduction &r);
  void narrowRecurrences();
  Answer narrowLiveOut(Reduction &r);
  Answer narrowSum(Reduction &r);
  Answer hashOf(Reduction &r);
  ExprId lowPart(ExprId id, unsigned to, std::map<ExprId, ExprId> &known);
  // reduce.cpp and sum.cpp: weights of bytes, and the region that they are read from.
  Answer integerSum(Reduction &r);
  Answer plainSum(const Linear &form, uint32_t a, Weights &w, Elements &e);
  Answer weightsOfSums(const Linear &form, const Linear &partner, Reduction &r, Weights &w);
  bool samePlace(const Weights &x, const Weights &y) const;
  bool polyhashOf(const Linear &form, Reduction &r, const Weights &w);
  Answer weightsOf(const Linear &form, Weights &w, bool lanes = false);
  void addLanes(const Weights &w, std::map<int64_t, Weight> &placed) const;
  Answer sourceRegion(const Weights &w);
  Answer forwards();
  Answer failWeights(const Weights &w);

  // fill.cpp and copy.cpp: the pattern, the source, the overlap.
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
  // fixed.cpp and counter.cpp: places that must not overlap the region.
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
