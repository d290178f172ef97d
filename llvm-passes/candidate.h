// candidate.h - LLVM's nests of loops as the driver reads and writes them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_CANDIDATE_H
#define MEMLIFT_LLVM_CANDIDATE_H

#include "read/binding.h"
#include "read/reload.h"

#include <optional>

namespace memlift {

/// The state of the function's code since its analyses were computed.
struct CodeState {
  bool changed = false; // the analyses have followed
  bool stale = false;   // loops may no longer be in LCSSA form
};

class CandidateNest : public NestSource {
public:
  CandidateNest(Env &env, llvm::Loop &innermost, CodeState &code);
  size_t depth() override { return nest.size(); }
  bool hasStore() override;
  bool mayCarryLoads() override;
  std::unique_ptr<BoundLoop> read(size_t depth) override;
  std::unique_ptr<BoundLoop> readSearch() override;
  std::unique_ptr<BoundLoop> readFixed() override;
  void restore(bool written) override;
  void write(BoundLoop &binding, const Outcome &outcome) override;

private:
  void addFacts(LoopBinding &binding) const;

  Env &env;
  llvm::Loop &innermost;
  CodeState &code;
  std::vector<llvm::Loop *> nest; // the widest, outermost loop first
  std::optional<Reloads> reloads;
  bool off;          // the source switches memlift off for this loop
  bool gone = false; // the innermost loop no longer exists
};

} // namespace memlift

#endif
