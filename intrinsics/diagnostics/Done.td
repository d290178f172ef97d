// Done.td - MLF1xxx: what became of the loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def Lowered : Done<1001> {
  let Text = "loop became a call of {symbol}";
  let Advice = "nothing to do; keep=FUNCTION or memlift(\"off\") keeps a loop as it is";
  let Why = [{
    Every fact that the operation needs was proved, and a call is the fastest form for this size
    and core. Memory after the call is bit for bit what the loop leaves, and a loop of zero
    iterations touches nothing. The call goes to libmemlift (runtime=memlift) or to memset, memcpy
    and memmove of the C library (runtime=libc).
  }];
  let Good = [{
    void clear(uint32_t *p, size_t n) {
      for (size_t i = 0; i < n; i++)
        p[i] = 0;                 /* memlift_fill8(p, 0, 4 * n) */
    }
  }];
}

def Inlined : Done<1002> {
  let Text = "loop became {bytes} bytes of straight-line loads and stores";
  let Advice = "nothing to do";
  let Why = [{
    The size is a constant, small, and aligned well enough that a few full-width accesses cost less
    than calling anything. How many bytes count as small is a property of the core (core=NAME).
  }];
  let Good = [{
    struct mac { uint8_t b[8]; };
    void set(_Alignas(8) uint8_t *restrict d, const struct mac *restrict s) {
      for (int i = 0; i < 8; i++)
        d[i] = s->b[i];
    }
  }];
}

def Guarded : Done<1003> {
  let Text = "loop became a call of {symbol} behind a run-time check; the loop stays beside it";
  let Advice = "declare the pointers restrict, if they never overlap, and the check goes away";
  let Why = [{
    All facts were proved but one, and that one can be tested when the program runs; mostly whether
    source and destination overlap. The check is a few instructions in front of the loop. If it
    fails, the original loop runs, so the result is the loop's in every case. The price is code
    size: at -Os and -Oz the loop is kept instead (MLF3003).
  }];
  let Bad = [{
    void put(uint8_t *d, const uint8_t *s, size_t n) {
      for (size_t i = 0; i < n; i++)
        d[i] = s[i];              /* d and s may overlap: checked at run time */
    }
  }];
  let Good = [{
    void put(uint8_t *restrict d, const uint8_t *restrict s, size_t n) {
      for (size_t i = 0; i < n; i++)
        d[i] = s[i];              /* never overlap: the call alone */
    }
  }];
}

def Already : Note<1004> {
  let Text = "the compiler itself had made this a call of {symbol}";
  let Advice = "nothing to do";
  let Why = [{
    The compiler's own passes turned the loop into memset, memcpy, memmove or the like before
    memlift looked, and that form is kept. It is reported so that silence never has to be
    interpreted: every loop that fills or copies memory has a remark.
  }];
  let Good = [{
    void clear(uint8_t *p, size_t n) {
      for (size_t i = 0; i < n; i++)
        p[i] = 0;                 /* memset(p, 0, n) */
    }
  }];
}

def CallLowered : Done<1005> {
  let Text = "call of {callee} became a call of {symbol}";
  let Advice = "nothing to do; runtime=libc keeps the C library's routines";
  let Why = [{
    A memset, memcpy or memmove of large or unknown size, written in the source or formed by the
    compiler from a loop or a structure assignment, now calls memlift's runtime. Small constant
    sizes are left alone: the compiler expands those in place.
  }];
  let Good = [{
    struct page { uint8_t b[4096]; };
    void clone(struct page *restrict d, const struct page *restrict s) {
      *d = *s;                    /* memlift_copy(d, s, 4096) */
    }
  }];
}

