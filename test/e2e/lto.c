// lto.c - link-time optimisation, full and thin: the loops are lowered and the runtime is found.
// REQUIRES: runtime
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: for cc in %wrappers; do \
// RUN:   case $cc in *clang*) modes="-flto=full -flto=thin"; lld=-fuse-ld=lld ;; \
// RUN:     *) modes=-flto; lld= ;; esac; \
// RUN:   for mode in $modes; do \
// RUN:     $cc -O2 $mode %s -DLIBRARY -c -o %t/fill.o && $cc -O2 $mode -c %s -o %t/main.o && \
// RUN:     $cc -O2 $mode $lld %t/main.o %t/fill.o -o %t/run && %t/run && \
// RUN:     $cc -O2 $mode $lld %s %t/fill.o -o %t/one-step && %t/one-step && \
// RUN:     nm %t/run | grep memlift_fill32 >%t/nm || { echo "failed: $cc $mode"; exit 1; }; \
// RUN:   done; done
#include <stddef.h>
#include <stdint.h>

#ifdef LIBRARY
void fill(uint32_t *to, uint32_t value, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = value;
}
#else
void fill(uint32_t *to, uint32_t value, size_t count);

static uint32_t words[300];

int main(int argc, char **argv) {
  (void)argv;
  fill(words, 42, 298 + (size_t)argc);
  return !(words[0] == 42 && words[298] == 42 && words[299] == 0);
}
#endif
