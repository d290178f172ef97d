// ThreadNotes.td - MLF3056 and on: how threads compute the blocks of a loop, and why so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def SpreadLocal : Note<3056> {
  let Text = "threads compute the blocks by way of their local stores";
  let Advice = "nothing to do";
  let Why = [{
    memlift("spread") and memlift("stream") were both asked for. Each thread cuts its part of the
    loop into blocks of its own: the next one is brought into its local store while it computes. This
    takes units that have stores, and an engine that moves beside them. Elsewhere the part is
    computed in the program's memory.
  }];
  let Bad = [{
    MEMLIFT_SPREAD
    void scale(float *restrict d, const float *restrict a, float k, size_t n);
  }];
  let Good = [{
    MEMLIFT_SPREAD MEMLIFT_STREAM
    void scale(float *restrict d, const float *restrict a, float k, size_t n);
  }];
}

def SpreadNotLocal : Note<3057> {
  let Text = "threads compute the blocks in the program's memory";
  let Advice = "see the reason, and store in every iteration";
  let Why = [{
    memlift("spread") and memlift("stream") were both asked for. Threads may compute the loop, but its
    arrays cannot be moved by blocks. A block is moved back as a whole, so each byte of it has to be
    written.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      if (a[i] > limit)
        d[i] = a[i];
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      d[i] = a[i] > limit ? a[i] : d[i];
  }];
}
