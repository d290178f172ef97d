// StreamFacts.td - MLF22xx: facts about loops whose arrays are to be moved by blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def StreamForm : FactFailed<2200> {
  let Text = "the loop cannot be left and entered again between two iterations";
  let Advice = "write a plain counted loop: one test, at its start or its end";
  let Why = [{
    With memlift("stream") the loop runs once for each block of its arrays. Between two blocks it is
    left where its test would leave it, and then entered again. So an iteration has to end at that
    test, and addresses have to have 64 bits.
  }];
  let Bad = [{
    do {
      s += *a++;
      if (!--n)
        break;
      d[n] = s;
    } while (1);
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      d[i] = s += a[i];
  }];
}

def StreamStep : FactFailed<2201> {
  let Text = "an array is walked in steps that are not known when the loop is compiled";
  let Advice = "make the step a constant; rows of a variable pitch need a loop over each row";
  let Why = [{
    The bytes of a block are moved before the loop computes on them. Each iteration's bytes have to
    begin a constant number of bytes after those of the one before. In a nest, the outermost loop
    may step by a variable number of bytes: rows are moved one by one.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      d[i] = 2.0f * a[i * stride];
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      d[i] = 2.0f * a[i * 2];
  }];
}

def StreamScattered : FactFailed<2202> {
  let Text = "an access that is not moved may touch an array that is";
  let Advice = "declare the pointers restrict, or use a local array that no pointer escapes from";
  let Why = [{
    An access at a computed address stays where it is. It may read anything that the loop does not
    move back, and write anything that it does not move at all. Here neither is known.
  }];
  let Bad = [{
    void count(uint32_t *bins, const uint8_t *a, size_t n) {
      for (size_t i = 0; i < n; i++)
        bins[a[i]]++;
    }
  }];
  let Good = [{
    void count(uint32_t *restrict bins, const uint8_t *restrict a, size_t n) {
      for (size_t i = 0; i < n; i++)
        bins[a[i]]++;
    }
  }];
}

def StreamReadsWritten : FactFailed<2203> {
  let Text = "an iteration reads what another one writes";
  let Advice = "keep the carried value in a variable, or store to another array";
  let Why = [{
    A block is read before the block before it is written back. So an iteration must not read bytes
    that another one writes. It may read bytes that it writes itself.
  }];
  let Bad = [{
    for (i = 1; i < n; i++)
      d[i] = d[i - 1] * 0.5f + a[i];
  }];
  let Good = [{
    float v = 0;
    for (i = 1; i < n; i++)
      d[i] = v = v * 0.5f + a[i];
  }];
}

def StreamHoles : FactFailed<2204> {
  let Text = "an iteration does not write each byte of its part of an array exactly";
  let Advice = "write whole elements, each in its own iteration";
  let Why = [{
    A block that was written is moved back as a whole. Bytes between those that the loop writes
    would be moved, too, and another thread may write them meanwhile. So nothing may lie between the
    bytes of two iterations, and no byte may belong to both.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      d[i].x = a[i] * 0.5f;       /* d[i].y is left alone */
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      d[i] = (struct point){a[i] * 0.5f, 0};
  }];
}

def StreamConditional : FactFailed<2205> {
  let Text = "an array is written under a condition";
  let Advice = "store in both cases, if need be the value that is there";
  let Why = [{
    A block that was written is moved back as a whole. A byte that the loop leaves alone must not be
    written: another thread may write it meanwhile. A read under a condition is no problem.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      if (a[i] > 0)
        d[i] = a[i] * 0.5f;
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      d[i] = a[i] > 0 ? a[i] * 0.5f : d[i];
  }];
}

def StreamMany : FactFailed<2206> {
  let Text = "the loop walks more arrays than can be moved together";
  let Advice = "split the loop into several ones";
  let Why = [{
    Each array needs two or three places in the local store. memlift_stream_begin takes at most eight
    arrays. Accesses of one array that are close to one another count as one.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      d[i] = a[i] * b[i] + c[i] * e[i] + f[i] * g[i] + h[i] * j[i];
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      d[i] = a[i] * b[i] + c[i] * e[i] + f[i] * g[i];
  }];
}

def StreamNothing : FactFailed<2207> {
  let Text = "the loop walks no array";
  let Advice = "nothing; there is nothing to be moved";
  let Why = [{
    memlift("stream") moves arrays that a loop walks in constant steps. All accesses of this loop
    are to one place, or at computed addresses.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      k = next[k];
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      k = next[k] + a[i];
  }];
}

def SpreadCarried : FactFailed<2220> {
  let Text = "an iteration needs what another one has computed";
  let Advice = "compute it from the counter, or keep it in an array that an earlier loop fills";
  let Why = [{
    With memlift("spread") several threads compute blocks of the loop's iterations, in any order. So a
    value that one iteration hands to the next has to be a counter or an integer that is joined with
    others. Joined means: by a sum, an exclusive or, an and, an or, or as the least or the greatest
    one. Nothing else in the loop may use it. Sums of floating-point numbers depend on the order.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      d[i] = v = v * 0.5f + a[i];
  }];
  let Good = [{
    for (i = 0; i < n; i++) {
      d[i] = a[i] * 3;
      sum += a[i];
    }
  }];
}

def SpreadShared : FactFailed<2221> {
  let Text = "several iterations write the same memory";
  let Advice = "give each iteration bytes of its own";
  let Why = [{
    With memlift("spread") several threads compute blocks of the loop's iterations at one time. Bytes that
    two iterations write would be a race. So each store has to go to an array that the loop walks, in
    steps of at least what an iteration touches there.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      bins[a[i]]++;
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      if (a[i] > limit)
        d[i] = a[i];
  }];
}

def SpreadBound : FactFailed<2222> {
  let Text = "the loop's code is bound to its function or its thread";
  let Advice = "use a pointer that is made before the loop";
  let Why = [{
    With memlift("spread") the loop becomes a function that other threads call. There a thread-local
    variable is another one, and a local array of the function cannot be named.
  }];
  let Bad = [{
    _Thread_local float scale;
    for (i = 0; i < n; i++)
      d[i] = a[i] * scale;
  }];
  let Good = [{
    const float k = scale;
    for (i = 0; i < n; i++)
      d[i] = a[i] * k;
  }];
}

def SpreadLast : FactFailed<2223> {
  let Text = "what the last iteration computes is used after the loop";
  let Advice = "compute it again after the loop, if it is needed";
  let Why = [{
    With memlift("spread") the thread that computes the last iteration may be any. Only counters, and
    values that all iterations join, are known after the loop.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      d[i] = last = a[i] * 3;
    return last;
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      d[i] = a[i] * 3;
    return d[n - 1];
  }];
}
