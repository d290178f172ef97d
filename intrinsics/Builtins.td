// Builtins.td - what users may write: attribute values in source, options on command lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A value of __attribute__((memlift("VALUE"))).
class AttributeValue<string value> {
  string Value = value;
  // 1: this version of the plugins honours it; others are refused with MLF0009.
  bit Implemented = 0;
  // Entity that the attribute may be written on.
  string On = "function";
  string Help = ?;
}

def AttrOff : AttributeValue<"off"> {
  let Implemented = 1;
  let Help = "keeps every loop of the function as written";
}
def AttrRequire : AttributeValue<"require"> {
  let Implemented = 1;
  let Help = [{makes it an error, with all reasons, if a loop of the function is kept, or if it has
    none. "#pragma memlift require" asks for it of one loop}];
}
def AttrOffload : AttributeValue<"offload"> {
  let Help = "prefers a coprocessor to the CPU where one is present";
}
def AttrShape : AttributeValue<"shape"> {
  let Implemented = 1;
  let Help = [{only shapes the function's loops for the core's pipeline. Neither memlift nor the
    compiler calls a routine in their place. Loops inside memcpy, memset and other functions that
    implement the idiom are shaped too. The function is not inlined. "off" and keep= take
    precedence}];
}

def AttrUser : AttributeValue<"user"> {
  let Implemented = 1;
  let Help = [{as "shape", for a function that copies or fills memory that may fault, byte by byte.
    Each access gets an entry in the section __ex_table. After a fault the function returns the
    number of bytes that its loop had left. It is an error if an access is not covered}];
}

def AttrAsync : AttributeValue<"async"> {
  let Implemented = 1;
  let Help = "begins large copies and fills of the function early, and waits for them late";
}

def AttrStream : AttributeValue<"stream"> {
  let Implemented = 1;
  let Help = [{cuts the function's loops over large arrays into blocks. memlift_stream_next moves
    them to and from the thread's local store while the loop computes. "stream=32K" takes at most
    so many bytes of it (K, M). "off" takes precedence}];
}

def AttrSpread : AttributeValue<"spread"> {
  let Implemented = 1;
  let Help = [{has blocks of the function's long loops computed by several threads: the units of the
    context that memlift_spread_bind names, and the caller. Without one, and below a length, the
    loop runs as it is. With "stream", too, each thread brings its blocks through its local store.
    "off" takes precedence}];
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
  // Name of a value in the help.
  string Meta = "";
  string Default = "";
  string Help = ?;
  // 1: a loop could come to mean something else where it is judged by another value. Then the
  // link of LTO inlines no function into one that was compiled with another value.
  bit KeptApart = 0;
}