def InlineLoop : Done<1010> {
  let Text = "loop became a faster loop in place: {shape}";
  let Advice = "runtime=memlift calls a routine that is tuned for each CPU";
  let Why = [{
    No routine may be called (runtime=none), so a sum or checksum becomes a loop over whole words
    with accumulators side by side. A CRC is folded by carry-less products or stepped by the CRC
    instruction where the function's target has them, and else becomes a loop over a constant table.
    It computes the same from the same bytes and reads no other byte. Where the core traps on
    unaligned words, bytes are taken one by one up to the first aligned address. Under -Os nothing
    grows but a CRC that works bit by bit, and that to a table of sixteen entries, or to the
    instruction. A fill or a copy, on a core that runs its instructions in order, becomes a loop
    over groups of words (MLF1011); its size has not to be tested here.
  }];
  let Good = [{
    memlift-gcc -O2 --memlift-runtime=none -c checksum.c
  }];
}

def InlineLoopGuarded : Done<1011> {
  let Text = "loop became a faster loop in place behind a run-time check: {shape}; the loop stays beside it";
  let Advice = "runtime=memlift calls a routine that is tuned for each CPU";
  let Why = [{
    No routine may be called (runtime=none), and the core runs its instructions in order: what the
    loop leaves undone, nobody does. So a fill becomes what an expert would write: bytes up to the
    first aligned address, groups of words, the words and the bytes that are left. A copy loads a
    group of words and then stores it; where source and destination are at different bytes of a
    word and the core has no fast unaligned access, aligned words of the source are shifted, and
    none is read that holds no byte of the copy. It writes the same bytes and no other. The loop of
    the source runs below four words, as what stands around the groups would cost more than it
    gains, and where it would read what it wrote before. A fill of zero of four blocks or more clears
    whole blocks where the core has an instruction for it (Cortex-A53: DC ZVA, blocks of 64 bytes) and
    the machine says at run time that it may be used. That is for ordinary memory, as any memset is:
    code that runs before the MMU is on is compiled with -mstrict-align, and does without. Below -O3,
    where nobody named a core (-mcpu, -mtune, core=NAME) nor asked for the shape, it is three short
    loops: elements, words, each perhaps made of two of the source, and elements. Under -Os the loop
    is kept; cores that reorder (core=generic) have the compiler's vectoriser.
  }];
  let Good = [{
    void clear(uint8_t *p, size_t n) {
      for (size_t i = 0; i < n; i++)
        p[i] = 0;         /* memlift-riscv64-linux-gnu-gcc -O2 -ffreestanding --memlift-core=cva6 */
    }
  }];
}

def AsyncBegun : Done<1012> {
  let Text = "call of {symbol} runs beside {company}, until {until}";
  let Advice = "nothing to do; what it is waited for can perhaps stand further down";
  let Why = [{
    With memlift("async") on a function, or the option async, a copy or fill of large or unknown size
    is begun (memlift_begin_copy, memlift_begin_fill) as early, and waited for (memlift_end) as late,
    as nothing between meets its memory: no access that may be to it, no call that may reach it, may
    not return or may let another thread or handler run, no atomic or volatile access, fence,
    assembler or return. An engine does it meanwhile, if one runs and the size pays; else the CPU
    does it at once, where it is begun.
  }];
  let Good = [{
    __attribute__((memlift("async")))
    uint64_t keep(char *restrict d, const char *restrict s, size_t n, const uint32_t *a, size_t m) {
      uint64_t sum = 0;
      memcpy(d, s, n);             /* begun */
      for (size_t i = 0; i < m; i++)
        sum = sum * 31 + a[i] % 7; /* beside it */
      return sum;                  /* waited for in front of this */
    }
  }];
}

def Grouped : Done<1013> {
  let Text = "loop got its loads first: {shape}";
  let Advice = "nothing to do";
  let Why = [{
    The loop is no operation that memlift knows, or no routine may be called for it, and the core
    runs its instructions in order (core=NAME): each would wait for the load that it needs. So the
    loads of several iterations come first, and what is computed of them and stored comes behind;
    the iterations that are left follow one by one. Each computes what it did, from the same bytes.
    Where elements are independent bits of a word, or lanes that no carry leaves, and all addresses
    are multiples of a word, whole words are taken at once.
    Nothing of it has to be tested here: no store meets a load of the iterations that are taken
    together.
  }];
  let Good = [{
    /* --memlift-runtime=none --memlift-core=rocket */
    void scale(int *restrict d, const int *restrict s, int a, int n) {
      for (int i = 0; i < n; i++)
        d[i] += a * s[i];
    }
  }];
}

