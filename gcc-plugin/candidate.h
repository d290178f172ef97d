// candidate.h - GCC's nests of loops as the driver reads and writes them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_CANDIDATE_H
#define MEMLIFT_GCC_CANDIDATE_H

#include "read/binding.h"
#include "read/reload.h"

#include <optional>

namespace memlift {

class CandidateNest : public NestSource {
public:
  explicit CandidateNest(class loop *inner) : inner(inner) {}
  size_t depth() override;
  bool hasStore() override { return storesOf(inner) == Stores::Plain; }
  bool mayCarryLoads() override;
  std::unique_ptr<BoundLoop> read(size_t depth) override;
  std::unique_ptr<BoundLoop> readSearch() override;
  std::unique_ptr<BoundLoop> readFixed() override;
  void restore(bool written) override { reloads->restore(written); }
  void write(BoundLoop &binding, const Outcome &outcome) override;
  /// Returns whether an operation replaced the nest: always, or where a test at run time holds.
  bool isDone() const { return done; }

private:
  class loop *inner;
  std::optional<Reloads> reloads;
  bool done = false;
};

} // namespace memlift

#endif
