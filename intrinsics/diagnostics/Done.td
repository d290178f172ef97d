// Done.td - MLF1xxx: what became of the loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def Lowered : Done<1001> {
  let Text = "loop became a call of {symbol}";
  let Advice = "nothing to do; keep=FUNCTION or memlift(\"off\") keeps a loop as it is";
  let Why = [{
    Every fact that the operation needs was proved, and a call is the fastest form for this size
    and core. After the call, memory holds exactly the bytes that the loop leaves. A loop of
    zero iterations touches nothing. The call goes to libmemlift (runtime=memlift), or to
    memset, memcpy and memmove of the C library (runtime=libc).
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
    The size is a small constant. The memory is aligned well enough that a few full-width
    accesses cost less than a call. How many bytes count as small is a property of the core
    (core=NAME).
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
  let Text =
    "loop became a call of {symbol} with a run-time check; the original loop runs when it fails";
  let Advice = "declare the pointers restrict, if they never overlap, and the check goes away";
  let Why = [{
    All facts were proved but one, and the program can test that one when it runs. Mostly it is
    whether source and destination overlap. The check is a few instructions before the loop. If
    it fails, the original loop runs, so the result is the same in every case. The price is code
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
    memlift ran, and that form is kept. It is reported so that every loop that fills or copies
    memory has a remark.
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
    A memset, memcpy or memmove of large or unknown size now calls memlift's runtime. It was
    written in the source, or the compiler formed it from a loop or a structure assignment.
    Small constant sizes are left alone: the compiler expands those in place.
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
    No routine may be called (runtime=none), so a sum or checksum becomes a loop over whole
    words with several accumulators. A CRC uses carry-less multiplies or the CRC instruction, if
    the function's target has them. Otherwise it becomes a loop over a constant table. The new
    loop computes the same from the same bytes and reads no other byte. If the core traps on
    unaligned words, bytes are taken one by one up to the first aligned address. Under -Os
    nothing grows but a CRC that works bit by bit. It gets a table of sixteen entries, or the
    instruction. On an in-order core, a fill or a copy becomes a loop over groups of words
    (MLF1011). Here its size needs no run-time check.
  }];
  let Good = [{
    memlift-gcc -O2 --memlift-runtime=none -c checksum.c
  }];
}

def InlineLoopGuarded : Done<1011> {
  let Text =
    "loop became a faster loop in place with a run-time check: {shape}; the original loop runs "
    "when it fails";
  let Advice = "runtime=memlift calls a routine that is tuned for each CPU";
  let Why = [{
    No routine may be called (runtime=none), and the core runs its instructions in order, so the
    order in the code matters. A fill stores bytes up to the first aligned address, then groups
    of words, then the remaining words and bytes. A copy loads a group of words and then stores
    it. Source and destination may start at different bytes of a word. If the core has no fast
    unaligned access, aligned words of the source are then loaded and merged by shifts. No word
    is loaded that holds no byte of the copy. The new loop writes the same bytes and no other.

    The original loop runs below four words, where the groups would cost more than they gain. It
    also runs where it would read what it wrote before.

    A fill with zeros of four blocks or more may clear whole blocks. The core needs an
    instruction for it (Cortex-A53: DC ZVA, blocks of 64 bytes), and the machine must permit it
    at run time. Like any memset, this is for ordinary memory. Compile code that runs before the
    MMU is on with -mstrict-align, which disables it.

    Below -O3 the result is three short loops over elements, words and elements. A core (-mcpu,
    -mtune, core=NAME) or a request for the shape gives the full form. With -Os the loop is
    kept, or takes least code if the shape was asked for. On cores that reorder instructions
    (core=generic), the compiler's vectoriser handles the loop.
  }];
  let Good = [{
    void clear(uint8_t *p, size_t n) {
      for (size_t i = 0; i < n; i++)
        p[i] = 0;         /* memlift-riscv64-linux-gnu-gcc -O2 -ffreestanding --memlift-core=cva6 */
    }
  }];
}

def AsyncBegun : Done<1012> {
  let Text = "call of {symbol} runs concurrently with {company}, until {until}";
  let Advice =
    "nothing to do; it may overlap more work if the code that waits for it moves further down";
  let Why = [{
    With memlift("async") on a function, or the option async, a copy or fill of large or unknown
    size is begun early and waited for late. It is begun by memlift_begin_copy or
    memlift_begin_fill, and waited for by memlift_end. No access between the two may overlap its
    memory. No call between them may reach its memory, fail to return, or let another thread or
    handler run. Atomic and volatile accesses, fences, assembler and returns end the overlap,
    too. An engine does the work meanwhile, if one runs and the size pays. Otherwise the CPU
    does it at once, where it is begun.
  }];
  let Good = [{
    __attribute__((memlift("async")))
    uint64_t keep(char *restrict d, const char *restrict s, size_t n, const uint32_t *a, size_t m) {
      uint64_t sum = 0;
      memcpy(d, s, n);             /* begun */
      for (size_t i = 0; i < m; i++)
        sum = sum * 31 + a[i] % 7; /* meanwhile */
      return sum;                  /* waited for before this */
    }
  }];
}

def Grouped : Done<1013> {
  let Text = "loop now loads for several iterations at a time: {shape}";
  let Advice = "nothing to do";
  let Why = [{
    memlift knows no operation for the loop, or may not call its routine, and the core runs its
    instructions in order (core=NAME). There each instruction would wait for the load that it
    needs. So the loads of several iterations come first, then their computations and stores.
    The remaining iterations run one by one. Each iteration computes the same from the same
    bytes. Whole words are processed if all addresses are multiples of a word. For that,
    elements must be independent bits of a word, or lanes that no carry leaves. No run-time
    check is needed: no store overlaps a load of the iterations that are processed together.

    A core that goes out of order gains nothing by that, but by the whole words. Where the compiler
    makes no vectors of such a loop, as GCC at -O2, words take a tenth of the time. The number of
    iterations is tested first (MLF1014).
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
  let Text =
    "loop now loads for several iterations at a time, with a run-time check: {shape}; the "
    "original loop runs when it fails";
  let Advice = "declare the pointers restrict, if they never overlap, and the check goes away";
  let Why = [{
    As MLF1013, but a store may overlap a load of one of the next iterations, or a counter may
    wrap. The compiler cannot rule that out, so a check before the loop does. For addresses it
    is one comparison of their distance, as only a short distance is harmful. If the check
    fails, the original loop runs.
  }];
  let Good = [{
    /* --memlift-runtime=none --memlift-core=rocket */
    void turn(uint32_t *d, const uint32_t *s, size_t n) {
      for (size_t i = 0; i < n; i++)
        d[i] = __builtin_bswap32(s[i]);
    }
  }];
}

def Streamed : Done<1015> {
  let Text = "loop now computes on blocks in a local store: {shape}";
  let Advice = "nothing to do";
  let Why = [{
    With memlift("stream") a loop over large arrays is cut into blocks. memlift_stream_next brings
    the next block into the local store of the thread while the loop computes on this one. It puts
    the block before back meanwhile. The order of the iterations stays, so every result is the same,
    floating point included. While no thread has a local store, the source's loop runs. Under -Os,
    and for threads without one, there is one block in the program's own memory. Other threads and
    signal handlers may see the writes of a block later.
  }];
  let Good = [{
    __attribute__((memlift("stream")))
    void saxpy(float *restrict d, const float *restrict a, float k, size_t n) {
      for (size_t i = 0; i < n; i++)
        d[i] += k * a[i];
    }
  }];
}

def StreamedGuarded : Done<1016> {
  let Text =
    "loop now computes on blocks in a local store, with a run-time check: {shape}; the original loop "
    "runs when it fails";
  let Advice = "declare the pointers restrict, if they never overlap, and the check goes away";
  let Why = [{
    As MLF1015, but an array that is written may overlap another one, rows may overlap, or a counter
    may wrap. The compiler cannot rule that out, so a check before the loop does. If it fails, the
    original loop runs.
  }];
  let Good = [{
    __attribute__((memlift("stream")))
    void saxpy(float *d, const float *a, float k, size_t n) {
      for (size_t i = 0; i < n; i++)
        d[i] += k * a[i];
    }
  }];
}

def RegisterLookUps : Done<1017> {
  let Text = "steps of a shift register became {shape}";
  let Advice = "nothing to do";
  let Why = [{
    The loop has a constant number of iterations and touches no memory. Its last value is a linear
    function over GF(2) of the values that it starts with. So is a CRC's register after eight steps
    of the register and of a byte. A step waits for the one before, while a look-up in a table of
    256 entries does the work of eight. The table is a constant of the program, which nothing fills
    at run time. Steps of a register that starts with a constant are run by the compiler.
  }];
  let Good = [{
    uint16_t crc16(uint16_t crc, uint8_t byte) {
      crc ^= byte;
      for (int i = 0; i < 8; i++)
        crc = crc & 1 ? crc >> 1 ^ 0xa001 : crc >> 1;   /* MLF1017 */
      return crc;
    }
  }];
}

def Skipped : Done<1018> {
  let Text = "a call of {symbol} finds where the loop ends; it is entered in that iteration";
  let Advice = "nothing to do";
  let Why = [{
    The loop reads bytes one after the other until one of them ends it. The routine finds that
    byte, and the loop is entered where it reads it. So the loop has one iteration left, which
    leaves it as the source does. The first bytes are tested in line, since most searches are
    short. If the loop also copies or sums bytes, a second call does that for all before its end,
    where these are 16 or more.
  }];
  let Good = [{
    long find(const char *p, size_t n, char c) {
      for (size_t i = 0; i < n; i++)
        if (p[i] == c)
          return i;               /* i begins at memlift_find_u8(p, n, c) */
      return -1;
    }
  }];
}

def Spread : Done<1019> {
  let Text = "blocks of the loop are now computed by several threads: {shape}";
  let Advice = "nothing to do";
  let Why = [{
    With memlift("spread") a loop whose iterations are independent becomes a function of a range of them.
    memlift_spread has the caller, and the units of the context that memlift_spread_bind names, compute
    blocks of it. Memory and results are those of the loop. The source's loop runs while no context is
    bound. A loop that is too short for threads runs in one piece.
  }];
  let Good = [{
    __attribute__((memlift("spread")))
    void scale(float *restrict d, const float *restrict a, float k, size_t n) {
      for (size_t i = 0; i < n; i++)
        d[i] = k * a[i];
    }
  }];
}

def UserCovered : Done<1020> {
  let Text = "loop became a faster loop in place whose accesses may fault: {shape}";
  let Advice = "nothing to do";
  let Why = [{
    The function is memlift("user"). Each access of the loops in place has an entry in the section
    __ex_table, as the kernel's own assembler has. A fault leads to a loop over bytes that begins
    where the bytes are still to be done. The next fault there ends the function, which returns the
    number of bytes that the loop had left. So the bytes before the fault are done, and none after
    it is written.
  }];
  let Good = [{
    __attribute__((memlift("user")))
    size_t copy_out(char *restrict d, const char *restrict s, size_t n) {
      for (size_t i = 0; i < n; i++)
        d[i] = s[i];
      return 0;                   /* after a fault: the bytes that are left */
    }
  }];
}

def SpreadGuarded : Done<1021> {
  let Text =
    "blocks of the loop are now computed by several threads, with a run-time check: {shape}";
  let Advice = "declare the pointers restrict, if they never overlap, and the check goes away";
  let Why = [{
    As MLF1019, but an array that is written may overlap another one, rows may overlap, or a counter may
    wrap. The compiler cannot rule that out, so a check before the loop does. If it fails, the original
    loop runs.
  }];
  let Good = [{
    __attribute__((memlift("spread")))
    void scale(float *d, const float *a, float k, size_t n) {
      for (size_t i = 0; i < n; i++)
        d[i] = k * a[i];
    }
  }];
}

def TableDoubled : Done<1030> {
  let Text = "the table of {shape} entries is filled by exclusive-ors of its first entries";
  let Advice = "nothing to do";
  let Why = [{
    Each entry is a linear function over GF(2) of its place, as in the table of a CRC. So entry
    i ^ j is the exclusive-or of the entries i and j, and the entries at 1, 2, 4, 8 ... give all
    others. The new code stores eight entries, and doubles the table until it is full. An entry
    takes one exclusive-or in place of eight steps, each of which waits for the one before. The
    polynomial may be a constant or a value of the program.
  }];
  let Good = [{
    for (int i = 0; i < 256; i++) {   /* MLF1030 */
      uint32_t c = i;
      for (int k = 0; k < 8; k++)
        c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
      table[i] = c;
    }
  }];
}

def Joined : Done<1110> {
  let Text = "consecutive loops became one call of {symbol}";
  let Advice = "nothing to do";
  let Why = [{
    A loop over words is often followed by a loop over the remaining bytes, or by loops of
    shorter and shorter steps. Each does the same and begins where the one before it ends,
    whichever branch is taken. So one call does the work of all of them. A copy, and after it
    the Internet checksum of the copied bytes, are one call as well. The remark is placed at the
    first loop and names the others.
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
  let Text =
    "consecutive loops became one call of {symbol} with a run-time check; they run as written "
    "when it fails";
  let Advice =
    "prove the fact that the remark names, for example with restrict, and the check goes away";
  let Why = [{
    As for MLF1110, but something has to be tested at run time. Mostly it is whether the regions
    overlap so that a loop would read what it wrote before. The check covers the region of all
    loops and runs before the first one. If it fails, all of them run as they are written.
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
    The size is a constant, and the addresses are proved to be aligned. The compiler alone did
    not prove that: it would have gone byte by byte, or called. Only cores that trap on
    unaligned words need this (core=NAME); on others the compiler's own words are as fast. The
    bytes that memmove moves are all read before anything is written.
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
    As for MLF1170, with more words than straight-line code should have. The call becomes a loop
    over groups of words, and the remaining words and bytes follow it. The core's record gives
    the size of a group. For such sizes compilers emit a call, LLVM beyond 8 words, GCC beyond
    15. Up to the core's limit the loop is faster than a call, which has to test size and
    alignment at run time. It is hardly larger.
  }];
  let Good = [{
    uint64_t table[25];
    void clear(void) { memset(table, 0, sizeof table); }    /* 3 times 8 words, and one */
  }];
}
