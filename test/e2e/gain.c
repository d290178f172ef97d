// gain.c - the expected gain is in the remarks of each compiler, and is the same in all of them
// REQUIRES: runtime
// RUN: rm -rf %t && mkdir -p %t && cd %t && for cc in %wrappers; do \
// RUN:   $cc -O2 -g -c %s -o x.o --memlift-remarks=x.yaml && \
// RUN:   %memlift-report -v --no-source x.yaml | %filecheck %s || exit 1; done
// In an order by rank they come first, the largest gain before all.
// RUN: cd %t && for cc in %wrappers; do \
// RUN:   $cc -O2 -g -c %s -o x.o --memlift-remarks=x.yaml && \
// RUN:   %memlift-report --sort rank --format csv x.yaml | cut -d, -f 4,11 | head -n 4 | \
// RUN:     tr '\n' ' ' | grep -x 'function,gain_cycles crc,5108 kept,5108 adler,4959 ' || exit 1; done
// A profile has the number of iterations.
// RUN: cd %t && cp %s p.c && %memlift-gcc -O2 -fprofile-generate -DMAIN -c p.c && \
// RUN:   %memlift-gcc -fprofile-generate p.o -o run && ./run && \
// RUN:   %memlift-gcc -O2 -g -DMAIN -fprofile-use -c p.c --memlift-remarks=p.yaml && \
// RUN:   %memlift-report -v --function unbounded p.yaml | %filecheck --check-prefix=PROFILE %s
// RUN: cd %t && for cc in %wrappers; do case $cc in *clang-*) \
// RUN:   rm -rf raw && $cc -O2 -fprofile-generate=raw -DMAIN %s -o run && ./run && \
// RUN:   llvm-profdata-${cc##*-} merge -o x.profdata raw && \
// RUN:   $cc -O2 -g -DMAIN -fprofile-use=x.profdata -c %s -o x.o --memlift-remarks=q.yaml && \
// RUN:   %memlift-report -v --function unbounded q.yaml | \
// RUN:     %filecheck --check-prefix=PROFILE %s || exit 1;; esac; done
#include <stddef.h>
#include <stdint.h>

// CHECK: crc: crc lowered
// CHECK: gain: 5,108 cycles each time (1024 iterations of 7 cycles, less 2060 for the call)
uint32_t crc(uint32_t state, const uint8_t *p) {
  for (int i = 0; i < 1024; i++) {
    state ^= p[i];
    for (int k = 0; k < 8; k++)
      state = state & 1 ? state >> 1 ^ 0xedb88320 : state >> 1;
  }
  return state;
}

// CHECK: hash: polyhash lowered
// CHECK: gain: 328 cycles each time (256 iterations of 2 cycles, less 184 for the call)
uint32_t hash(const uint8_t *p) {
  uint32_t h = 5381;
  for (int i = 0; i < 256; i++)
    h = h * 33 + p[i];
  return h;
}

// CHECK: adler: modular_sum lowered
// CHECK: gain: 4,959 cycles each time (600 iterations of 9 cycles, less 441 for the call)
uint32_t adler(uint32_t sum, const uint8_t *p) {
  uint32_t a = sum & 0xffff, b = sum >> 16;
  for (int i = 0; i < 600; i++) {
    a = (a + p[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

// CHECK: unbounded: polyhash lowered
// CHECK: gain: unknown: the trip count is known only at run time; the call is faster from about 16
// PROFILE: unbounded: polyhash lowered
// PROFILE: gain: 6{{[78][0-9]}} cycles each time (by the profile 50{{[0-9]}} iterations of 2 cycles
__attribute__((noinline)) uint32_t unbounded(const uint8_t *p, size_t n) {
  uint32_t h = 5381;
  for (size_t i = 0; i < n; i++)
    h = h * 33 + p[i];
  return h;
}

// CHECK: kept: crc kept
// CHECK: gain: 5,108 cycles each time (1024 iterations of 7 cycles, less 2060 for the call, with
uint32_t kept(uint32_t state, const volatile uint8_t *p) {
  for (int i = 0; i < 1024; i++) {
    state ^= p[i];
    for (int k = 0; k < 8; k++)
      state = state & 1 ? state >> 1 ^ 0xedb88320 : state >> 1;
  }
  return state;
}

// CHECK: filled: fill lowered
// CHECK: gain: unknown:
void filled(uint32_t *p, uint32_t v, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}

#ifdef MAIN
int main(int argc, char **argv) {
  static uint8_t bytes[500];
  uint32_t all = 0;
  for (int i = 0; i < 100; i++)
    all += unbounded(bytes, (size_t)argc + 499);
  return all == 1 && argv;
}
#endif
