// unrolled-many.c - a loop of more than 1,024 iterations that a pragma unrolls gets its remark
// RUN: %each %clang -O2 -c -o /dev/null %s -Rpass=memlift -Rpass-missed=memlift 2>&1 \
// RUN:   | %filecheck %s %end
// CHECK: unrolled-many.c:[[#@LINE+3]]:{{.*}} [MLF
void clear(unsigned char *p, unsigned char v) {
#pragma clang loop unroll(full)
  for (int i = 0; i < 1500; i++)
    p[3 * i] = v;
}
