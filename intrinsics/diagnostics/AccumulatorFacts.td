// AccumulatorFacts.td - MLF212x: facts about accumulators that are no sum of their data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def WideSum : FactFailed<2120> {
  let Text = "a 128-bit accumulator is not a sum of the words that the loop reads";
  let Advice = "add each word once, widened, and fold the sum after the loop";
  let Why = [{
    A sum of 128 bits loses no carry. Its low half is the sum modulo 2^64. Its high half counts
    the carries and follows from the ones' complement sum of the same words. Multiplications,
    shifts and other operations on 128 bits have no such form.
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

def MixedHash : FactFailed<2121> {
  let Text =
    "one step of a hash mixes multiplication or addition with exclusive-or or a right shift";
  let Advice = "use a polynomial hash, a checksum or a hash that is made for long data";
  let Why = [{
    A polynomial hash is linear modulo 2^w, and a CRC is linear over GF(2). So a routine may
    take many bytes at a time and combine the results afterwards. FNV, Jenkins' one-at-a-time,
    ELF's hash and the like mix both rings: the effect of one byte depends on all bytes before
    it. They can only be computed byte after byte, as the loop does.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      h = (h ^ p[i]) * 16777619;
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      h = h * 31 + p[i];
  }];
}

def RotatingSum : FactFailed<2122> {
  let Text = "a sum is rotated in every iteration";
  let Advice = "nothing, if a format asks for it; a plain sum or a CRC is faster";
  let Why = [{
    A rotation brings the highest bits back at the lower end, which is a multiplication modulo
    2^w - 1. The addition drops its carry, so it is done modulo 2^w. The step is linear in
    neither ring, so no routine can take many bytes at a time. BSD's sum and AppleTalk's
    checksum are examples.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      s = (uint16_t)((s >> 1 | s << 15) + p[i]);
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      s += p[i];
  }];
}
