// row-branch.c - a row that is looked for in one branch of an outer loop, and does not come about
//
// Blocks made for the search are given back; no loop may be left with blocks that are gone, or the
// next pass crashes on them.
// RUN: rm -rf %t && mkdir -p %t && cd %t && for cc in %wrappers; do for level in -O1 -O2 -O3 -Os; do \
// RUN:   $cc $level --memlift-verify -c %s -o this.o || { echo "failed: $cc $level"; exit 1; }; \
// RUN: done; done

struct level {
  int *from, *to;
  int left, limit;
};

/* Scatters the ranks of what lies deep enough, then clears downwards what is behind it. */
static void sift(int *rank, const int *base, int *first, int *end, int *last, int depth) {
  int *c, *d, *e;
  int s;
  for (c = first, d = end - 1; c <= d; ++c)
    if ((s = *c - depth) >= 0)
      rank[s] = (int)(d - base);
  for (e = d + 1, d = last; e < d;)
    *--d = 0;
}

int deepest(void);

void walk(int *rank, int *base, int *first, int *last) {
  struct level stack[64];
  int *a, *b;
  int limit = deepest(), top = 8;
  for (;;) {
    if (limit != -2)
      return;
    --top;
    a = stack[top].from;
    b = stack[top].to;
    if (stack[top].left == 0)
      sift(rank, base, first, a, b, (int)(b - a));
    else
      stack[top].left = -1;
    limit = stack[top].limit;
  }
}
