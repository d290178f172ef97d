// sanitizers.c - instrumentation keeps its loops and its calls; without it they are lowered
// RUN: %each for kind in address thread memory hwaddress kernel-address kernel-memory \
// RUN:   kernel-hwaddress; do \
// RUN:   case $kind in *hwaddress) target=--target=aarch64-linux-gnu ;; *) target= ;; esac; \
// RUN:   %clang $target -O2 -fsanitize=$kind -S -emit-llvm %s -o %t.ll -Rpass-missed=memlift 2> \
// RUN:   %t.err && \
// RUN:   not grep 'call.*@memlift' %t.ll && grep -c MLF2005 %t.err | grep -x 2 || exit 1; done %end
// A function that opts out is lowered; UBSan without checks in the loop is no obstacle.
// RUN: %each %clang -O2 -fsanitize=address -DOPT_OUT='__attribute__((no_sanitize("address")))' -S \
// RUN:   -emit-llvm %s -o - | grep -c 'call.*@memlift' | grep -x 2 %end
// RUN: %each %clang -O2 -fsanitize=shift -S -emit-llvm %s -o - | grep -c 'call.*@memlift' | grep \
// RUN:   -x 2 %end
typedef __SIZE_TYPE__ size_t;
#ifndef OPT_OUT
#define OPT_OUT
#endif

OPT_OUT void loop(int *p, size_t n, int v) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}

OPT_OUT void call(char *p, size_t n) { __builtin_memset(p, 1, n); }
