// reread-once.c - what has been loaded before a loop is not loaded again for its guard
// RUN: %each %clang -O2 -S %s -o - | %filecheck %s %end
struct bytes {
  unsigned char *begin, *end;
};
struct counted {
  unsigned char *data;
  unsigned long length;
};

// The zero-trip test has loaded both.
// CHECK-LABEL: by_key:
// CHECK: movq (%rdi), %r
// CHECK-NEXT: 8(%rdi)
// CHECK-NOT: (%rdi)
// CHECK: cmpq $16,
// CHECK: ret
void by_key(struct bytes *v, unsigned char key) {
  for (unsigned long i = 0; i < v->end - v->begin; i++)
    v->begin[i] ^= key;
}

// Something has been stored since.
// CHECK-LABEL: stored:
// CHECK: 8(%rdi)
// CHECK: movq $1, (%rdx)
// CHECK: 8(%rdi)
// CHECK: cmpq $16,
// CHECK: ret
void stored(struct counted *v, unsigned char key, unsigned long *other) {
  unsigned long i = 0;
  if (!v->length)
    return;
  *other = 1;
  do
    v->data[i] ^= key;
  while (++i < v->length);
}
