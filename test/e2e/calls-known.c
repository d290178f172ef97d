// calls-known.c - what all callers pass, functions return and variables hold makes words of calls
//
// Two stores of zero where 8-byte alignment is proved, none where somebody is at fault.
// REQUIRES: riscv64-gcc, clang-19, clang-22
// RUN: rm -f %t.* && for cc in %memlift-clang-19 %memlift-clang-22 %memlift-riscv64-linux-gnu-gcc; do \
// RUN:   case $cc in *gcc) target= ;; *) target=--target=riscv64-linux-gnu ;; esac; \
// RUN:   $cc $target -O2 --memlift-runtime=none -S %s -o %t.s || exit 1; \
// RUN:   for f in all:2 returned:2 stored:2 most:0 stored_odd:0; do \
// RUN:     awk -v name="${f%:*}" '/^[a-z_]+[.a-z0-9]*:/ { split($1, part, /[.:]/); on = part[1] == name } \
// RUN:       on && /sd[ \t]+zero/ { n++ } END { exit n != '${f#*:}' }' %t.s \
// RUN:       || { echo "failed: $cc $f"; cat %t.s; exit 1; }; done; done
typedef __SIZE_TYPE__ size_t;
void *memset(void *, int, size_t);
void use(void *);
void *aligned_alloc(size_t, size_t) __attribute__((alloc_align(1)));
#define APART static __attribute__((noinline))

static _Alignas(64) char first[256], second[128];
static char *buffer, *odd;

APART void all(char *p) {
  memset(p, 0, 16);
  use(p);
}
APART void most(char *p) {
  memset(p, 0, 24);
  use(p);
}
APART char *made(char *p) {
  use(p);
  return first + 64;
}
void returned(char *p) { memset(made(p), 0, 16); }
void stored(void) { memset(buffer, 0, 16); }
void stored_odd(void) { memset(odd, 0, 16); }
void set(void) {
  buffer = aligned_alloc(64, 4096);
  odd = (char *)aligned_alloc(64, 4096) + 2;
}
void callers(void) {
  all(first);
  all(second + 64);
  most(first);
  most(second + 2);
}
