// GuardFacts.td - MLF206x: what no compiler can prove of a loop, and a program can test in front of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def NarrowCounter : Note<2060> {
  let Text = "whether a narrow counter wraps before the loop ends is decided when the program runs";
  let Advice = "count in the type of the bound (size_t), or make the bound as narrow as the counter";
  let Why = [{
    An unsigned counter of 8, 16 or 32 bits that is compared with a wider bound starts again at zero
    if the bound is larger than its type, and the loop never ends. That no real call does so is
    nothing a compiler can know, so one comparison tells: the operation if the counter reaches the
    bound, the loop as it was written if not.
  }];
  let Bad = [{
    void put(uint8_t *restrict d, const uint8_t *restrict s, size_t n) {
      for (unsigned i = 0; i < n; i++)
        d[i] = s[i];              /* n <= UINT_MAX: checked at run time */
    }
  }];
  let Good = [{
    void put(uint8_t *restrict d, const uint8_t *restrict s, size_t n) {
      for (size_t i = 0; i < n; i++)
        d[i] = s[i];
    }
  }];
}

def Repeats : Note<2061> {
  let Text = "if the destination is one element above the source the loop is a fill";
  let Advice = "nothing; declare the pointers restrict if they never overlap";
  let Why = [{
    A loop that copies upwards to the next element spreads its first element over the whole range:
    LZ77 decoders write runs in this way. Such a distance, 1, 2, 4 or 8 bytes, is tested at run time
    beside the overlap, and the fill is called; between one element and the length the loop runs.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      out[i] = out[i - distance];
  }];
  let Good = [{
    if (distance == 1)
      memset(out, out[-1], n);
  }];
}

def ReadAgain : Note<2062> {
  let Text = "whether the loop overwrites its own bound or pointer is decided when the program runs";
  let Advice = "keep the bound and the pointers in local variables, or declare them restrict";
  let Why = [{
    A bound or pointer that is read through another pointer is loaded again in each iteration, as a
    store of the loop may change it; one of bytes may change anything. The loop is lowered for the
    case that it does not, which is two comparisons in front of it.
  }];
  let Bad = [{
    for (i = 0; i < b->used; i++)
      b->data[i] = 0;             /* may change b->used and b->data */
  }];
  let Good = [{
    uint8_t *data = b->data;
    size_t used = b->used;
    for (i = 0; i < used; i++)
      data[i] = 0;
  }];
}

def ReadAgainWritten : FactFailed<2063> {
  let Text = "the loop overwrites what it reads again in each iteration";
  let Advice = "keep the bound and the pointers in local variables";
  let Why = [{
    The bound, a pointer or the value itself lies in the bytes that the loop writes, so it changes
    while the loop runs. No single operation does the same.
  }];
  let Bad = [{
    for (i = 0; i < b->bytes[0]; i++)
      b->bytes[i] = 0;
  }];
  let Good = [{
    n = b->bytes[0];
    for (i = 0; i < n; i++)
      b->bytes[i] = 0;
  }];
}
