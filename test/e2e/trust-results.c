// trust-results.c - with types trusted, what a static function returns is what its body says
//
// As Linux finds the private part of a packet's control block: by u8 *, from a function of a header.
// REQUIRES: riscv64-gcc, clang-19, clang-22
// RUN: rm -f %t.* && for cc in %memlift-clang-19 %memlift-clang-22 \
// RUN:   %memlift-riscv64-linux-gnu-gcc; do \
// RUN:   case $cc in *gcc) target= ;; *) target=--target=riscv64-linux-gnu ;; esac; \
// RUN:   $cc $target -O2 --memlift-runtime=none --memlift-trust-types -S %s -o %t.s && \
// RUN:   grep -v "^[ 	]*[.#]" %t.s > %t.i && %filecheck %s < %t.i || exit 1; done
typedef __SIZE_TYPE__ size_t;
typedef unsigned char u8;
void *memset(void *, int, size_t);
struct control {
  unsigned length;
  unsigned short queue, class;
  u8 data[20];
};
struct packet {
  struct packet *next;
  char cb[48] __attribute__((aligned(8)));
};

static inline struct control *controlOf(const struct packet *p) { return (struct control *)p->cb; }
static inline u8 *dataOf(const struct packet *p) { return controlOf(p)->data; }
static inline u8 *oddOf(const struct packet *p) { return controlOf(p)->data + 2; }
static inline u8 *eitherOf(const struct packet *p, int odd) {
  if (odd)
    return controlOf(p)->data + 1;
  return controlOf(p)->data;
}

// CHECK-LABEL: known:
// CHECK-NOT: {{sb|sh|memset}}
// CHECK-COUNT-2: sd{{[ \t]+}}zero
void known(const struct packet *p) {
  u8 *data = dataOf(p);
  memset(data, 0, 20);
}

// Near misses: the place is odd; it is odd sometimes.
// CHECK-LABEL: odd:
// CHECK-NOT: {{sd|sw}}{{[ \t]+}}zero
// CHECK: {{sb|sh|memset}}
// CHECK: end_of_odd:
void odd(const struct packet *p) { memset(oddOf(p), 0, 16); }
void end_of_odd(void) {}

// CHECK-LABEL: either:
// CHECK-NOT: {{sd|sw|sh}}{{[ \t]+}}zero
// CHECK: {{sb|memset}}
// CHECK: end_of_either:
void either(const struct packet *p, int odd) { memset(eitherOf(p, odd), 0, 16); }
void end_of_either(void) {}
