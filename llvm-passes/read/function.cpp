// function.cpp - facts about the whole function around a loop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/binding.h"
#include "write/user.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace memlift {

/// -ffreestanding and -fno-builtin arrive as "no-builtins",
/// -fno-builtin-memset as "no-builtin-memset".
static bool hasNoBuiltin(const Function &f) {
  if (f.hasFnAttribute(Attribute::NoBuiltin))
    return true;
  for (const char *name :
       {"no-builtins", "no-builtin-memset", "no-builtin-memcpy", "no-builtin-memmove"})
    if (f.hasFnAttribute(name))
      return true;
  return false;
}

FunctionFacts functionFacts(const Function &f, const Config &config) {
  FunctionFacts r;
  // A static function that was cloned keeps the name before the dot.
  r.name = f.getName().str();
  std::string plain = f.getName().split('.').first.str();
  StringRef value = f.getFnAttribute("memlift").getValueAsString();
  r.off = config.off || value == "off";
  r.shape = value == "shape" && !inList(r.name, config.keep) && !inList(plain, config.keep);
  r.user = f.hasFnAttribute(UserAttribute) && userTargetOf(f);
  r.noBuiltin = hasNoBuiltin(f);
  r.properties = propertiesOf(f);
  r.implementsIdiom = implementsIdiom(r.name, config.keep) || f.hasFnAttribute(ImplementsAttribute);
  r.optSize = f.hasOptSize();
  r.anyCore = !r.shape && !config.options.coreNamed;
  r.compact = r.anyCore && !f.hasFnAttribute(FastAttribute);
  r.trustTypes = config.trustTypes;
  r.stream = f.hasFnAttribute(StreamAttribute);
  if (r.stream)
    f.getFnAttribute(StreamAttribute).getValueAsString().getAsInteger(10, r.store);
  r.spread = r.stream && f.hasFnAttribute(SpreadAttribute);
  r.local = r.spread && f.hasFnAttribute(LocalAttribute);
  return r;
}

/// Returns whether the loop becomes vectors and a few words under a test for overlap, as its
/// iterations are too many to be unrolled before the vectoriser runs.
static bool becomesVectors(const Env &env, const Loop &loop) {
  constexpr uint64_t wordBytes = 4; // fewer bytes after the last vector are single elements
  if (loop.dims.size() != 1 || loop.accesses.empty())
    return false;
  const ExprGraph &g = loop.exprs;
  ExprId trip = loop.dims[0].trip, bytes = loop.accesses[0].bytes;
  return env.vectorBits && g.isConst(trip) && g.isConst(bytes) &&
         g[trip].value > env.unrolledMost && g[trip].value * g[bytes].value % wordBytes == 0;
}

void addFunction(const Env &env, LoopBinding &binding) {
  binding.loop.function = functionFacts(env.f, env.config);
  binding.loop.function.vectorBits = binding.loop.function.wholeVectorBits = env.vectorBits;
  binding.loop.function.callsLibrary = true;
  binding.loop.function.widensFourfold = binding.loop.function.unrollsVectors = true;
  binding.loop.function.noSwap = !env.swapsBytes;
  binding.loop.function.versionsLoops = becomesVectors(env, binding.loop);
  binding.loop.function.budgetSpent = env.budget.spent();
}

/// Returns the path of a scope's file as the compiler was given it. Debug information divides one
/// that was absolute at the directory of the compilation, or before.
static std::string pathAsGiven(const DIScope &scope, const DICompileUnit *unit) {
  StringRef file = scope.getFilename(), folder = scope.getDirectory();
  bool divided = unit && !folder.empty() &&
                 (sys::path::is_absolute(unit->getFilename()) || folder != unit->getDirectory());
  return divided && !sys::path::is_absolute(file) ? (folder + "/" + file).str() : file.str();
}

SourceLoc sourceLoc(const DebugLoc &loc) {
  SourceLoc r;
  if (!loc)
    return r;
  const DISubprogram *function = loc->getScope()->getSubprogram();
  r.file = pathAsGiven(*loc->getScope(), function ? function->getUnit() : nullptr);
  r.line = loc.getLine();
  r.col = loc.getCol();
  return r;
}

static std::string sourcePath(const Function &f) {
  if (const DISubprogram *sub = f.getSubprogram())
    if (!sub->getFilename().empty())
      return pathAsGiven(*sub, sub->getUnit());
  StringRef carried = f.getFnAttribute("memlift-source").getValueAsString();
  return carried.empty() ? f.getParent()->getSourceFileName() : carried.str();
}

std::string functionId(const Function &f) { return functionId(sourcePath(f), f.getName().str()); }

} // namespace memlift
