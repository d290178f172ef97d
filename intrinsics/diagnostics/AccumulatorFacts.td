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

def MixedHash : FactFailed<2121> {
  let Text = "a hash is multiplied or added to, and exclusive-ored or shifted down, in one step";
  let Advice = "take a polynomial hash, a checksum or a hash that is made for long data";
  let Why = [{
    A polynomial hash is linear modulo 2^w and a CRC over GF(2): a routine may take many bytes at a
    time and put what they give together afterwards. FNV, Jenkins' one-at-a-time, ELF's and the like
    mix both rings, so what one byte does depends on all bytes before it. There is no other way than
    byte after byte, which the loop is.
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
  let Text = "a sum is rotated in every round";
  let Advice = "nothing here: the format asks for it; a plain sum or a CRC is faster";
  let Why = [{
    A rotation brings the highest bits back at the lower end, which is a multiplication modulo
    2^w - 1, while the addition drops its carry, as it is done modulo 2^w. The step is linear in
    neither, so no routine can take many bytes at a time. BSD's sum and AppleTalk's checksum are
    such.
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
