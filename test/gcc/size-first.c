// size-first.c - whether there are enough bytes is asked in front of whether there are any
//
// REQUIRES: riscv64-gcc
// RUN: %build/bin/memlift-riscv64-linux-gnu-gcc -march=rv64imac -mabi=lp64 -O2 -fchecking -ffreestanding -w \
// RUN:   --memlift-core=cva6 --memlift-runtime=none --memlift-verify -S %s -o - | %filecheck %s
typedef __SIZE_TYPE__ size_t;
typedef unsigned char byte;

// The first branch is the guard's. What does not begin with a word, and what is too short, which asks
// then, lie behind all else.
// CHECK-LABEL: fill:
// CHECK-NOT: beq
// CHECK: bleu a2,{{a[0-9]}},.L[[SHORT:[A-Za-z0-9_]+]]
// CHECK-NOT: sb
// CHECK: sd
// CHECK-NOT: sb
// CHECK: ret
// CHECK: .L[[SHORT]]:
// CHECK-NEXT: beq a2,zero
void fill(byte *d, int value, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = value;
}

// CHECK-LABEL: copy:
// CHECK-NOT: beq
// CHECK: bleu a2,{{a[0-9]}},.L
void copy(byte *d, const byte *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

// The value behind the loop is one where there was something, and another where there was not.
// CHECK-LABEL: behind:
// CHECK-NOT: beq
// CHECK: bleu a2,{{a[0-9]}},.L
byte *behind(byte *d, int value, size_t n, byte *none) {
  if (!n)
    return none;
  size_t i = 0;
  do
    d[i] = value;
  while (++i < n);
  return d + n;
}

// n below 0 is nothing to do, and a size that is large enough.
// CHECK-LABEL: below:
// CHECK: ble a2,zero
// CHECK: bleu
void below(byte *d, int value, int n) {
  for (int i = 0; i < n; i++)
    d[i] = value;
}

// Another number says that there is nothing to do.
// CHECK-LABEL: other:
// CHECK: beq a3,zero
// CHECK: bleu
void other(byte *d, int value, size_t n, size_t m) {
  if (m)
    for (size_t i = 0; i < n; i++)
      d[i] = value;
}

// Something else is done where there is something.
// CHECK-LABEL: more:
// CHECK: beq a2,zero
// CHECK: sw
// CHECK: bleu
void more(byte *d, int value, size_t n, volatile int *seen) {
  if (!n)
    return;
  *seen = 1;
  for (size_t i = 0; i < n; i++)
    d[i] = value;
}

// 31 bytes more than n are enough where n is 0, too.
// CHECK-LABEL: longer:
// CHECK: beq a2,zero
void longer(byte *d, int value, size_t n) {
  if (n)
    for (size_t i = 0; i < n + 31; i++)
      d[i] = value;
}