def OptRuntime : Option<"runtime", "Enum"> {
  let KeptApart = 1;
  let Values = ["memlift", "libc", "none"];
  let Meta = "MODE";
  let Default = "memlift";
  let Help = [{what loops may call: memlift (libmemlift), libc (memset, memcpy and memmove
    only) or none (in-line code only). With -ffreestanding or -fno-builtin the default is
    none. With -m32 or -mx32 it is libc, as no libmemlift is installed for these}];
}
def OptCore : Option<"core", "Enum"> {
  let ValuesAreCores = 1;
  let Meta = "NAME";
  let Help = [{choose sizes and schedules for this core's pipeline. The instruction set stays
    that of -march. Default: the core that -mcpu or -mtune names, else the usual one of the
    target}];
}
def OptTrustTypes : Option<"trust-types", "Flag"> {
  let KeptApart = 1;
  let Help = [{assume that pointers are aligned as their declared types require: in loop
    accesses, arguments, return values, fields, variables of static storage, and casts from
    void *. It holds where memory is accessed, set or copied, and for memlift_aligned. A
    pointer that is never followed, such as an error number, may be anything}];
}
def OptTrustNames : Option<"trust-names", "Flag"> {
  let KeptApart = 1;
  let Help = [{treat calls of memset, memcpy and memmove as the C library's functions, even
    with -ffreestanding and -fno-builtin. Calls of constant size and proved alignment then
    become word accesses on targets that trap unaligned ones}];
}
def OptPrintLoops : Option<"print-loops", "Flag"> {
  let Help = [{print the loop model of each candidate loop, in the text form that
    memlift-loops reads}];
}
def OptPrintAlignment : Option<"print-alignment", "Flag"> {
  let Help = [{print the proved alignment of each pointer passed to memset, memcpy, memmove
    and memlift_aligned. Say what proves it, or what prevents a better proof}];
}
def OptCountCalls : Option<"count-calls", "Flag"> {
  let Help = [{write a record for each call of memset, memcpy and memmove that the compiler
    expands before memlift runs. memlift-report alignment counts them (clang; GCC expands such
    calls while it reads the source)}];
}
def OptSearches : Option<"searches", "Flag"> {
  let KeptApart = 1;
  let Help = [{call routines for loops that end at what they read, too: searches, lengths of strings,
    comparisons. One that ends within a few bytes may then take a nanosecond longer, so this is for
    programs whose searches are long}];
}
def OptVerify : Option<"verify", "Flag"> {
  let Help = [{run each decision on random memory, next to the loop that it replaces. A loop
    whose decision differs is kept, and reported as a bug of memlift (MLF3020)}];
}
def OptRemarks : Option<"remarks", "String"> {
  let Meta = "FILE";
  let Help = [{write a record for each candidate loop to FILE, for memlift-report. The wrapper
    empties FILE first, and the plugins append to it}];
}
def OptKeep : Option<"keep", "String"> {
  let KeptApart = 1;
  let Meta = "FUNCTION[,FUNCTION...]";
  let Help = [{leave the loops of these functions unchanged}];
}
def OptShape : Option<"shape", "String"> {
  let Meta = "FUNCTION[,FUNCTION...]";
  let Help = [{only shape the loops of these functions for the core's pipeline, without calls,
    as __attribute__((memlift("shape"))) does. So a memcpy written as a loop over bytes
    becomes a fast one. "off" and keep= take precedence}];
}
def OptMap : Option<"map", "Map"> {
  let KeptApart = 1;
  let Meta = "KEY=SYMBOL[,KEY=SYMBOL...]";
  let Help = [{call SYMBOL, a routine of your own, where a loop would become a call of
    operation KEY. KEY is the operation's name without memlift_ (copy, fill32, sum_u8, crc),
    or an idiom with one operation (inet_checksum). It works with every runtime, none
    included. SYMBOL has the operation's prototype (docs/reference/operations.md). A result is
    ignored where the operation returns nothing. Loops of SYMBOL, and of what it calls in the
    same file, are left unchanged}];
}
def OptAsync : Option<"async", "Flag"> {
  let KeptApart = 1;
  let Help = [{begin copies and fills of large or unknown size early, and wait for them late,
    so that an engine works while the program goes on. No access between the two overlaps
    their memory. memlift("async") asks for it in one function. Needs runtime=memlift}];
}
def OptStream : Option<"stream", "String"> {
  let Meta = "all|FUNCTION[,FUNCTION...]";
  let Help = [{cut loops over large arrays into blocks, in these functions or in all of the file,
    as memlift("stream") does. Blocks are moved to and from the local store of the thread while
    the loop computes. Needs runtime=memlift}];
}
def OptStreamStore : Option<"stream-store", "String"> {
  let Meta = "BYTES";
  let Help = [{take at most so many bytes of the local store for a loop that is cut into blocks
    by the option stream: a number, perhaps with K or M behind it. Default: all that is free}];
}
def OptRequire : Option<"require", "Enum"> {
  let Values = ["error", "warn", "off"];
  let Meta = "HOW";
  let Default = "error";
  let Help = [{what to do where memlift("require") or "#pragma memlift require" is not met:
    stop with an error, warn, or check nothing (off)}];
}
def OptSpread : Option<"spread", "String"> {
  let Meta = "all|FUNCTION[,FUNCTION...]";
  let Help = [{have blocks of long loops computed by several threads, in these functions or in all of
    the file, as memlift("spread") does. Needs runtime=memlift}];
}
def OptOff : Option<"off", "Flag"> {
  let KeptApart = 1;
  let Help = [{compile without memlift: no loop is changed, and the attribute memlift has no
    effect}];
}
def OptHelp : Option<"help", "Flag"> {
  let Help = [{print these options and stop}];
}
