// compat.h - GCC's headers in the order they need, and every difference between its versions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every file of this directory includes it first. The standard headers come before GCC's system.h,
// which poisons names that they use. Only GCC 12 is supported; spellings of newer versions belong
// here, under GCCPLUGIN_VERSION.
#ifndef MEMLIFT_GCC_COMPAT_H
#define MEMLIFT_GCC_COMPAT_H

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gcc-plugin.h"
#include "plugin-version.h"

#include "backend.h"
#include "tree.h"
#include "gimple.h"
#include "cfghooks.h"
#include "tree-pass.h"
#include "ssa.h"
#include "gimple-pretty-print.h"
#include "diagnostic-core.h"
#include "fold-const.h"
#include "stor-layout.h"
#include "stringpool.h"
#include "attribs.h"
#include "asan.h"
#include "builtins.h"
#include "cfganal.h"
#include "cfgloop.h"
#include "cgraph.h"
#include "context.h"
#include "dumpfile.h"
#include "gimple-fold.h"
#include "gimple-iterator.h"
#include "gimple-range.h"
#include "gimple-walk.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "ipa-modref-tree.h"
#include "ipa-modref.h"
#include "langhooks.h"
#include "opts.h"
#include "options.h"
#include "pass_manager.h"
#include "plugin.h"
#include "target.h"
#include "tree-cfg.h"
#include "tree-chrec.h"
#include "tree-data-ref.h"
#include "tree-dfa.h"
#include "tree-eh.h"
#include "tree-into-ssa.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-alias.h"
#include "tree-ssa-loop-ivopts.h"
#include "tree-ssa-loop-manip.h"
#include "tree-ssa-loop-niter.h"
#include "tree-ssa-loop.h"
#include "toplev.h"

#if GCCPLUGIN_VERSION < 12000 || GCCPLUGIN_VERSION >= 13000
#error "memlift's GCC plugin is written for GCC 12: add the differences to compat.h"
#endif

// Declared in tree-vectorizer.h, which needs too many other headers.
extern dump_user_location_t find_loop_location(class loop *);

namespace memlift {

/// Returns the chosen -mtune name, or null if the target has no such option or none was given.
inline const char *tuneName() {
#ifdef riscv_tune_string
  if (riscv_tune_string)
    return riscv_tune_string;
#endif
#ifdef riscv_cpu_string
  if (riscv_cpu_string)
    return riscv_cpu_string;
#endif
  return nullptr;
}

/// Ranges that GCC's analyses of a function query; null: only facts that hold everywhere.
inline range_query *&rangesOf(function *of) { return of->x_range_query; }

/// Finds the range of an SSA name where `e` is taken. Returns false if nothing is known. GCC 13
/// renames irange's owner to value_range.
inline bool rangeOnEdge(gimple_ranger *ranger, edge e, tree name, int_range_max &range) {
  return ranger->range_on_edge(range, e, name) && !range.undefined_p() && !range.varying_p();
}

inline bool rangeOnEntry(gimple_ranger *ranger, basic_block bb, tree name, int_range_max &range) {
  ranger->range_on_entry(range, bb, name);
  return !range.undefined_p() && !range.varying_p();
}

} // namespace memlift

#endif
