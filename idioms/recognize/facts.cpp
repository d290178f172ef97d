// facts.cpp - the proof steps that every idiom needs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These steps ask what no operation could preserve: an effect besides the accesses,
// an access that is volatile or conditional, an address that cannot be computed
// before the loop, a result that only the loop can leave. A reader reports each of
// these as data (Access, Obstacle, LiveOut), and here they become facts. Every
// obstacle is covered by one step, and plainAccesses() takes all those that no other
// step knows, so a new kind of obstacle keeps a loop even before a step exists for
// it.
#include "prover.h"

#include <algorithm>

namespace memlift {

void Prover::prove(const char *name, std::string need, std::string have, std::string evidence) {
  match.facts.push_back(
      {name, Verdict::Proved, Diag::None, std::move(need), std::move(have), std::move(evidence)});
}

/// Enters a failed fact; the loop will be kept, but the proof goes on.
Answer Prover::fail(const char *name, Diag code, std::string need, std::string have,
                    std::string evidence) {
  anyFailed = true;
  match.facts.push_back(
      {name, Verdict::Failed, code, std::move(need), std::move(have), std::move(evidence)});
  return Answer::Refused;
}

/// Names a place; the file only if it is not that of the loop.
std::string Prover::where(const SourceLoc &loc) const {
  if (!loc.line)
    return "";
  std::string at = std::to_string(loc.line) + ":" + std::to_string(loc.col);
  return loc.file == loop.loc.file || loc.file.empty() ? "line " + at : loc.file + ":" + at;
}

/// Names an access in the programmer's terms: "store to d".
std::string Prover::describe(const Access &a) const {
  std::string r = a.store ? "store to " : "load from ";
  const std::string &name = loop.bases[a.base].name;
  return r + (name.empty() ? "memory" : name);
}

/// Returns true for an access of unknown size, or one whose value is a byte to
/// repeat.
bool Prover::isBulk(const Access &a) const {
  if (loop.origin != Origin::Loop || !g.isConst(a.bytes))
    return true;
  return a.store && g.width(a.value) != 8 * g[a.bytes].value;
}

/// Turns obstacles of these codes into failed facts.
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

/// Checks the function: attributes and properties that keep all its loops.
void Prover::functionAllowed() {
  const FunctionFacts &f = loop.function;
  const char *name = "function may be changed";
  Answer allowed = Answer::Proved;
  if (f.off)
    allowed = fail(name, Diag::SwitchedOff, "memlift is on", "attribute memlift(\"off\")");
  if (f.implementsIdiom && !f.shape)
    allowed = fail(name, Diag::ImplementsIdiom, "a call cannot reach itself",
                   f.name + " implements a memory idiom, or is a part of a function that does");
  for (const PropertyRecord *r = propertyRecords; r->word; ++r)
    if (r->effect == PropertyEffect::Kept && f.properties.has(r->property))
      allowed = fail(name, r->code, r->need, f.properties.haveOf(*r));
  if (allowed == Answer::Proved)
    prove(name, "on, no idiom itself, not instrumented",
          f.implementsIdiom ? "nothing is called, as memlift(\"shape\") asks" : "holds");
}

/// Adds a condition under which the operation may replace the loop.
void Prover::require(ExprId condition) {
  if (g.isConst(condition, 1))
    return;
  match.condition =
      match.condition == NoExpr ? condition : g.binary(Op::And, match.condition, condition);
}

/// Has the reader's assumptions about its loop model tested at run time.
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

/// Requires that every trip count is known before the loop starts.
void Prover::tripCount() {
  if (loop.dims.empty() && loop.obstacles.empty())
    return;
  const char *name = "trip count";
  Answer known = Answer::Proved;
  for (const Obstacle &o : loop.obstacles)
    if (o.code == Diag::TripCountUnknown || o.code == Diag::IndexMayWrap)
      known = fail(name, o.code, "known before the loop starts", o.what, where(o.loc));
  if (known != Answer::Proved)
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

/// Requires one exit, no other effects, a straight-line body and whole bytes.
void Prover::loopForm() {
  obstacles("one exit", {Diag::SeveralExits}, "the loop leaves at one place");
  obstacles("no other effects", {Diag::SideEffects}, "only the accesses to be replaced");
  obstacles("form", {Diag::NotInnermostForm}, "straight-line body");
  obstacles("whole bytes", {Diag::PaddingBits}, "types without padding bits");
}

static constexpr char addressesNeed[] = "base + constant step per iteration";

/// Reports look-ups as addresses that are not affine. If a table's contents prevent a
/// CRC, that has been reported already and is the better reason.
void Prover::lookUps() {
  std::vector<Diag> codes = failedCodes(match.facts);
  if (std::find(codes.begin(), codes.end(), Diag::CrcTableUnknown) != codes.end())
    return;
  for (const Access &a : loop.accesses)
    if (a.lookUp)
      fail("addresses", Diag::AddressNotAffine, addressesNeed, describe(a) + ": " + a.why,
           where(a.loc));
}

/// Requires that every address is base + constant step per iteration. Look-ups are
/// left to lookUps() if the loop may be a CRC.
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

/// Codes of obstacles that other steps turn into facts.
static constexpr Diag judgedElsewhere[] = {
    Diag::TripCountUnknown, Diag::IndexMayWrap, Diag::SeveralExits,     Diag::SideEffects,
    Diag::NotInnermostForm, Diag::PaddingBits,  Diag::AddressNotAffine, Diag::LiveOut};

/// Requires that no access is volatile, atomic, conditional or in another address
/// space.
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
  // Any other obstacle is reported here, so that none is passed over.
  for (const Obstacle &o : loop.obstacles)
    if (std::find(std::begin(judgedElsewhere), std::end(judgedElsewhere), o.code) ==
        std::end(judgedElsewhere)) {
      fail(name, o.code, "no such thing in the loop", o.what, where(o.loc));
      found = true;
    }
  if (!found)
    prove(name, "not volatile, not atomic, every iteration", "holds");
}

/// Requires that later code uses no value that only the loop can compute.
void Prover::liveOuts() {
  const char *name = "live-outs", *need = "no value of the loop needed later";
  bool found = false;
  for (const LiveOut &l : loop.liveOuts)
    if (!l.rebuilt && l.rec < 0) { // reduce.cpp judges recurrences
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
