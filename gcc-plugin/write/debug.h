// debug.h - debug information of variables whose loops were replaced
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_WRITE_DEBUG_H
#define MEMLIFT_GCC_WRITE_DEBUG_H

#include "../compat.h"

#include <vector>

namespace memlift {

/// The user's variables that debug statements of a region bind. With the region, its bindings go:
/// without new ones, the last binding before it would be believed.
class BoundVariables {
public:
  /// Collects the bindings before the control flow changes; needs dominators. The region is left at
  /// the end of `last`; null: in several places, and no variable's value there is known.
  BoundVariables(const std::vector<basic_block> &region, basic_block last);
  /// Makes the variables' values unknown from the start of `arm` on, which replaces the region.
  void forget(basic_block arm) const;
  /// Binds the variables that were bound to `old` at the region's end to `both`, the phi of `join`.
  void bind(basic_block join, tree old, tree both) const;
  /// Binds the variables that have a constant at the region's end, or a value from before it.
  void bindOuter(basic_block join) const;

private:
  struct Variable {
    tree decl;
    tree value;          // value of the last binding; null: unknown
    basic_block at;      // block of the last binding
    bool certain, outer; // it reaches the region's end; its value needs no region
  };
  std::vector<Variable> variables;

  Variable &of(tree decl);
  void note(gimple *stmt, const std::vector<basic_block> &region, basic_block last);
};

} // namespace memlift

#endif
