// expand.cpp - expands a call or an assignment of constant size into words
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps: the size must be constant and within the core's limit; the widest word is the least
// of the machine's word and the proved alignment; then words must be better than the code that
// the compiler makes by itself. A compiler that knows the alignment makes up to eight words, so
// only more words, or wider ones than it knows to be aligned, are worth a decision.
//
// Few words are written in a straight line. Many become a loop over groups of words, and the
// remaining bytes follow as ever narrower words. Example: 203 bytes at a multiple of 8, groups of
// 8 words: three iterations of 64 bytes, one word of 8, one of 2 and one of 1.
//
// The limits: a memmove whose regions may overlap has to load all words before the first store,
// so it needs as many registers as words and is never a loop. Under -Os a loop has groups of one
// word, as its code has to be no longer than the call's.
#include "expand.h"
#include "../source_text.h"

#include <algorithm>

namespace memlift {

/// Number of stores of a known alignment that every compiler expands a call into by itself; LLVM
/// 19 and 22 make no more than these.
constexpr uint64_t compilersWords = 8;
/// A loop over narrower words takes as long as the call, and gains nothing.
constexpr uint64_t narrowestWord = 4;

/// Words get smaller towards the end, so each one is aligned if the first is. The known alignment
/// of a word is limited by its offset.
std::vector<InlineWord> cutWords(uint64_t at, uint64_t size, unsigned word, const Match &match) {
  std::vector<InlineWord> words;
  while (at < size && words.size() <= maxInlineWords) {
    unsigned bytes = word;
    while (at + bytes > size)
      bytes /= 2;
    uint64_t place = at ? at & (0 - at) : ~uint64_t(0);
    words.push_back(
        {at, bytes, std::min(match.dstAlign, place), std::min(match.srcAlign, place), NoExpr});
    at += bytes;
  }
  return words;
}

/// Counts the words of at most `word` bytes in so many bytes.
static uint64_t countWords(uint64_t bytes, uint64_t word) {
  uint64_t count = bytes / word;
  for (uint64_t rest = bytes % word; rest; rest &= rest - 1)
    ++count;
  return count;
}

bool compilerMakesWords(uint64_t bytes, uint64_t align, unsigned ptrBits, const Core &core) {
  uint64_t word = std::min<uint64_t>(align, ptrBits / 8);
  return core.expandMaxBytes ? countWords(bytes, word) <= compilersWords
                             : bytes <= core.inlineMaxBytes;
}

/// A call that words cannot improve is left to the compiler. This is cheap, so that small calls,
/// which are the most, need not be described at all.
bool staysInline(uint64_t bytes, uint64_t align, unsigned ptrBits, const Options &options) {
  const Core &core = coreOf(options);
  if (core.expandMaxBytes && bytes && bytes <= core.expandMaxBytes) {
    uint64_t word = ptrBits / 8;
    return align >= word && countWords(bytes, word) <= compilersWords;
  }
  return bytes <= core.inlineMaxBytes;
}

unsigned bitsToProve(uint64_t bytes, uint64_t align, unsigned ptrBits, const Options &options) {
  unsigned most = coreOf(options).expandMaxBytes, word = ptrBits == 64 ? 3 : 2;
  bool matters = bytes && bytes <= most && align < ptrBits / 8;
  return matters || !options.quiet ? word : 0;
}

uint64_t alignKnown(const Loop &loop) {
  uint64_t least = ~uint64_t(0);
  for (const Access &a : loop.accesses)
    least = std::min(least, a.align);
  return least;
}

namespace {

/// Decides on one call of constant size, and cuts it into words.
class Expander {
public:
  Expander(Loop &loop, const Match &match, const Core &core, Decision &d)
      : loop(loop), match(match), core(core), d(d), fills(match.idiom == Idiom::Fill) {}
  bool run();

private:
  Loop &loop;
  const Match &match;
  const Core &core;
  Decision &d;
  bool fills;
  uint64_t size = 0;
  unsigned word = 1; // width of the widest word that may be used

