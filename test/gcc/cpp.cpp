// cpp.cpp - C++: ranges, algorithms, templates, constructors; a throwing call keeps the loop
// RUN: %memlift-g++ -std=c++17 -O2 -fopt-info-all-optall -fchecking -S %s -o %t.s 2>&1 \
// RUN:   | grep memlift: | %filecheck %s
// RUN: for level in -O0 -Og -O1 -O3 -Os -Oz; do \
// RUN:   %memlift-g++ -std=c++17 $level -fnon-call-exceptions -fchecking -S %s -o %t.s \
// RUN:     || exit 1; done
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

// CHECK-DAG: [[#@LINE+1]]:{{.*}}memlift_fill32{{.*}} [MLF1001]
void range(std::vector<uint32_t> &v, uint32_t x) { for (auto &e : v) e = x; }
// CHECK-DAG: memlift_fill16{{.*}} [MLF1001]
void algorithm(std::vector<uint16_t> &v, uint16_t x) { std::fill(v.begin(), v.end(), x); }
// CHECK-DAG: memlift_move{{.*}} [MLF1005]
void copied(uint32_t *d, const uint32_t *s, size_t n) { std::copy(s, s + n, d); }
template <class T> void fill(T *p, int n, T v) {
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}memlift_fill64{{.*}} [MLF1001]
  for (int i = 0; i < n; ++i) p[i] = v;
}
template void fill<double>(double *, int, double);
struct Point {
  int x, y;
  Point() : x(1), y(2) {}
};
// CHECK-DAG: [[#@LINE+1]]:{{.*}}memlift_fill64{{.*}} [MLF1001]
Point *constructed(size_t n) { return new Point[n]; }
// CHECK-DAG: memlift_fill8{{.*}} [MLF1005]
void whole(std::array<uint64_t, 100> &a) { a.fill(~uint64_t(0)); }
// CHECK-DAG: [[#@LINE+1]]:{{.*}}memlift_copy_forward [MLF1001]
void flags(bool *d, const bool *s, int n) { for (int i = 0; i < n; ++i) d[i] = s[i]; }
void thrower();
// CHECK-DAG: [[#@LINE+1]]:{{.*}}kept{{.*}} [MLF2012]
void throwing(int *p, int n) { for (int i = 0; i < n; ++i) { p[i] = 0; thrower(); } }
