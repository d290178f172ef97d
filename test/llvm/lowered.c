// lowered.c - spellings of fills, copies and moves that become one operation
// RUN: %each %clang -O2 -S -emit-llvm %s -o - | %filecheck %s %end
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// CHECK-LABEL: @word_fill(
// CHECK: icmp u
// CHECK: call void @memlift_fill32(
// CHECK: store i32 305419896
void word_fill(uint32_t *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 0x12345678;
}

// CHECK-LABEL: @pointer_walk(
// CHECK: call void @memlift_fill16(
uint16_t *pointer_walk(uint16_t *p, uint16_t *end, uint16_t v) {
  while (p != end)
    *p++ = v;
  return p;
}

struct point { int x, y, z; };
// CHECK-LABEL: @all_fields(
// CHECK: call void @memlift_fill8({{.*}}, i8 {{.*}}-1,
void all_fields(struct point *p, int n) {
  for (int i = 0; i < n; i++) {
    p[i].z = -1;
    p[i].x = -1;
    p[i].y = -1;
  }
}

// CHECK-LABEL: @triples(
// CHECK: call void @memlift_fill_pattern({{.*}}, i64 197121, i64 3,
void triples(uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    p[3 * i] = 1;
    p[3 * i + 1] = 2;
    p[3 * i + 2] = 3;
  }
}

// Sixteen bytes go in two registers.
struct wide { uint64_t a, b; };
// CHECK-LABEL: @wides(
// CHECK: call void @memlift_fill_pattern16(ptr {{.*}}, i64 {{.*}}, i64 7, i64 16, i64
void wides(struct wide *p, size_t n, uint64_t a) {
  for (size_t i = 0; i < n; i++)
    p[i] = (struct wide){a, 7};
}

// A constant that is copied into each element is a fill.
struct twelve { int x, y, z; };
// CHECK-LABEL: @constants(
// CHECK: call void @memlift_fill_pattern16(ptr {{.*}}, i64 8589934593, i64 3, i64 12, i64
void constants(struct twelve *p, size_t n) {
  static const struct twelve one = {1, 2, 3};
  for (size_t i = 0; i < n; i++)
    p[i] = one;
}

// Rows that are parts of longer lines.
// CHECK-LABEL: @window(
// CHECK: call void @memlift_fill_2d(ptr {{.*}}, i64 %{{.*}}, i64 {{.*}}, i64 1, i64 %{{.*}}, i64 %
void window(char *p, size_t pitch, size_t w, size_t h, char v) {
  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < w; x++)
      p[y * pitch + x] = v;
}

// ... by memcpy, and by an inner loop that clang has made one of.
// CHECK-LABEL: @lines(
// CHECK: call void @memlift_move_2d(ptr {{.*}}, i64 %{{.*}}, ptr {{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 %
void lines(char *d, size_t dp, const char *s, size_t sp, size_t w, size_t h) {
  for (size_t y = 0; y < h; y++)
    memcpy(d + y * dp, s + y * sp, w);
}
// CHECK-LABEL: @apart(
// CHECK: call void @memlift_copy_2d(ptr noalias {{.*}}, i64 %{{.*}}, ptr noalias {{.*}}, i64
void apart(char *restrict d, size_t dp, const char *restrict s, size_t sp, size_t w, size_t h) {
  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < w; x++)
      d[y * dp + x] = s[y * sp + x];
}

// Bytes of a word in network order, stored one by one.
// CHECK-LABEL: @encode(
// CHECK: call void @memlift_copy_swap32(ptr {{.*}}, ptr {{.*}}, i64
void encode(uint8_t *restrict d, const uint32_t *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[4 * i] = (uint8_t)(s[i] >> 24);
    d[4 * i + 1] = (uint8_t)(s[i] >> 16);
    d[4 * i + 2] = (uint8_t)(s[i] >> 8);
    d[4 * i + 3] = (uint8_t)s[i];
  }
}

// CHECK-LABEL: @rows(
// CHECK: call void @memlift_fill16(
// CHECK-NOT: memlift_fill16
// CHECK: ret void
void rows(short *p, int w, int h, short v) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      p[y * w + x] = v;
}

// CHECK-LABEL: @doubles(
// CHECK: bitcast double %{{.*}} to i64
// CHECK: call void @memlift_fill64(
void doubles(double *p, size_t n, double v) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}

// CHECK-LABEL: @records(
// CHECK: call void @memlift_copy(
// CHECK-NOT: br i1
// CHECK: ret void
struct record { uint16_t kind, size; uint32_t sum; };
void records(struct record *restrict d, const struct record *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[i].kind = s[i].kind;
    d[i].size = s[i].size;
    d[i].sum = s[i].sum;
  }
}

// Downwards with dst above src is what memmove does.
// CHECK-LABEL: @shift_up(
// CHECK: call void @memlift_move(
void shift_up(int *d, int n) {
  for (int i = n - 1; i > 0; i--)
    d[i] = d[i - 1];
}

// May overlap: a routine that goes upwards in words, as the loop does.
// CHECK-LABEL: @maybe(
// CHECK: call void @memlift_copy_forward(ptr {{.*}}writeonly{{.*}}, ptr {{.*}}readonly{{.*}}, i64 {{.*}}4, i64
void maybe(uint32_t *d, const uint32_t *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

// There is none that goes downwards: the original loop is on the other branch.
// CHECK-LABEL: @maybe_down(
// CHECK: icmp u
// CHECK: br i1
// CHECK: call void @memlift_move(
// CHECK: store {{.*}}i32
void maybe_down(uint32_t *d, const uint32_t *s, size_t n) {
  while (n--)
    d[n] = s[n];
}

// CHECK-LABEL: @calls(
// CHECK: call void @memlift_fill8(ptr {{.*}}, i8 {{.*}}, i64
// CHECK: call void @memlift_copy(ptr {{.*}}, ptr {{.*}}, i64
// CHECK: call void @memlift_move(ptr {{.*}}, ptr {{.*}}, i64
// CHECK-NOT: @mem
void calls(char *a, char *b, char *c, size_t n, int v) {
  memset(a, v, n);
  memcpy(b, c, n);
  memmove(a, c, n);
}

// A small one stays with the compiler, which expands it in place.
// CHECK-LABEL: @small(
// CHECK-NOT: memlift
// CHECK: ret void
void small(char *a) { memset(a, 0, 16); }
