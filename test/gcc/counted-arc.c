// counted-arc.c - on ARC, which counts loops in hardware, fills and copies of aligned words are such loops
//
// REQUIRES: arc-gcc
// RUN: for level in -O2 -O3; do %arc-gcc $level -fchecking -mcpu=arc700 \
// RUN:   -fplugin=%build/lib/memlift_gcc12_arc_linux_gnu.so \
// RUN:   -fplugin-arg-memlift_gcc12_arc_linux_gnu-verify -S %s -o %t.s && \
// RUN:   grep -v '^[[:space:]]*[.;]' %t.s | sed 's/[[:space:]]*;.*//' | %filecheck %s \
// RUN:     || { echo "failed: $level"; exit 1; }; done
// Without memlift, GCC calls.
// RUN: %arc-gcc -O2 -mcpu=arc700 -w -Dmemlift=deprecated -S %s -o - | grep -c '@mem' | grep -x 6
typedef __SIZE_TYPE__ size_t;
#define SHAPE __attribute__((memlift("shape")))

// Three instructions, once there is something to do: the count, the loop, the store.
// CHECK-LABEL: memzero:
// CHECK: mov lp_count,
// CHECK-NEXT: lp @
// CHECK-NEXT: st.ab
// CHECK-NEXT: j_s [blink]
SHAPE void memzero(void *p, size_t bytes) {
  char *c = __builtin_assume_aligned(p, 4);
  for (size_t i = 0; i < bytes / 4 * 4; i++)
    c[i] = 0;
}

// CHECK-LABEL: words:
// CHECK-NOT: memset
// CHECK: lp @
// CHECK-NEXT: st.ab
// CHECK-NEXT: j_s [blink]
SHAPE void words(unsigned *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 0;
}

// CHECK-LABEL: constant:
// CHECK: mov_s [[N:r[0-9]+]],64
// CHECK: lp @
// CHECK-NEXT: st.ab
SHAPE void constant(unsigned *p) {
  for (size_t i = 0; i < 64; i++)
    p[i] = 0;
}

// The bytes after the whole words are fewer than a word.
// CHECK-LABEL: halves:
// CHECK: lp @
// CHECK-NEXT: st.ab
// CHECK-NOT: lp @
// CHECK: stw_s
// CHECK-LABEL: bytes:
SHAPE void halves(unsigned short *p, unsigned short v, size_t n) {
  unsigned short *c = __builtin_assume_aligned(p, 4);
  for (size_t i = 0; i < n; i++)
    c[i] = v;
}

// Three bytes at most are too few for GCC to count them in hardware.
// CHECK: lp @
// CHECK-NEXT: st.ab
// CHECK: stb
SHAPE void bytes(void *p, char v, size_t n) {
  char *c = __builtin_assume_aligned(p, 4);
  for (size_t i = 0; i < n; i++)
    c[i] = v;
}

// CHECK-LABEL: copy:
// CHECK-NOT: memcpy
// CHECK: lp @
// CHECK-COUNT-8: {{ld|ld_s}} r
// CHECK-NOT: ld
// CHECK-COUNT-8: {{st|st_s}} r
SHAPE void copy(unsigned *restrict d, const unsigned *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

// Where the words are not known to be whole, each byte before and after is another part of the value.
// CHECK-LABEL: down:
// CHECK: lp @
// CHECK: st
SHAPE void down(void *p, unsigned v, size_t n) {
  unsigned *words = (unsigned *)p;
  for (size_t i = n; i-- > 0;)
    words[i] = v;
}

// Near misses: volatile, and an address that is not known to be a word's: the loop stays beside.
// CHECK-LABEL: registers:
// CHECK-NOT: st.ab
SHAPE void registers(volatile unsigned *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    *p = 0;
}
// CHECK-LABEL: anywhere:
// CHECK: br{{lo|ls}}
// CHECK: stb
SHAPE void anywhere(char *p, char v, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}
