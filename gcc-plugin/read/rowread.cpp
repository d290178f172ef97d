// rowread.cpp - the loop models of a row's units, and the values that it leaves
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../prove/prove.h"
#include "../../idioms/decide/row.h"
#include "row.h"

namespace memlift {

/// What the unit leaves: symbols for values that are carried in it, else what is
/// known of them.
static void nameBehind(size_t stage, LoopBinding &binding) {
  for (auto &[name, value] : binding.finals)
    binding.row->behind[name] = value;
  for (uint32_t i = 0; i < binding.liveOuts.size(); ++i) {
    int rec = binding.loop.liveOuts[i].rec;
    if (rec < 0)
      continue;
    Symbol s{binding.loop.liveOuts[i].name + ".behind", binding.loop.recs[size_t(rec)].width};
    for (const Symbol &other : binding.loop.syms)
      if (other.name == s.name)
        s.name += std::to_string(stage);
    s.stage = int(stage);
    s.liveOut = i;
    binding.row->behind[binding.liveOuts[i]] =
        binding.loop.exprs.leaf(Op::Sym, binding.loop.syms.size(), s.width);
    binding.loop.syms.push_back(s);
    binding.syms.push_back(NULL_TREE); // never written
  }
}

static bool meet(const LoopBinding &a, const LoopBinding &b) {
  for (const Access &x : a.loop.accesses)
    for (const Access &y : b.loop.accesses)
      if (x.store != y.store && (x.base == y.base || !basesApart(a.bases[x.base], a.bases[y.base])))
        return true;
  return false;
}

/// Is no object of this unit written in another one's way?
static bool isApart(const Row &row, const LoopBinding &binding) {
  for (const LoopBinding &other : row.bindings)
    if (meet(binding, other))
      return false;
  return true;
}

static bool usedBehind(const Row &row, tree name) {
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST(use, it, name) {
    gimple *user = USE_STMT(use);
    if (!is_gimple_debug(user) && !row.blocks.count(gimple_bb(user)) &&
        !(gimple_code(user) == GIMPLE_PHI && gimple_bb(user) == row.exit))
      return true;
  }
  return false;
}

/// Values of the row that something behind it uses: its exit's PHIs, and names of
/// its own blocks. What the loops compute goes through PHIs.
static bool collectFinals(Row &row) {
  for (gphi_iterator psi = gsi_start_phis(row.exit); !gsi_end_p(psi); gsi_next(&psi))
    if (!virtual_operand_p(gimple_phi_result(psi.phi())))
      row.finals.push_back(gimple_phi_result(psi.phi()));
  auto add = [&](tree name) {
    if (name && TREE_CODE(name) == SSA_NAME && !virtual_operand_p(name) && usedBehind(row, name))
      row.finals.push_back(name);
  };
  for (basic_block bb : row.blocks) {
    bool inLoop = row.unitOf(bb);
    size_t before = row.finals.size();
    for (gphi_iterator psi = gsi_start_phis(bb); !gsi_end_p(psi); gsi_next(&psi))
      add(gimple_phi_result(psi.phi()));
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
      add(gimple_get_lhs(gsi_stmt(gsi)));
    if (inLoop && row.finals.size() != before)
      return false;
  }
  return true;
}

static bool readFinals(Translator &t, LoopBinding &binding) {
  if (!collectFinals(*binding.row))
    return false;
  for (tree name : binding.row->finals) {
    ExprId v = isScalar(TREE_TYPE(name)) ? t.value(name) : NoExpr;
    if (v == NoExpr || !binding.loop.exprs.isInvariant(v))
      return false;
    binding.loop.finals.push_back({"", v});
  }
  return true;
}

bool readRow(Row &row, unsigned ordinal) {
  row.bindings.reserve(row.units.size());
  for (size_t k = 0; k < row.units.size(); ++k) {
    LoopBinding binding;
    const RowUnit &unit = row.units[k];
    if (k) {
      const LoopBinding &before = row.bindings.back();
      binding.loop.exprs = before.loop.exprs;
      binding.loop.syms = before.loop.syms;
      binding.loop.bases = before.loop.bases;
      binding.bases = before.bases;
      binding.syms = before.syms;
      binding.loop.follows = true;
    }
    binding.row = &row;
    Nest nest;
    if (unit.loop) {
      nest = nestAround(unit.loop, 1);
      if (!nest.exit)
        return false;
      readNest(nest, ordinal, binding);
    } else if (!readStatement(unit.call, ordinal, binding)) {
      return false;
    }
    if (row.failed || !binding.loop.obstacles.empty())
      return false;
    Translator t(binding, nullptr);
    t.at(row.exit);
    runsOnlyIf(binding.loop, t.reached(row.entry, unit.front(), 16));
    nameBehind(k, binding);
    binding.loop.apart = k && isApart(row, binding);
    if (k + 1 == row.units.size() && !readFinals(t, binding))
      return false;
    if (row.failed)
      return false;
    row.bindings.push_back(std::move(binding));
  }
  return true;
}

} // namespace memlift
