// memlift-loops - runs the recogniser on loop models in text form
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../decide/chain.h"
#include "../remark.h"
#include "../verify.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

using namespace memlift;

namespace {

struct Settings {
  Settings() { options.compiler = CompilerFacts::all(); }
  Options options;
  bool print = false, yaml = false;
  unsigned trials = 200;
  uint64_t seed = 1;
};

int usageError(const std::string &message) {
  std::fprintf(stderr,
               "memlift-loops: error: %s\n"
               "memlift-loops: see --help\n",
               message.c_str());
  return 2;
}

void help() {
  std::string cores = coreNames();
  std::printf("NAME\n"
              "  memlift-loops - run memlift's recogniser on loop models\n\n"
              "SYNOPSIS\n"
              "  memlift-loops [OPTION]... [FILE]...\n\n"
              "DESCRIPTION\n"
              "  Reads loop models (what --memlift-print-loops prints) from each FILE, or\n"
              "  from standard input if there is none or it is -. Prints for each the idiom,\n"
              "  the decision, and the proof chain; then runs the decision against the\n"
              "  loop model on random memory and reports any difference.\n\n"
              "OPTIONS\n"
              "  --runtime=memlift|libc|none  what may be called (default memlift)\n"
              "  --map=KEY=SYMBOL[,...]       routines to call instead of memlift's own\n"
              "  --core=NAME    pipeline to decide for: %s\n"
              "  --has=clmul,crc32,crc32c,clears,tables  what the target multiplies, steps CRCs\n"
              "                 or clears blocks by, and whether its routines test tables of CRCs\n"
              "  --habits=hoists-loads,widens-products,counts-descents,overlaps-values,\n"
              "           merges-shifted,steps-last  what the compiler does to loops in\n"
              "                 place, which they are guarded against (default all)\n"
              "  --print        print each loop model again, as parsed\n"
              "  --yaml         print remark records instead of the short form\n"
              "  --verify=N     N random trials for each match (default 200; 0: none)\n"
              "  --seed=N       seed of the trials (default 1)\n"
              "  --help         this text\n"
              "  --version      print the version\n\n"
              "EXIT STATUS\n"
              "  0  every loop model was judged\n"
              "  1  a trial differed: a bug in memlift\n"
              "  2  bad usage or bad input\n",
              cores.c_str());
}

bool number(const std::string &s, uint64_t &n) {
  char *end;
  errno = 0;
  n = std::strtoull(s.c_str(), &end, 0);
  return !s.empty() && s[0] != '-' && !*end && !errno;
}

/// Sets the flags that a comma-separated list names. Returns false if it names another one.
bool setFlags(const std::string &list, const std::map<std::string, bool *> &flags) {
  for (size_t at = 0; at <= list.size();) {
    size_t comma = std::min(list.find(',', at), list.size());
    auto flag = flags.find(list.substr(at, comma - at));
    if (flag == flags.end())
      return false;
    *flag->second = true;
    at = comma + 1;
  }
  return true;
}

/// Reads one option; returns -1 to continue, else the exit code.
int option(const std::string &arg, Settings &s) {
  size_t eq = arg.find('=');
  std::string name = arg.substr(0, eq);
  std::string value = eq == std::string::npos ? "" : arg.substr(eq + 1);
  uint64_t n;
  if (arg == "--help") {
    help();
    return 0;
  }
  if (arg == "--version") {
    std::puts("memlift-loops " MEMLIFT_VERSION);
    return 0;
  }
  if (arg == "--print") {
    s.print = true;
  } else if (arg == "--yaml") {
    s.yaml = true;
  } else if (name == "--runtime") {
    if (value != "memlift" && value != "libc" && value != "none")
      return usageError("--runtime must be memlift, libc or none, not '" + value + "'");
    s.options.runtime = value == "memlift" ? RuntimeMode::Memlift
                        : value == "libc"  ? RuntimeMode::Libc
                                           : RuntimeMode::None;
    s.options.runtimeGiven = true;
  } else if (name == "--map") {
    Diag code;
    std::string message, note;
    if (!s.options.map.parse(value, code, message, note))
      return usageError(message + " [" + codeOf(code) + "]: " + note);
  } else if (name == "--has") {
    TargetFacts has;
    has.option = "-mproducts";
    if (!setFlags(value, {{"clmul", &has.clmul},
                          {"crc32", &has.crc32},
                          {"crc32c", &has.crc32c},
                          {"clears", &has.clears},
                          {"tables", &has.checksTables}}))
      return usageError("--has knows clmul, crc32, crc32c, clears and tables, not '" + value + "'");
    s.options.target = [has] { return has; };
  } else if (name == "--habits") {
    CompilerFacts &c = s.options.compiler = CompilerFacts();
    if (!value.empty() && !setFlags(value, {{"hoists-loads", &c.hoistsLoads},
                                            {"widens-products", &c.widensProducts},
                                            {"counts-descents", &c.countsDescents},
                                            {"overlaps-values", &c.overlapsValues},
                                            {"merges-shifted", &c.mergesShifted},
                                            {"steps-last", &c.stepsLast}}))
      return usageError("unknown habit among '" + value + "'");
  } else if (name == "--core") {
    s.options.core = findCore(value);
    if (!s.options.core)
      return usageError("unknown core '" + value + "'; known: " + coreNames());
  } else if (name == "--verify" || name == "--seed") {
    if (!number(value, n) || (name == "--verify" && n > 1000000))
      return usageError(name + " needs a number, not '" + value + "'");
    (name == "--seed" ? s.seed : n) = n;
    if (name == "--verify")
      s.trials = unsigned(n);
  } else {
    return usageError("unknown option '" + arg + "'");
  }
  return -1;
}

bool readFile(const std::string &path, std::string &text) {
  FILE *f = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (!f)
    return false;
  char buffer[65536];
  size_t n;
  while ((n = std::fread(buffer, 1, sizeof buffer, f)) > 0)
    text.append(buffer, n);
  bool ok = !std::ferror(f);
  if (f != stdin)
    std::fclose(f);
  return ok;
}

void printFacts(const std::vector<Fact> &facts) {
  for (const Fact &f : facts) {
    std::string line = "  " + f.name + ": " + nameOf(f.verdict);
    if (f.code != Diag::None)
      line += " " + codeOf(f.code);
    line += "; need " + f.need + "; have " + f.have;
    if (!f.evidence.empty())
      line += " (" + f.evidence + ")";
    std::puts(line.c_str());
  }
}

void printCall(const Loop &loop, const std::string &callee, const std::vector<ExprId> &args) {
  std::printf("  %s", callee.c_str());
  for (ExprId a : args)
    std::printf(" %s", printExpr(loop, a).c_str());
}

/// Prints the widths of the words that an iteration of a copy or fill loads and
/// stores.
void printWords(const InlineLoop &l) {
  if (l.clears)
    std::printf("    clear %u\n", l.clears);
  if (l.stores.empty())
    return;
  std::printf("   ");
  for (size_t i = 0, loaded = 0; i < l.stores.size(); ++i) {
    for (; loaded < loadsBefore(l, i); ++loaded)
      std::printf(" load %u", l.loads[loaded].bytes);
    std::printf(" store %u", l.stores[i].bytes);
  }
  std::puts("");
}

const char *textOf(PointerStep p) {
  switch (p) {
  case PointerStep::Last: return "";
  case PointerStep::First: return ", stepped first";
  case PointerStep::AfterLoads: return ", source stepped after the loads";
  }
  return "";
}

/// Prints a loop in place; its scalars and tables are numbered from 0.
void printLoop(const Loop &loop, const Decision &d, const InlineLoop &l) {
  Loop view = loop;
  view.tables = d.tables;
  std::printf("  loop %s times", printExpr(loop, l.trip).c_str());
  if (l.to != NoExpr)
    std::printf(" to %s", printExpr(loop, l.to).c_str());
  if (l.start != NoExpr)
    std::printf(" from %s", printExpr(loop, l.start).c_str());
  std::printf(" by %lld", (long long)l.step);
  if (l.end != NoExpr)
    std::printf(" until %s", printExpr(loop, l.end).c_str());
  if (l.stores.empty() && l.group)
    std::printf(", %zu loads at a time", l.group);
  std::printf("%s%s%s\n", l.multiplies ? ", products of words" : "",
              l.inTurn ? ", values in turn" : "", textOf(l.pointers));
  for (const InlineRegion &r : l.more)
    std::printf("    and from %s by %lld\n", printExpr(loop, r.at).c_str(), (long long)r.step);
  printWords(l);
  view.recs.clear();
  for (size_t i = 0; i < l.scalars.size(); ++i)
    view.recs.push_back({"s" + std::to_string(i), 0, NoExpr, NoExpr});
  for (const InlineScalar &s : l.scalars)
    std::printf("    from %s: %s\n", printExpr(loop, s.init).c_str(),
                printExpr(view, s.next).c_str());
}

void printInPlace(const Loop &loop, const Decision &d) {
  walkLoops(
      d.loops, 0, d.loops.size(), 0, [&](size_t i) { printLoop(loop, d, d.loops[i]); },
      [&](const Branch &c, size_t, auto &inner, auto &other) {
        std::printf("  if %s\n", printExpr(loop, c.condition).c_str());
        inner();
        if (c.others)
          std::puts("  else");
        other();
        for (const Phi &m : c.phis)
          std::printf("  phi %s, %s\n", printExpr(loop, m.ifTrue).c_str(),
                      printExpr(loop, m.ifFalse).c_str());
        std::puts("  end");
      });
}

void printStreams(const Loop &loop, const StreamPlan &plan) {
  if (!plan.accesses.empty())
    std::printf("  blocks of %s iterations\n", printExpr(loop, plan.iterations).c_str());
  for (const StreamAccess &a : plan.accesses) {
    std::printf("    %s%s%s %s bytes at %s by %s:", a.how & StreamAccess::In ? "in" : "",
                a.how & StreamAccess::Out ? "out" : "", a.how & StreamAccess::Rows ? " rows" : "",
                printExpr(loop, a.bytes).c_str(), printExpr(loop, a.base).c_str(),
                printExpr(loop, a.step).c_str());
    for (uint32_t access : a.accesses)
      std::printf(" @%u", access);
    std::puts("");
  }
}

/// Prints one operation of several.
void printOperation(const Loop &loop, const Match &match, const Decision &d) {
  if (d.routine != Routine::None)
    printCall(loop, calleeOf(d), d.args);
  else
    std::printf("  %zu words at %s", d.words.size(), printExpr(loop, match.dst).c_str());
  std::printf(" ; align %llu %llu\n", (unsigned long long)match.dstAlign,
              (unsigned long long)match.srcAlign);
}

void printOutcome(const Loop &loop, const Outcome &o) {
  std::printf("%s: %s %s %s\n", loop.id.c_str(), nameOf(o.match.idiom), nameOf(o.decision.kind),
              codeOf(o.decision.code).c_str());
  std::printf("  %s\n", makeRemark(loop, o).message.c_str());
  printFacts(o.match.facts);
  printFacts(o.decision.facts);
  if (o.decision.guard != NoExpr)
    std::printf("  guard %s\n", printExpr(loop, o.decision.guard).c_str());
  if (o.decision.routine != Routine::None) {
    printCall(loop, calleeOf(o.decision), o.decision.args);
    std::printf(" ; align %llu %llu\n", (unsigned long long)o.match.dstAlign,
                (unsigned long long)o.match.srcAlign);
  }
  for (size_t i = 0; i < o.decision.sequence.size(); ++i)
    printOperation(loop, o.match.sequence()[i], o.decision.sequence[i]);
  const Repeat &repeat = o.decision.repeat;
  if (repeat.exists())
    std::printf("  else guard %s\n", printExpr(loop, repeat.guard).c_str());
  if (repeat.routine != Routine::None) {
    printCall(loop, repeat.symbol.empty() ? symbolOf(repeat.routine) : repeat.symbol, repeat.args);
    std::puts("");
  }
  printInPlace(loop, o.decision);
  printStreams(loop, o.decision.stream);
  if (isSpread(o.decision))
    std::printf("  spread %s iterations, blocks of %llu, %zu joined%s\n",
                printExpr(loop, o.decision.spread.iterations).c_str(),
                (unsigned long long)o.decision.spread.unit, o.decision.spread.values.size(),
                o.decision.spread.local ? ", by way of local stores" : "");
  for (const ReturningCall &c : o.decision.calls) {
    if (c.inPlace != NoExpr) {
      std::printf("  in place of %s\n", symbolOf(c.routine));
      continue;
    }
    printCall(loop, calleeOf(c), c.args);
    if (c.crc.width)
      std::printf(" ; %u bits, %s, 0x%llx", c.crc.width,
                  c.crc.reflected ? "reflected" : "not reflected", (unsigned long long)c.crc.poly);
    std::puts("");
  }
  Loop view = loop;
  view.tables = o.decision.tables;
  for (const LiveOutResult &r : o.decision.results)
    std::printf("  live-out %s = %s\n", loop.liveOuts[r.index].name.c_str(),
                printExpr(view, r.value).c_str());
  const WordLoop &l = o.decision.wordLoop;
  if (l.iterations)
    std::printf("  %llu times: %u words of %u bytes%s%s\n", (unsigned long long)l.iterations,
                l.count, l.bytes, l.value == NoExpr ? "" : " ",
                l.value == NoExpr ? "" : printExpr(loop, l.value).c_str());
  for (const InlineWord &w : o.decision.words)
    std::printf("  word %llu+%u%s%s\n", (unsigned long long)w.offset, w.bytes,
                w.value == NoExpr ? "" : " ",
                w.value == NoExpr ? "" : printExpr(loop, w.value).c_str());
  for (const std::string &s : o.suggestions)
    std::printf("  suggestion: %s\n", s.c_str());
}

bool check(Loop &loop, const Outcome &o, const Settings &s) {
  if (!isDone(o.decision.kind) || !s.trials)
    return true;
  VerifyResult v = verify(loop, o.match, o.decision, s.trials, s.seed);
  if (!v.mismatch.empty()) {
    std::printf("  MISMATCH: %s\n", v.mismatch.c_str());
    return false;
  }
  if (!s.yaml)
    std::printf("  verified: %u runs, %u on the fast path\n", v.runs, v.fast);
  return true;
}

/// Runs the loops of a chain as one.
bool runChain(std::vector<Loop> chain, const Settings &s) {
  Joined j = judgeChain(chain, s.options);
  if (!j.ok) {
    std::printf("%s: chain of %zu loops not joined\n", chain[0].id.c_str(), chain.size());
    return true;
  }
  if (s.yaml)
    std::fputs(toYaml(makeRemark(j.loop, j.outcome)).c_str(), stdout);
  else
    printOutcome(j.loop, j.outcome);
  for (size_t i = 0; i < j.finals.size() && !s.yaml; ++i)
    std::printf("  final %s = %s\n", chain.back().finals[i].name.c_str(),
                printExpr(j.loop, j.finals[i]).c_str());
  unsigned runs = 0;
  std::string wrong = differsFromChain(chain, j, s.trials, s.seed, runs);
  if (!wrong.empty())
    std::printf("  MISMATCH: %s\n", wrong.c_str());
  else if (!s.yaml)
    std::printf("  verified: %u runs\n", runs);
  return wrong.empty();
}

int runFile(const std::string &path, const Settings &s) {
  std::string text;
  if (!readFile(path, text)) {
    std::fprintf(stderr, "memlift-loops: error: cannot read '%s': %s\n", path.c_str(),
                 std::strerror(errno));
    return 2;
  }
  std::vector<Loop> loops;
  ParseError e;
  if (!parseLoops(text, loops, e)) {
    std::fprintf(stderr, "%s:%u:%u: error: %s [%s]\n", path.c_str(), e.line, e.col,
                 e.message.c_str(), codeOf(Diag::LoopTextError).c_str());
    return 2;
  }
  int status = 0;
  for (size_t first = 0, end; first < loops.size(); first = end) {
    for (end = first + 1; end < loops.size() && loops[end].follows;)
      ++end;
    std::vector<Loop> chain(loops.begin() + long(first), loops.begin() + long(end));
    if (chain.size() > 1 && !runChain(chain, s))
      status = 1;
  }
  for (size_t i = 0; i < loops.size(); ++i) {
    Loop &loop = loops[i];
    if (loop.follows || (i + 1 < loops.size() && loops[i + 1].follows))
      continue;
    if (s.print)
      std::fputs(print(loop).c_str(), stdout);
    Outcome o = judge(loop, s.options);
    if (isDone(o.decision.kind) && loop.function.stream)
      loop.function.spread ? void() : noteRoutine(o);
    else if (!loop.function.stream || !judgeStream(loop, s.options, loop, o, /*last=*/true))
      judgeGroups(loop, s.options, loop, o);
    if (s.yaml)
      std::fputs(toYaml(makeRemark(loop, o)).c_str(), stdout);
    else
      printOutcome(loop, o);
    if (!check(loop, o, s))
      status = 1;
  }
  return status;
}

} // namespace

int main(int argc, char **argv) {
  Settings s;
  s.options.verifyTrials = 0; // check() runs the trials and reports the difference
  std::vector<std::string> files;
  bool plain = false;
  for (int i = 1; i < argc; ++i) {
    std::string arg = argv[i];
    if (plain || arg == "-" || arg.empty() || arg[0] != '-') {
      files.push_back(arg);
    } else if (arg == "--") {
      plain = true;
    } else {
      int code = option(arg, s);
      if (code >= 0)
        return code;
    }
  }
  if (files.empty())
    files.push_back("-");
  int status = 0;
  for (const std::string &f : files)
    status = std::max(status, runFile(f, s));
  return status;
}
