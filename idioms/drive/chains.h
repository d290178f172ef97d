// chains.h - drives the search for loops that are one operation together
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The links are a function's loops and calls in program order. A plugin knows which of them follow
// one another, reads them and writes the operation. From each link that is in no chain yet, the
// longest chain is tried first.
//
// Calls get blocks of their own and a chain gets an exit of its own before they are read, because
// compilers analyse real code only. These blocks hold no operation; undo() merges them back.
#ifndef MEMLIFT_IDIOMS_DRIVE_CHAINS_H
#define MEMLIFT_IDIOMS_DRIVE_CHAINS_H

#include "../decide/chain.h"
#include "driver.h"

namespace memlift {

class ChainSearch {
public:
  explicit ChainSearch(Driver &driver) : driver(driver) {}
  virtual ~ChainSearch() = default;

protected:
  /// Searches among so many links, and undoes the preparation of those that are kept.
  void search(size_t links);

  Driver &driver;

private:
  /// Returns true if link `k + 1` may continue link `k`.
  virtual bool mayContinue(size_t k) = 0;
  /// Gives the link a block of its own, if it is a call.
  virtual void giveBlock(size_t link) = 0;
  /// Returns true if the control flow makes these links a chain.
  virtual bool isChain(size_t first, size_t count) = 0;
  /// Gives the chain its exit and reads a loop model for each link. Returns none if a link or a
  /// value between them cannot be described. The readings live until the next call.
  virtual std::vector<BoundLoop *> read(size_t first, size_t count) = 0;
  /// Binds the joined loop to the code of the chain that was read last.
  virtual BoundLoop &bind(const Joined &joined) = 0;
  /// Puts the operation beside the chain that was read last.
  virtual void write(BoundLoop &binding, const Joined &joined) = 0;
  /// Notes that the chain's links need no attempt of their own.
  virtual void take(size_t first, size_t count) = 0;
  /// Merges blocks that were split for links and exits of kept chains.
  virtual void undo() = 0;

  bool tryChain(size_t first, size_t count);
};

} // namespace memlift

#endif
