// GroupFacts.td - MLF215x: facts about loops whose loads are to come before their stores.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def StoreFeedsLoad : FactFailed<2150> {
  let Text = "an iteration loads what an iteration shortly before it has stored";
  let Advice = "keep the carried value in a variable, or store to another array";
  let Why = [{
    On an in-order core, the loads of several iterations should begin before the first of their
    stores. If an iteration reads what the one before it has written, as in a prefix sum, no
    load may move before that store.
  }];
  let Bad = [{
    for (i = 1; i < n; i++)
      d[i] += d[i - 1];
  }];
  let Good = [{
    uint32_t sum = 0;
    for (i = 0; i < n; i++)
      d[i] = sum += s[i];         /* nothing is loaded again; it is kept all the same */
  }];
}

def ValueUnknown : FactFailed<2151> {
  let Text = "the stored value is not computed from loaded integers by simple operations";
  let Advice = "nothing; only integers that are added, multiplied, shifted or masked are supported";
  let Why = [{
    A loop is rewritten only if every value stays exactly the same. That is done for integers of
    at most 64 bits, without division, except for the remainder by a constant. Floating point is
    left to the compiler, which knows about rounding, exceptions and flags that allow another
    order. So are a minimum and other choices: some targets have instructions for them, others
    branch.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      d[i] += a * s[i];           /* of float */
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      d[i] += a * s[i];           /* of integers */
  }];
}
