// known.h - alignment that is proved of arguments, returned pointers and variables
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the functions and variables whose every use is in sight, and what is put
// there; idioms/align/slots.h proves from that. What it proves is written to
// the names that hold it, where all of GCC finds it.
#ifndef MEMLIFT_GCC_ALIGN_KNOWN_H
#define MEMLIFT_GCC_ALIGN_KNOWN_H

#include "lowbits.h"
#include "../../idioms/align/slots.h"

namespace memlift {

/// Of the whole unit, or at a link of the partition; bodies are what inlining made of
/// them.
class KnownEverywhere {
public:
  /// A pointer that is put somewhere.
  struct Assignment {
    tree value, function;
    gimple *at;
  };
  KnownEverywhere();
  ~KnownEverywhere();
  /// What the alignment of the pointers hangs on that mem* calls and the builtin are
  /// given.
  void find();
  void write();
  /// Whether the name holds what is found everywhere; then `worst` is what makes it no
  /// more aligned, if anything that is put there does.
  bool holds(tree name, const Assignment *&worst) const;
  /// What is known of each pointer that was asked about, and why (print-alignment).
  void print();

private:
  /// How a variable is used, in bytes from its start.
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
  std::vector<std::pair<Assignment, unsigned>> queries;         // and which argument
  std::vector<Assignment> wide;                                 // assignments that could be wider
  std::map<tree, std::vector<AlignSlots::AlignSlot>> arguments; // by function
  std::map<tree, AlignSlots::AlignSlot> returns, parameters;    // by function, by PARM_DECL
  std::map<Place, AlignSlots::AlignSlot> places;
  std::map<tree, Uses> variables;
  std::map<tree, AlignSlots::AlignSlot> names; // that were asked about
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
