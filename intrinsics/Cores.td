// Cores.td - pipelines that core=NAME selects: what decides sizes and schedules.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A core changes what is profitable, never which instructions are needed. Each number names its
// source: "rtl" is a measurement on the core's own RTL in simulation (cycles), "llvm" the
// scheduling model of LLVM 22, "gcc" that of GCC 12, "manual" the maker's manual, "derived" follows
// from the others as stated, "ours" is a choice where nothing public says.

class Unaligned<string name> { string Name = name; }
def Trap : Unaligned<"trap">; // a trap handler emulates it: hundreds of cycles, or a fault
def Slow : Unaligned<"slow">; // done, but dearer than two aligned accesses; or unknown
def Fast : Unaligned<"fast">; // about as fast as aligned

class Core<string name, list<string> aliases> {
  string Name = name;
  // Other spellings accepted by core=; compilers' -mcpu names among them.
  list<string> Aliases = aliases;
  string Description = ?;
  bit InOrder = 1;
  // Bytes of a general register: the widest access that every variant of the core has.
  int WordBytes = 8;
  // Instructions issued a cycle, at most.
  int IssueWidth = 1;
  // Cycles from the issue of a load that hits to the issue of the instruction that uses it.
  int LoadUse = 3;
  // Cycles from the issue of an instruction that writes a register to the issue of the next one
  // that writes the same: 1, unless a core that does not rename waits for the first to be done.
  int Rewrite = 1;
  Unaligned UnalignedAccess = Slow;
  // Loads of a copy that are issued before their stores; in order at least as many as are issued
  // while the first is under way, LoadUse * IssueWidth, or its store would wait.
  int GroupWords = 8;
  // Iterations of a loop over memory that is no idiom, at most, whose loads are issued before their
  // stores: in order as many as a copy's words, of one load each; on other cores nobody asks.
  int Unroll = GroupWords;
  // Accumulators of a sum that is limited by its own additions: in order, as many as additions
  // are issued until one of them may be written again.
  int Accumulators = !mul(IssueWidth, Rewrite);
  // Largest constant size in bytes that stays in line.
  int InlineMaxBytes = 64;
  // Largest constant size in bytes for which a call of memset or memcpy, its addresses proved to
  // be aligned, becomes words in its place; 0: what the compiler does by itself is as good. 256, ours:
  // the limit of ARC's Linux; of the aligned memsets of Linux 6.1 for RV64, 85 in 100 are no larger.
  int ExpandMaxBytes = 0;
  // Bytes that one instruction clears, of ordinary memory and without reading it; 0 if there is none.
  // Fills of zero in place go by blocks of that size from four on, behind a test at run time of what
  // the machine clears, on targets that have such an instruction (AArch64).
  int BlockZero = 0;
  // The core counts a loop's iterations itself: the step, the test and the jump cost nothing.
  bit CountsLoops = 0;
  int LineBytes = 64;
  // Tenths of a cycle from a store of a word to the next one, of many that hit. At 10 what is no
  // store is a cycle lost; above, stores wait for memory, and what stands between them costs nothing:
  // a loop need not be as long. 13, ours: of all but
  // Rocket, memory is the limit, or nothing public says.
  int StoreTenths = 13;
  // Cycles from a product of 32 bits to the next one: 1, unless the core has a single multiplier, which
  // is busy with it. Such a one takes longer for 64 bits.
  int Multiply = 1;
  // Cycles that what is neither load, store nor product waits right behind a product: 1 where results of
  // both are written through one port, and one comes a cycle later.
  int AfterProduct = 0;
  string Source = ?;
}

def Generic : Core<"generic", []> {
  let Description = "any out-of-order core: nothing assumed about unaligned accesses";
  let InOrder = 0;
  let IssueWidth = 4;
  let LoadUse = 4;
  let GroupWords = 4;
  let Accumulators = 2;
  let Source = [{ours: the smallest figures of out-of-order cores sold today; inline limit: four
    16-byte vector accesses, less than a call with its dispatch}];
}

def GenericInOrder : Core<"generic-inorder", ["inorder"]> {
  let Description = "any in-order core of 64 bits that needs aligned accesses";
  let LoadUse = 4;
  let Rewrite = 2;
  let UnalignedAccess = Trap;
  let ExpandMaxBytes = 256;
  let Multiply = 6;
  let AfterProduct = 1;
  let Source = [{ours: the worst of the in-order cores below, so that code is good on all of them;
    inline limit: one group of 8 words}];
}

def SiFiveU74 : Core<"sifive-u74", ["sifive-7-series", "u74"]> {
  let Description = "SiFive U74 (FU740, JH7110): RV64, in order, two instructions a cycle";
  let IssueWidth = 2;
  let UnalignedAccess = Trap;
  let ExpandMaxBytes = 256;
  let Source = [{llvm (SiFive7Model): issue width 2, load latency 3; unaligned: traps, OpenSBI
    emulates it (lib/sbi: misaligned loads and stores); group of
    8: llvm-mca, 0.258 cycles a byte of copy; accumulators: derived from the issue width}];
}

def CVA6 : Core<"cva6", ["ariane"]> {
  let Description = "CVA6 (Ariane): RV64, in order, no renaming";
  let Rewrite = 2;
  let UnalignedAccess = Trap;
  let ExpandMaxBytes = 256;
  let LineBytes = 16;
  let AfterProduct = 1;
  let Source = [{rtl: load-use 3; 48 products and 48 additions in turns take 144 cycles, 96 products 96; 96 instructions that write one register take 191 cycles, 96 on
    Rocket; 8 grouped words copy 1500 bytes in 501 cycles, 4 grouped in 662,
    4 interleaved in 938; two accumulators 884 against 1065; 4096 bytes filled in 661 cycles, by 32
    words an iteration or by 64; unaligned: manual; line: default configuration}];
}

def Rocket : Core<"rocket", ["rocket-rv64"]> {
  let Description = "Rocket: RV64, in order, one instruction a cycle";
  let LoadUse = 2;
  let UnalignedAccess = Trap;
  let ExpandMaxBytes = 256;
  let StoreTenths = 10;
  let Multiply = 6;
  let Source = [{rtl: load-use 2; 8 grouped words copy 1500 bytes in 513 cycles, 4 grouped in 611,
    4 interleaved in 789; one accumulator 877 against 925; 4096 bytes filled in 574 cycles by 32 words
    an iteration, in 556 by 64; 96 products one behind the other take 6 cycles each of 32 bits, 10 of
    64, 4 of a first factor of one byte; unaligned: manual}];
}

def ARC700 : Core<"arc700", ["arc"]> {
  let Description = "Synopsys ARC 700: 32 bits, in order, zero-overhead loops";
  let WordBytes = 4;
  let UnalignedAccess = Trap;
  let ExpandMaxBytes = 256;
  let InlineMaxBytes = 32;
  let LineBytes = 32;
  let CountsLoops = 1;
  let Source = [{gcc (arc700.md): load latency 3, one instruction a cycle; loops counted by lp; unaligned: manual, raises
    an exception; inline limit: derived, one group of 8 words of 4 bytes; line: ours, the usual
    configuration}];
}

def CortexA53 : Core<"cortex-a53", ["a53"]> {
  let Description = "Arm Cortex-A53: AArch64, in order, two instructions a cycle";
  let IssueWidth = 2;
  let LoadUse = 4;
  let UnalignedAccess = Fast;
  let BlockZero = 64;
  let Source = [{llvm (CortexA53Model): issue width 2, load latency 4; unaligned: manual, in
    hardware for normal memory; block zero: manual, DC ZVA clears 64 bytes; accumulators:
    derived from the issue width}];
}
