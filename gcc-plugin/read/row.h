// row.h - loops and mem* calls that run one after the other with nothing between
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   entry:  if (n > 7)               everything between the end of `entry` and `exit`
//   words:    loop                   has no effect but through the units; what a value
//   join:   p = PHI <d, ...>         there is, as seen from the end of `entry`,
//           if (rest != 0)           follows from the conditions on the way
//   bytes:    loop
//   exit:
#ifndef MEMLIFT_GCC_READ_ROW_H
#define MEMLIFT_GCC_READ_ROW_H

#include "translate.h"

namespace memlift {

/// A loop, or else a call that has a block of its own.
struct RowUnit {
  class loop *loop = nullptr;
  gimple *call = nullptr;
  /// Where it is entered from within the row.
  basic_block front() const { return loop ? loop_preheader_edge(loop)->src : gimple_bb(call); }
};

/// The order in which a row's values are written has to be that of every run.
struct ByIndex {
  bool operator()(basic_block a, basic_block b) const { return a->index < b->index; }
};

struct Row {
  std::vector<RowUnit> units;
  basic_block entry = nullptr, exit = nullptr;
  std::set<basic_block, ByIndex> blocks; // with those of the loops
  std::vector<LoopBinding> bindings;     // of the units that have been read
  std::map<tree, ExprId> behind;         // what a loop's values are behind it
  bool failed = false;                   // something could not be described
  /// Values that code behind the row uses: as Loop::finals of the last loop model.
  std::vector<tree> finals;

  bool contains(tree name) const {
    basic_block bb = TREE_CODE(name) == SSA_NAME ? gimple_bb(SSA_NAME_DEF_STMT(name)) : nullptr;
    return bb && (blocks.count(bb) || bb == exit);
  }
  const RowUnit *unitOf(basic_block bb) const {
    for (const RowUnit &u : units)
      if (u.loop && flow_bb_inside_loop_p(u.loop, bb))
        return &u;
    return nullptr;
  }
};

/// Asked before a block is split: is there, behind `a` in its block and before `b` in
/// its own, nothing that would keep the two from being a row? `a` comes first, and
/// they are not in one block.
bool isQuietBetween(const RowUnit &a, const RowUnit &b);
/// Fills in entry, exit and blocks for the units, in program order; calls must
/// have blocks of their own. Needs post-dominators. False if there is more
/// between the units.
bool findRow(Row &row);
/// Gives the row an exit with all its PHIs, entered from the row only and with one
/// successor. Post-dominators are gone then.
void closeRow(Row &row);
/// Reads a loop model for each unit; needs post-dominators. False if something cannot
/// be described.
bool readRow(Row &row, unsigned ordinal);

} // namespace memlift

#endif
