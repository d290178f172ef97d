// Reasons.td - MLF3xxx: the facts hold, and this is why the decision went as it did.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def NoRuntime : Reason<3001> {
  let Text = "there is no routine to call (runtime=none) and the size is not a small constant";
  let Advice =
    "runtime=memlift or runtime=libc, if one is linked; map=KEY=SYMBOL for a routine of your own";
  let Why = [{
    With runtime=none, nothing is called but the routines that map=KEY=SYMBOL names. It is the
    default under -ffreestanding and -fno-builtin. Operations of small constant size are done in
    place, sums and checksums by a shorter loop in place. So are fills and copies if the core
    runs its instructions in order (core=NAME). The others are kept. libmemlift has no
    dependency and compiles for kernels and firmware too: then use runtime=memlift.
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
  let Text = "the loop runs so few times that a call would not pay";
  let Advice = "nothing: the loop is the fastest form";
  let Why = [{
    An upper bound of the size is known, and a call with its setup costs more than the bytes do. The
    limit comes from the core's record (core=NAME). Or the loop copies up to four elements that may
    overlap: the compiler unrolls it, and its moves need no test for that.
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
  let Text = "a run-time check decides whether source and destination overlap";
  let Advice = "declare the pointers restrict if they never overlap";
  let Why = [{
    Nothing in the program says whether the two ranges share bytes. So a run-time check guards
    the operation (MLF1003).
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
    be, and under runtime=none and runtime=libc as well. It may count its calls or drive a
    device. It must be done when it returns, throw nothing, and leave its arguments' memory as
    the operation would. The compiler relies on the fact that the loop wrote nothing else. So
    anything else that the routine writes must be volatile, or used only by other files.
  }];
  let Good = [{
    memlift-gcc -O2 --memlift-map=inet_checksum=my_sum -c x.c
  }];
}

def NoFasterLoop : Note<3011> {
  let Text = "no loop in place is known to be faster than the one in the source";
  let Advice = "runtime=memlift, or map=KEY=SYMBOL with a routine of your own";
  let Why = [{
    Without calls, only some loops have a faster form in place. These are sums of bytes, the
    sums of Adler-32, Internet checksums that fold in each iteration, and CRCs that work bit by
    bit. Without a carry-less multiply, a CRC becomes a loop over a table, which a CRC by table
    already is. Wider words leave little to gain, and under -Os nothing may grow. Fills and
    copies become loops over words on in-order cores, if there may be more than a few words. The
    bytes of a pattern must divide a word, and the bytes of elements must not be swapped.
  }];
  let Bad = [{
    /* --memlift-runtime=none; words */
    for (i = 0; i < n; i++)
      total += words[i];
  }];
  let Good = [{
    /* --memlift-runtime=none; bytes */
    for (i = 0; i < n; i++)
      total += bytes[i];
  }];
}

def TableInPlace : Note<3012> {
  let Text = "carry-less multiplies would be faster than a table for this CRC";
  let Advice = "compile for a target with a carry-less multiply: -mpclmul, rv64gc_zbc, +aes";
  let Why = [{
    Where nothing may be called, a CRC is folded 16 bytes at a time if the function's target has
    a carry-less multiply. Such targets are x86-64 with PCLMULQDQ, AArch64 with PMULL and RV64
    with Zbc. x86-64 with SSE4.2 has an instruction for CRC-32C. AArch64 has instructions for
    CRC-32C and CRC-32. Elsewhere, and under -Os, a byte at a time is looked up in a table. GCC
    12 emits no carry-less multiply for RV64.
  }];
  let Bad = [{
    memlift-gcc -O2 --memlift-runtime=none -c crc.c
  }];
  let Good = [{
    memlift-gcc -O2 -mpclmul --memlift-runtime=none -c crc.c
  }];
}

def NotGrouped : Note<3013> {
  let Text = "the loop does not load for several iterations at a time";
  let Advice =
    "nothing; or compile for speed, for a core without vectors, or split the loop into fewer "
    "streams";
  let Why = [{
    The rewrite is for in-order cores where nothing is called (runtime=none, or a shaped
    function). A loop over memory that is no idiom then loads for several iterations at a time,
    if that pays. It is not done under -Os, or if the target has vectors, which its compiler
    uses better. A loop that runs a few times only, loads nothing or stores to several regions
    is kept, too. So is one that mostly computes, or that would need more than a few run-time
    checks. The remark names the reason.
  }];
  let Bad = [{
    /* -Os --memlift-runtime=none --memlift-core=cva6 */
    for (i = 0; i < n; i++)
      d[i] = __builtin_bswap32(s[i]);
  }];
  let Good = [{
    /* -O2 --memlift-runtime=none --memlift-core=cva6 */
    for (i = 0; i < n; i++)
      d[i] = __builtin_bswap32(s[i]);
  }];
}

def BudgetSpent : Reason<3014> {
  let Text = "the loops in place of this function have used up its code budget";
  let Advice = "move this loop, or the ones before it, to a function that is not inlined";
  let Why = [{
    A copy in place may have 1.6 kB of code where its loop had 36 bytes. That pays for a few
    loops of a function. Hundreds would fill the instruction cache and take ten times as long to
    compile. So the loops in place of one function share a budget, in the order of the program.
    Loops that become calls use none of it.
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

def TableTooLarge : Reason<3015> {
  let Text = "a table is too large for code that is optimised for size";
  let Advice = "compile the function with -O2, or with __attribute__((optimize(\"O2\"))) in GCC";
  let Why = [{
    Steps of a shift register become a look-up in a table of 256 entries (MLF1017). Under -Os and
    -Oz the loop stays: it takes a few instructions, and the table hundreds of bytes.
  }];
  let Bad = [{
    clang-22 -Oz -fpass-plugin=... -c crc16.c
  }];
  let Good = [{
    clang-22 -O2 -fpass-plugin=... -c crc16.c
  }];
}

def RegisterStays : Reason<3016> {
  let Text = "too few steps of a shift register for the look-ups that they would need";
  let Advice = "nothing: the loop is the fastest form";
  let Why = [{
    The loop's last value is a linear function over GF(2) of the values that it starts with. To be
    computed by tables it needs one look-up for every eight bits that are mixed. The loop has fewer
    than eight steps for each of them, or it mostly permutes bits.
  }];
  let Bad = [{
    for (int i = 0; i < 8; i++) {    /* two look-ups: one for each value that is used later */
      unsigned out = crc & 1;
      crc = crc >> 1 ^ (out ? 0xa001 : 0);
      log = log << 1 | out;
    }
  }];
}

def RegisterInVectors : Reason<3017> {
  let Text = "the compiler may compute many of these registers at once, in vectors";
  let Advice = "nothing: vectors are faster than look-ups";
  let Why = [{
    The loop around it has a register for each iteration, which starts anew. So a vectoriser can run
    the steps for 16 or more of them at once. That is faster than a look-up in a table for each.
    A register that goes on from one iteration to the next becomes look-ups (MLF1017).
  }];
  let Bad = [{
    for (size_t i = 0; i < n; i++)   /* 32 bytes at once with AVX2 */
      d[i] = crc8_of_byte(s[i]);
  }];
}

def ClaimRefuted : Reason<3020> {
  let Text = "a bug in memlift, please report it: the new code does not do what the loop does";
  let Advice = "report the bug with this record; the loop is kept, and your program is correct";
  let Why = [{
    With verify, the compiler runs the decision and the loop on random memory before the loop is
    changed. This decision left other bytes or another result than the loop. Recognition is
    proved, so a proof or the model of the loop must be wrong.
  }];
  let Bad = [{
    memlift-gcc -O2 --memlift-verify -c x.c   # the record names the loop
  }];
}

def AsVectorised : Reason<3021> {
  let Text = "the compiler's own vectors are as fast";
  let Advice = "nothing; compile with a profile (-fprofile-use) if it is long in another loop";
  let Why = [{
    The compiler makes vectors of such a loop that are as fast as anything that memlift would write.
    There are five kinds. The first are copies of a constant number of bytes: up to 256, moves up to
    352, with vectors of 32 bytes up to 1,024. Between different objects vectors of 64 bytes stay up
    to 4,096. Vectors in a straight line need no choice by the size, which a routine begins with.
    Fills of a constant length are likewise, by more than one byte's value or where vectors are
    wider than 16 bytes. The second are copies of at most 64 bytes between different objects. The
    third are copies of a constant number of 64-bit words whose regions may overlap. GCC at -O3
    makes two versions of them: vectors where the regions lie apart, and the loop. So does clang
    from -O2 on of a loop that it does not unroll. memlift's words would be the same accesses under
    a test of the same cost. The fourth are copies in reverse order. For short lengths a call of a
    routine gains nothing, and the loop beside it would have no vectors. The fifth are elements of
    four bytes or more, of which none is widened, with vectors of 32 bytes or in another loop. With
    vectors of 16 bytes a routine is faster from some hundred bytes on, but a test of the length
    each time is not. A profile that says that there are many gives the loop its call.
  }];
  let Bad = [{
    void tag(uint8_t *to, const uint8_t *from) {   /* gcc -O3 */
      for (int i = 0; i < 48; i++)
        to[i] = from[i];
    }
  }];
}

def SizeTooLarge : Reason<3030> {
  let Text = "the size is above the core's limit for words in place of a call";
  let Advice = "nothing: for this size the routine is as fast";
  let Why = [{
    From some hundred bytes on, the cost of a call no longer matters. The routine may have
    better methods: whole blocks, prefetching, an engine. The limit is in the core's record
    (core=NAME).
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
    registers as there are words. In a loop it takes a test of the direction, which the routine
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
  let Text = "too little work could overlap the call";
  let Advice =
    "between the call and the use of its memory, put work on other memory; restrict helps to "
    "prove it";
  let Why = [{
    memlift("async") asks for it, but too little work is known not to touch the operation's
    memory. About 256 statements, a call or a loop are needed. Beginning and waiting would cost
    more than the overlap saves.
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

def StreamStore : Reason<3050> {
  let Text = "the local store that was asked for does not hold one iteration of each array";
  let Advice = "ask for more: memlift(\"stream=32K\"), or no size for all that there is";
  let Why = [{
    Each array that is read or written needs two places, one that is both needs three. Each holds at
    least one iteration, and 64 bytes more for the alignment.
  }];
  let Bad = [{
    __attribute__((memlift("stream=128")))
  }];
  let Good = [{
    __attribute__((memlift("stream=32K")))
  }];
}

def StreamShort : Reason<3051> {
  let Text = "the loop moves too few bytes to be cut into blocks";
  let Advice = "nothing; moving them would take longer than computing";
  let Why = [{
    To begin a transfer takes as long as to compute on some hundred bytes. Here the number of
    iterations is known, and the arrays are smaller than that.
  }];
  let Bad = [{
    for (i = 0; i < 16; i++)
      d[i] = a[i] * 0.5f;
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      d[i] = a[i] * 0.5f;
  }];
}

def StreamRoutine : Note<3052> {
  let Text = "a routine does the whole loop, so its arrays are not moved by blocks";
  let Advice = "nothing to do";
  let Why = [{
    memlift("stream") was asked for. But the loop is one copy, fill, sum or checksum, and the
    routine for it moves large regions by an engine itself.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      d[i] = a[i];
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      d[i] = a[i] * 0.5f;
  }];
}

def SpreadRoutine : Note<3053> {
  let Text = "blocks of the sum are computed by several threads";
  let Advice = "nothing to do";
  let Why = [{
    memlift("spread") was asked for, and the loop is a sum or a checksum. The routine that does it has the
    units of the context that memlift_spread_bind names compute blocks, and combines them by the algebra
    of the sum. Without a context, and below a length, it is the routine of one thread.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      sum += a[i];
  }];
  let Good = [{
    __attribute__((memlift("spread")))
  }];
}

def SpreadOneThread : Note<3054> {
  let Text = "a routine does the whole loop, in one thread";
  let Advice = "nothing to do";
  let Why = [{
    memlift("spread") was asked for. But the loop is one copy, fill or sum whose routine does not share
    its work with other threads. An engine may do a large copy or fill: MEMLIFT_ENGINE=threads.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      d[i] = a[i];
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      d[i] = a[i] * 0.5f;
  }];
}

def SearchMayBeShort : Reason<3055> {
  let Text = "loop kept: it may end within few bytes, where a call is slower";
  let Advice = "compile with --memlift-searches, if most searches of the program are long";
  let Why = [{
    The loop ends at a byte that it reads. How far that is, no compiler can know, and most searches
    of most programs are short. Then the first byte is tested twice, which takes up to a nanosecond
    more than the loop. From some ten bytes on, the routine is faster, up to thirty times.
  }];
  let Bad = [{
    for (size_t i = 0; i < n; i++)
      if (p[i] == c)
        return i;
  }];
  let Good = [{
    return memlift_find_u8(p, n, c);
  }];
}
