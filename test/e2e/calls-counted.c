// calls-counted.c - with count-calls, calls that clang makes an access of are told of, too
//
// REQUIRES: riscv64-gcc, clang-19, clang-22
// RUN: rm -f %t.* && for cc in %memlift-clang-19 %memlift-clang-22; do \
// RUN:   $cc --target=riscv64-linux-gnu -O2 -S %s -o %t.plain --memlift-runtime=none \
// RUN:     --memlift-remarks=%t.a && not grep -q "Operation:" %t.a && \
// RUN:   $cc --target=riscv64-linux-gnu -O2 -S %s -o %t.counted --memlift-runtime=none \
// RUN:     --memlift-remarks=%t.b --memlift-count-calls && %filecheck %s < %t.b && \
// RUN:   diff %t.plain %t.counted || exit 1; done
typedef __SIZE_TYPE__ size_t;
void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);

// CHECK: Function: {{ *}}'words'
// CHECK: Operation: {{ *}}'memcpy'
// CHECK-NEXT: Bytes: {{ *}}'8'
// CHECK-NEXT: DestinationAlign: {{ *}}'8'
// CHECK-NEXT: SourceAlign: {{ *}}'8'
// CHECK-NEXT: Words: {{ *}}'compiler'
void words(long *d, const long *s) { memcpy(d, s, 8); }
// CHECK: Function: {{ *}}'bytes'
// CHECK: Operation: {{ *}}'memset'
// CHECK-NEXT: Bytes: {{ *}}'4'
// CHECK-NEXT: DestinationAlign: {{ *}}'1'
void bytes(char *d) { memset(d, 0, 4); }
// Nothing is told of what may not be touched.
// CHECK-NOT: 'twelve'
__attribute__((memlift("off"))) void twelve(char *d, const char *s) { memcpy(d, s, 4); }
