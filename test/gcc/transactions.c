// transactions.c - loops and calls in transactions, and in clones for them, are kept (-fgnu-tm)
//
// GCC instruments their accesses after memlift has run: a routine would write behind its back.
// RUN: %memlift-gcc -O1 -fgnu-tm --memlift-runtime=memlift -fopt-info-all-optall -S %s -o %t.s 2>&1 \
// RUN:   | grep memlift: | %filecheck %s
// RUN: %memlift-gcc -O1 -fgnu-tm %s -o %t.run -litm && %t.run
// RUN: %gcc12 -O1 -fgnu-tm %s -o %t.stock -litm && %t.stock
//
// An in-order core without calls: grouped loads would not be what GCC expects in a transaction.
// RUN: %memlift-gcc -O2 -fgnu-tm --memlift-runtime=none --memlift-core=cva6 -S %s -o %t.s
// RUN: %memlift-gcc -O2 -fgnu-tm --memlift-async -S %s -o %t.s
// REQUIRES: runtime
#include <stddef.h>
#include <string.h>

static unsigned char a[300], b[300];

__attribute__((noinline)) void copy(unsigned char *d, const unsigned char *s, size_t n, int cancel) {
  __transaction_atomic {
    // CHECK-DAG: [[#@LINE+1]]:{{.*}}[MLF2009]
    for (size_t i = 0; i < n; i++)
      d[i] = s[i];
    if (cancel)
      __transaction_cancel;
  }
}

__attribute__((noinline)) void fill(unsigned char *d, size_t n, int cancel) {
  __transaction_atomic {
    // CHECK-DAG: [[#@LINE+1]]:{{.*}}[MLF2009]
    for (size_t i = 0; i < n; i++)
      d[i] = 7;
    if (cancel)
      __transaction_cancel;
  }
}

/* One function for code outside of transactions, whose loop becomes a call, and a clone for inside. */
// CHECK-DAG: [[#@LINE+4]]:{{.*}}[MLF2009]
// CHECK-DAG: [[#@LINE+3]]:{{.*}}[MLF1001]
__attribute__((noinline, transaction_safe)) void words(unsigned *restrict d, size_t n,
                                                       unsigned value) {
  for (size_t i = 0; i < n; i++)
    d[i] = value;
}

__attribute__((noinline)) void callsClone(unsigned *d, size_t n, int cancel) {
  __transaction_atomic {
    words(d, n, 9);
    if (cancel)
      __transaction_cancel;
  }
}

int main(void) {
  static unsigned w[100];
  memset(a, 1, sizeof a);
  memset(b, 9, sizeof b);
  copy(a, b, 300, 1);
  int bad = a[100] != 1;
  fill(a, 300, 1);
  bad += a[100] != 1;
  callsClone(w, 100, 1);
  bad += w[50] != 0;
  words(w, 100, 3);
  bad += w[50] != 3;
  copy(a, b, 300, 0);
  bad += a[299] != 9;
  return bad;
}
