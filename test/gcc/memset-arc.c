// memset-arc.c - a macro that proves alignment puts memset in line as a loop that ARC counts
//
// ARC's Linux port asked __builtin_arc_aligned in such a macro. A call took three instructions; so
// did the loop: the count, the loop, the store. GCC 12 needs two more here, as it moves the count
// and the zero to registers first.
//
// REQUIRES: arc-gcc
// RUN: for level in -O2 -O3; do %arc-gcc $level -ffreestanding -fchecking -mcpu=arc700 \
// RUN:   -I%source/intrinsics/include -fplugin=%build/lib/memlift_gcc12_arc_linux_gnu.so \
// RUN:   -fplugin-arg-memlift_gcc12_arc_linux_gnu-trust-types \
// RUN:   -fplugin-arg-memlift_gcc12_arc_linux_gnu-verify -S %s -o %t.s && \
// RUN:   grep -v '^[[:space:]]*[.;]' %t.s | sed 's/[[:space:]]*;.*//' | %filecheck %s \
// RUN:     || { echo "failed: $level"; exit 1; }; done
// Without memlift, all but the one with a test are calls: nothing is known of the addresses.
// RUN: %arc-gcc -O2 -ffreestanding -mcpu=arc700 -I%source/intrinsics/include -w -S %s -o - | \
// RUN:   grep -c 'call_memset' | grep -x 4
#include <memlift/intrinsics.h>

typedef __SIZE_TYPE__ size_t;
#define SHAPE __attribute__((memlift("shape")))

void *call_memset(void *, int, size_t);

static inline __attribute__((always_inline)) void memzero_words(void *p, size_t words) {
  unsigned *w = p;
  for (size_t i = 0; i < words; i++)
    w[i] = 0;
}

#define memzero(p, n)                                                                              \
  (__builtin_constant_p(n) && (n) % 4 == 0 && memlift_aligned(p, 4) ? memzero_words(p, (n) / 4)    \
                                                                    : (void)call_memset(p, 0, n))

struct page {
  unsigned words[1024];
};
struct packed {
  char tag;
  char text[64];
} __attribute__((packed));

// CHECK-LABEL: clear_page:
// CHECK-NEXT: mov [[N:r[0-9]+]],1024
// CHECK-NEXT: mov_s [[ZERO:r[0-9]+]],0
// CHECK-NEXT: mov lp_count,[[N]]
// CHECK-NEXT: lp @
// CHECK-NEXT: st.ab [[ZERO]],[r0,4]
// CHECK-NEXT: j_s [blink]
SHAPE void clear_page(struct page *p) { memzero(p, sizeof *p); }

// A test on the way is a proof, too.
// CHECK-LABEL: clear_tested:
// CHECK: lp @
// CHECK-NEXT: st.ab
// CHECK-LABEL: clear_text:
SHAPE void clear_tested(char *p) {
  if ((size_t)p % 4 == 0)
    memzero(p, 256);
}

// Near misses: one byte behind a word, and sizes that are no constant or no words.
// CHECK-NOT: lp @
// CHECK: call_memset
SHAPE void clear_text(struct packed *p) { memzero(p->text, 64); }

// CHECK-LABEL: clear_some:
// CHECK-NOT: lp @
// CHECK: call_memset
SHAPE void clear_some(struct page *p, size_t n) { memzero(p, n); }

// CHECK-LABEL: clear_odd:
// CHECK-NOT: lp @
// CHECK: call_memset
SHAPE void clear_odd(struct page *p) { memzero(p, 1022); }
