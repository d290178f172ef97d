// attribute.cpp - memlift("off") in both spellings; a value without a meaning is an error
// RUN: %memlift-g++ -std=c++17 -O3 -S %s -o - | %filecheck %s
// RUN: not %memlift-g++ -std=c++17 -O3 -DBAD='"no"' -S %s -o %t.s 2>&1 \
// RUN:   | %filecheck --check-prefix=BAD %s
// RUN: not %memlift-g++ -std=c++17 -O3 -DBAD='"offload"' -S %s -o %t.s 2>&1 \
// RUN:   | %filecheck --check-prefix=BAD %s
// RUN: not %memlift-g++ -std=c++17 -O3 -DBAD='"stream=0"' -S %s -o %t.s 2>&1 \
// RUN:   | %filecheck --check-prefix=BAD %s
// RUN: not %memlift-g++ -std=c++17 -O3 -DBAD='"stream=32X"' -S %s -o %t.s 2>&1 \
// RUN:   | %filecheck --check-prefix=BAD %s
// RUN: not %memlift-g++ -std=c++17 -O3 -DBAD=5 -S %s -o %t.s 2>&1 \
// RUN:   | %filecheck --check-prefix=BAD %s
// RUN: not %memlift-g++ -std=c++17 -O3 -DON_VARIABLE -S %s -o %t.s 2>&1 \
// RUN:   | %filecheck --check-prefix=VARIABLE %s
#ifdef BAD
__attribute__((memlift(BAD))) void bad();
// BAD: has no meaning [MLF0009]
// BAD: note: {{.*}}"off"
#endif
#ifdef ON_VARIABLE
int variable __attribute__((memlift("off")));
// VARIABLE: is for functions
#endif

// CHECK-LABEL: _Z3gnuPii:
// CHECK-NOT: memlift_
[[gnu::memlift("off")]] void gnu(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 5; }
// CHECK-LABEL: _Z6scopedPii:
// CHECK-NOT: memlift_
[[memlift::off]] void scoped(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 5; }

// A loop that is off stays off where it would have been inlined.
[[memlift::off]] static inline void once(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 6; }
// CHECK-LABEL: _Z6callerPii:
// CHECK-NOT: memlift_
void caller(int *p, int n) { once(p, n); }

// CHECK-LABEL: _Z2onPii:
// CHECK: memlift_fill32
void on(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 5; }

// CHECK-LABEL: _Z6besidePiPKjmm:
// CHECK-DAG: memlift_begin_fill
// CHECK-DAG: memlift_end
[[memlift::async]] unsigned long beside(int *__restrict p, const unsigned *__restrict a,
                                        unsigned long n, unsigned long m) {
  unsigned long sum = 0;
  for (unsigned long i = 0; i < n; i++)
    p[i] = 5;
  for (unsigned long i = 0; i < m; i++)
    sum = sum * 31 + a[i] % 7;
  return sum;
}

// With a size or without, and the size has to be one.
// CHECK-LABEL: _Z5scalePfPKfm:
// CHECK: memlift_stream_begin
// CHECK: memlift_stream_end
[[memlift::stream]] void scale(float *__restrict d, const float *__restrict a, unsigned long n) {
  for (unsigned long i = 0; i < n; i++)
    d[i] = a[i] * 3;
}
// CHECK-LABEL: _Z5sizedPfPKfm:
// CHECK: memlift_stream_begin
[[gnu::memlift("stream=32K")]] void sized(float *__restrict d, const float *__restrict a,
                                          unsigned long n) {
  for (unsigned long i = 0; i < n; i++)
    d[i] = a[i] * 3;
}
