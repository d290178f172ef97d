// compat.h - GCC's headers in the order they need, and every difference between its versions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every file of this directory includes it first. The standard headers come before GCC's system.h,
// which poisons names that they use. GCC 12 to 16 are supported; spellings of newer versions belong
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

#include <dlfcn.h>

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
#include "gimple-iterator.h" // before gimple-fold.h, whose inline functions use it since GCC 14
#include "gimple-fold.h"
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

#if GCCPLUGIN_VERSION < 12000 || GCCPLUGIN_VERSION >= 17000
#error "memlift's GCC plugin is written for GCC 12 to 16: add the differences to compat.h"
#endif

// Declared in tree-vectorizer.h, which needs too many other headers.
extern dump_user_location_t find_loop_location(class loop *);

#if GCCPLUGIN_VERSION >= 14000
/// Restores the name that GCC 14 replaced by a more exact one.
inline gimple *last_stmt(basic_block bb) { return last_nondebug_stmt(bb); }
#endif

namespace memlift {

/// Registers attributes of a scope, `[[scope::...]]`. The last entry of `specs` has no name. GCC
/// keeps the address of the table: there is one for each size, made by the first call.
template <size_t N>
inline void registerScoped(const attribute_spec (&specs)[N], const char *scope) {
#if GCCPLUGIN_VERSION >= 14000
  static scoped_attribute_specs table = {scope, {specs, N - 1}};
  register_scoped_attributes(table);
#else
  register_scoped_attributes(specs, scope);
#endif
}

/// Has the arithmetic of a statement wrap around. GCC 14 and 15 do it through an iterator, GCC 16
/// under another name.
inline void defineOverflow(gimple *stmt) {
#if GCCPLUGIN_VERSION >= 16000
  gimple_stmt_iterator at = gsi_for_stmt(stmt);
  rewrite_to_defined_unconditional(&at);
#elif GCCPLUGIN_VERSION >= 14000
  gimple_stmt_iterator at = gsi_for_stmt(stmt);
  rewrite_to_defined_overflow(&at);
#else
  rewrite_to_defined_overflow(stmt, true);
#endif
}

inline wide_int bytesSwapped(const wide_int &value) {
#if GCCPLUGIN_VERSION >= 14000
  return wi::bswap(value);
#else
  return value.bswap();
#endif
}

/// Returns whether an int_range_max can hold values of `type`. Since GCC 15 it holds no pointers.
inline bool rangeHolds(tree type) {
#if GCCPLUGIN_VERSION >= 13000
  return irange::supports_p(type);
#else
  return irange::supports_type_p(type);
#endif
}

inline bool rangeHasZero(const int_range_max &range, tree type) {
#if GCCPLUGIN_VERSION >= 14000
  return range.contains_p(wi::zero(TYPE_PRECISION(type)));
#else
  return range.contains_p(build_zero_cst(type));
#endif
}

/// Returns whether `type` is the type of GCC's own sizes. No expression of a C source has it:
/// size_t and uintptr_t are other types.
inline bool isSizetype(tree type) {
  return INTEGRAL_TYPE_P(type) && TYPE_MAIN_VARIANT(type) == TYPE_MAIN_VARIANT(sizetype);
}

/// Returns whether the source is C, C++ or Objective-C. At the link of LTO nobody knows.
inline bool isCFamily() { return lang_GNU_C() || lang_GNU_CXX() || lang_GNU_OBJC(); }

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
