// user-refused.c - a function with memlift("user") is covered, or an error
// RUN: for cc in %wrappers; do for case in 1 2 3 4 5 6 7 8 9 10 11 12; do \
// RUN:   not $cc -O2 -DCASE=$case -c %s -o %t.o 2>&1 | \
// RUN:     %filecheck --check-prefix=REFUSED %s || { echo "case $case of $cc"; exit 1; }; \
// RUN:   done; \
// RUN:   for option in -O0 "-O2 --memlift-off" "-O2 --memlift-keep=copy"; do \
// RUN:     not $cc $option -DCASE=0 -c %s -o %t.o 2>&1 | \
// RUN:       %filecheck --check-prefix=REFUSED %s || { echo "$option of $cc"; exit 1; }; \
// RUN:   done; \
// RUN:   rm -f %t.yaml; not $cc -O2 -DCASE=1 -c %s -o %t.o --memlift-remarks=%t.yaml 2>/dev/null; \
// RUN:   grep 'MLF3200' %t.yaml || exit 1; \
// RUN:   not $cc -O2 -DCASE=20 -c %s -o %t.o 2>&1 | %filecheck --check-prefix=RETURNS %s || exit 1; \
// RUN:   not $cc -O2 -DCASE=21 -c %s -o %t.o 2>&1 | %filecheck --check-prefix=RETURNS %s || exit 1; \
// RUN:   $cc -O2 -DCASE=0 -c %s -o %t.o || exit 1; \
// RUN:   objdump -h %t.o | grep __ex_table || exit 1; \
// RUN:   for case in 13 14; do \
// RUN:     $cc -O2 -DCASE=$case -S %s -o %t.s || exit 1; \
// RUN:     test $(grep -c "closed here" %t.s) = $((case - 12)) || exit 1; \
// RUN:     test $(grep -c "opened here" %t.s) = 1 || exit 1; \
// RUN:   done; \
// RUN: done
// REFUSED: 'copy' is memlift("user"), but an access may fault without an entry: {{.*}}[MLF0012]
// RETURNS: 'copy' is memlift("user") and has to return an integer as wide as a pointer [MLF0013]
#include <stddef.h>

#define USER __attribute__((memlift("user")))
#define LOOP(d, s)                                                                                 \
  for (size_t i = 0; i < n; i++)                                                                   \
    d[i] = s[i];

int counter;
void tell(void);

#if CASE == 0 // covered
USER size_t copy(char *restrict d, const char *restrict s, size_t n) {
  LOOP(d, s)
  return 0;
}
#elif CASE == 1 // may overlap
USER size_t copy(char *d, const char *s, size_t n) {
  LOOP(d, s)
  return 0;
}
#elif CASE == 2 // volatile
USER size_t copy(volatile char *restrict d, const char *restrict s, size_t n) {
  LOOP(d, s)
  return 0;
}
#elif CASE == 3 // wider than a byte
USER size_t copy(int *restrict d, const int *restrict s, size_t n) {
  LOOP(d, s)
  return 0;
}
#elif CASE == 4 // a side effect in the loop
USER size_t copy(char *restrict d, const char *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[i] = s[i];
    tell();
  }
  return 0;
}
#elif CASE == 5 // another access
USER size_t copy(char *restrict d, const char *restrict s, size_t n) {
  LOOP(d, s)
  counter++;
  return 0;
}
#elif CASE == 6 // neither a copy nor a fill
USER size_t copy(char *restrict d, const char *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = (char)(s[i] + 1);
  return 0;
}
#elif CASE == 7 // downwards
USER size_t copy(char *restrict d, const char *restrict s, size_t n) {
  while (n--)
    d[n] = s[n];
  return 0;
}
#elif CASE == 8 // two loops
USER size_t copy(char *restrict d, const char *restrict s, size_t n) {
  LOOP(d, s)
  for (size_t i = 0; i < n; i++)
    d[n + i] = 0;
  return 0;
}
#elif CASE == 9 // rows
USER size_t copy(char *restrict d, const char *restrict s, size_t n) {
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < 77; i++)
      d[k * 100 + i] = s[k * 99 + i];
  return 0;
}
#elif CASE == 10 // a call of memcpy
USER size_t copy(char *restrict d, const char *restrict s, size_t n) {
  __builtin_memcpy(d, s, n);
  return 0;
}
#elif CASE == 11 // an asm statement that is not always executed
USER size_t copy(char *restrict d, const char *restrict s, size_t n) {
  LOOP(d, s)
  if (n > 7)
    __asm__ volatile("# closed here" ::: "memory");
  return 0;
}
#elif CASE == 12 // an asm statement that may access memory
USER size_t copy(char *restrict d, const char *restrict s, size_t n) {
  LOOP(d, s)
  __asm__ volatile("# closed here" : : "m"(counter) : "memory");
  return 0;
}
#elif CASE == 13 || CASE == 14 // covered; what comes before the return is also done after a fault,
// which leads to the source's own return if that is of 0
USER size_t copy(char *restrict d, const char *restrict s, size_t n) {
  __asm__ volatile("# opened here" : : "r"(n) : "memory");
  LOOP(d, s)
  __asm__ volatile("# closed here" : : "i"(7) : "memory");
  return CASE - 13;
}
#elif CASE == 20
USER void copy(char *restrict d, const char *restrict s, size_t n) { LOOP(d, s) }
#elif CASE == 21
USER int copy(char *restrict d, const char *restrict s, size_t n) {
  LOOP(d, s)
  return 0;
}
#endif
