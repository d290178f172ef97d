// Reasons.td - MLF3xxx: the facts hold, and this is why the decision went as it did.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def NoRuntime : Reason<3001> {
  let Text = "there is no routine to call (runtime=none) and the size is no small constant";
  let Advice =
    "runtime=memlift or runtime=libc, if one is linked; map=KEY=SYMBOL for a routine of your own";
  let Why = [{
    With runtime=none, which is the default under -ffreestanding and -fno-builtin, nothing is called
    but what map=KEY=SYMBOL names. Operations of small constant size are done in place, sums and
    checksums by a shorter loop in place, and so are fills and copies if the core runs its
    instructions in order (core=NAME); the others are kept. libmemlift has no dependency and compiles for kernels
    and firmware too: then runtime=memlift.
  }];
  let Bad = [{
    memlift-gcc -O2 --memlift-runtime=none -c x.c
  }];
  let Good = [{
    memlift-gcc -O2 --memlift-runtime=memlift -c x.c
  }];
}

def RuntimeLibc : Reason<3002> {
  let Text = "the C library has no routine for this pattern (runtime=libc)";
  let Advice = "runtime=memlift has fills of 1 to 8 byte values";
  let Why = [{
    memset repeats one byte. A 2, 4 or 8 byte value whose bytes differ needs libmemlift's fills.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      p[i] = 0x12345678;          /* --memlift-runtime=libc */
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      p[i] = 0x12345678;          /* --memlift-runtime=memlift: memlift_fill32 */
  }];
}

def GuardTooCostly : Reason<3003> {
  let Text = "a run-time check would keep the loop as well, and the code is optimised for size";
  let Advice = "prove it instead: declare the pointers restrict, or compile this file at -O2";
  let Why = [{
    A guarded operation (MLF1003) holds both the call and the original loop. At -Os and -Oz memlift
    never makes code larger for speed.
  }];
  let Bad = [{
    void put(uint8_t *d, const uint8_t *s, size_t n);            /* -Os */
  }];
  let Good = [{
    void put(uint8_t *restrict d, const uint8_t *restrict s, size_t n);
  }];
}

def TooShort : Reason<3004> {
  let Text = "the loop runs so few times that a call cannot pay";
  let Advice = "nothing: the loop is the fastest form";
  let Why = [{
    An upper bound of the size is known, and a call with its setup costs more than the bytes do. The
    limit comes from the core's record (core=NAME).
  }];
  let Bad = [{
    for (i = 0; i < (n & 3); i++)
      p[i] = 0;                   /* at most 3 bytes: kept */
  }];
}

def InlineSmall : Note<3005> {
  let Text = "a small constant size: accesses in place, no call";
  let Advice = "nothing";
  let Why = [{
    Up to the core's limit (inlineMaxBytes in the record) a constant size becomes full-width loads
    and stores in place.
  }];
  let Good = [{
    for (i = 0; i < 4; i++)
      key[i] = 0;                 /* uint32_t key[4]: two 8-byte stores */
  }];
}

def Overlap : Note<3006> {
  let Text = "whether source and destination overlap is decided when the program runs";
  let Advice = "declare the pointers restrict if they never overlap";
  let Why = [{
    Nothing in the program says whether the two ranges share bytes. This is the reason behind a
    guarded operation (MLF1003).
  }];
  let Bad = [{
    void put(uint8_t *d, const uint8_t *s, size_t n);
  }];
  let Good = [{
    void put(uint8_t *restrict d, const uint8_t *restrict s, size_t n);
  }];
}

def CallsRuledOut : Reason<3007> {
  let Text = "no routine may be called from this function";
  let Advice = "move the loop to a function without that attribute, in a file without that option";
  let Why = [{
    A routine of libmemlift or the C library uses vector registers, the target's own calling
    convention and the ordinary stack. The function's attributes or options rule one of them out, so
    its loops may only become in-line code.
  }];
  let Bad = [{
    memlift-gcc -O2 -mgeneral-regs-only -c irq-helpers.c
  }];
  let Good = [{
    memlift-gcc -O2 -c ordinary.c
  }];
}

def Mapped : Note<3010> {
  let Text = "the operation is done by the routine that map=KEY=SYMBOL names";
  let Advice = "nothing: leave the item out of the map to have memlift's own routine";
  let Why = [{
    The user named a routine of their own for this operation. It is called where memlift's would
    be, and under runtime=none and runtime=libc as well. It may count its calls or drive a device,
    as long as it is done when it returns, throws nothing and leaves its arguments' memory as the
    operation would. But the compiler knows of the loop that it wrote nothing else, and may have
    used that before: what else the routine writes is for volatile variables or for other files.
  }];
  let Good = [{
    memlift-gcc -O2 --memlift-map=inet_checksum=my_sum -c x.c
  }];
}

def NoFasterLoop : Note<3011> {
  let Text = "no loop in place is known to be faster than the one in the source";
  let Advice = "runtime=memlift, or map=KEY=SYMBOL with a routine of your own";
  let Why = [{
    Where nothing may be called, a sum of bytes, the sums of Adler-32, an Internet checksum that
    folds as it goes and a CRC that works bit by bit become faster loops in place. A table of a CRC
    is what it would become without carry-less products, wider words leave little to gain, and under
    -Os nothing may grow. Fills and copies become loops over words on cores that run in order, if
    there may be more than a few words; not if a pattern is no whole part of a word, nor if the
    bytes of elements change places.
  }];
}

