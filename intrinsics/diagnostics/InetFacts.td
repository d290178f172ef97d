// InetFacts.td - MLF208x: facts about carries: when they come back, and whether they do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def LastRoundTooLong : FactFailed<2080> {
  let Text = "a body of many words leaves a carry for the next iteration";
  let Advice = "bring the carry back at the end of the body: s += s < w";
  let Why = [{
    Each iteration leaves a sum and a carry that the next one adds. Together they are the sum
    that the routine computes, but the code after the loop uses each of them. So the last
    iteration is computed again word by word, from the routine's sum of the words before it. For
    a body unrolled many times that does not pay.
  }];
  let Bad = [{
    s += c; s += w[0]; c = s < w[0];
    s += c; s += w[1]; c = s < w[1];   /* ... and so on, to w[15] */
  }];
  let Good = [{
    s += w[0]; s += s < w[0];
    s += w[1]; s += s < w[1];          /* ... */
  }];
}

def SumFolded : Note<2081> {
  let Text = "the sum equals a plain sum only while it is small";
  let Advice = "fold the carries after the loop: 65537 words of 16 bits fit in 32 bits";
  let Why = [{
    A sum that is folded as soon as its top bit is set equals the plain sum until the first
    fold. The start value and the number of words limit the sum, which a run-time check tests.
    Short data take the routine, long data the loop.
  }];
  let Bad = [{
    sum += *w++;
    if (sum & 0x80000000)
      sum = (sum & 0xffff) + (sum >> 16);
  }];
  let Good = [{
    sum += *w++;                       /* in 32 or 64 bits, folded after the loop */
  }];
}
