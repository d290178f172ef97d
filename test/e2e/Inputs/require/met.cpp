// met.cpp - requirements in C++ that are met: templates, methods, lambdas, range-for
#include <cstddef>
#include <cstdint>

#define REQUIRED __attribute__((memlift("require")))

template <class T> REQUIRED void fill(T *p, size_t n, T v) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}
template void fill<uint16_t>(uint16_t *, size_t, uint16_t);
template void fill<uint32_t>(uint32_t *, size_t, uint32_t);

// The pattern alone is nothing to check.
template <class T> REQUIRED void never(volatile T *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 0;
}
template <class T> void never_pragma(volatile T *p, size_t n) {
#pragma memlift require
  for (size_t i = 0; i < n; i++)
    p[i] = 0;
}

template <class T> void pragma_fill(T *p, size_t n, T v) {
#pragma memlift require fill
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}
template void pragma_fill<uint16_t>(uint16_t *, size_t, uint16_t);
template void pragma_fill<uint32_t>(uint32_t *, size_t, uint32_t);

struct Buffer {
  uint32_t *p;
  size_t n;
  REQUIRED void clear(uint32_t v) {
    for (size_t i = 0; i < n; i++)
      p[i] = v;
  }
  void pragma_clear(uint32_t v);
  struct Range {
    uint32_t *first, *last;
    uint32_t *begin() const { return first; }
    uint32_t *end() const { return last; }
  };
};
void use(Buffer &b) { b.clear(3); }
void Buffer::pragma_clear(uint32_t v) {
  uint32_t *to = p;
#pragma memlift require
  for (size_t i = 0, m = n; i < m; i++)
    to[i] = v;
}
void range(Buffer::Range r) {
#pragma memlift require fill
  for (uint32_t &x : r)
    x = 17;
}
void lambda(uint32_t *p, size_t n) {
  auto f = [=](uint32_t v) {
#pragma memlift require
    for (size_t i = 0; i < n; i++)
      p[i] = v;
  };
  f(1);
  f(2);
}
