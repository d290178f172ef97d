// CopyFacts.td - MLF203x: facts about the source of a copy or move, and how it meets the target.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def SourceStride : FactFailed<2030> {
  let Text = "source and destination do not advance alike";
  let Advice = "read the source in the order and step in which the destination is written";
  let Why = [{
    A copy keeps the order and the distance of bytes, or turns them within words of 2, 4 or 8. A
    source that is walked in larger or smaller steps (gathering one field or one channel, narrowing,
    interleaving) or whose bytes are mixed in another way (red and blue exchanged) is another
    operation.
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
    A forward loop whose destination is a little above its source reads bytes that it has written
    itself, and spreads the first ones over the range. memmove would not: it is another result. Up
    to 8 bytes that are repeated make a fill; of more the loop is kept.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      p[i + 9] = p[i];            /* nine bytes again and again */
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
