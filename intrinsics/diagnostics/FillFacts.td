// FillFacts.td - MLF202x: facts about the bytes that are written and about the value of a fill.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def NoStore : FactAbsent<2020> {
  let Text = "the loop writes no memory";
  let Advice = "nothing: there is nothing to lower";
  let Why = [{
    Fills, copies and moves write memory. A loop that only reads (a search, a sum) is no candidate.
    This is given as an analysis remark only, so that the loop is accounted for.
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      sum += p[i];
  }];
}

def Strided : FactFailed<2021> {
  let Text = "the stores leave gaps between them";
  let Advice = "write every byte: whole structures, or one array for each field";
  let Why = [{
    The address moves further in an iteration than the bytes that the iteration writes. The
    bytes in between have to keep their value. All stores of an iteration count together, so
    writing each field of a structure is contiguous, if it has no padding.
  }];
  let Bad = [{
    struct node { int key, value; };
    for (i = 0; i < n; i++)
      a[i].key = 0;               /* value stays */
  }];
  let Good = [{
    for (i = 0; i < n; i++) {
      a[i].key = 0;
      a[i].value = 0;
    }
  }];
}

def StoresOverlap : FactFailed<2022> {
  let Text = "one iteration's stores overlap each other or the next iteration's";
  let Advice = "advance by as many bytes as are written";
  let Why = [{
    Where two stores write the same byte, the later one wins, and the result is not a plain
    repetition of one value. The step between iterations is smaller than what an iteration
    writes, or two stores of the same iteration share bytes.
  }];
  let Bad = [{
    for (i = 0; i + 4 <= n; i++)
      put32(p + i, v);            /* four bytes written, one advanced */
  }];
  let Good = [{
    for (i = 0; i + 4 <= n; i += 4)
      put32(p + i, v);
  }];
}

def SeveralDestinations : FactFailed<2023> {
  let Text = "the loop writes to several arrays";
  let Advice = "one loop for each array, unless it reads what another one writes";
  let Why = [{
    Each call fills or copies one contiguous range. A loop that writes several ranges becomes
    one call for each of them, if each is a fill or a copy by itself. No call may write what
    another one reads or writes, which may be tested at run time. Here that is not so: an array
    has gaps or is neither filled nor copied to, or two arrays are exchanged.
  }];
  let Bad = [{
    for (i = 0; i < n; i++) {
      a[i] = 0;
      b[i] = i;
    }
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      a[i] = 0;
    for (i = 0; i < n; i++)
      b[i] = i;
  }];
}

def ValueVaries : FactFailed<2024> {
  let Text = "the stored value changes and is not a copy of a loaded value";
  let Advice = "nothing, if it is really computed; else take the computation out of the loop";
  let Why = [{
    A fill stores the same value in every iteration. A copy stores what it has loaded, unchanged
    or with the bytes of each word swapped. A sum, a conversion (int to float) or a mask in
    between makes it neither.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      p[i] = s[i] + 1;
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      p[i] = s[i];
  }];
}

def ValueReloaded : FactFailed<2025> {
  let Text = "the fill value is read again in each iteration, and the loop may overwrite it";
  let Advice = "hold the value in a local variable, or declare the destination restrict";
  let Why = [{
    The value is in memory that the stores might reach, so it may change in the middle of the
    loop. If the loop need not run, that memory need not even be readable. If one comparison
    before the loop can rule out the change, memlift adds it (MLF2062). If the value lies among
    the first bytes that are written, it does change.
  }];
  let Bad = [{
    void paint(uint8_t *p, size_t n) {
      for (size_t i = 0; i < n; i++)
        p[i] = p[5] | 1;          /* another value from p[6] on */
    }
  }];
  let Good = [{
    void paint(uint8_t *p, size_t n) {
      uint8_t colour = p[5] | 1;
      for (size_t i = 0; i < n; i++)
        p[i] = colour;
    }
  }];
}

def PatternTooWide : FactFailed<2026> {
  let Text = "the value repeats after more than 16 bytes";
  let Advice = "nothing, unless the elements can be made smaller";
  let Why = [{
    The runtime's fills take values of 1 to 16 bytes that repeat. A longer repeating value is
    kept as a loop, unless all its bytes follow a shorter period, as zero does.
  }];
  let Bad = [{
    struct v { uint64_t a, b, c; };
    for (i = 0; i < n; i++)
      p[i] = (struct v){1, 2, 3}; /* 24 bytes */
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      p[i] = (struct v){0, 0, 0}; /* repeats one byte */
  }];
}

def PaddingBits : FactFailed<2027> {
  let Text = "the type does not use all bits of the bytes it is stored in";
  let Advice = "use a type without padding: a whole integer, or a structure with explicit fields";
  let Why = [{
    long double, _BitInt and bit-fields leave bits of their bytes undefined or untouched. The
    compiler chooses what a store puts into those bits, so no byte pattern describes it. _Bool
    is whole: it is stored as a byte of 0 or 1.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      f[i].flag = 1;              /* unsigned flag : 1 */
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      f[i].flag = 1;              /* uint8_t flag, the only member */
  }];
}

def RowsNotContiguous : FactFailed<2028> {
  let Text = "the rows of the loop nest do not form one two-dimensional operation";
  let Advice =
    "step from row to row by one distance; declare the pointers restrict if rows never overlap";
  let Why = [{
    Nested loops over rows become one operation when a row ends where the next begins, or when
    all rows are equally far apart. The routines are memlift_fill_2d, memlift_copy_2d and
    memlift_move_2d. The distance from row to row must not change. A copy also needs the same
    distance on both sides, or regions that never overlap. Sums, values of more than 8 bytes and
    byte-swapped words have no routine for rows. Otherwise each row is lowered by itself, without
    this reason, and the outer loop stays. The reason is given where a row is too short for a
    call.
  }];
  let Bad = [{
    uint32_t sum(const uint8_t *s, size_t pitch, unsigned w, size_t h) {
      uint32_t sum = 0;
      for (size_t y = 0; y < h; y++)
        for (size_t x = 0; x < (w & 15); x++)   /* at most 15 bytes, pitch bytes apart */
          sum += s[y * pitch + x];
      return sum;
    }
  }];
  let Good = [{
    uint32_t sum(const uint8_t *s, unsigned w, size_t h) {
      uint32_t sum = 0;
      for (size_t y = 0; y < h; y++)
        for (size_t x = 0; x < (w & 15); x++)   /* each row begins where the one before ends */
          sum += s[y * (w & 15) + x];
      return sum;
    }
  }];
}
