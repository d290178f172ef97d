// AccumulatorFacts.td - MLF212x: facts about accumulators that are no sum of their data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def WideSum : FactFailed<2120> {
  let Text = "a number of 128 bits is carried along that is no sum of the words that are read";
  let Advice = "add each word once, widened, and fold the number after the loop";
  let Why = [{
    A sum of 128 bits has no carry to lose: its low half is the sum modulo 2^64, and its high half
    counts the carries, which the ones' complement sum of the same words tells. Products, shifts and
    what else a loop may do with 128 bits have no such form.
  }];
  let Bad = [{
    unsigned __int128 s = 1;
    for (i = 0; i < n; i++)
      s *= p[i];
  }];
  let Good = [{
    unsigned __int128 s = 0;
    for (i = 0; i < n; i++)
      s += p[i];
  }];
}
