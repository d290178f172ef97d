// async.c - what is begun early, on a machine of either byte order: a fill repeats its lowest byte first
// RUN: %memlift-gcc -O2 -fchecking -S %s -o - | %filecheck %s
// RUN: %if sparc64-gcc %{ %sparc64-gcc -ffreestanding -O2 -fchecking \
// RUN:   -fplugin=%build/lib/memlift_gcc12_sparc64_linux_gnu.so \
// RUN:   -fplugin-arg-memlift_gcc12_sparc64_linux_gnu-runtime=memlift -S %s -o - | \
// RUN:   %filecheck --check-prefix=BIG %s %}
typedef unsigned u32;
typedef unsigned long u64;

__attribute__((memlift("async"))) u64 words(u32 *restrict e, u64 n, const u32 *restrict a, u64 m) {
  u64 sum = 0;
  for (u64 i = 0; i < n; i++)
    e[i] = 0x01020304;
  for (u64 i = 0; i < m; i++)
    sum = sum * 31 + a[i] % 7;
  return sum + e[1];
}

__attribute__((memlift("async"))) u64 given(u32 *restrict e, u64 n, u32 v, const u32 *restrict a, u64 m) {
  u64 sum = 0;
  for (u64 i = 0; i < n; i++)
    e[i] = v;
  for (u64 i = 0; i < m; i++)
    sum = sum * 31 + a[i] % 7;
  return sum + e[1];
}

// CHECK-LABEL: words:
// CHECK: $16909060, %esi
// CHECK: call memlift_begin_fill
// CHECK-LABEL: given:
// CHECK-NOT: bswap
// CHECK: call memlift_begin_fill

// 0x04030201, in two parts.
// BIG-LABEL: words:
// BIG: %hi(67305472)
// BIG: call memlift_begin_fill
// BIG: 513
// BIG-LABEL: given:
// BIG: call __bswapsi2
// BIG: call memlift_begin_fill
