// reload.h - bounds and pointers that a loop loads again in each iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_READ_RELOAD_H
#define MEMLIFT_GCC_READ_RELOAD_H

#include "binding.h"

namespace memlift {

/// Copies of an innermost loop's loads from invariant addresses, before the loop. While they
/// replace the loads the loop is changed: call restore() before other code looks at it, unless it
/// is gone.
class Reloads {
public:
  explicit Reloads(const Nest &nest) : loop(nest.inner()), exits(nest.exits) {
    if (nest.exit)
      exits.push_back(nest.exit);
  }

  /// Makes the copies. Returns false if there are none; then nothing has changed.
  bool hoist();
  /// Undoes the replacement. `used`: the copies are used before the loop, and stay there.
  void restore(bool used);
  /// Returns the loads and their copies.
  std::map<gimple *, tree> loads() const;
  /// Returns the stores of counters that are kept in memory.
  std::vector<gimple *> stores() const;

private:
  struct Copy {
    gassign *load; // null: the name is a phi's that carries on what is computed of others
    tree name;     // the replaced name; null: the load is an assignment of a struct
    gassign *copy;
    gphi *phi;      // the counter's phi: it replaces the load, and starts with the copy
    gimple *counts; // the counter's store
  };
  gimple *counterOf(gassign *load, bool &stored) const;
  bool usedInLoop(tree name) const;
  bool isFixed(gimple *stmt, bool everyTime = true) const;
  bool runsAlways(gimple *load, bool everyTime) const;
  tree fixedStruct(gimple *stmt) const;
  void hoistStruct(gassign *load, tree word, tree memory);
  bool readOnTheWay(gimple *load) const;
  gassign *carriedLoad(gphi *phi, tree memory) const;
  tree copyInFront(gassign *load, tree ref, tree memory);
  void hoistOne(gassign *load, tree name, tree memory);
  bool isFirst(tree name, tree before, tree memory, unsigned links = 4) const;
  void hoistComputed(tree memory);
  void hoistCarried(tree memory);
  tree alreadyCounted(gassign *load, gimple *counts, tree memory) const;
  void hoistCounter(gassign *load, gimple *counts, tree memory);
  void exchange(tree from, tree to);

  class loop *loop;
  std::vector<edge> exits; // in order
  std::vector<Copy> copies;
};

} // namespace memlift

#endif
