// own-memmove.c - helpers of the program's own memmove, memcpy and memset do not become calls of them
//
// Such a call would never return. -fno-builtin, which keeps the compiler itself from making it, is
// overruled by a runtime that is named. Helpers are called, passed as a pointer, or are the function
// itself under another name; from this file or, at a link of GCC's LTO, from another
// one (clang makes calls before it sees other files: --memlift-keep= says what they may not be).
// RUN: rm -rf %t && mkdir -p %t && cd %t && for cc in %wrappers; do \
// RUN:   for options in "-O2 -fno-builtin --memlift-runtime=libc" "-O3 -ffreestanding --memlift-runtime=libc" \
// RUN:       "-O1 -fno-builtin --memlift-runtime=libc"; do \
// RUN:     $cc $options --memlift-remarks=r.yaml %s -o run && timeout 20 ./run \
// RUN:     || { echo "failed: $cc $options"; exit 1; }; \
// RUN:     grep -c "loop kept.*MLF2004" r.yaml >count && [ $(cat count) -ge 4 ] \
// RUN:     || { echo "no reasons: $cc $options"; exit 1; }; \
// RUN:     grep -q "^Function: *'other'" r.yaml || { echo "other: $cc $options"; exit 1; }; done; \
// RUN:   case $cc in *clang*) files="--memlift-keep=bytes,spread"; link= ;; *) files=-flto; link=-flto ;; esac; \
// RUN:   flags="-O2 $files -fno-builtin --memlift-runtime=libc"; \
// RUN:   $cc $flags -DPART=1 -c %s -o helpers.o && $cc $flags -DPART=2 -c %s -o main.o && \
// RUN:   $cc -O2 $link main.o helpers.o -o run && timeout 20 ./run \
// RUN:   || { echo "failed: $cc, in two files"; exit 1; }; done
//
// Loops that memmove does not use still become calls.
// RUN: cd %t && for cc in %wrappers; do \
// RUN:   $cc -O2 -fno-builtin --memlift-runtime=libc -S %s -o out.s && \
// RUN:   awk '/^other:/ { in_it = 1 } in_it && /mem(move|cpy)/ { found = 1 } /cfi_endproc/ { in_it = 0 } \
// RUN:     END { exit !found }' out.s || { echo "not lowered: $cc"; exit 1; }; done
#include <stddef.h>

#ifndef PART
#define PART 3
#define OWN __attribute__((noinline)) static
#else
#define OWN __attribute__((noinline))
#endif

OWN void bytes(char *restrict d, const char *restrict s, size_t n);
OWN void spread(char *d, char value, size_t n);

#if PART & 1
OWN void bytes(char *restrict d, const char *restrict s, size_t n) {
  while (n--)
    *d++ = *s++;
}
OWN void spread(char *d, char value, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = value;
}
#endif

#if PART & 2
__attribute__((noinline)) static void upwards(char *d, const char *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}
typedef void way(char *, const char *, size_t);
__attribute__((noinline)) static void through(way *how, char *d, const char *s, size_t n) {
  how(d, s, n);
}

void *memmove(void *d, const void *s, size_t n) {
  if (d <= s)
    through(upwards, d, s, n);
  else
    while (n--)
      ((char *)d)[n] = ((const char *)s)[n];
  return d;
}

void *memset(void *d, int value, size_t n) {
  spread(d, (char)value, n);
  return d;
}

void *copies(void *restrict d, const void *restrict s, size_t n) {
  bytes(d, s, n);
  return d;
}
void *memcpy(void *restrict d, const void *restrict s, size_t n) __attribute__((alias("copies")));

__attribute__((noinline)) void other(char *restrict d, const char *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

int main(int argc, char **argv) {
  static char a[3000], b[3000];
  (void)argv;
  size_t n = 2990 + (size_t)argc;
  memset(a, 5, n);
  memmove(b, a, n);
  memcpy(b + 1, a, n);
  other(a, b, n);
  return !(b[2990] == 5 && b[2992] == 0 && a[100] == 5);
}
#endif
