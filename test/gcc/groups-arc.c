// groups-arc.c - loops over memory that are no idiom have the loads of several iterations first on ARC, too
//
// REQUIRES: arc-gcc
// RUN: %arc-gcc -O3 -fchecking -mcpu=arc700 -fplugin=%build/lib/memlift_gcc12_arc_linux_gnu.so \
// RUN:   -fplugin-arg-memlift_gcc12_arc_linux_gnu-runtime=none \
// RUN:   -fplugin-arg-memlift_gcc12_arc_linux_gnu-verify -S %s -o - | %filecheck %s
// An ARC HS with vectors is left to its compiler, which uses those.
// RUN: %arc-gcc -O3 -mcpu=hs38 -mmpy-option=plus_qmacw -fplugin=%build/lib/memlift_gcc12_arc_linux_gnu.so \
// RUN:   -fplugin-arg-memlift_gcc12_arc_linux_gnu-runtime=none -S %s -o - | %filecheck --check-prefix=VECTORS %s

// CHECK-LABEL: scaled:
// CHECK: lp @
// CHECK-COUNT-8: {{^[[:space:]]ld}}
// CHECK-NOT: {{^[[:space:]]ld}}
// CHECK: {{^[[:space:]]st}}
// CHECK: ZOL_END
// VECTORS-LABEL: scaled:
// VECTORS: {{^[[:space:]]ld}}
// VECTORS-NOT: {{^[[:space:]]ld}}
// VECTORS: .size
void scaled(unsigned *restrict d, const unsigned *restrict s, unsigned n, unsigned a) {
  for (unsigned i = 0; i < n; i++)
    d[i] = s[i] ^ a;
}
