// facts.cpp - the proof steps that every idiom needs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prover.h"

#include <algorithm>

namespace memlift {

void Prover::prove(const char *name, std::string need, std::string have, std::string evidence) {
  match.facts.push_back(
      {name, Verdict::Proved, Diag::None, std::move(need), std::move(have), std::move(evidence)});
}

void Prover::fail(const char *name, Diag code, std::string need, std::string have,
                  std::string evidence) {
  anyFailed = true;
  match.facts.push_back(
      {name, Verdict::Failed, code, std::move(need), std::move(have), std::move(evidence)});
}

std::string Prover::where(const SourceLoc &loc) const {
  if (!loc.line)
    return "";
  std::string at = std::to_string(loc.line) + ":" + std::to_string(loc.col);
  return loc.file == loop.loc.file || loc.file.empty() ? "line " + at : loc.file + ":" + at;
}

std::string Prover::describe(const Access &a) const {
  std::string r = a.store ? "store to " : "load from ";
  const std::string &name = loop.bases[a.base].name;
  return r + (name.empty() ? "memory" : name);
}

bool Prover::isBulk(const Access &a) const {
  if (loop.origin != Origin::Loop || !g.isConst(a.bytes))
    return true;
  return a.store && g.width(a.value) != 8 * g[a.bytes].value;
}

/// Turns the reader's obstacles of these codes into failed facts.
void Prover::obstacles(const char *name, std::initializer_list<Diag> codes, const char *need) {
  bool found = false;
  for (const Obstacle &o : loop.obstacles)
    if (std::find(codes.begin(), codes.end(), o.code) != codes.end()) {
      fail(name, o.code, need, o.what, where(o.loc));
      found = true;
    }
  if (!found)
    prove(name, need, "holds");
}

/// Contract 5 and 10: whole functions in which nothing is touched.
void Prover::functionAllowed() {
  const FunctionFacts &f = loop.function;
  const char *name = "function may be changed";
  size_t before = match.facts.size();
  if (f.off)
    fail(name, Diag::SwitchedOff, "memlift is on", "attribute memlift(\"off\")");
  if (f.implementsIdiom && !f.shape)
    fail(name, Diag::ImplementsIdiom, "a call cannot reach itself",
         f.name + " implements a memory idiom, or is a part of a function that does");
  for (const PropertyRecord *r = propertyRecords; r->word; ++r)
    if (r->effect == PropertyEffect::Kept && f.properties.has(r->property))
      fail(name, r->code, r->need, f.properties.haveOf(*r));
  if (match.facts.size() == before)
    prove(name, "on, no idiom itself, not instrumented",
          f.implementsIdiom ? "nothing is called, as memlift(\"shape\") asks" : "holds");
}

void Prover::require(ExprId condition) {
  if (g.isConst(condition, 1))
    return;
  match.condition =
      match.condition == NoExpr ? condition : g.binary(Op::And, match.condition, condition);
}

/// What the reader could not prove of its loop model is tested at run time.
void Prover::assumptions() {
  for (const Assumption &a : loop.assumptions) {
    if (g.isConst(a.condition, 0)) {
      fail("the loop model is the loop's", Diag::IndexMayWrap, a.what, "never so");
      continue;
    }
    match.facts.push_back({"the loop model is the loop's", Verdict::Guarded, a.code, a.what,
                           "tested at run time: " + text(a.condition), "the compiler cannot tell"});
    require(a.condition);
  }
}

void Prover::tripCount() {
  if (loop.dims.empty() && loop.obstacles.empty())
    return;
  const char *name = "trip count";
  size_t before = match.facts.size();
  for (const Obstacle &o : loop.obstacles)
    if (o.code == Diag::TripCountUnknown || o.code == Diag::IndexMayWrap)
      fail(name, o.code, "known before the loop starts", o.what, where(o.loc));
  if (match.facts.size() != before)
    return;
  std::string have;
  for (const Dim &d : loop.dims) {
    if (d.trip == NoExpr) {
      fail(name, Diag::TripCountUnknown, "known before the loop starts", "not computable");
      return;
    }
    have += (have.empty() ? "" : " x ") + text(d.trip);
  }
  if (!have.empty())
    prove(name, "known before the loop starts", have);
}

void Prover::loopForm() {
  obstacles("one exit", {Diag::SeveralExits}, "the loop leaves at one place");
  obstacles("no other effects", {Diag::SideEffects}, "only the accesses to be replaced");
  obstacles("form", {Diag::NotInnermostForm}, "straight-line body");
  obstacles("whole bytes", {Diag::PaddingBits}, "types without padding bits");
}

static constexpr char addressesNeed[] = "base + constant step per iteration";

/// A table that is looked up in is what is in the way of a CRC; of all else it is
/// that its entries lie in no order.
void Prover::lookUps() {
  std::vector<Diag> codes = failedCodes(match.facts);
  if (std::find(codes.begin(), codes.end(), Diag::CrcTableUnknown) != codes.end())
    return;
  for (const Access &a : loop.accesses)
    if (a.lookUp)
      fail("addresses", Diag::AddressNotAffine, addressesNeed, describe(a) + ": " + a.why,
           where(a.loc));
}

void Prover::addresses() {
  const char *name = "addresses", *need = addressesNeed;
  bool found = false;
  for (const Access &a : loop.accesses)
    if (!a.affine && !(a.lookUp && isReduction())) {
      fail(name, a.mayWrap ? Diag::IndexMayWrap : Diag::AddressNotAffine, need,
           describe(a) + ": " + a.why, where(a.loc));
      found = true;
    }
  for (const Obstacle &o : loop.obstacles)
    if (o.code == Diag::AddressNotAffine) {
      fail(name, o.code, need, o.what, where(o.loc));
      found = true;
    }
  if (!found)
    prove(name, need, "holds");
}

/// Codes of obstacles that a step of its own turns into facts.
static constexpr Diag judgedElsewhere[] = {
    Diag::TripCountUnknown, Diag::IndexMayWrap, Diag::SeveralExits,     Diag::SideEffects,
    Diag::NotInnermostForm, Diag::PaddingBits,  Diag::AddressNotAffine, Diag::LiveOut};

void Prover::plainAccesses() {
  const char *name = "plain accesses";
  bool found = false;
  auto bad = [&](const Access &a, Diag code, const char *need, const std::string &have) {
    fail(name, code, need, describe(a) + " is " + have, where(a.loc));
    found = true;
  };
  for (const Access &a : loop.accesses) {
    if (a.isVolatile)
      bad(a, Diag::VolatileAccess, "not volatile", "volatile");
    if (a.atomic)
      bad(a, Diag::AtomicAccess, "not atomic", "atomic");
    if (a.addressSpace)
      bad(a, Diag::AddressSpace, "default address space",
          "in address space " + std::to_string(a.addressSpace));
    if (a.conditional)
      bad(a, Diag::ConditionalAccess, "done in every iteration", "conditional");
    if (a.paddingBits)
      bad(a, Diag::PaddingBits, "a type that fills its bytes", "of a type with padding bits");
  }
  // Whatever else a reader says of the loop: no obstacle may be passed over.
  for (const Obstacle &o : loop.obstacles)
    if (std::find(std::begin(judgedElsewhere), std::end(judgedElsewhere), o.code) ==
        std::end(judgedElsewhere)) {
      fail(name, o.code, "no such thing in the loop", o.what, where(o.loc));
      found = true;
    }
  if (!found)
    prove(name, "not volatile, not atomic, every iteration", "holds");
}

void Prover::liveOuts() {
  const char *name = "live-outs", *need = "no value of the loop needed later";
  bool found = false;
  for (const LiveOut &l : loop.liveOuts)
    if (!l.rebuilt && l.rec < 0) { // of recurrences: reduce.cpp
      fail(name, Diag::LiveOut, need,
           (l.name.empty() ? "a value" : l.name) + " is used after the loop");
      found = true;
    }
  for (const Obstacle &o : loop.obstacles)
    if (o.code == Diag::LiveOut) {
      fail(name, o.code, need, o.what, where(o.loc));
      found = true;
    }
  if (!found && loop.origin == Origin::Loop)
    prove(name, need, loop.liveOuts.empty() ? "none" : "computed without it");
}

} // namespace memlift
