# manual.py - the text of memlift-report --help, in the form of a manual page; ../man.py makes one.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

HELP = """\
NAME
  memlift-report - says what became of each loop that copies, fills or checksums memory, and why

SYNOPSIS
  memlift-report [OPTION...] PATH...
  memlift-report diff [OPTION...] BEFORE AFTER
  memlift-report check [--baseline FILE] [OPTION...] PATH...
  memlift-report update-baseline [--baseline FILE] PATH...
  memlift-report suggest [OPTION...] PATH... [-- COMPILER ARGUMENT...]
  memlift-report stats | watch | alignment [OPTION...] PATH...
  memlift-report explain [CODE...]

DESCRIPTION
  Reads remark files and prints a table for each source file: line and column, function, what the
  loop does (fill, copy, crc), what was decided, the code, and the first fact that failed or what
  was done. PATH is a file, or a folder that is searched for *.yaml (among them *.opt.yaml) and
  *.bitstream. Repeated remarks of one loop are folded and counted as [xN], and so are its copies
  that were inlined; a loop that was inlined into other functions is one row, with their number as
  (+N).

  Remark files are written by
    memlift-clang --memlift-remarks=FILE ...       memlift-gcc --memlift-remarks=FILE ...
    clang -fsave-optimization-record ...           (with the plugin; other passes are skipped)
  LLVM's bitstream (-fsave-optimization-record=bitstream) is read through libRemarks of an LLVM
  that is installed; MEMLIFT_LIBREMARKS names another.

  A path that is named like a command is written ./explain.

COMMANDS
  diff             compares two builds, also of two compilers, and prints loops that were lost,
                   gained, kept for another reason, moved, that are new or gone. Lines do not
                   count: a comment changes nothing
  check            compares a build with memlift.lock, which is kept with the source
  update-baseline  writes the lines of one configuration of memlift.lock anew
  suggest          tries changes of the source: for each loop that is kept or guarded, and for each
                   call that would be words if its addresses were known, a copy of the file is
                   changed and compiled with the file's own command, from compile_commands.json or
                   behind --. A change is printed only if the compiler then decides better on this
                   loop and worse on none. It is right only if the promise beside it is true. A
                   header is compiled through a source file that includes it
  stats            counts by idiom, decision, code and file
  watch            looks at a build directory and prints what each compilation changed
  explain          prints the long text of each CODE (MLF2010, 2010 or TripCountUnknown), or lists
                   them all
  alignment        counts the calls of memset, memcpy and memmove, and large assignments, by size
                   and by what their addresses are proved to be multiples of: how many became words
                   in place of a call, by memlift or by the compiler alone. Calls that the compiler
                   made (of initialisers, of loops) are told from those that were written where the
                   source is found: here, or below --source DIR, whose headers tell which macros
                   call one. Written ones are also counted by their places in the source.

OPTIONS
  -v, --verbose        each loop with its source and its proof: facts that hold in one line, those
                       that failed or are guarded in full: what was needed, what was found, the
                       evidence; then suggestions. Given twice, -vv: every fact, in proof order
  --format FORMAT      text, json, md, csv, sarif or html; diff and check: text, json or md; stats
                       and suggest: text or json
  -o, --output FILE    write FILE rather than standard output
  --sort ORDER         place: by file and line. rank: by hotness x expected gain. auto: rank if
                       there is a profile, else place
  --only DECISION[,DECISION...]
                       only loops with these decisions
  --file, --function PATTERN[,PATTERN...]
                       only loops of these files or functions; patterns as in a shell
  --idiom IDIOM[,IDIOM...], --code CODE[,CODE...]
                       only loops of these idioms, or with these codes
  --perf FILE          samples that perf script -F ip,sym,srcline wrote: the hotness of a loop is
                       how many lie in it (may be given again)
  --each-copy          a row for each copy of a loop that was inlined
  --source DIR         source files are below DIR (may be given again)
  --source-map OLD=NEW a source name that begins with OLD begins with NEW here
  --no-source          no source text: html needs it otherwise
  --max-results N      sarif: N results at most; 5000 unless given, 0 for all
  --help-uri URL       sarif: rules link to URL/diagnostics.md, the folder docs/reference
  --title TEXT         html: the heading
  --before PATH        html: remarks of an earlier build, which are compared
  --assembly DIR       html: .s files below DIR; shows the code of each function. Given twice, the
                       first is of the build without memlift
  --json               alignment: print JSON: totals, tables, and each call
  --color WHEN         auto (a terminal, and NO_COLOR is not set), always, never
  --version            print the version and stop
  -h, --help           print this and stop

  diff and check:
  --fail-on KIND[,KIND...]
                       exit with 1 at these changes: lost (unless given), gained, changed, moved,
                       new, gone; none for never
  --source-before DIR  diff: source files of BEFORE are below DIR
  --allow CODE[,CODE...]
                       check: loops that are kept for these reasons only may be lost
  --baseline FILE      memlift.lock unless given
  --config NAME        compiler and target that the lines are of, such as gcc-12-x86_64; 'default'
                       unless given

  suggest:
  -p DIR               compile_commands.json is in DIR; here unless given
  --patch FILE         write the changes for `git apply`; - for standard output
  --apply              make the changes in the source files
  -j N                 files that are tried at a time; as many as there are processors unless given
  -v                   also name loops for which nothing was found

  watch:
  --every SECONDS      time between two looks; 1 unless given
  --rounds N           stop after N looks

  Decisions are: kept (the loop stays), guarded (a call if a run-time check passes), lowered
  (a call), inlined (a few accesses in place), offloaded (a coprocessor), already (done by the
  compiler).
  A suggestion was tried: with it the decision changes. Those of the report were tried on the
  compiler's model of the loop; those of suggest were compiled. Advice is general, and was not.

EXIT STATUS
  0  the report was printed; diff and check: no change of --fail-on
  1  diff and check: a change of --fail-on
  2  bad usage, a file that cannot be read or is cut off, or no remark of memlift at all

FILES
  memlift.lock  one sorted line a loop: configuration, loop, decision, idiom, codes of a kept loop,
                hash of its source line

EXAMPLES
  memlift-clang -O2 -g --memlift-remarks=x.yaml -c x.c && memlift-report x.yaml
  memlift-report --format html -o report.html build/
  memlift-report suggest -p build/ --patch fix.patch build/ && git apply fix.patch
  memlift-report suggest x.yaml -- memlift-clang -O2 -c x.c
  memlift-report diff before/ after/
  memlift-report update-baseline --config gcc-12 build/ && git add memlift.lock
  memlift-report check --config gcc-12 build/
"""
