// ResidueFacts.td - MLF209x: facts about sums that are reduced modulo a number as they go.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def ResidueRange : FactFailed<2090> {
  let Text = "a sum is reduced modulo m, but one remainder may have several values";
  let Advice = "add unsigned values, and reduce the sum to 0 .. m - 1 in every iteration";
  let Why = [{
    A sum that is reduced in every iteration follows from the sum of all values, if each class
    modulo m has one possible value. The remainder of a negative number is negative or zero.
    Whether the last value is negative depends on the values before it, so it does not follow
    from the sum alone.
  }];
  let Bad = [{
    const signed char *p; int a = 0;
    for (i = 0; i < n; i++)
      a = (a + p[i]) % 255;          /* -254 .. 254 */
  }];
  let Good = [{
    const unsigned char *p; unsigned a = 0;
    for (i = 0; i < n; i++)
      a = (a + p[i]) % 255;
  }];
}

def MixedModuli : FactFailed<2091> {
  let Text = "two sums that depend on one another are not reduced modulo the same number";
  let Advice = "reduce both sums modulo the same number, in the same iterations";
  let Why = [{
    The second sum of Adler-32 and Fletcher adds up the first one. The first one may be reduced
    modulo another number, or not at all while the second one is. Then the second sum depends on
    when the first one was reduced, and no sum of the data gives the same.
  }];
  let Bad = [{
    a = (a + p[i]) % 65521;
    b = (b + a) % 65520;             /* a mistake */
  }];
  let Good = [{
    a = (a + p[i]) % 65521;
    b = (b + a) % 65521;
  }];
}
