# remarks.py - makes remark files of any size, with records as long as real ones.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes remark files to measure memlift-report with.

A record of memlift has 15 facts and some 3 KB, as those that clang-22 writes for copies have.
Five of its facts differ from record to record, as they name variables and lines.
"""
HEAD = """\
--- !{kind}
Pass:            memlift
Name:            {name}
DebugLoc:        {{ File: 'src/module{file}.c', Line: {line}, Column: {column} }}
Function:        'function_{function}'
Args:
  - String:          '{message} [{code}]'
  - Idiom:           '{idiom}'
  - Decision:        '{decision}'
  - Code:            '{code}'
  - LoopId:          'src/module{file}.c:function_{function}#{ordinal}'
"""
SAME = """\
  - Fact:            '{name}'
  - Verdict:         'proved'
  - Need:            'what the replacement relies on, in words'
  - Have:            'holds'
"""
OWN = """\
  - Fact:            '{name}'
  - Verdict:         'proved'
  - Need:            'every byte of one region once'
  - Have:            '{count} bytes at destination_{n}, step 1'
  - Evidence:        'line {line}:{column}'
"""
FAILED = """\
  - Fact:            'trip count'
  - Verdict:         'failed'
  - Code:            'MLF2010'
  - Need:            'a count that is fixed before the loop'
  - Have:            'read again: count_{n}'
  - Evidence:        'line {line}:{column}'
"""
GAIN = """\
  - GainCycles:      '{n}'
  - Iterations:      '{count}'
  - GainModel:       '{count} iterations of 2 cycles, less 40 for the call'
"""
UNKNOWN = """\
  - GainModel:       'unknown: the trip count is known only at run time; the call is faster from \
about 10 iterations on'
"""
OTHER = """\
--- !Missed
Pass:            inline
Name:            NoDefinition
DebugLoc:        {{ File: 'src/module{file}.c', Line: {line}, Column: {column} }}
Function:        function_{function}
Args:
  - Callee:          helper_{n}
  - String:          ' will not be inlined into '
  - Caller:          function_{function}
    DebugLoc:        {{ File: 'src/module{file}.c', Line: 1, Column: 0 }}
  - String:          ' because its definition is unavailable'
...
"""
FACTS = ("function may be changed", "one exit", "no other effects", "form", "whole bytes",
         "addresses", "plain accesses", "stored value", "length", "worth a call")
FORMS = (("Passed", "Lowered", "lowered", "MLF1001", "loop became a call of memlift_copy"),
         ("Passed", "Guarded", "guarded", "MLF1003", "loop became a call with a run-time check"),
         ("Analysis", "Already", "already", "MLF1004", "the compiler itself had made this a call"),
         ("Missed", "TripCountUnknown", "kept", "MLF2010", "copy loop kept: the count is unknown"))


def record(n):
    kind, name, decision, code, message = FORMS[n % len(FORMS)]
    place = {"file": n // 40, "function": n // 4, "line": 10 + n % 997, "column": 3 + n % 5,
             "n": n, "count": 16 + n % 4099}
    text = [HEAD.format(kind=kind, name=name, decision=decision, code=code, message=message,
                        idiom=("copy", "fill", "move")[n % 3], ordinal=n % 4, **place)]
    text += [SAME.format(name=name) for name in FACTS]
    text += [OWN.format(name=name, **place)
             for name in ("destination", "destination contiguous", "source contiguous", "overlap")]
    text.append(FAILED.format(**place) if decision == "kept" else
                OWN.format(name="trip count", **place))
    if decision in ("lowered", "guarded"):
        text.append(UNKNOWN if n % 5 else GAIN.format(**place))
    return "".join(text) + "...\n"


def write(path, count, others=0):
    """`count` records of memlift, with `others` of another pass before each."""
    with open(path, "w", encoding="utf-8") as stream:
        for n in range(count):
            for k in range(others):
                stream.write(OTHER.format(file=n // 40, line=1 + n % 997, column=k,
                                          function=n // 4, n=n))
            stream.write(record(n))
