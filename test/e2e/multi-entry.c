// multi-entry.c - a loop that is entered in several places has its remark, with its line.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && for cc in %wrappers; do \
// RUN:   $cc -O2 -c %s -o one.o --memlift-remarks=r.yaml && \
// RUN:   grep -A1 'MLF2017\|NotInnermostForm' r.yaml >found && \
// RUN:   grep -c '^DebugLoc:.*Line: 1[5-9]' found | grep -x 1 && \
// RUN:   $cc -O2 -S %s -o silent.s && $cc -O2 -S %s -o told.s --memlift-remarks=r.yaml && \
// RUN:   cmp silent.s told.s || { echo "failed: $cc"; exit 1; }; \
// RUN: done

void duff(char *to, const char *from, int count) {
  int n = (count + 3) / 4;

  switch (count % 4) {
  case 0: do { *to++ = *from++;
  case 3:      *to++ = *from++;
  case 2:      *to++ = *from++;
  case 1:      *to++ = *from++;
          } while (--n > 0);
  }
}
