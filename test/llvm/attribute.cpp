// attribute.cpp - memlift("off") in C++: functions, templates, methods, inlining; else an error
// RUN: %each %clang -O2 -c %s -o %t.o -Rpass=memlift -Rpass-missed=memlift 2>&1 | %filecheck %s \
// RUN:   %end
// RUN: %each not %clang -O2 -c %s -DBAD -o %t.o 2>&1 | %filecheck --check-prefix=BAD %s %end
// At -O0 the annotation goes away as well, and nothing else happens.
// RUN: %each %clang -O0 -S -emit-llvm %s -o - | not grep memlift.off %end
#include <cstddef>

#define LOOP(p, n, v)                                                          \
  for (size_t i = 0; i < n; i++)                                               \
    p[i] = v;

// CHECK: attribute.cpp:[[#@LINE+2]]:{{.*}} switched off
__attribute__((memlift("off"))) void cxx(int *p, size_t n, int v) {
  LOOP(p, n, v)
}
// CHECK: attribute.cpp:[[#@LINE+1]]:{{.*}} loop became a call
void on(int *p, size_t n, int v) { LOOP(p, n, v) }

struct Buffer {
  __attribute__((memlift("off"))) void clear(size_t n);
  int *p;
};
// CHECK: attribute.cpp:[[#@LINE+1]]:{{.*}} switched off
void Buffer::clear(size_t n) { LOOP(p, n, 7) }

template <class T>
__attribute__((memlift("off"), noinline)) void fill(T *p, size_t n, T v) { LOOP(p, n, v) }
// CHECK: attribute.cpp:[[#@LINE-1]]:{{.*}} switched off
template void fill<short>(short *, size_t, short);

// Inlined into a function without the attribute, the loop stays kept.
__attribute__((memlift("off"))) static inline void helper(int *p, size_t n) { LOOP(p, n, 9) }
// CHECK: attribute.cpp:[[#@LINE-1]]:{{.*}} switched off
void caller(int *p, size_t n) { helper(p, n); }

// With a size or without, and the size has to be one.
// CHECK: attribute.cpp:[[#@LINE+2]]:{{.*}} store: what there is
__attribute__((memlift("stream"))) void scale(float *__restrict d, const float *__restrict a,
                                              size_t n) { LOOP(d, n, a[i] * 3) }
// CHECK: attribute.cpp:[[#@LINE+2]]:{{.*}} store: 32768 bytes
__attribute__((memlift("stream=32K"))) void sized(float *__restrict d, const float *__restrict a,
                                                  size_t n) { LOOP(d, n, a[i] * 3) }

#ifdef BAD
// BAD: attribute.cpp:[[#@LINE+1]]:{{.*}} error: attribute memlift("stream=0") has no {{.*}}[MLF0009]
__attribute__((memlift("stream=0"))) void no_size(int *);
// BAD: attribute.cpp:[[#@LINE+1]]:{{.*}} error: attribute memlift("stream=1G") has no {{.*}}[MLF0009]
__attribute__((memlift("stream=1G"))) void bad_size(int *);
// BAD: attribute.cpp:[[#@LINE+1]]:{{.*}} error: attribute memlift("on") has no {{.*}}[MLF0009]
__attribute__((memlift("on"))) void bad_value(int *);
// BAD: attribute.cpp:[[#@LINE+1]]:{{.*}} error: attribute memlift("offload") has no meaning
__attribute__((memlift("offload"))) void not_yet(int *);
// BAD: attribute.cpp:[[#@LINE+1]]:{{.*}} error: attribute 'memlift' takes one string
__attribute__((memlift(3))) void no_string(int *);
// BAD: attribute.cpp:[[#@LINE+1]]:{{.*}} error: attribute 'memlift' belongs on a function
__attribute__((memlift("off"))) int variable;
// BAD: attribute.cpp:[[#@LINE+1]]:{{.*}} error: 'memlift' attribute takes one argument
__attribute__((memlift)) void no_value(int *);
#endif
