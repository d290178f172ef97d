// known.h - alignment that is proved of arguments, returned pointers and variables
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the functions and variables whose every use is visible, and the values assigned to them;
// idioms/align/slots.h proves alignment from those. The result is written to the names that hold
// the values, where all of GCC finds it.
#ifndef MEMLIFT_GCC_ALIGN_KNOWN_H
#define MEMLIFT_GCC_ALIGN_KNOWN_H

#include "lowbits.h"
#include "../../idioms/align/slots.h"

namespace memlift {

/// Alignment analysis of the whole unit, or at a link of the partition, on bodies after inlining.
class KnownEverywhere {
public:
  /// A pointer that is assigned to a slot.
  struct Assignment {
    tree value, function;
    gimple *at;
  };
  KnownEverywhere();
  ~KnownEverywhere();
  /// Finds the alignment of all slots that the arguments of mem* calls and of the builtin depend
  /// on.
  void find();
  void write();
  /// Returns whether the name holds a slot's value. `worst` becomes the assignment that limits its
  /// alignment, if there is one.
  bool holds(tree name, const Assignment *&worst) const;
  /// Prints the known alignment of each queried pointer and its reason (print-alignment).
  void print();

private:
  /// Uses of a variable, in bytes from its start.
  struct Uses {
    std::map<HOST_WIDE_INT, std::vector<Assignment>> pointers;   // loaded or stored
    std::vector<std::pair<HOST_WIDE_INT, HOST_WIDE_INT>> others; // stored to
    bool lost = false;
  };
  using Place = std::pair<tree, HOST_WIDE_INT>;
  std::vector<cgraph_node *> nodes;
  std::map<tree, std::unique_ptr<LowBits>> bits; // by function
  AlignSlots slots;
  std::vector<Assignment> assignments;                          // as Slots numbers them
  std::vector<std::pair<Assignment, unsigned>> queries;         // with the argument's number
  std::vector<Assignment> wide;                                 // assignments that could be wider
  std::map<tree, std::vector<AlignSlots::AlignSlot>> arguments; // by function
  std::map<tree, AlignSlots::AlignSlot> returns, parameters;    // by function, by PARM_DECL
  std::map<Place, AlignSlots::AlignSlot> places;
  std::map<tree, Uses> variables;
  std::map<tree, AlignSlots::AlignSlot> names; // names that were queried
  std::set<gimple *> seen;                     // calls

  void prepareFunctions();
  void prepareVariables();
  void assign(AlignSlots::AlignSlot h, const Assignment &p);
  void collectBody(tree function);
  void collectCall(gcall *call, tree function);
  void collectReturn(greturn *ret, tree function);
  void collectStore(gimple *stmt, tree ref, tree function);
  void collectLoad(gimple *stmt, tree ref);
  void finishArguments();
  void finishVariable(tree variable, Uses &uses);
  bool slotOf(tree name, AlignSlots::AlignSlot &h) const;
  unsigned read(tree name);
  LowBits &bitsOf(tree function);
  unsigned ask(const Assignment &p, unsigned limit, AlignProof *how = nullptr);

  struct Walk {
    KnownEverywhere *self;
    tree function;
  };
  static bool visitLoad(gimple *stmt, tree, tree ref, void *walk);
  static bool visitStore(gimple *stmt, tree, tree ref, void *walk);
  static bool visitAddress(gimple *stmt, tree, tree ref, void *walk);
};

} // namespace memlift

#endif
