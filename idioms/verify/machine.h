// machine.h - runs a loop model, or a decision about it, on a small memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two machines with one seed begin with the same symbols, bases and bytes: one
// runs the loop model (machine.cpp), the other the decision (routines.cpp holds
// what each routine of the runtime does, byte by byte).
#ifndef MEMLIFT_IDIOMS_VERIFY_MACHINE_H
#define MEMLIFT_IDIOMS_VERIFY_MACHINE_H

#include "../decide/decide.h"

#include <algorithm>
#include <optional>

namespace memlift {

using Bytes = std::vector<uint8_t>; // least significant byte first

/// splitmix64: small, seedable, the same on every host.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t n) { return next() % n; }

private:
  uint64_t state;
};

constexpr uint64_t arenaBase = 0x2000;

/// Addresses that an iteration of a loop in place loads from and stores to.
struct Places {
  uint64_t start = 0, to = 0;
  std::vector<uint64_t> more;
};

class Machine {
public:
  Machine(const Loop &loop, uint64_t seed)
      : loop(loop), g(loop.exprs), random(seed), clears(seed % 4 != 0) {}
  /// Chooses symbols, bases and memory; false if the facts rule them out.
  bool choose();
  /// After runLoop: has a store changed a place that the loop model takes as fixed?
  bool fixedWritten() const;
  /// After choose: do the assumptions of the loop model hold in this trial?
  bool assumptionsHold() const { return assumed; }
  bool takesGuard(ExprId guard) { return guard == NoExpr || word(guard); }
  /// Returns the bytes and iterations of a trial, roughly.
  uint64_t work() const { return memory.size() + 16 * iterations; }
  /// Runs the loop model; false if it leaves the arena or breaks a stated fact.
  bool runLoop();
  /// Runs a loop with data exits up to the iteration in which it is left; false as above.
  bool runSearch();
  /// After runSearch(): tries that the loop is entered no later than that, and where it is left.
  std::string runSkip(const Decision &d, const Machine &source, bool &fast);
  /// Runs the decision; returns "" or what is wrong with it.
  std::string runDecision(const Match &match, const Decision &d, bool &fast);
  Bytes memory;
  std::string describe() const;
  /// After runLoop: the values of the recurrences.
  std::vector<Bytes> carried;
  /// Takes over the symbols, addresses and memory of another loop model of the chain.
  /// False if this one cannot run with them.
  bool takeOver(const Machine &other);
  void setSymbol(size_t index, const Bytes &value) {
    syms[index] = value;
    ++moment;
  }
  /// Returns the arena's bytes that runLoop has loaded, or stored.
  std::vector<bool> reached(bool stores) const;
  /// Runs a decision whose guard holds; returns "" or what is wrong with it.
  std::string runAlone(const Match &match, const Decision &d);
  Bytes valueOf(ExprId id) { return eval(id); }
  size_t symbolCount() const { return syms.size(); }
  /// Runs the loop model by blocks; returns "" or what is wrong with that.
  std::string runStream(const StreamPlan &streams);
  /// Runs the loop model by blocks in an order at random; the same.
  std::string runSpread(const SpreadPlan &spread);
  /// Runs the decision's calls; returns "" or the live-out that is not `expected`.
  std::string runCalls(const Match &match, const Decision &d, const std::vector<Bytes> &expected,
                       bool &fast);

private:
  const Loop &loop;
  const ExprGraph &g;
  Random random;
  const bool clears; // one instruction clears whole blocks: Op::ClearsBlocks
  std::vector<Bytes> syms;
  std::vector<uint64_t> bases, trips;
  std::vector<uint64_t> iv, results;
  std::vector<Bytes> loaded; // per access, by address
  std::vector<Bytes> finals; // of the scalars of loops in place
  /// The final addresses of the last loop in place.
  std::optional<Places> cameTo;
  const std::vector<Table> *tables = nullptr; // of loops in place
  std::vector<std::vector<bool>> touched;     // per access, per arena byte
  uint64_t maxIterations = 2048, iterations = 0;
  bool ok = true, assumed = true;
  uint64_t leftAt = 0;       // of a search: the iteration in which the loop is left
  bool fixedChanged = false; // a fixed load did not read its value
  /// A node's value: bytes, or a word of up to 64 bits, which costs no allocation.
  struct Value {
    Bytes bytes;
    uint64_t word = 0, bytesAt = 0, wordAt = 0; // their moments, 0: never
  };
  /// Values computed at this moment: the eight steps of a CRC use each other twice.
  std::vector<Value> known;
  uint64_t moment = 1;

