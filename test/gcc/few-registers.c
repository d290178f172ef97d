// few-registers.c - what stands side by side fits in the registers of targets that have few
//
// i386 has five for it, with -fPIC and a frame. An asm statement that wants more is an error of the
// compiler, which nobody could do anything about.
// REQUIRES: gcc-12
// RUN: for core in cva6 generic-inorder; do for more in "" "-fPIC -fno-omit-frame-pointer"; do \
// RUN:   for machine in "-m32 -mno-sse" -mgeneral-regs-only; do \
// RUN:     %memlift-gcc $machine $more -O3 -ffreestanding -w --memlift-core=$core --memlift-runtime=none \
// RUN:       --memlift-remarks=%t.yaml -S %s -o %t.s && test $(grep -c "MLF1013'" %t.yaml) -ge 3 && \
// RUN:       rm %t.yaml || { echo "failed: $core $machine $more"; exit 1; }; done; done; done
void eight(unsigned *restrict d, const unsigned *restrict s, unsigned a, long n) {
  for (long i = 0; i < n; i++)
    d[i] = a * s[i];
}

void four(unsigned *restrict d, const unsigned *restrict s, unsigned a, long n) {
  for (long i = 0; i < n; i++)
    d[i] += a * s[i];
}

void more(unsigned *restrict d, const unsigned *restrict s, unsigned a, unsigned b, unsigned c, long n) {
  for (long i = 0; i < n; i++)
    d[i] = d[i] * b + a * s[i] + c * (s[i] ^ a);
}

void wide(unsigned long long *restrict d, const unsigned *restrict s, unsigned a, long n) {
  for (long i = 0; i < n; i++)
    d[i] += (unsigned long long)a * s[i];
}
