// sanitizers.c - what a tool watches stays a loop; a function that is not watched does not
// RUN: %memlift-gcc -O2 -fsanitize=address -fno-tree-loop-distribute-patterns \
// RUN:   --memlift-runtime=memlift -S %s -o - | %filecheck %s
// RUN: %memlift-gcc -O2 -fsanitize=thread -fno-tree-loop-distribute-patterns \
// RUN:   --memlift-runtime=memlift -S %s -o - | %filecheck %s
// RUN: %memlift-gcc -O2 -fsanitize=kernel-address -fno-tree-loop-distribute-patterns \
// RUN:   --memlift-runtime=memlift -S %s -o - | %filecheck %s
// Opting out of -fsanitize=address is opting out of the kernel's, too: Linux has __no_sanitize_address.
// RUN: %memlift-gcc -O2 -fsanitize=kernel-address -fno-tree-loop-distribute-patterns -DKERNEL \
// RUN:   --memlift-runtime=memlift -S %s -o - | %filecheck %s
#ifdef KERNEL
#define UNWATCHED no_sanitize_address
#else
#define UNWATCHED no_sanitize("address", "thread")
#endif

// CHECK-LABEL: watched:
// CHECK-NOT: memlift_fill
// CHECK-LABEL: unwatched:
void watched(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 3; }
// CHECK: memlift_fill32
__attribute__((UNWATCHED)) void unwatched(int *p, int n) {
  for (int i = 0; i < n; i++) p[i] = 3;
}
