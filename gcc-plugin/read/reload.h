// reload.h - bounds and pointers that a loop loads again in each iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_READ_RELOAD_H
#define MEMLIFT_GCC_READ_RELOAD_H

#include "binding.h"

namespace memlift {

/// Copies of an innermost loop's loads from invariant addresses, in front of it.
/// While they stand in for the loads the loop is another one: restore() before
/// anybody else looks at it, unless it is gone.
class Reloads {
public:
  explicit Reloads(const Nest &nest) : loop(nest.inner()), exits(nest.exits) {
    if (nest.exit)
      exits.push_back(nest.exit);
  }

  /// False if there are none; then nothing has changed.
  bool hoist();
  /// `used`: the copies are used in front of the loop, and stay there.
  void restore(bool used);
  /// What was copied, and its copy.
  std::map<gimple *, tree> loads() const;
  /// Where counters that are kept in memory are stored.
  std::vector<gimple *> stores() const;

private:
  struct Copy {
    gassign *load;
    tree name; // what the copy stands in for
    gassign *copy;
    gphi *phi;      // of a counter: it stands in, and starts with the copy
    gimple *counts; // and its store
  };
  gimple *counterOf(gassign *load, bool &stored) const;
  bool isFixed(gimple *stmt, bool everyTime = true) const;
  bool readOnTheWay(gimple *load) const;
  gassign *carriedLoad(gphi *phi, tree memory) const;
  tree copyInFront(gassign *load, tree memory);
  void hoistOne(gassign *load, tree name, tree memory);
  void hoistCarried(tree memory);
  void hoistCounter(gassign *load, gimple *counts, tree memory);
  void exchange(tree from, tree to);

  class loop *loop;
  std::vector<edge> exits; // in order
  std::vector<Copy> copies;
};

} // namespace memlift

#endif