  bool refuse(const char *name, Diag code, std::string need, std::string have,
              std::string evidence = "") {
    d.facts.push_back(
        {name, Verdict::Failed, code, std::move(need), std::move(have), std::move(evidence)});
    return false;
  }
  std::string evidence(const char *before = "") const;
  bool hasSize();
  bool isWorthIt();
  uint64_t wordBytes() const { return loop.ptrBits / 8; }
  uint64_t proved() const {
    return fills ? match.dstAlign : std::min(match.dstAlign, match.srcAlign);
  }
  uint64_t known() const { return alignKnown(loop); }
  bool disjoint() const { return match.overlap() == Overlap::Disjoint; }
  void straight();
  void iterations();
  void setValues();
};

/// Requires a constant size within the core's limit.
bool Expander::hasSize() {
  const char *name = "size";
  if (!loop.exprs.isConst(match.bytes))
    return refuse(name, Diag::SizeNotConstant, "a constant size", sourceText(loop, match.bytes));
  size = loop.exprs[match.bytes].value;
  return size <= core.expandMaxBytes ||
         refuse(name, Diag::SizeTooLarge,
                "at most " + std::to_string(core.expandMaxBytes) + " bytes",
                std::to_string(size) + " bytes");
}

/// Returns the evidence of the alignment; of the worse address if there are two.
std::string Expander::evidence(const char *before) const {
  const Access *worst = nullptr;
  for (const Access &a : loop.accesses)
    if (!a.provedBy.empty() && (!worst || a.proved < worst->proved))
      worst = &a;
  return worst ? before + worst->provedBy : "";
}

/// Returns true if the proved alignment allows few or wide words, and the compiler alone would
/// not use them.
bool Expander::isWorthIt() {
  uint64_t count = countWords(size, word);
  // The compiler knows enough to make these words itself.
  if (count <= compilersWords && known() >= word)
    return false;
  const char *name = "alignment";
  std::string have = std::to_string(proved()) + (proved() == 1 ? " byte" : " bytes");
  if (count > compilersWords && word < narrowestWord)
    return refuse(name, Diag::AlignmentUnproved, std::to_string(narrowestWord) + " bytes", have,
                  evidence());
  if (loop.function.optSize && count > maxInlineWordsSize && !disjoint())
    return refuse("code size", Diag::WordsTooLarge,
                  "at most " + std::to_string(maxInlineWordsSize) + " words with -Os",
                  std::to_string(count) + " words");
  if (count > maxInlineWords && !disjoint())
    return refuse("overlap", Diag::MoveTooLarge,
                  "disjoint regions, or at most " + std::to_string(maxInlineWords) + " words",
                  std::to_string(count) + " words");
  d.facts.push_back(
      {name, Verdict::Proved, Diag::None, std::to_string(word) + " bytes", have,
       known() >= word ? "" : "the compiler goes by " + std::to_string(known()) + evidence("; ")});
  return true;
}

/// Gives the words of a fill their value.
void Expander::setValues() {
  if (!fills)
    return;
  for (InlineWord &w : d.words)
    w.value = loop.exprs.splat(match.fill()->pattern, 8 * w.bytes);
  if (d.wordLoop.iterations)
    d.wordLoop.value = loop.exprs.splat(match.fill()->pattern, 8 * word);
}

/// Writes all words in a straight line.
void Expander::straight() {
  d.words = cutWords(0, size, word, match);
  d.code = Diag::CallWords;
  // A memmove must load everything first, so its words are not grouped.
  if (disjoint())
    d.group = core.groupWords;
}

/// Writes a loop over groups of words. Under -Os a group is one word, so the loop is no longer
/// than a call. Compact code has shorter groups than the straight line they replace.
void Expander::iterations() {
  unsigned group = loop.function.optSize   ? 1
                   : loop.function.compact ? std::min(core.groupWords, 4u)
                                           : core.groupWords;
  uint64_t each = uint64_t(group) * word;
  d.wordLoop = {size / each, group, word, NoExpr};
  d.words = cutWords(size / each * each, size, word, match);
  d.code = Diag::CallWordLoop;
  d.shape = std::to_string(size / each) + " iterations of " + std::to_string(group) +
            (group == 1 ? " word of " : " words of ") + std::to_string(word) + " bytes";
}

/// Uses the widest word that both the core and the proved alignment allow.
bool Expander::run() {
  if (!core.expandMaxBytes || (fills && !match.fill()->native) || !hasSize() || !size)
    return false;
  word = unsigned(std::min(wordBytes(), proved()));
  if (!isWorthIt())
    return false;
  bool little = loop.function.compact && disjoint();
  size_t most = loop.function.optSize ? maxInlineWordsSize
                : little              ? maxInlineWordsCompact
                                      : maxInlineWords;
  countWords(size, word) <= most ? straight() : iterations();
  setValues();
  d.kind = DecisionKind::Inlined;
  return true;
}

} // namespace

bool expandCall(Loop &loop, const Match &match, const Core &core, Decision &d) {
  return Expander(loop, match, core, d).run();
}

} // namespace memlift
