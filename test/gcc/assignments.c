// assignments.c - a structure that is assigned as a whole is no call, and no remark calls it one
// REQUIRES: gcc-12
// RUN: rm -f %t.yaml && %memlift-gcc -O2 --memlift-remarks=%t.yaml -S %s -o %t.s && \
// RUN:   COLUMNS=200 %memlift-report --color never %t.yaml | %filecheck %s
struct page {
  char bytes[4096];
};
struct line {
  char bytes[64];
};

// CHECK: page copy lowered {{.*}}an aggregate assignment became a call of memlift_copy
void page(struct page *to, const struct page *from) { *to = *from; }

// CHECK: line copy already {{.*}}the compiler itself had made this an aggregate assignment
void line(struct line *to, const struct line *from) { *to = *from; }
