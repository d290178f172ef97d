// shape-attribute.cpp - memlift("shape") in C++: what it holds for, what wins over it, and errors
//
// RUN: for cc in %wrappersxx; do \
// RUN:   $cc -std=c++17 -O2 --memlift-core=cva6 --memlift-keep=kept --memlift-shape=listed,kept \
// RUN:     --memlift-remarks=%t.yaml -c %s -o %t.o && \
// RUN:   awk -F"'" '/^Function:/ { f = $2 } /- Code:/ && !seen[f]++ { print "function", f, $2 }' \
// RUN:     %t.yaml | LC_ALL=C sort | %filecheck %s || exit 1; \
// RUN:   not $cc -std=c++17 -O2 -DINLINED -c %s -o %t.o 2>&1 | %filecheck --check-prefix=INLINED %s \
// RUN:     || exit 1; \
// RUN:   not $cc -std=c++17 -O2 --memlift-shape=always -c %s -o %t.o 2>&1 \
// RUN:     | %filecheck --check-prefix=LISTED %s || exit 1; \
// RUN:   not $cc -std=c++17 -O2 -DBAD -c %s -o %t.o 2>&1 | %filecheck --check-prefix=BAD %s || exit 1; \
// RUN:   not $cc --memlift-shape= -c %s -o %t.o 2>&1 | %filecheck --check-prefix=EMPTY %s || exit 1; \
// RUN: done
// First reason or decision of each function:
// CHECK: function _ZL6helper{{.*}} MLF101{{[01]}}
// CHECK: function _ZN6Buffer5clear{{.*}} MLF101{{[01]}}
// CHECK: function calls MLF1004
// CHECK: function kept MLF2004
// CHECK: function listed MLF101{{[01]}}
// CHECK: function may_call MLF100{{[15]}}
// CHECK: function memset_io MLF2001
// CHECK: function off MLF2008
// CHECK: function off_first MLF2008
// CHECK: function unlisted MLF100{{[15]}}
#include <cstddef>
#include <cstring>

#define LOOP(p, n, v)                                                                              \
  for (std::size_t i = 0; i < n; i++)                                                              \
    p[i] = v;

struct Buffer {
  __attribute__((memlift("shape"))) void clear(std::size_t n);
  char *p;
};
void Buffer::clear(std::size_t n) { LOOP(p, n, 7) }

// A static function with one caller stays a function, so that the caller's loops may call.
__attribute__((memlift("shape"))) static void helper(char *p, std::size_t n) { LOOP(p, n, 9) }
extern "C" void may_call(char *p, std::size_t n) {
  helper(p, n);
  LOOP(p, n, 3)
}

extern "C" {
void listed(char *p, std::size_t n) { LOOP(p, n, 11) }
void unlisted(char *p, std::size_t n) { LOOP(p, n, 12) }

// The attribute that keeps loops wins.
__attribute__((memlift("shape"))) void kept(char *p, std::size_t n) { LOOP(p, n, 13) }
__attribute__((memlift("shape"), memlift("off"))) void off(char *p, std::size_t n) { LOOP(p, n, 14) }
__attribute__((memlift("off"), memlift("shape"))) void off_first(char *p, std::size_t n) {
  LOOP(p, n, 15)
}

// Near misses: volatile stays as it is, a call that is written stays a call.
__attribute__((memlift("shape"))) void memset_io(volatile char *p, int v, std::size_t n) {
  LOOP(p, n, (char)v)
}
__attribute__((memlift("shape"))) void calls(char *p, std::size_t n) { memset(p, 1, n); }

// INLINED: 'inlined' is always_inline: its loops are its callers', and cannot be shaped [MLF0011]
// INLINED: note: remove always_inline
// LISTED: 'always' is always_inline{{.*}}[MLF0011]
#ifdef INLINED
__attribute__((memlift("shape"), always_inline)) inline void inlined(char *p, std::size_t n) {
  LOOP(p, n, 16)
}
void inlines(char *p, std::size_t n) { inlined(p, n); }
#endif
__attribute__((always_inline)) inline void always(char *p, std::size_t n) { LOOP(p, n, 17) }
void inlines_always(char *p, std::size_t n) { always(p, n); }

// BAD: memlift("shaped") has no meaning
// EMPTY: [MLF0002]
#ifdef BAD
__attribute__((memlift("shaped"))) void bad(char *p);
#endif
}