  /// Returns the low 64 bits of a value.
  uint64_t word(ExprId id);
  static uint64_t toWord(const Bytes &b) {
    const uint8_t *const bytes = b.data();
    uint64_t v = 0;
    for (size_t i = std::min<size_t>(b.size(), 8); i-- > 0;)
      v = v << 8 | bytes[i];
    return v;
  }
  static Bytes fromWord(uint64_t v, unsigned width) {
    Bytes b((width + 7) / 8);
    v &= maskOf(width);
    for (size_t i = 0; i < b.size() && i < 8; ++i)
      b[i] = uint8_t(v >> (8 * i));
    return b;
  }
  static Bytes pairOf(uint64_t low, uint64_t high) {
    Bytes b = fromWord(low, 64), upper = fromWord(high, 64);
    b.insert(b.end(), upper.begin(), upper.end());
    return b;
  }
  /// Returns a value's bytes by address.
  Bytes byAddress(Bytes v) const {
    if (loop.bigEndian)
      std::reverse(v.begin(), v.end());
    return v;
  }
  const Bytes &eval(ExprId id);
  Value &valueAt(ExprId id);
  Bytes compute(const Expr &e);
  uint64_t computeWord(const Expr &e);
  uint64_t entryOf(const Expr &e);
  uint64_t crcOf(const Expr &e);
  void store(ExprId value, uint8_t *to, uint64_t n);
  Bytes wide(const Expr &e);
  bool wideCompare(const Expr &e);
  bool inArena(uint64_t at, uint64_t n) const {
    return at >= arenaBase && n <= memory.size() && at - arenaBase <= memory.size() - n;
  }
  bool setFixed();
  void chooseSymbols();
  bool chooseTrips();
  void levelMemory();
  bool chooseValues();
  void chooseBases(uint64_t extent);
  uint64_t constantExtent() const;
  uint64_t usualAlign(uint32_t base) const;
  bool iterate(size_t dim, uint64_t &budget);
  bool body();
  void step();
  bool searchFrom(uint64_t first);
  std::string runWork(const Decision &d, uint64_t to, const Machine &source, bool &fast);
  uint64_t call(const ReturningCall &c);
  uint64_t callCrc(const ReturningCall &c);
  uint64_t callTableCrc(const ReturningCall &c);
  uint64_t callSliceCrc(const ReturningCall &c);
  uint64_t callLaneCrc(const ReturningCall &c);
  uint64_t callSearch(const ReturningCall &c);
  uint64_t entryAt(uint64_t at, unsigned bytes);
  uint64_t callCopySum(const ReturningCall &c);
  uint64_t callModular(const ReturningCall &c);
  void runAllInPlace(const std::vector<InlineLoop> &loops);
  void runInPlace(const InlineLoop &l);
  void moveWords(const InlineLoop &l, const Places &at);
  void clearBlock(uint64_t place, unsigned bytes);
  bool follows(const InlineLoop &l, const Places &at) const;
  std::string shaped(const std::vector<InlineLoop> &loops);
  Bytes loadOf(const InlineLoop &l, const InlineLoad &a, const Places &at);
  uint64_t element(const Operation &o, uint64_t at);
  bool access(uint32_t index);
  uint8_t *place(uint32_t index, uint64_t at, uint64_t n);

  // streams.cpp
  /// Bytes of a stream in a block, from the lowest address on.
  struct Window {
    uint64_t low = 0;
    Bytes bytes;
  };
  const StreamPlan *plan = nullptr; // while a block is computed
  std::vector<Window> block;        // as plan->accesses
  Window windowOf(const StreamAccess &a, uint64_t first, uint64_t count);
  bool writeBack(const StreamAccess &a, const Window &w, uint64_t first, uint64_t count);
  bool computeBlock(uint64_t first, uint64_t count, uint64_t &budget);
  bool aliasFactsHold() const;
  std::string rows(const Decision &d);
  std::string unaligned(const Decision &d);
  std::string forward(uint64_t step, uint64_t dst, uint64_t src, uint64_t n);
  std::string reverse(unsigned bytes, uint64_t dst, uint64_t src, uint64_t n);
  std::string swap(unsigned bytes, uint64_t dst, uint64_t src, uint64_t n);
  std::string fill(const Decision &d, uint64_t dst, uint64_t n);
  std::string transfer(bool disjoint, uint64_t dst, uint64_t src, uint64_t n);
  std::string words(const Match &match, const Decision &d);
  std::string words(const Match &match, const std::vector<InlineWord> &group);
  std::string storeFinals(const Decision &d);
  std::string operation(const Match &match, const Decision &d);
};

} // namespace memlift

#endif
