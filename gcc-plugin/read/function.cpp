// function.cpp - facts about the whole function, and names for its loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../attributes.h"
#include "../carry.h"
#include "../map.h"
#include "../options.h"
#include "../targetfacts.h"
#include "../write/user.h"
#include "binding.h"

namespace memlift {

SourceLoc sourceLoc(location_t where) {
  SourceLoc loc;
  if (LOCATION_LOCUS(where) <= BUILTINS_LOCATION)
    return loc;
  expanded_location e = expand_location(where);
  if (e.file)
    loc.file = e.file;
  loc.line = unsigned(e.line);
  loc.col = unsigned(e.column);
  return loc;
}

const char *assemblerName(tree decl) {
  const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
  return *name == '*' ? name + 1 : name; // '*': used as it is, without prefix
}

/// Returns the name up to the first dot: a clone (memcpy.part.0) is named after its function.
static std::string originalName(const std::string &name) {
  size_t dot = name.find('.', 1);
  return dot == std::string::npos ? name : name.substr(0, dot);
}

/// Returns whether built-ins are off. -fno-builtin and -ffreestanding set one flag. Sources that
/// define memset itself also say so by switching loop patterns off, for the file or the function.
static bool builtinsOff(tree fndecl) {
  if (flag_no_builtin || carriedNoBuiltin(fndecl))
    return true;
  bool said = global_options_set.x_flag_tree_loop_distribute_patterns ||
              lookup_attribute("optimize", DECL_ATTRIBUTES(fndecl));
  return said && optimize >= 2 && !flag_tree_loop_distribute_patterns;
}

/// Returns the bits of the vectors that loops become; 0 if it makes none. At -O2, whose cost model
/// is the cheapest one, it may neither test pointers nor leave elements to a loop after the
/// vectors: `whole` loops need neither.
static unsigned vectorBits(tree fndecl, bool whole) {
  int model = opt_for_fn(fndecl, flag_vect_cost_model);
  bool may = opt_for_fn(fndecl, flag_tree_loop_vectorize) && !opt_for_fn(fndecl, optimize_size) &&
             (whole || model == VECT_COST_MODEL_DYNAMIC || model == VECT_COST_MODEL_UNLIMITED);
  return may ? preferredVectorBits() : 0;
}

static CodeBudget budget;

CodeBudget &codeBudget() { return budget; }

void forgetCodeBudget() { budget = CodeBudget(); }

FunctionFacts functionFacts(const std::string &keep, bool trustTypes) {
  tree fndecl = current_function_decl;
  FunctionFacts facts;
  facts.name = assemblerName(fndecl);
  std::string original = originalName(facts.name);
  facts.off = hasValue(fndecl, "off") || pluginOptions.off;
  facts.shape = hasValue(fndecl, "shape") && !inList(facts.name, keep) && !inList(original, keep);
  facts.user = hasValue(fndecl, "user") && userTarget();
  facts.noBuiltin = builtinsOff(fndecl);
  facts.properties = propertiesOf(fndecl);
  facts.implementsIdiom = implementsIdiom(facts.name, keep) || servesIdiom(fndecl);
  facts.optSize = opt_for_fn(fndecl, optimize_size) != 0 || hasValue(fndecl, "least");
  facts.anyCore = !facts.shape && !pluginOptions.judge.coreNamed;
  facts.compact = facts.anyCore && opt_for_fn(fndecl, optimize) < 3;
  facts.formsNoCalls = !opt_for_fn(fndecl, flag_tree_loop_distribute_patterns);
  facts.vectorBits = vectorBits(fndecl, /*whole=*/false);
  facts.wholeVectorBits = vectorBits(fndecl, /*whole=*/true);
#if defined(TARGET_SSSE3)
  if (facts.vectorBits) {
    facts.swapBits = TARGET_SSSE3 ? 64 : 16; // by pshufb; without it by shifts of 16 bits
    facts.byteSwapBits = 16;
  }
#endif
  facts.versionsLoops = facts.vectorBits != 0;
  facts.noSwap = !swapsBytes(32);
  facts.budgetSpent = budget.spent();
  facts.trustTypes = trustTypes;
  facts.stream = asksForBlocks(fndecl, facts.store);
  if (!facts.stream)
    facts.store = 0;
  uint64_t store;
  facts.spread = facts.stream && asksForThreads(fndecl);
  facts.local = facts.spread && namesBlocks(fndecl, store);
  return facts;
}

std::string functionId() {
  const char *path = DECL_SOURCE_FILE(current_function_decl);
  return functionId(path ? path : "?", assemblerName(current_function_decl));
}

/// Returns how often the block ran by the counts that -fprofile-use read, or -1. Guessed counts are
/// no profile.
static int64_t hotnessOf(basic_block block) {
  if (profile_status_for_fn(cfun) != PROFILE_READ || !block->count.ipa_p())
    return -1;
  return block->count.ipa().to_gcov_type();
}

uint64_t profiledIterations(const Nest &nest, int64_t iterations) {
  int64_t runs = 0;
  edge e;
  edge_iterator at;
  FOR_EACH_EDGE(e, at, nest.outer()->header->preds)
  if (!flow_bb_inside_loop_p(nest.outer(), e->src)) {
    if (!e->count().ipa_p())
      return 0;
    runs += e->count().ipa().to_gcov_type();
  }
  return iterations > 0 && runs > 0 ? uint64_t((iterations + runs / 2) / runs) : 0;
}

void beginBinding(LoopBinding &binding, Origin origin, location_t where, basic_block block) {
  Loop &loop = binding.loop;
  loop.origin = origin;
  loop.ptrBits = POINTER_SIZE;
  loop.bigEndian = BYTES_BIG_ENDIAN;
  loop.function = functionFacts(pluginOptions.keep, pluginOptions.trustTypes);
  // `#pragma omp simd` has a loop vectorised at any level.
  if (block->loop_father && block->loop_father->force_vectorize)
    loop.function.vectorBits = loop.function.wholeVectorBits = preferredVectorBits();
  if (LOCATION_LOCUS(where) <= BUILTINS_LOCATION)
    where = DECL_SOURCE_LOCATION(current_function_decl);
  binding.where = where;
  binding.hotness = hotnessOf(block);
  loop.loc = sourceLoc(where);
}

} // namespace memlift
