// lowered.c - the loops that have to be found, and the routine that each becomes
// RUN: %memlift-gcc -O2 -fopt-info-optimized-optall -fchecking -S %s -o %t.s 2>&1 | %filecheck %s
// RUN: %filecheck --check-prefix=ASM %s < %t.s
#include <stddef.h>
#include <stdint.h>

// CHECK-DAG: [[#@LINE+1]]:{{.*}}memlift: {{.*}}memlift_fill8{{.*}} [MLF1005]
void bytes(char *p, size_t n) { for (size_t i = 0; i < n; i++) p[i] = 7; }
// CHECK-DAG: [[#@LINE+1]]:{{.*}}memlift: {{.*}}memlift_fill16{{.*}} [MLF1001]
void halves(uint16_t *p, int n, uint16_t v) { for (int i = 0; i < n; i++) p[i] = v; }
// CHECK-DAG: [[#@LINE+1]]:{{.*}}memlift: {{.*}}memlift_fill32{{.*}} [MLF1001]
void floats(float *p, unsigned n, float v) { for (unsigned i = 0; i < n; i++) p[i] = v; }
// CHECK-DAG: [[#@LINE+1]]:{{.*}}memlift: {{.*}}memlift_fill64{{.*}} [MLF1001]
void pointers(void **p, size_t n, void *v) { for (size_t i = n; i-- > 0;) p[i] = v; }
// CHECK-DAG: [[#@LINE+2]]:{{.*}}memlift: {{.*}}memlift_fill_pattern{{.*}} [MLF1001]
void pixels(uint8_t *p, size_t n, uint8_t r, uint8_t g, uint8_t b) {
  for (size_t i = 0; i < n; i++) { p[3 * i] = r; p[3 * i + 1] = g; p[3 * i + 2] = b; }
}
struct wide { uint64_t a, b; };
// CHECK-DAG: [[#@LINE+2]]:{{.*}}memlift: {{.*}}memlift_fill_pattern16{{.*}} [MLF1001]
void wides(struct wide *p, size_t n, struct wide v) {
  for (size_t i = 0; i < n; i++) p[i] = v;
}
// CHECK-DAG: [[#@LINE+2]]:{{.*}}memlift: {{.*}}memlift_fill_2d{{.*}} [MLF1001]
void window(int *p, size_t pitch, size_t w, size_t h, int v) {
  for (size_t y = 0; y < h; y++) for (size_t x = 0; x < w; x++) p[y * pitch + x] = v;
}
// CHECK-DAG: [[#@LINE+2]]:{{.*}}memlift: {{.*}}memlift_move_2d{{.*}} [MLF1001]
void lines(char *d, size_t dp, const char *s, size_t sp, size_t w, size_t h) {
  for (size_t y = 0; y < h; y++) __builtin_memmove(d + y * dp, s + y * sp, w);
}
// CHECK-DAG: [[#@LINE+2]]:{{.*}}memlift: {{.*}}memlift_copy_swap16{{.*}} [MLF1001]
void swapped(uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++, p += 2) { uint8_t t = p[0]; p[0] = p[1]; p[1] = t; }
}
struct record { uint32_t a; uint16_t b, c; };
// CHECK-DAG: [[#@LINE+2]]:{{.*}}memlift: {{.*}}memlift_fill64{{.*}} [MLF1001]
void records(struct record *p, size_t n) {
  for (size_t i = 0; i < n; i++) { p[i].a = 1; p[i].b = 2; p[i].c = 3; }
}
// CHECK-DAG: [[#@LINE+2]]:{{.*}}memlift: {{.*}}memlift_fill32{{.*}} [MLF1001]
void rows(int *p, size_t h, size_t w, int v) {
  for (size_t y = 0; y < h; y++) for (size_t x = 0; x < w; x++) p[y * w + x] = v;
}
// CHECK-DAG: [[#@LINE+2]]:{{.*}}memlift: {{.*}}memlift_copy{{.*}} [MLF1005]
void apart(int *restrict d, const int *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) d[i] = s[i];
}
// CHECK-DAG: [[#@LINE+1]]:{{.*}}memlift: {{.*}}memlift_copy_forward [MLF1001]
void unknown(int *d, const int *s, size_t n) { for (size_t i = 0; i < n; i++) d[i] = s[i]; }
// CHECK-DAG: [[#@LINE+1]]:{{.*}}memlift: {{.*}}memlift_move{{.*}}run-time check{{.*}} [MLF1003]
void down(int *d, const int *s, size_t n) { while (n-- > 0) d[n] = s[n]; }
struct page { char bytes[4096]; };
// CHECK-DAG: [[#@LINE+1]]:{{.*}}memlift: {{.*}}memlift_copy{{.*}} [MLF1005]
void pages(struct page *d, const struct page *s) { *d = *s; }
// CHECK-DAG: [[#@LINE+1]]:{{.*}}memlift: {{.*}}memlift_fill8{{.*}} [MLF1005]
void clear(struct page *d) { *d = (struct page){{0}}; }

// ASM-LABEL: unknown:
// ASM: memlift_copy_forward
// ASM-LABEL: down:
