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
#include "../algebra/cases.h"
#include "steps.h"

#include <algorithm>

namespace memlift {

/// Turns obstacles of these codes into failed facts; true if there are none.
static bool hasNone(Proof &p, const char *name, std::initializer_list<Diag> codes,
                    const char *need) {
  bool none = true;
  for (const Obstacle &o : p.loop.obstacles)
    if (std::find(codes.begin(), codes.end(), o.code) != codes.end())
      none = p.fail(name, o.code, need, o.what, p.where(o.loc));
  return none;
}

/// Checks the function: attributes and properties that keep all its loops.
static void functionAllowed(Proof &p) {
  const FunctionFacts &f = p.loop.function;
  const char *name = "function may be changed";
  bool allowed = true;
  if (f.off)
    allowed = p.fail(name, Diag::SwitchedOff, "memlift is on", "attribute memlift(\"off\")");
  if (f.implementsIdiom && !f.shape)
    allowed = p.fail(name, Diag::ImplementsIdiom, "a call cannot reach itself",
                     f.name + " implements a memory idiom, or is a part of a function that does");
  for (const PropertyRecord *r = propertyRecords; r->word; ++r)
    if (r->effect == PropertyEffect::Kept && f.properties.has(r->property))
      allowed = p.fail(name, r->code, r->need, f.properties.haveOf(*r));
  if (allowed)
    p.prove(name, "on, no idiom itself, not instrumented",
            f.implementsIdiom ? "nothing is called, as memlift(\"shape\") asks" : "holds");
}

/// Has the reader's assumptions about its loop model tested at run time.
static void assumptions(Proof &p) {
  for (const Assumption &a : p.loop.assumptions) {
    if (largestOf(p.loop, a.condition) == 0) {
      p.fail("the loop model is the loop's", Diag::IndexMayWrap, a.what, "never so");
      continue;
    }
    p.guard("the loop model is the loop's", a.code, a.what,
            "tested at run time: " + p.text(a.condition), "the compiler cannot tell");
    p.require(a.condition);
  }
}

/// Requires that every trip count is known before the loop starts.
static void tripCount(Proof &p) {
  const char *name = "trip count", *need = "known before the loop starts";
  if ((p.loop.dims.empty() && p.loop.obstacles.empty()) ||
      !hasNone(p, name, {Diag::TripCountUnknown, Diag::IndexMayWrap}, need))
    return;
  std::string have;
  for (const Dim &d : p.loop.dims) {
    if (d.trip == NoExpr) {
      p.fail(name, Diag::TripCountUnknown, need, "not computable");
      return;
    }
    have += (have.empty() ? "" : " x ") + p.text(d.trip);
  }
  if (!have.empty())
    p.prove(name, need, have);
}

/// Requires one exit, no other effects, a straight-line body and whole bytes.
static void loopForm(Proof &p) {
  static const struct {
    const char *name;
    Diag code;
    const char *need;
  } forms[] = {
      {"one exit", Diag::SeveralExits, "the loop leaves at one place"},
      {"no other effects", Diag::SideEffects, "only the accesses to be replaced"},
      {"form", Diag::NotInnermostForm, "straight-line body"},
      {"whole bytes", Diag::PaddingBits, "types without padding bits"},
  };
  for (auto &form : forms)
    if (hasNone(p, form.name, {form.code}, form.need))
      p.prove(form.name, form.need, "holds");
}

static constexpr char addressesNeed[] = "base + constant step per iteration";

/// Requires that every address is base + constant step per iteration. Look-ups are
/// left to lookUps() if the loop may be a CRC.
static void addresses(Proof &p) {
  const char *name = "addresses", *need = addressesNeed;
  bool affine = true;
  for (const Access &a : p.loop.accesses)
    if (!a.affine && !(a.lookUp && isReduction(p)))
      affine = p.fail(name, a.mayWrap ? Diag::IndexMayWrap : Diag::AddressNotAffine, need,
                      p.describe(a) + ": " + a.why, p.where(a.loc));
  if (hasNone(p, name, {Diag::AddressNotAffine}, need) && affine)
    p.prove(name, need, "holds");
}

/// Codes of obstacles that other steps turn into facts.
static constexpr Diag judgedElsewhere[] = {
    Diag::TripCountUnknown, Diag::IndexMayWrap, Diag::SeveralExits,     Diag::SideEffects,
    Diag::NotInnermostForm, Diag::PaddingBits,  Diag::AddressNotAffine, Diag::LiveOut};

/// Requires that no access is volatile, atomic, conditional or in another address
/// space.
static void plainAccesses(Proof &p) {
  const char *name = "plain accesses";
  bool plain = true;
  auto bad = [&](const Access &a, Diag code, const char *need, const std::string &have) {
    plain = p.fail(name, code, need, p.describe(a) + " is " + have, p.where(a.loc));
  };
  for (const Access &a : p.loop.accesses) {
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
  for (const Obstacle &o : p.loop.obstacles)
    if (std::find(std::begin(judgedElsewhere), std::end(judgedElsewhere), o.code) ==
        std::end(judgedElsewhere))
      plain = p.fail(name, o.code, "none in the loop", o.what, p.where(o.loc));
  if (plain)
    p.prove(name, "not volatile, not atomic, every iteration", "holds");
}

/// Requires that later code uses no value that only the loop can compute.
static void liveOuts(Proof &p) {
  const char *name = "live-outs", *need = "no value of the loop needed later";
  bool known = true;
  for (const LiveOut &l : p.loop.liveOuts)
    if (!l.rebuilt && l.rec < 0) // reduce.cpp judges recurrences
      known = p.fail(name, Diag::LiveOut, need, nameOf(l) + " is used after the loop");
  if (hasNone(p, name, {Diag::LiveOut}, need) && known && p.loop.origin == Origin::Loop)
    p.prove(name, need, p.loop.liveOuts.empty() ? "none" : "computed without it");
}

void wholeLoop(Proof &p) {
  functionAllowed(p);
  assumptions(p);
  tripCount(p);
  loopForm(p);
}

void accessesAndValues(Proof &p) {
  addresses(p);
  plainAccesses(p);
  liveOuts(p);
}

/// If a table's contents prevent a CRC, that has been reported already and is the better
/// reason.
void lookUps(Proof &p) {
  std::vector<Diag> codes = failedCodes(p.match.facts);
  for (Diag code : {Diag::CrcTableUnknown, Diag::CrcTableForm})
    if (std::find(codes.begin(), codes.end(), code) != codes.end())
      return;
  // A routine makes the look-ups of a CRC.
  for (const Reduction &r : p.match.reductions)
    if (auto *crc = r.as<Reduction::Crc>(); crc && crc->table != NoExpr)
      return;
  for (const Access &a : p.loop.accesses)
    if (a.lookUp)
      p.fail("addresses", Diag::AddressNotAffine, addressesNeed, p.describe(a) + ": " + a.why,
             p.where(a.loc));
}

} // namespace memlift
