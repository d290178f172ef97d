// driver.h - drives the reading, judging, reporting and rewriting of one function
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each plugin knows how its compiler's loops are read and written. The order of the attempts is the
// same for all of them and is decided here:
//
//   1. the innermost loop as a search, if it ends at what it reads
//   2. the widest perfect nest around the innermost loop, then ever fewer of its loops
//   3. the innermost loop with the values that it loads again in each iteration taken as fixed
//   4. where memlift("stream") asks for it, the nests again, cut into blocks
//   5. the innermost loop with the loads of several iterations before their stores
//
// The first attempt that a verdict allows is written, and no other is made. If none is allowed, the
// reading that says most gives the reasons in the remark. Chains of loops are tried before single
// loops (chains.h), calls after them.
//
// A verdict comes before any change of the code. The third attempt must prepare the code to be
// read, as compilers analyse real code only; restore() undoes this whatever the verdict is.
#ifndef MEMLIFT_IDIOMS_DRIVE_DRIVER_H
#define MEMLIFT_IDIOMS_DRIVE_DRIVER_H

#include "../judge.h"

#include <functional>
#include <memory>

namespace memlift {

/// A loop model bound to the code that it was read from. Each plugin derives its LoopBinding.
struct BoundLoop {
  Loop loop;

  BoundLoop() = default;
  BoundLoop(const BoundLoop &) = default;
  BoundLoop(BoundLoop &&) = default;
  BoundLoop &operator=(const BoundLoop &) = default;
  BoundLoop &operator=(BoundLoop &&) = default;
  virtual ~BoundLoop() = default;
};

/// An innermost loop and the loops around it, as a plugin reads and writes them.
class NestSource {
public:
  virtual ~NestSource() = default;
  /// Returns the number of loops in the widest perfect nest, at least 1.
  virtual size_t depth() = 0;
  /// Returns whether the innermost loop stores without a call.
  virtual bool hasStore() = 0;
  /// Returns whether the innermost loop may carry a scalar that depends on its loads.
  virtual bool mayCarryLoads() = 0;
  /// Reads the innermost loop and `depth` - 1 loops around it. Changes no code.
  virtual std::unique_ptr<BoundLoop> read(size_t depth) = 0;
  /// Replaces the innermost loop's loads from invariant addresses by copies before it, and reads
  /// the loop so. Returns null, with no code changed, if there are no such loads.
  virtual std::unique_ptr<BoundLoop> readFixed() = 0;
  /// Reads the innermost loop as one that also ends at what it reads (Loop::dataExits). Returns
  /// null if it is none. Changes no code.
  virtual std::unique_ptr<BoundLoop> readSearch() { return nullptr; }
  /// Undoes the replacement by readFixed(). `written`: an operation was written, before or beside
  /// the loop, that may use the copies.
  virtual void restore(bool written) = 0;
  /// Carries out the decision on a reading.
  virtual void write(BoundLoop &binding, const Outcome &outcome) = 0;
};

/// The function that is driven: its name, options and channels for verdicts.
class FunctionHost {
public:
  virtual ~FunctionHost() = default;
  /// Returns "<path>:<function>".
  virtual std::string functionId() const = 0;
  virtual const Options &options() const = 0;
  /// Returns false if verdicts are reported only, and no code may change.
  virtual bool mayWrite() const { return true; }
  /// Shows and reports a verdict where the user asked for it.
  virtual void report(const BoundLoop &binding, const Outcome &outcome) = 0;
};

class Driver {
public:
  /// `ordinal` counts the function's remarks, which gives each loop its id. Passes that share a
  /// function share the count.
  Driver(FunctionHost &host, unsigned &ordinal) : host(host), ordinal(ordinal) {}

  /// Makes the attempts on a nest. Returns true if one was allowed; it has then been written.
  bool runNest(NestSource &nest);
  /// Judges and reports a call or an assignment; calls `write` if the verdict allows it. Returns
  /// true in that case.
  bool runCall(BoundLoop &binding, const std::function<void(const Outcome &)> &write);
  /// Judges and reports a loop that cannot be written.
  void runKept(BoundLoop &binding);

  /// Gives a reading the id that its remark will have.
  void name(BoundLoop &binding) const;
  /// Reports a verdict and takes its ordinal.
  void remark(const BoundLoop &binding, const Outcome &outcome);
  FunctionHost &function() const { return host; }

private:
  Outcome judged(BoundLoop &binding) const;
  bool done(NestSource &nest, BoundLoop &binding, Outcome outcome);
  bool trySearch(NestSource &nest, bool &done);
  bool tryFixed(NestSource &nest, std::unique_ptr<BoundLoop> &kept, Outcome &outcome);
  bool tryStream(NestSource &nest, const std::unique_ptr<BoundLoop> &kept, Outcome &outcome);
  bool tryGroups(NestSource &nest, std::unique_ptr<BoundLoop> &kept, Outcome &outcome);

  FunctionHost &host;
  unsigned &ordinal;
};

} // namespace memlift

#endif
