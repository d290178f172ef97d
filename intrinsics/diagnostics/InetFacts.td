// InetFacts.td - MLF208x: facts about carries: when they come back, and whether they do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def LastRoundTooLong : FactFailed<2080> {
  let Text = "a carry is left for the next iteration by a body of many words";
  let Advice = "bring the carry back at the end of the body: s += s < w";
  let Why = [{
    Where an iteration leaves a sum and a carry that the next one adds, the two together are the
    sum that the routine computes, but the code after the loop sees each of them. So the last
    iteration is done again from the routine's sum before it, word by word. For a body unrolled
    many times that is no longer worth it.
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
  let Text = "the sum is plain only while it is small";
  let Advice = "fold the carries after the loop: 65537 words of 16 bits fit in 32 bits";
  let Why = [{
    A sum that is folded as soon as its top bit is set is the plain sum of its words as long as
    that does not happen. How far it can come is known from the start value and the number of words,
    which is tested when the program runs: short data take the routine, long data the loop.
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
