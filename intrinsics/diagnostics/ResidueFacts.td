// ResidueFacts.td - MLF209x: facts about sums that are reduced modulo a number as they go.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def ResidueRange : FactFailed<2090> {
  let Text = "a sum is reduced modulo a number, but may be outside of one range of remainders";
  let Advice = "add unsigned values, and reduce the sum to 0 .. m - 1 in every round";
  let Why = [{
    A sum that is reduced in every round is known from the sum of all that was added, if each class
    modulo m has one number that the loop can hold. A remainder of what may be negative is negative
    or not, depending on the values on the way, and so the last value alone does not follow from the
    sum.
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
  let Text = "two sums that depend on one another are not reduced by the same number";
  let Advice = "reduce both sums modulo the same number, in the same rounds";
  let Why = [{
    The second sum of Adler-32 and Fletcher adds up the first one. If the first one is reduced modulo
    another number, or not at all while the second one is, the second one depends on when the first
    one was reduced, and no sum of the data gives the same.
  }];
  let Bad = [{
    a = (a + p[i]) % 65521;
    b = (b + a) % 65520;             /* a slip */
  }];
  let Good = [{
    a = (a + p[i]) % 65521;
    b = (b + a) % 65521;
  }];
}
