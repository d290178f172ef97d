// options.cpp - the options: registration, checks, and their conversion into attributes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.h"

#include "compat.h"
#include "diag.h"
#include "remark.h"
#include "streamsize.h"
#include "targetfacts.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;

namespace memlift {
namespace {

enum class Kind { Enum, String, Map, Flag };

struct Record {
  const char *name; // as the user writes it, without "memlift-"
  Kind kind;
  const char *values; // values of an Enum, separated by bars
  const char *help, *meta;
  const char *spelling; // with "memlift-"
  bool keptApart;       // kept apart by a link: see Builtins.td
};

enum Index : unsigned {
#define MEMLIFT_OPTION(name, kind, values, help, Name, value, meta, apart) Opt##Name,
#include "../intrinsics/generated/Options.inc"
  Count
};

const Record records[] = {
#define MEMLIFT_OPTION(name, kind, values, help, Name, value, meta, apart)                         \
  {name, Kind::kind, values, help, meta, "memlift-" name, apart != 0},
#include "../intrinsics/generated/Options.inc"
};

using Text = cl::opt<std::string>;
using Flag = cl::opt<bool>;

/// The registered options. Written once while the plugin is being loaded, when the host has one
/// thread; only read afterwards.
cl::Option *registered[Count];

bool onCommandLine(Index i) { return registered[i] && registered[i]->getNumOccurrences() > 0; }

/// The words of MEMLIFT_OPTIONS, NAME or NAME=VALUE, for front ends that refuse the options.
struct Environment {
  struct {
    bool given = false, hasValue = false;
    std::string value;
  } options[Count];
  std::string unknown;

