// throws.cpp - with -fnon-call-exceptions an access that faults may throw; clang has no such option
#include <cstddef>
#include <cstdint>

extern "C" void code_2019(uint8_t *d, const uint8_t *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}
