// parked-values.c - what a loop leaves lies in memory across the call: a short one saves no register
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value that lives across a call is in a register that the function saves at its entry, so it
// would cost a short loop, too, which makes no call.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: for level in -O2 -O3; do %gcc12 $level -fplugin=%plugingcc -S %s -o a.s && cat a.s; done \
// RUN:   | %filecheck %s
// CHECK-COUNT-4: {{call.*memlift_copy_forward}}
// RUN: %gcc12 -O2 -fplugin=%plugingcc -S %s -o a.s -fdump-tree-optimized=a.txt
// RUN: grep -c '={v} _' a.txt | grep -x 2
// RUN: if grep -E 'push|movq.*%%r(bx|bp|1[2-5]), [0-9]*\(%%rsp' a.s; then exit 1; fi
//
// The registers of a loop around it serve all its calls: they are saved once.
// RUN: %gcc12 -O2 -DROWS -fplugin=%plugingcc -S %s -o b.s -fdump-tree-optimized=b.txt
// RUN: grep 'call.*memlift_copy_forward' b.s && if grep '={v}' b.txt; then exit 1; fi
// REQUIRES: gcc-12
#ifdef ROWS
unsigned rows(unsigned char *ring, const unsigned char *flat, unsigned n, unsigned at, unsigned size,
              unsigned count) {
  for (; count; count--) {
    for (unsigned i = 0; i < n; i++) {
      ring[at] = flat[i];
      at = (at + 1) & (size - 1);
    }
    flat += 100;
  }
  return at;
}
#else
unsigned put(unsigned char *ring, const unsigned char *flat, unsigned n, unsigned at, unsigned size) {
  for (unsigned i = 0; i < n; i++) {
    ring[at] = flat[i];
    at = (at + 1) & (size - 1);
  }
  return at;
}

unsigned get(const unsigned char *ring, unsigned char *flat, unsigned n, unsigned at, unsigned size) {
  for (unsigned i = 0; i < n; i++) {
    flat[i] = ring[at];
    at = (at + 1) & (size - 1);
  }
  return at;
}
#endif
