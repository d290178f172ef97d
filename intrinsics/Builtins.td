// Builtins.td - what users may write: attribute values in source, options on command lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A value of __attribute__((memlift("VALUE"))).
class AttributeValue<string value> {
  string Value = value;
  // Whether this version of the plugins honours it; others are refused with MLF0009.
  bit Implemented = 0;
  // What the attribute may be written on.
  string On = "function";
  string Help = ?;
}

def AttrOff : AttributeValue<"off"> {
  let Implemented = 1;
  let Help = "keeps every loop of the function as it is written";
}
def AttrRequire : AttributeValue<"require"> {
  let Help = "makes it an error, with all reasons, if a loop of the function is kept";
}
def AttrOffload : AttributeValue<"offload"> {
  let Help = "prefers a coprocessor to the CPU where one is present";
}
def AttrShape : AttributeValue<"shape"> {
  let Implemented = 1;
  let Help = [{only shapes the function's loops for the core's pipeline, and calls nothing in their
    place, nor lets the compiler do so: also inside memcpy, memset and other functions that are
    the idiom themselves, which are kept otherwise. The function is not inlined. "off" and keep=
    win}];
}

def AttrAsync : AttributeValue<"async"> {
  let Implemented = 1;
  let Help = "begins large copies and fills of the function early, and waits for them late";
}

// An option: --memlift-NAME[=VALUE] for the wrappers, -mllvm -memlift-NAME[=VALUE] for clang,
// -fplugin-arg-PLUGIN-NAME[=VALUE] for gcc.
class Option<string name, string kind> {
  string Name = name;
  // Enum: one of Values. String: any value that is not empty. Flag: no value.
  // Map: KEY=SYMBOL items by comma, each KEY one of the operations of BulkOps.td.
  string Kind = kind;
  list<string> Values = [];
  // The values are the names and aliases of Cores.td.
  bit ValuesAreCores = 0;
  // How a value is called in the help.
  string Meta = "";
  string Default = "";
  string Help = ?;
  // Whether a loop could come to mean something else where it is judged by another value: then the
  // link of LTO inlines no function into one that was compiled with another value.
  bit KeptApart = 0;
}

def OptRuntime : Option<"runtime", "Enum"> {
  let KeptApart = 1;
  let Values = ["memlift", "libc", "none"];
  let Meta = "MODE";
  let Default = "memlift";
  let Help = [{what loops may call: memlift (libmemlift), libc (memset, memcpy, memmove only) or
    none (in-line code only); under -ffreestanding and -fno-builtin the default is none, and
    under -m32 and -mx32, for which no libmemlift is installed, libc}];
}
def OptCore : Option<"core", "Enum"> {
  let ValuesAreCores = 1;
  let Meta = "NAME";
  let Help = [{the pipeline that sizes and schedules are chosen for, never which instructions are
    needed; without it the one that -mcpu or -mtune names, else the usual one of the target}];
}
def OptTrustTypes : Option<"trust-types", "Flag"> {
  let KeptApart = 1;
  let Help = [{believe that a pointer is aligned as the type says that a loop accesses it with,
    even where the loop may not run; and, where memory is set or copied or memlift_aligned asks,
    that an argument, a result, and a field or variable of static storage that is read, is aligned
    as its declaration says, and a converted void * as what it becomes. Pointers that are not
    followed may be anything, such as error numbers}];
}
def OptTrustNames : Option<"trust-names", "Flag"> {
  let KeptApart = 1;
  let Help = [{take calls of memset, memcpy and memmove for what these names say, under
    -ffreestanding and -fno-builtin as well: those of constant size and proved alignment become words
    where unaligned ones trap}];
}
def OptPrintLoops : Option<"print-loops", "Flag"> {
  let Help = [{print each candidate loop, as it is seen, in the text form of memlift-loops}];
}
def OptPrintAlignment : Option<"print-alignment", "Flag"> {
  let Help = [{print what is proved of the alignment of each pointer that memset, memcpy, memmove
    and memlift_aligned are given, and from what or who is at fault}];
}
def OptCountCalls : Option<"count-calls", "Flag"> {
  let Help = [{write records of calls of memset, memcpy and memmove that the compiler makes an
    access of before memlift sees them, for memlift-report alignment to count (clang; GCC does so
    while it reads the source)}];
}
def OptVerify : Option<"verify", "Flag"> {
  let Help = [{try each decision on random memory against the loop as it is seen; a loop whose
    decision differs is kept, and reported as a bug of memlift (MLF3020)}];
}
def OptRemarks : Option<"remarks", "String"> {
  let Meta = "FILE";
  let Help = [{write a record for each candidate loop to FILE, for memlift-report; the wrapper
    empties FILE first, the plugins append to it}];
}
def OptKeep : Option<"keep", "String"> {
  let KeptApart = 1;
  let Meta = "FUNCTION[,FUNCTION...]";
  let Help = [{leave the loops of these functions alone}];
}
def OptShape : Option<"shape", "String"> {
  let Meta = "FUNCTION[,FUNCTION...]";
  let Help = [{only shape the loops of these functions for the core's pipeline, without calls, as
    __attribute__((memlift("shape"))) does: so that a memcpy written as a loop over bytes becomes a
    good one. What "off" or keep= says as well is left alone}];
}
def OptMap : Option<"map", "Map"> {
  let KeptApart = 1;
  let Meta = "KEY=SYMBOL[,KEY=SYMBOL...]";
  let Help = [{call SYMBOL, a routine of your own, where a loop would become a call of the operation
    KEY: its name without memlift_ (copy, fill32, sum_u8, crc), or an idiom that has one operation
    (inet_checksum); works with every runtime, none too. SYMBOL has the operation's prototype, or
    returns what is not looked at where the operation returns nothing; docs/reference/operations.md
    lists them. Loops of SYMBOL itself, and of what it calls in the same file, are left alone}];
}
def OptAsync : Option<"async", "Flag"> {
  let KeptApart = 1;
  let Help = [{begin copies and fills of large or unknown size as early, and wait for them as late, as
    nothing between meets their memory: an engine works beside the program then. What
    memlift("async") says of one function; with runtime=memlift only}];
}
def OptOff : Option<"off", "Flag"> {
  let KeptApart = 1;
  let Help = [{compile with memlift switched off: nothing is changed, and its attribute means nothing}];
}
def OptHelp : Option<"help", "Flag"> {
  let Help = [{print these options and stop}];
}
