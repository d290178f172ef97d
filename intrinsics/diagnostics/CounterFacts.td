// CounterFacts.td - MLF214x: counters of a loop that are kept in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def CounterInMemory : FactFailed<2140> {
  let Text = "the loop keeps a counter in memory that it may read or overwrite as data";
  let Advice = "count in a local variable, and store it once after the loop";
  let Why = [{
    A counter that is accessed through a pointer is loaded and stored in each iteration, because
    the loop may write to it. The loop is kept if it surely does, or if the counter's values are
    not known before the loop.
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
