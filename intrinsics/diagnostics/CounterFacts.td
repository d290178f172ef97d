// CounterFacts.td - MLF214x: counters of a loop that are kept in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def CounterInMemory : FactFailed<2140> {
  let Text = "the loop keeps a counter in memory that it may read or overwrite as data";
  let Advice = "count in a local variable, and store it once behind the loop";
  let Why = [{
    A counter behind a pointer is loaded and stored in each iteration, because a byte that the loop
    writes may be one of its own. Where it surely is, or where its values are not known before the
    loop, the loop stays.
  }];
  let Bad = [{
    void widen(uint8_t *counter, uint8_t *d, size_t n) {
      for (size_t i = 0; i < n; i++)
        counter[(*counter)++] = 0;
    }
  }];
  let Good = [{
    void widen(uint8_t *counter, uint8_t *d, size_t n) {
      memset(d + *counter, 0, n);
      *counter += n;
    }
  }];
}