def TableInPlace : Note<3012> {
  let Text = "carry-less products would be faster than a table of this CRC";
  let Advice = "compile for a target that multiplies without carries: -mpclmul, rv64gc_zbc, +aes";
  let Why = [{
    Where nothing may be called, a CRC is folded 16 bytes at a time if the function is compiled for
    a target that multiplies without carries: x86-64 with PCLMULQDQ, AArch64 with PMULL, RV64 with
    Zbc. For CRC-32C on x86-64 with SSE4.2, and for CRC-32 too on AArch64, there is an instruction.
    Elsewhere, and under -Os, a byte at a time is looked up in a table. GCC 12 does not multiply so
    for RV64.
  }];
  let Bad = [{
    memlift-gcc -O2 --memlift-runtime=none -c crc.c
  }];
  let Good = [{
    memlift-gcc -O2 -mpclmul --memlift-runtime=none -c crc.c
  }];
}

def NotGrouped : Note<3013> {
  let Text = "the loads of several iterations do not come first";
  let Advice = "nothing, or compile for speed, for a core without vectors, a loop with fewer streams";
  let Why = [{
    On a core that runs its instructions in order, where nothing is called (runtime=none, or a
    function that is shaped), a loop over memory that is no idiom gets its loads grouped if that
    pays: not under -Os, not where the target has vectors, which its compiler uses better, not if
    the loop runs a few times only, loads nothing, stores to several regions, or computes so much
    that its loads are no great part, and not behind more than a few tests. What it was is said with
    the loop.
  }];
}

def BudgetSpent : Reason<3014> {
  let Text = "the loops in place of this function have taken the code that they may";
  let Advice = "move this loop, or the ones before it, to a function that is not inlined";
  let Why = [{
    A copy in place may have 1.6 kB of code where its loop had 36 bytes. That pays for a few loops of a
    function. Hundreds would fill the instruction cache and take ten times as long to compile. So the
    loops in place of one function share a budget, in the order of the program. Loops that become calls
    take nothing of it.
  }];
  let Bad = [{
    void parse(struct packet *p) { /* twenty copies, each a loop */ }
  }];
  let Good = [{
    __attribute__((noinline)) static void copy_name(char *d, const char *s, size_t n) {
      while (n--)
        *d++ = *s++;
    }
  }];
}

def ClaimRefuted : Reason<3020> {
  let Text = "a bug in memlift, please report it: what was decided is not what the loop does";
  let Advice = "report the bug with this record; the loop is kept, and your program is right";
  let Why = [{
    With verify, before a loop is changed, the decision is run next to the loop on random memory, in
    the compiler. This one left other bytes or another result than the loop. Recognition is proved,
    so that a proof, or the form of the loop that it was about, has to be wrong.
  }];
}

def SizeTooLarge : Reason<3030> {
  let Text = "the size is above the core's limit for words in place of a call";
  let Advice = "nothing: for this size the routine is as fast";
  let Why = [{
    From some hundred bytes on the cost of a call no longer shows, and the routine may have better
    ways: whole blocks, prefetching, an engine. The limit is in the core's record (core=NAME).
  }];
  let Bad = [{
    memset(page, 0, 4096);
  }];
  let Good = [{
    memset(header, 0, 128);
  }];
}

def WordsTooLarge : Reason<3031> {
  let Text = "words would be larger than the call, and the code is optimised for size";
  let Advice = "compile this file at -O2, if it is worth that";
  let Why = [{
    Four stores are about as long as a call with its arguments. At -Os and -Oz memlift never makes
    code larger for speed.
  }];
  let Bad = [{
    memset(aligned, 0, 64);     /* -Os */
  }];
  let Good = [{
    memset(aligned, 0, 32);     /* -Os */
  }];
}

def MoveTooLarge : Reason<3032> {
  let Text = "the regions may overlap, and there are too many words to read them all first";
  let Advice = "use memcpy, if the regions are never the same memory";
  let Why = [{
    memmove reads everything before it writes anything. In a straight line that takes as many
    registers as there are words; in a loop it takes a test of the direction, which the routine
    makes as well.
  }];
  let Bad = [{
    memmove(a, a + 8, 200);
  }];
  let Good = [{
    memcpy(a, b, 200);
  }];
}

def AsyncAlone : Reason<3040> {
  let Text = "nothing of weight could run beside the call";
  let Advice = "put what does not touch its memory between it and what does; restrict says so of pointers";
  let Why = [{
    memlift("async") asks for it, but too little stands around the operation that surely does not
    meet its memory: less than about 256 statements, a call or a loop. To begin and to wait would cost
    more than it hides.
  }];
  let Bad = [{
    memcpy(d, s, n);
    return d[0];
  }];
  let Good = [{
    memcpy(d, s, n);
    for (size_t i = 0; i < m; i++)
      sum = sum * 31 + a[i] % 7;
    return d[0] + sum;
  }];
}
