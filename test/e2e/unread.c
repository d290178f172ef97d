// unread.c - functions over whose loops the compiler runs no pass still get their remarks
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && for cc in %wrappers; do \
// RUN:   case $cc in *clang*) more= ;; *) more="-Og;-O2 -fno-tree-loop-optimize" ;; esac; \
// RUN:   echo "-O0;-O0 -g;$more" | tr ';' '\n' | while read -r how; do [ "$how" ] || continue; \
// RUN:     $cc $how -w --memlift-remarks=r.yaml -c %s && grep MLF2195 r.yaml >told && \
// RUN:     [ $(grep -c "String:" told) -eq 2 ] && grep -q "^Function: *'fill'" r.yaml && \
// RUN:     grep -q "^Function: *'copy'" r.yaml && ! grep -q "^Function: *'count'" r.yaml || \
// RUN:     { echo "failed: $cc $how"; exit 1; }; done || exit 1; \
// RUN:   $cc -O2 -w --memlift-remarks=r.yaml -c %s && grep -c MLF2195 r.yaml >n; \
// RUN:   case $(cat n) in 3) ;; *) echo "failed: $cc -O2"; exit 1 ;; esac; \
// RUN:   $cc -O0 -w --memlift-off --memlift-remarks=r.yaml -c %s && ! grep -q . r.yaml || \
// RUN:   { echo "failed: $cc --memlift-off"; exit 1; }; \
// RUN: done
#ifdef __clang__
#define UNOPTIMISED __attribute__((optnone, noinline))
#else
#define UNOPTIMISED __attribute__((optimize("O0")))
#endif

UNOPTIMISED void fill(char *d, long n) {
  for (long i = 0; i < n; i++)
    d[i] = 0;
}

void copy(char *d, const char *s, long n) {
  while (n--)
    *d++ = *s++;
}

// Stores to a local variable only.
int count(int n) {
  int bits = 0;
  for (; n; n &= n - 1)
    bits++;
  return bits;
}