def GroupedGuarded : Done<1014> {
  let Text = "loop got its loads first behind a run-time check: {shape}; the loop stays beside it";
  let Advice = "declare the pointers restrict, if they never overlap, and the check goes away";
  let Why = [{
    As MLF1013, but what is stored may lie where one of the next iterations loads, or a counter may
    wrap, as far as anybody can tell before the program runs. So one comparison of the addresses
    stands in front: not of whole arrays, but of the distance, which is harmful only if it is short.
    Where it is, the loop of the source runs.
  }];
  let Good = [{
    /* --memlift-runtime=none --memlift-core=rocket */
    void turn(uint32_t *d, const uint32_t *s, size_t n) {
      for (size_t i = 0; i < n; i++)
        d[i] = __builtin_bswap32(s[i]);
    }
  }];
}

def Joined : Done<1110> {
  let Text = "loops in a row became one call of {symbol}";
  let Advice = "nothing to do";
  let Why = [{
    A loop over words is often followed by one over the bytes that are left, or by shorter and
    shorter steps. Each of them does the same, and begins where the one before ends whichever way
    the control flow takes: so one call does it all. A copy, and behind it the Internet checksum of
    what was copied, are one call as well. The remark stands at the first loop and names the others.
  }];
  let Good = [{
    void copy(uint8_t *restrict d, const uint8_t *restrict s, size_t n) {
      size_t i = 0;
      for (; i + 4 <= n; i += 4) {
        d[i] = s[i]; d[i + 1] = s[i + 1];
        d[i + 2] = s[i + 2]; d[i + 3] = s[i + 3];
      }
      for (; i < n; i++)
        d[i] = s[i];              /* memlift_copy(d, s, n), for both */
    }
  }];
}

def JoinedGuarded : Done<1111> {
  let Text = "loops in a row became one call of {symbol} behind a run-time check; they stay beside it";
  let Advice = "prove the fact that the remark names, for example with restrict, and the loops go";
  let Why = [{
    As for MLF1110, but something has to be tested at run time: mostly whether the regions overlap
    so that a loop would read what it wrote before. The test is for the region of all loops, in
    front of the first one; where it fails, all of them run as they are written.
  }];
  let Good = [{
    void copy(uint8_t *d, const uint8_t *s, size_t n) {
      for (; n >= 8; n -= 8, d += 8, s += 8)
        *(u64 *)d = *(const u64 *)s;
      while (n--)
        *d++ = *s++;              /* if (d - s >= n) memlift_move(d, s, n); else the loops */
    }
  }];
}

def CallWords : Done<1170> {
  let Text = "{callee} of {bytes} bytes became full words in its place";
  let Advice = "nothing to do";
  let Why = [{
    The size is a constant and the addresses are proved to be aligned, which the compiler alone did
    not see: it would have gone byte by byte, or called. Only cores that trap on unaligned words
    need this (core=NAME); on others the compiler's own words are as fast. What memmove moves is
    read completely before anything is written.
  }];
  let Good = [{
    void take(char *d, const char *s) {
      if (((uintptr_t)d | (uintptr_t)s) & 7)
        return;
      memcpy(d, s, 8);            /* one load and one store */
    }
  }];
}

def CallWordLoop : Done<1171> {
  let Text = "{callee} of {bytes} bytes became a loop in its place: {shape}";
  let Advice = "nothing to do";
  let Why = [{
    As for MLF1170, with more words than a straight line should have: a loop over groups of them, as
    many as the core's record says, and what is left behind it. Compilers call for such sizes, LLVM
    beyond 8 words, GCC beyond 15; up to the core's limit the loop is faster than a call that has to
    find out about sizes and alignment at run time, and hardly larger.
  }];
  let Good = [{
    uint64_t table[25];
    void clear(void) { memset(table, 0, sizeof table); }    /* 3 rounds of 8 words, and one */
  }];
}
