// CopyFacts.td - MLF203x: facts about the source of a copy or move, and its overlap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def SourceStride : FactFailed<2030> {
  let Text = "source and destination do not advance by the same step";
  let Advice = "read the source in the order and step in which the destination is written";
  let Why = [{
    A copy keeps the order and the distance of bytes, or swaps the bytes within words of 2, 4 or
    8. A source that is read in larger or smaller steps is another operation: gathering one
    field or one channel, narrowing, interleaving. So is one whose bytes are mixed in another
    way, such as red and blue exchanged.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      d[i] = s[4 * i];
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      d[i] = s[i];
  }];
}

def OverlapHarmful : FactFailed<2031> {
  let Text = "the destination lies inside the source's range, so the loop repeats bytes";
  let Advice = "walk from the end to the beginning to move; fill with the value to repeat it";
  let Why = [{
    If the destination is a little above the source, a forward loop reads bytes that it has
    written itself. It spreads the first bytes over the range, while memmove would keep all of
    them. Up to 8 bytes that are repeated make a fill. If more are repeated, the loop is kept.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      p[i + 9] = p[i];            /* repeats nine bytes */
  }];
  let Good = [{
    for (i = n; i-- > 0; )
      p[i + 9] = p[i];            /* moves up by nine */
  }];
}

def SourceVaries : FactFailed<2032> {
  let Text = "the bytes come from several sources";
  let Advice = "copy each source in a loop of its own";
  let Why = [{
    One copy has one source. Values that are chosen between two arrays or taken from several in turn
    (interleaving) are no contiguous range.
  }];
  let Bad = [{
    for (i = 0; i < n; i++) {
      d[2 * i] = left[i];
      d[2 * i + 1] = right[i];
    }
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      d[i] = left[i];
    for (i = 0; i < n; i++)
      d[n + i] = right[i];
  }];
}
