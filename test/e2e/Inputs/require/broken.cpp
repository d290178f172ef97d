// broken.cpp - requirements in C++ that are broken
#include <cstddef>
#include <cstdint>

#define REQUIRED __attribute__((memlift("require")))

// Only one of the instantiations is.
template <class T> REQUIRED void fill(T *p, size_t n) {
  for (size_t i = 0; i < n; i++) // BROKEN MLF0016 MLF2001
    p[i] = 5;
}
template void fill<uint32_t>(uint32_t *, size_t);
template void fill<volatile uint32_t>(volatile uint32_t *, size_t);

template <class T> void pragma_fill(T *p, size_t n) {
#pragma memlift require fill
  for (size_t i = 0; i < n; i++) // BROKEN MLF0016 MLF2001
    p[i] = 5;
}
template void pragma_fill<uint32_t>(uint32_t *, size_t);
template void pragma_fill<volatile uint32_t>(volatile uint32_t *, size_t);

struct Buffer {
  volatile uint32_t *p;
  size_t n;
  REQUIRED void clear() {
    for (size_t i = 0; i < n; i++) // BROKEN MLF0016 MLF2001
      p[i] = 0;
  }
};
void use(Buffer &b) { b.clear(); }
void lambda(volatile uint32_t *p, size_t n) {
  auto f = [=](uint32_t v) {
#pragma memlift require
    for (size_t i = 0; i < n; i++) // BROKEN MLF0016 MLF2001
      p[i] = v;
  };
  f(1);
}
