// HashFacts.td - MLF216x: facts that rule out a routine for a hash.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def FactorVaries : FactFailed<2160> {
  let Text = "a hash is multiplied by another factor in each iteration";
  let Advice = "use a polynomial hash: the same factor in all iterations";
  let Why = [{
    With one factor, a hash is a polynomial in it, and a routine may take many bytes at a time.
    If the factor itself changes in each iteration (RS), its powers depend on how many bytes
    came before. A routine would have to carry products of products, which is more work than the
    loop.
  }];
  let Bad = [{
    for (i = 0; i < n; i++) {
      h = h * a + p[i];
      a *= 378551;
    }
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      h = h * 31 + p[i];
  }];
}
