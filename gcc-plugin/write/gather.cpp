// gather.cpp - one block for all exits of a loop to lead to, and the edges on from there
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   X0: if (test) goto a; else X1        X0: if (test) goto left; else X1
//   X1: if (test) goto b; else X0   =>   X1: if (test) goto left; else X0
//   a:  PHI <v (X0)>                     left: which = PHI <1 (X0), 0 (X1)>
//   b:  PHI <w (X1)>                           va = PHI <v (X0), 0 (X1)>
//                                              vb = PHI <0 (X0), w (X1)>
//                                              if (which) goto toA; else toB
//                                        toA: goto a         a: PHI <va (toA)>
//                                        toB: goto b         b: PHI <vb (toB)>
//
// The operation in the loop's place knows beforehand at which exit the loop would be left, and with
// which values. Both arms may then lead to one block, which distinguishes the exits.
#include "routine.h"

namespace memlift {
namespace {

class Gather {
public:
  Gather(const Nest &nest, LoopBinding &binding) : given(nest), nest(nest), binding(binding) {}
  Nest run();

private:
  basic_block block(basic_block after);
  tree choice(tree here, size_t exit, tree elsewhere);
  void carryOver(size_t exit);
  void branch(basic_block at, tree which, basic_block arm, basic_block other);
  void leadOn();

  const Nest &given;
  Nest nest;
  LoopBinding &binding;
  basic_block left = nullptr;
  std::vector<basic_block> arms;
  std::vector<tree> which; // whether the loop is left at this exit; not needed for the last
};

basic_block Gather::block(basic_block after) {
  basic_block made = create_empty_bb(after);
  add_bb_to_loop(made, loop_outer(given.outer()));
  made->count = profile_count::zero();
  for (edge e : given.exits)
    made->count += e->count();
  return made;
}

/// Returns a PHI that is `here` where the loop is left at this exit, and `elsewhere` at others.
tree Gather::choice(tree here, size_t exit, tree elsewhere) {
  tree result = TREE_CODE(here) == SSA_NAME ? copy_ssa_name(here) : make_ssa_name(TREE_TYPE(here));
  gphi *phi = create_phi_node(result, left);
  for (size_t k = 0; k < nest.into.size(); ++k)
    add_phi_arg(phi, k == exit ? here : elsewhere, nest.into[k], binding.where);
  return result;
}

/// Replaces the values used after an exit by PHIs of the block after all exits.
void Gather::carryOver(size_t exit) {
  edge on = single_succ_edge(arms[exit]);
  for (gphi_iterator psi = gsi_start_phis(on->dest); !gsi_end_p(psi); gsi_next(&psi)) {
    tree value = PHI_ARG_DEF_FROM_EDGE(psi.phi(), on);
    if (virtual_operand_p(gimple_phi_result(psi.phi())))
      continue;
    for (size_t i = 0; i < binding.apart.values.size(); ++i)
      if (binding.apart.values[i].exit == exit && binding.liveOuts[i] == value) {
        tree result = choice(value, exit, build_zero_cst(TREE_TYPE(value)));
        binding.apart.gathered[result] = i;
        SET_PHI_ARG_DEF(psi.phi(), int(on->dest_idx), result);
        break;
      }
  }
}

void Gather::branch(basic_block at, tree condition, basic_block arm, basic_block other) {
  gimple_stmt_iterator gsi = gsi_last_bb(at);
  gcond *test = gimple_build_cond(NE_EXPR, condition, boolean_false_node, NULL_TREE, NULL_TREE);
  gimple_set_location(test, binding.where);
  gsi_insert_after(&gsi, test, GSI_NEW_STMT);
  make_edge(at, arm, EDGE_TRUE_VALUE)->probability = profile_probability::even();
  make_edge(at, other, EDGE_FALSE_VALUE)->probability = profile_probability::even();
}

/// Leads from the block after all exits to the code after each, by one test after the other.
void Gather::leadOn() {
  basic_block at = left;
  for (size_t k = 0; k + 1 < arms.size(); ++k) {
    basic_block other = k + 2 == arms.size() ? arms.back() : block(at);
    branch(at, which[k], arms[k], other);
    at = other;
  }
}

Nest Gather::run() {
  free_dominance_info(CDI_POST_DOMINATORS);
  for (edge e : given.exits)
    arms.push_back(split_edge(e));
  left = block(given.exits.back()->src);
  nest.into.clear();
  nest.exits.clear();
  for (basic_block arm : arms) {
    edge exit = single_pred_edge(arm);
    nest.exits.push_back(redirect_edge_and_branch(exit, left));
  }
  nest.into = nest.exits;
  for (size_t k = 0; k + 1 < arms.size(); ++k) {
    which.push_back(choice(boolean_true_node, k, boolean_false_node));
    binding.apart.gathered[which.back()] = binding.liveOuts.size() + k;
  }
  for (size_t k = 0; k < arms.size(); ++k)
    carryOver(k);
  leadOn();
  free_dominance_info(CDI_DOMINATORS);
  calculate_dominance_info(CDI_DOMINATORS);
  return nest;
}

} // namespace

Nest gatherExits(const Nest &nest, LoopBinding &binding) {
  return binding.apart.isLeft.empty() ? nest : Gather(nest, binding).run();
}

} // namespace memlift
