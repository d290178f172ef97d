// decider.h - the state of one decision, shared by the files that make it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_DECIDER_H
#define MEMLIFT_IDIOMS_DECIDER_H

#include "decide.h"

namespace memlift {

/// Decides on one match. A rule that keeps the loop enters the reason as a failed
/// fact, and its caller stops there. decide.cpp has the policy, routine.cpp the
/// calls; the writers of loops in place have files of their own.
class Decider {
public:
  /// If `inSequence`, the operation is one of several that replace the loop.
  Decider(Loop &loop, const Match &match, const Options &options, bool inSequence = false)
      : loop(loop), match(match), g(loop.exprs), core(coreOf(options)),
        mode(runtimeOf(loop.function, options)), map(loop.function.shape ? noMap : options.map),
        target(options.target), asksSearches(options.searches), inSequence(inSequence) {
    noBuiltin = loop.function.noBuiltin && !options.runtimeGiven && !loop.function.shape;
    ruledOut = loop.function.properties.first(PropertyEffect::NoCalls);
    constant = g.isConst(match.bytes);
    size = constant ? g[match.bytes].value : 0;
  }
  Decision run();

private:
  Loop &loop;
  const Match &match;
  ExprGraph &g;
  const Core &core;
  RuntimeMode mode;
  static const SymbolMap noMap;
  const SymbolMap &map;
  const std::function<TargetFacts()> &target;
  bool asksSearches, inSequence, noBuiltin, constant;
  const PropertyRecord *ruledOut; // the property that rules out calls, or null
  bool forward = false;           // the routine handles any overlap
  ExprId shapeGuard = NoExpr;     // condition of the loops that replace a copy or a fill
  bool shapesWhole = false;       // they have the loop's result for any overlap
  ExprId sizeGuard = NoExpr;      // enough iterations for a call
  bool shortAsStock = false;      // below it the loop is compiled as it would be alone
  uint64_t size;
  Decision d;

  void fact(const char *name, Verdict v, Diag code, std::string need, std::string have) {
    d.facts.push_back({name, v, code, std::move(need), std::move(have), ""});
  }
  /// Keeps the loop. The first reason is the decision's code.
  void keep(const char *name, Diag code, std::string need, std::string have) {
    fact(name, Verdict::Failed, code, std::move(need), std::move(have));
    d.kind = DecisionKind::Kept;
    if (d.code == Diag::None)
      d.code = code;
  }
  // decide.cpp: the policy; vectorised.cpp: what is left to the compiler's vectors.
  void existing();
  // registers.cpp
  void registers();
  // table.cpp
  void linearTable();
  void wordsRead();
  bool reversedWord();
  ExprId indexPart(const BitLookUp::From &from, unsigned bits);
  ExprId entry(const BitLookUp &lookUp, unsigned width);
  ExprId moved(const BitMove &move, unsigned width);
  // search.cpp
  void search();
  void addEarly(unsigned iterations);
  bool workBefore(const Match &work);
  ReturningCall searchCall(unsigned done);
  void fresh();
  void user();
  bool small() const { return constant && size <= core.inlineMaxBytes; }
  uint64_t mostBytes() const;
  bool inlineWords();
  bool plainUpwards() const;
  bool compilerVersions() const;
  bool compilerUnrolls() const;
  bool wordsWait() const;
  uint64_t vectorsMost(bool called) const;
  bool vectorFill() const;
  bool inWindow() const;
  bool leftToVectors();
  bool mayWrapInRing() const;
  bool elementsInVectors() const;
  bool vectorsOfLoop() const;
  bool addsAsLoaded() const;
  bool foldsWhileCopying() const;
  bool foldsInVectors() const;
  bool cutsIndex() const;
  bool callsMapped() const;
  bool longEnough();
  bool waitsBesides() const;
  uint64_t waitedMost() const;
  bool waitsBesideCall() const;
  bool copiesFewWords() const;
  bool countsInVectors() const;
  uint64_t slicedFrom() const;
  bool swapsByRoutine() const;
  bool movesWhole() const;
  unsigned swappingBits() const;
  bool swapsInVectors() const;
  uint64_t swappedInVectors() const;
  bool longerThan(uint64_t bytes, const std::string &why);
  bool longerThanVectors(uint64_t waited);
  bool keptAsVectors();
  uint64_t innerIterations() const;
  ExprId wide(const Reduction &r, ExprId value);
  bool forwards() const;
  /// Returns true for a copy that is wrong as one operation for some addresses.
  bool mayOverlap() const {
    return !forward && !shapesWhole && match.dst != NoExpr &&
           match.overlap() != Overlap::Disjoint && match.overlap() != Overlap::MoveSafe;
  }
  bool needsGuard() const {
    return mayOverlap() || match.condition != NoExpr || shapeGuard != NoExpr;
  }
  ExprId guard();
  ExprId overlapGuard();
  // routine.cpp: calls, and loops in their place.
  void repeat();
  bool mayCall(Routine r) const { return mode == RuntimeMode::Memlift || map.find(r); }
  bool call();
  bool libcHas();
  /// Says why nothing may be called; `otherwise` if the runtime is the reason.
  std::string noCallsBecause(const char *otherwise) const;
  bool noRoutine();
  void nameMapped();
  void fill();
  void copy();
  void useAlignment();
  bool callLibc();
  /// Its tables take 16 kB, which is too much for code that should be small.
  bool tooLarge(Routine r) const {
    return takesPolynomial(r) && loop.function.optSize && !map.find(r) &&
           mode == RuntimeMode::Memlift;
  }
  bool gainsByCrc();
  bool callReductions();
  bool copies() const { return match.dst != NoExpr && !match.stored; }
  void store(ExprId value);
  void copyBesides();
  bool inPlace();
  bool noLoop(const std::string &why);
  bool withinBudget();
  bool shaped();
};

} // namespace memlift

#endif
