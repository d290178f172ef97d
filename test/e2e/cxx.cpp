// cxx.cpp - C++ as it is written: ranges, algorithms, templates, containers
//
// The three compilers say the same of each function, and the program built
// through them prints what it prints without.
// REQUIRES: clang-19, clang-22, gcc-12
// RUN: rm -f %t.*
// RUN: %gxx12 -std=c++17 -O2 %s -o %t.plain && %t.plain > %t.expected
// RUN: %memlift-clang++-19 -std=c++17 -O2 %s -o %t.19 --memlift-remarks=%t.19.yaml
// RUN: %filecheck %s < %t.19.yaml
// RUN: %t.19 | cmp - %t.expected
// RUN: %memlift-clang++-22 -std=c++17 -O2 %s -o %t.22 --memlift-remarks=%t.22.yaml
// RUN: %filecheck %s < %t.22.yaml
// RUN: %t.22 | cmp - %t.expected
// RUN: %memlift-g++ -std=c++17 -O2 %s -o %t.gcc --memlift-remarks=%t.gcc.yaml
// RUN: %filecheck %s < %t.gcc.yaml
// RUN: %t.gcc | cmp - %t.expected
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#define NOINLINE extern "C" __attribute__((noinline))

// A range-for over a vector: iterators are pointers once inlined.
// CHECK-DAG: Function: {{ *}}'range_fill'{{[[:space:]]}}Args:{{[[:space:]]}} - String: {{ *}}'loop became a call of memlift_fill32
NOINLINE void range_fill(std::vector<uint32_t> &v, uint32_t x) {
  for (auto &e : v)
    e = x;
}

// CHECK-DAG: Function: {{ *}}'std_fill'{{[[:space:]]}}Args:{{[[:space:]]}} - String: {{ *}}'loop became a call of memlift_fill16
NOINLINE void std_fill(std::vector<uint16_t> &v, uint16_t x) { std::fill(v.begin(), v.end(), x); }

// The stores may change the vector's own pointers, as bytes may alias anything: tested.
// CHECK-DAG: Function: {{ *}}'index_fill'{{[[:space:]]}}Args:{{[[:space:]]}} - String: {{ *}}'loop became a call of memlift_fill8 with a run-time check
NOINLINE void index_fill(std::vector<uint8_t> &v, uint8_t x) {
  for (size_t i = 0; i < v.size(); i++)
    v[i] = x;
}

// CHECK-DAG: Function: {{ *}}'index_copy'{{[[:space:]]}}Args:{{[[:space:]]}} - String: {{ *}}'loop became a call of memlift_copy_forward with a run-time check
NOINLINE void index_copy(std::vector<uint8_t> &v, const std::vector<uint8_t> &from) {
  for (size_t i = 0; i < v.size(); i++)
    v[i] = from[i];
}

// CHECK-DAG: Function: {{ *}}'checked_fill'{{[[:space:]]}}Args:{{[[:space:]]}} - String: {{ *}}'loop became a call of memlift_fill8 with a run-time check
NOINLINE void checked_fill(std::vector<uint8_t> &v, uint8_t x) {
  for (size_t i = 0; i < v.size(); i++)
    v.at(i) = x;
}

// CHECK-DAG: Function: {{ *}}'string_fill'{{[[:space:]]}}Args:{{[[:space:]]}} - String: {{ *}}'loop became a call of memlift_fill8 with a run-time check
NOINLINE void string_fill(std::string &s, char x) {
  for (size_t i = 0; i < s.size(); i++)
    s[i] = x;
}

// The library itself calls memmove.
// CHECK-DAG: Function: {{ *}}'std_copy'{{[[:space:]]}}Args:{{[[:space:]]}} - String: {{ *}}'call of memmove became a call of memlift_move
NOINLINE void std_copy(const uint32_t *s, size_t n, uint32_t *d) { std::copy(s, s + n, d); }

template <class It, class Out> void by_hand(It from, It to, Out out) {
  while (from != to)
    *out++ = *from++;
}
// CHECK-DAG: Function: {{ *}}'template_copy'{{[[:space:]]}}Args:{{[[:space:]]}} - String: {{ *}}'loop became a call of memlift_copy_forward
NOINLINE void template_copy(const double *from, const double *to, double *out) {
  by_hand(from, to, out);
}

struct Point {
  int x = 1, y = 2;
};
// A constructor for each element is a fill with an eight-byte pattern.
// CHECK-DAG: Function: {{ *}}'constructed'{{[[:space:]]}}Args:{{[[:space:]]}} - String: {{ *}}'loop became a call of memlift_fill64
NOINLINE void constructed(Point *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = Point();
}

// A call that may throw leaves the bytes written so far behind: kept.
// CHECK-DAG: Function: {{ *}}'throwing'{{[[:space:]]}}Args:{{[[:space:]]}} - String: {{ *}}'fill loop kept{{.*}}MLF2012
static int calls;
NOINLINE void thrower(size_t at) {
  if (at == 5)
    throw calls;
  calls++;
}
NOINLINE void throwing(int *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    p[i] = 7;
    thrower(i);
  }
}

int main() {
  std::vector<uint32_t> a(1000, 1), b(1000, 2);
  std::vector<uint16_t> c(777);
  std::vector<double> d(100), e(100);
  std::vector<Point> p(50);
  std::vector<int> t(10);
  std::vector<uint8_t> u(300, 1), w(301, 2);
  std::string s(200, 'a');
  range_fill(a, 0xabcdef01);
  std_fill(c, 0x1234);
  index_fill(u, 0x5a);
  u[7] = 6;
  index_copy(u, w);
  checked_fill(w, 0xa5);
  string_fill(s, 'b');
  std_copy(a.data(), 500, b.data() + 3);
  for (size_t i = 0; i < d.size(); i++)
    d[i] = double(i) / 3;
  template_copy(d.data(), d.data() + 90, e.data() + 5);
  template_copy(d.data(), d.data() + 90, d.data() + 5); // overlaps on purpose
  for (auto &q : p)
    q.x = q.y = 9;
  constructed(p.data() + 1, 48);
  try {
    throwing(t.data(), t.size());
  } catch (int) {
  }
  uint64_t hash = 0;
  auto mix = [&](const void *at, size_t n) {
    for (size_t i = 0; i < n; i++)
      hash = (hash ^ static_cast<const unsigned char *>(at)[i]) * 1099511628211u;
  };
  mix(a.data(), a.size() * 4);
  mix(b.data(), b.size() * 4);
  mix(c.data(), c.size() * 2);
  mix(d.data(), d.size() * 8);
  mix(e.data(), e.size() * 8);
  mix(p.data(), p.size() * sizeof(Point));
  mix(t.data(), t.size() * sizeof(int));
  mix(u.data(), u.size());
  mix(w.data(), w.size());
  mix(s.data(), s.size());
  std::printf("%016llx %d\n", static_cast<unsigned long long>(hash), calls);
}
