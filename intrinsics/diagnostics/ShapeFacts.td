// ShapeFacts.td - MLF207x: what a loop does to an array that is neither copy nor fill, by name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def Widening : FactFailed<2070> {
  let Text = "each element is widened while it is copied";
  let Advice = "nothing, if the two types have to differ; else use one type and the loop is a copy";
  let Why = [{
    A copy keeps every byte. Here bytes are added that were in no source: zeros, or copies of
    the sign. Compilers turn such loops into vector instructions by themselves, and no routine
    of the runtime does more.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      wide[i] = narrow[i];        /* uint16_t from uint8_t */
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      to[i] = from[i];            /* both uint8_t */
  }];
}

def Reversed : FactFailed<2071> {
  let Text = "the elements are copied in reverse order";
  let Advice = "nothing, if the order has to change; a walk from the end through both is a copy";
  let Why = [{
    The source is read from one end while the destination is written from the other. There are
    routines for elements of 1, 2, 4 and 8 bytes, memlift_copy_reverse8 to memlift_copy_reverse64,
    and none for others, nor for rows. Where both are walked from the end, the loop is a copy like
    any other. Swapping the bytes within words of 2, 4 or 8 bytes is another operation,
    memlift_copy_swap16 to memlift_copy_swap64.
  }];
  let Bad = [{
    struct pixel { uint8_t r, g, b; } *d, *s;
    for (i = 0; i < n; i++)
      d[i] = s[n - 1 - i];        /* three bytes */
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      d[i] = s[n - 1 - i];        /* uint32_t *d, *s */
  }];
}

def Counting : FactFailed<2072> {
  let Text = "the stored value changes with the loop counter";
  let Advice = "nothing: it is another value in each iteration";
  let Why = [{
    The value is computed from the loop's counter or from a value that changes in each
    iteration. Examples are 0, 1, 2 and so on, an address that moves, and a power. A fill stores
    the same bytes in every iteration.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      index[i] = i;
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      index[i] = -1;
  }];
}
