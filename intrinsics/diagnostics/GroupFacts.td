// GroupFacts.td - MLF215x: facts about loops whose loads are to come before their stores.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def StoreFeedsLoad : FactFailed<2150> {
  let Text = "an iteration loads what one shortly before it has stored";
  let Advice = "keep what is carried along in a variable, or walk another array";
  let Why = [{
    On a core that runs its instructions in order, the loads of several iterations are to be under
    way before the first of their stores. Where an iteration reads what the one before it has
    written, as in a prefix sum, no load may go in front of that store.
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
  let Text = "what is stored is no plain integer value of what is loaded";
  let Advice = "nothing here: integers are added, multiplied, shifted and masked";
  let Why = [{
    A loop is only written anew with every value exactly as it was. That is done for integers of at
    most 64 bits, without divisions, but the remainder by a constant. Floating point is left to the
    compiler: rounding, exceptions and the flags that allow another order are its own. So are a minimum
    and other choices, for which some targets have instructions and others jump.
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
