// stream-unbound.c - without a local store a loop that might go by blocks costs one look at a variable
// That comes before all else that the blocks need, and before registers are saved: clang's blocks
// are a function of their own, so that it is so for pointers from memory, too. Where the function ends
// after them, they are reached by a jump, and not even the stack is aligned for a call.
//
// RUN: for cc in %wrappers; do for level in -O2 -O3; do $cc $level -S %s -o %t.s \
// RUN:   && %filecheck %s < %t.s || { echo "failed: $cc $level"; exit 1; }; done; done
// RUN: %build/bin/memlift-gcc -O2 -fchecking -S %s -o - | %filecheck --check-prefix=GCC %s
// RUN: for cc in %clangs; do for more in "" -g; do \
// RUN:   $cc -O2 $more -S %s -o - | %filecheck --check-prefix=CLANG %s \
// RUN:   || { echo "failed: $cc $more"; exit 1; }; done; done
#include <stddef.h>

// CHECK-LABEL: scaled:
// CHECK-NOT: {{cmp|sub[lq]?[[:space:]]+%r(d|s)i}}
// CHECK: memlift_stores_bound
// CHECK: {{test|cmp}}l
// CHECK-NEXT: {{je|jne}}
// CHECK: memlift_stream_begin

// GCC-LABEL: scaled:
// GCC-NOT: push
// GCC: memlift_stores_bound
// GCC-NOT: push
// GCC: mulss
// GCC-NOT: push
// GCC: ret
// GCC: push
// GCC: memlift_stream_begin
__attribute__((memlift("stream")))
void scaled(float *d, const float *a, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] += 1.5f * a[i];
}

struct arrays {
  float *d, *a;
  size_t n;
};

// CLANG-LABEL: scaled_members:
// CLANG-NOT: push
// CLANG: memlift_stores_bound
// CLANG-NOT: push
// CLANG: {{j[a-z]+.*}}scaled_members.stream
__attribute__((memlift("stream")))
void scaled_members(struct arrays *p) {
  float *d = p->d;
  const float *a = p->a;
  for (size_t i = 0, n = p->n; i < n; i++)
    d[i] += 1.5f * a[i];
}

// CLANG-LABEL: returned:
// CLANG-NOT: push
// CLANG: {{j[a-z]+.*}}returned.stream
__attribute__((memlift("stream")))
float returned(struct arrays *p) {
  float *d = p->d, sum = 0;
  const float *a = p->a;
  for (size_t i = 0, n = p->n; i < n; i++) {
    d[i] += 1.5f * a[i];
    sum += a[i];
  }
  return sum;
}

// CLANG-LABEL: succeeds:
// CLANG-NOT: push
// CLANG: {{j[a-z]+.*}}succeeds.stream
__attribute__((memlift("stream")))
int succeeds(struct arrays *p) {
  float *d = p->d;
  const float *a = p->a;
  size_t n = p->n;
  if (n > 100000)
    return -1;
  for (size_t i = 0; i < n; i++)
    d[i] += 1.5f * a[i];
  return 7;
}

// Not where more comes after them, or where they see what is on the stack.
// CLANG-LABEL: halved:
// CLANG: call{{.*}}halved.stream
__attribute__((memlift("stream")))
float halved(struct arrays *p) {
  float *d = p->d, sum = 0;
  const float *a = p->a;
  for (size_t i = 0, n = p->n; i < n; i++) {
    d[i] += 1.5f * a[i];
    sum += a[i];
  }
  return sum / 2;
}

void fetch(float *to, size_t n);

// CLANG-LABEL: from_stack:
// CLANG: call{{.*}}from_stack.stream
__attribute__((memlift("stream")))
int from_stack(float *d, size_t n) {
  float a[1000];
  fetch(a, n);
  for (size_t i = 0; i < n; i++)
    d[i] += 1.5f * a[i];
  return 0;
}

// CLANG-LABEL: scaled_members.stream:
// CLANG: push{{.*}}r{{bp|bx|1}}
// CLANG: memlift_stream_begin
// CLANG-LABEL: succeeds.stream:
// CLANG: movl{{.*}}$7, %eax
// CLANG: ret
