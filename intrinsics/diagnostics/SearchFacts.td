// SearchFacts.td - MLF217x: facts that rule out a routine for a search or a comparison.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def SearchCondition : FactFailed<2170> {
  let Text = "the loop ends at what it reads, but not at a few bytes or a difference";
  let Advice = "end the loop at one to four bytes, at any byte but one, or where two regions differ";
  let Why = [{
    A routine compares many bytes at once with up to four bytes, or with those of a second region.
    A range of bytes, or two tests of another kind, would need a routine of their own. Both
    regions have to be read before they are compared, as the routine does.
  }];
  let Bad = [{
    while (p < end && *p != c && *p > ' ' && *p != q[p - s])
      p++;
  }];
  let Good = [{
    while (p < end && *p != c && *p != ' ')
      p++;
  }];
}

def SearchElements : FactFailed<2171> {
  let Text = "the search does not go from byte to byte";
  let Advice = "search bytes that lie one after the other";
  let Why = [{
    The routines look at every byte of a region. A loop that looks at one member of each
    structure, or at words of more than a byte, may end elsewhere. Only comparisons of two regions
    may have wider elements, as words differ where one of their bytes does.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      if (item[i].kind == kind)
        return i;
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      if (kinds[i] == kind)
        return i;
  }];
}

def SearchBackwards : FactFailed<2172> {
  let Text = "the search goes downwards";
  let Advice = "search upwards, or downwards for one byte in a region whose size is known";
  let Why = [{
    The routine that searches from the end looks for one byte, and has to be told where the region
    begins. There is none that compares two regions from their ends.
  }];
  let Bad = [{
    while (a[-1] == b[-1])
      a--, b--;
  }];
  let Good = [{
    for (i = n; i-- > 0;)
      if (p[i] == '/')
        return i;
  }];
}