  Environment() {
    const char *text = getenv("MEMLIFT_OPTIONS");
    SmallVector<StringRef, 8> words;
    if (text)
      SplitString(text, words, " \t\n");
    for (StringRef word : words) {
      StringRef name = word.split('=').first;
      const Record *r = find_if(records, [&](const Record &one) { return name == one.name; });
      if (r == std::end(records))
        unknown = name.str();
      else
        options[r - records] = {true, word.contains('='), word.split('=').second.str()};
    }
  }
};

const Environment &environment() {
  static const Environment read;
  return read;
}

/// Returns the value of an option, or "". The command line takes precedence.
std::string value(Index i) {
  return onCommandLine(i) ? static_cast<Text *>(registered[i])->getValue()
                          : environment().options[i].value;
}

bool flag(Index i) {
  return onCommandLine(i) ? static_cast<Flag *>(registered[i])->getValue()
                          : environment().options[i].given;
}

bool given(Index i) { return onCommandLine(i) || environment().options[i].given; }

bool isOneOf(StringRef list, StringRef text) {
  SmallVector<StringRef, 16> names;
  list.split(names, '|');
  return is_contained(names, text);
}

void fail(Module &m, Diag code, const Twine &message, const Twine &note) {
  m.getContext().emitError(Twine(message) + " [" + codeOf(code) + "]\n" + "note: " + note);
}

void fail(Module &m, Diag code, const Twine &message) { fail(m, code, message, adviceOf(code)); }

bool checkValue(Module &m, Index i) {
  const Record &r = records[i];
  if (!given(i))
    return true;
  if (r.kind == Kind::Flag) {
    if (onCommandLine(i) || !environment().options[i].hasValue)
      return true;
    fail(m, Diag::BadValue,
         std::string("option '") + r.name + "' in MEMLIFT_OPTIONS takes no value");
    return false;
  }
  std::string text = value(i);
  if (i == OptCore && !findCore(text)) {
    m.getContext().emitError("unknown core '" + text + "' [" + codeOf(Diag::UnknownCore) +
                             "]: name one of: " + coreNames());
    return false;
  }
  bool good = r.kind == Kind::Enum ? isOneOf(r.values, text) : !text.empty();
  uint64_t bytes;
  if (i == OptStreamStore)
    good = parseStoreSize(text, bytes);
  if (good && r.kind == Kind::Map) {
    SymbolMap map;
    Diag code;
    std::string message, note;
    if (!map.parse(text, code, message, note)) {
      fail(m, code, message, note);
      return false;
    }
  }
  if (good)
    return true;
  std::string expected = r.meta;
  if (r.kind == Kind::Enum) {
    SmallVector<StringRef, 16> names;
    StringRef(r.values).split(names, '|');
    expected = join(names, ", ");
  }
  fail(m, Diag::BadValue,
       "bad value '" + text + "' for option '" + r.spelling + "': expected " + expected);
  return false;
}

/// Prints the options and ends the compiler, like LLVM's own -help.
[[noreturn]] void printHelp() {
  outs() << "Options of memlift (-mllvm -memlift-OPTION[=VALUE]):\n";
  for (const Record &r : records) {
    outs() << "  -" << r.spelling;
    if (*r.meta)
      outs() << '=' << r.meta;
    outs() << "\n      " << r.help << '\n';
  }
  outs().flush();
  sys::RunInterruptHandlers(); // removes the half-made output
  std::_Exit(0);
}

bool parseRuntime(StringRef text, Options &o) {
  if (text == "memlift")
    o.runtime = RuntimeMode::Memlift;
  else if (text == "libc")
    o.runtime = RuntimeMode::Libc;
  else if (text == "none")
    o.runtime = RuntimeMode::None;
  else
    return false;
  o.runtimeGiven = true;
  return true;
}

std::string attribute(const Function &f, Index i) {
  return f.getFnAttribute(records[i].spelling).getValueAsString().str();
}

std::string attributeOr(const Function &f, Index i) {
  std::string carried = attribute(f, i);
  return carried.empty() ? value(i) : carried;
}

/// Returns the core of core=NAME, else the one that -mcpu or -mtune names, or null.
const Core *namedCore(const Function &f) {
  if (const auto *core = findCore(attributeOr(f, OptCore)))
    return core;
  for (const char *name : {"tune-cpu", "target-cpu"})
    if (const auto *core = findCore(f.getFnAttribute(name).getValueAsString().str()))
      return core;
  return nullptr;
}

/// Returns the core that is assumed where none is named.
const Core &targetCore(const Module &m) { return defaultCore(compat::tripleOf(m).str()); }

constexpr Index carriedTexts[] = {OptRuntime, OptCore, OptKeep, OptMap, OptRemarks, OptRequire};
constexpr Index carriedFlags[] = {OptOff,    OptTrustTypes, OptTrustNames,
                                  OptVerify, OptAsync,      OptSearches};

/// Returns whether a loop of `a` is judged alike under the options of `b`.
bool haveSameMeaning(const Function &a, const Function &b) {
  return all_of(records, [&](const Record &r) {
    return !r.keptApart || a.getFnAttribute(r.spelling) == b.getFnAttribute(r.spelling);
  });
}

} // namespace

bool isSwitchedOff() { return flag(OptOff); }

bool printsAlignment() { return flag(OptPrintAlignment); }

bool trustsTypes() { return flag(OptTrustTypes); }

std::string givenShape() { return value(OptShape); }

std::string givenStream() { return value(OptStream); }

std::string givenSpread() { return value(OptSpread); }

uint64_t givenStore() {
  uint64_t bytes = 0;
  return parseStoreSize(value(OptStreamStore), bytes) ? bytes : 0;
}

void refuse(Module &m, Diag code, const std::string &message) { fail(m, code, message); }

SymbolMap givenMap() {
  SymbolMap map;
  Diag code;
  std::string message, note;
  if (given(OptMap) && !map.parse(value(OptMap), code, message, note))
    map.items.clear(); // checkOptions has reported the reason
  return map;
}

void registerOptions() {
  auto &&known = cl::getRegisteredOptions();
  for (unsigned i = 0; i < Count; ++i) {
    const Record &r = records[i];
    auto old = known.find(r.spelling);
    if (old != known.end())
      registered[i] = old->second;
    else if (r.kind == Kind::Flag)
      registered[i] = new Flag(StringRef(r.spelling), cl::desc(r.help), cl::init(false));
    else
      registered[i] = new Text(StringRef(r.spelling), cl::desc(r.help), cl::value_desc(r.meta));
  }
}

Config configOf(const Function &f) {
  Config c;
  if (!parseRuntime(attribute(f, OptRuntime), c.options))
    parseRuntime(value(OptRuntime), c.options);
  const Core *named = namedCore(f);
  const Core &core = named ? *named : targetCore(*f.getParent());
  c.options.core =
      core.unaligned == Unaligned::Trap || takesUnaligned(f) ? &core : &alignedOnly(core);
  c.options.coreNamed = named;
  c.options.target = [&f] { return targetOf(f); };
  c.options.compiler = compilerFacts;
  std::string map = attributeOr(f, OptMap), message, note;
  Diag code;
  if (!map.empty() && !c.options.map.parse(map, code, message, note))
    c.options.map.items.clear();
  c.keep = attributeOr(f, OptKeep);
  c.remarks = attributeOr(f, OptRemarks);
  c.off = flag(OptOff) || f.hasFnAttribute(records[OptOff].spelling);
  c.trustTypes = flag(OptTrustTypes) || f.hasFnAttribute(records[OptTrustTypes].spelling);
  c.trustNames = flag(OptTrustNames) || f.hasFnAttribute(records[OptTrustNames].spelling);
  c.async = flag(OptAsync) || f.hasFnAttribute(records[OptAsync].spelling);
  c.printLoops = flag(OptPrintLoops);
  c.countCalls = flag(OptCountCalls);
  c.options.searches = flag(OptSearches) || f.hasFnAttribute(records[OptSearches].spelling);
  if (flag(OptVerify) || f.hasFnAttribute(records[OptVerify].spelling))
    c.options.verifyTrials = verifyTrialsAsked;
  return c;
}

How howRequired(const Function &f) {
  std::string text = attributeOr(f, OptRequire);
  return text == "off" ? How::Off : text == "warn" ? How::Warn : How::Error;
}

bool checkOptions(Module &m) {
  if (flag(OptHelp))
    printHelp();
  bool good = environment().unknown.empty();
  if (!good)
    fail(m, Diag::UnknownOption,
         "unknown option '" + environment().unknown + "' in MEMLIFT_OPTIONS");
  for (unsigned i = 0; i < Count; ++i)
    good &= checkValue(m, Index(i));
  std::string file = value(OptRemarks);
  if (good && !file.empty()) {
    std::string why = appendToFile(file, "");
    if (!why.empty()) {
      fail(m, Diag::RemarksUnwritable, why);
      good = false;
    }
  }
  return good;
}

bool carryLevel(Module &m) {
  if (!targetCore(m).inOrder)
    return false; // loops are not shaped
  for (Function &f : m)
    if (!f.isDeclaration())
      f.addFnAttr(FastAttribute);
  return true;
}

bool carryOptions(Module &m) {
  bool changed = false;
  for (Function &f : m) {
    if (f.isDeclaration())
      continue;
    for (Index i : carriedTexts) {
      if (!given(i) || f.hasFnAttribute(records[i].spelling))
        continue;
      std::string text = value(i);
      SmallString<128> path(text);
      // The link may run in another directory than the compilation.
      if (i == OptRemarks && !sys::fs::make_absolute(path))
        text = path.str().str();
      f.addFnAttr(records[i].spelling, text);
      changed = true;
    }
    // The link does not know the source file of a function without debug info.
    if (given(OptRemarks))
      f.addFnAttr("memlift-source", m.getSourceFileName());
    for (Index i : carriedFlags)
      if (flag(i)) {
        f.addFnAttr(records[i].spelling);
        changed = true;
      }
  }
  return changed;
}

bool keepOptionsApart(Module &m) {
  bool changed = false;
  for (Function &f : m)
    for (Instruction &in : instructions(f)) {
      auto *call = dyn_cast<CallBase>(&in);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->isDeclaration() || haveSameMeaning(f, *callee) ||
          callee->hasFnAttribute(Attribute::AlwaysInline) || call->isNoInline())
        continue;
      call->addFnAttr(Attribute::NoInline); // callers of equal options may still inline it
      changed = true;
    }
  return changed;
}

} // namespace memlift
