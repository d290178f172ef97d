// GuardFacts.td - MLF206x: facts of a loop that a run-time check decides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def NarrowCounter : Note<2060> {
  let Text = "a run-time check decides whether a narrow counter wraps before the loop ends";
  let Advice =
    "count in the type of the bound (size_t), or make the bound as narrow as the counter";
  let Why = [{
    An unsigned counter of 8, 16 or 32 bits is compared with a wider bound. If the bound is
    larger than the counter's type, the counter starts again at zero and the loop never ends.
    The compiler cannot know that no call passes such a bound, so one comparison decides. If the
    counter reaches the bound, the operation runs, otherwise the original loop.
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
  let Text = "if the destination is one element above the source, the loop is a fill";
  let Advice = "nothing; declare the pointers restrict if they never overlap";
  let Why = [{
    A loop that copies upwards to the next element spreads its first element over the whole
    range. LZ77 decoders write runs in this way. Such a distance, 1, 2, 4 or 8 bytes, is tested
    at run time together with the overlap, and the fill is called. For distances between one
    element and the length, the loop runs.
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
  let Text = "a run-time check decides whether the loop overwrites its own bound or pointer";
  let Advice = "keep the bound and the pointers in local variables, or declare them restrict";
  let Why = [{
    A bound or pointer that is read through another pointer is loaded again in each iteration. A
    store of the loop may change it, and a store of bytes may change anything. The loop is
    lowered for the case that no store changes it. Two comparisons before the loop test that.
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

def RingWraps : Note<2064> {
  let Text = "a run-time check decides whether the index of a ring wraps before the loop ends";
  let Advice =
    "move the bytes up to the end of the ring, then those from its beginning, in two loops";
  let Why = [{
    The index of a ring buffer starts again at 0 behind the last place. Until then it counts like
    any other, and the bytes are in one piece. Comparisons before the loop decide whether the
    index is in the ring, and whether the loop ends before the index wraps. If so, the operation
    runs, otherwise the original loop. A ring that is cut by a mask must have a power of two of
    places, which is tested unless the mask is a constant.
  }];
  let Bad = [{
    for (i = 0; i < n; i++) {
      ring[head] = s[i];
      head = (head + 1) & mask;   /* n <= mask + 1 - head: checked at run time */
    }
  }];
  let Good = [{
    first = mask + 1 - head < n ? mask + 1 - head : n;
    memcpy(ring + head, s, first);
    memcpy(ring, s + first, n - first);
    head = (head + n) & mask;
  }];
}
