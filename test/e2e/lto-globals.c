// lto-globals.c - a copy in one file, the arrays in another: only the link sees that they are apart
// REQUIRES: runtime
//
// By itself put() has to let its arguments overlap. In one program of LTO it is called with
// two arrays, and the routine is the one for copies.
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: for cc in %wrappers; do \
// RUN:   case $cc in *clang*) modes="-flto=full -flto=thin"; lld=-fuse-ld=lld ;; \
// RUN:     *) modes=-flto; lld= ;; esac; \
// RUN:   $cc -O2 -DLIBRARY -c %s -o alone.o && nm alone.o | grep memlift_copy_forward >nm || exit 1; \
// RUN:   for mode in $modes; do \
// RUN:     $cc -O2 $mode -DLIBRARY -c %s -o put.o && $cc -O2 $mode -c %s -o main.o && \
// RUN:     $cc -O2 $mode $lld main.o put.o -o run && ./run && \
// RUN:     objdump -d --no-show-raw-insn run | \
// RUN:       awk '/^[0-9a-f]+ <main>:/ { on = 1 } /^$/ { on = 0 } on && /call|j/' >calls && \
// RUN:     grep 'memlift_copy[>@]' calls && not grep 'memlift_move\|memlift_copy_forward\|<put>' calls && \
// RUN:     $cc -O2 $mode $lld main.o put.o -o again && cmp run again \
// RUN:       || { echo "failed: $cc $mode"; cat calls; exit 1; }; \
// RUN:   done; done
#include <stddef.h>
#include <stdint.h>

#ifdef LIBRARY
void put(uint8_t *to, const uint8_t *from, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = from[i];
}
#else
void put(uint8_t *to, const uint8_t *from, size_t count);

uint8_t ring[4096], packet[2048];

int main(int argc, char **argv) {
  (void)argv;
  for (unsigned i = 0; i < 100; i++)
    packet[i * 3] = (uint8_t)i;
  __asm__ volatile("" ::: "memory"); // what is written or read at once would stay with memcpy
  put(ring, packet, 1499 + (size_t)argc);
  __asm__ volatile("" ::: "memory");
  return !(ring[297] == 99 && ring[1499] == packet[1499] && ring[1500] == 0);
}
#endif
