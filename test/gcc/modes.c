// modes.c - run-time modes and freestanding code: what may be called
// RUN: %memlift-gcc -O2 --memlift-runtime=libc -S %s -o - | %filecheck --check-prefixes=ALL,LIBC %s
// RUN: %memlift-gcc -O2 --memlift-runtime=none -fno-tree-loop-distribute-patterns -S %s -o - \
// RUN:   | %filecheck --check-prefixes=ALL,NONE %s
// RUN: %memlift-gcc -O2 -ffreestanding -fno-tree-loop-distribute-patterns -S %s -o - \
// RUN:   | %filecheck --check-prefixes=ALL,NONE %s
// RUN: %memlift-gcc -O2 -fno-builtin --memlift-runtime=memlift -S %s -o - \
// RUN:   | %filecheck --check-prefixes=ALL,RUNTIME %s
// RUN: %memlift-gcc -O2 --memlift-keep=words,moved -S %s -o - \
// RUN:   | %filecheck --check-prefixes=ALL,KEEP %s
// RUN: %memlift-gcc -O2 --memlift-off -S %s -o - | %filecheck --check-prefixes=OFF %s
#include <stddef.h>

// OFF-NOT: memlift_

// ALL-LABEL: words:
// LIBC-NOT: memlift_
// NONE-NOT: memlift_
// RUNTIME: memlift_fill32
// KEEP-NOT: memlift_
void words(int *p, size_t n, int v) { for (size_t i = 0; i < n; i++) p[i] = v; }
// ALL-LABEL: bytes:
// LIBC: memset
// NONE-NOT: memset
// NONE-NOT: memlift_
// RUNTIME: memlift_fill8
// KEEP: memlift_fill8
void bytes(char *p, size_t n, char v) { for (size_t i = 0; i < n; i++) p[i] = v; }
// ALL-LABEL: moved:
// LIBC: memmove
// NONE-NOT: memmove
// NONE-NOT: memlift_
// RUNTIME: memlift_copy_forward
// KEEP-NOT: memlift_
void moved(char *d, char *s, size_t n) { for (size_t i = 0; i < n; i++) d[i] = s[i]; }
// ALL-LABEL: end:
void end(void) {}
