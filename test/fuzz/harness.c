// harness.c - runs each random loop as plain and as lifted, and compares memory and result
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory is two regions with pages around them that may not be touched, mapped at the same place
// for both forms. Inputs: no rounds, few, many; regions at the very end and the very beginning,
// apart, and overlapping at every small distance. An input on which the plain loop touches a guard
// page, or does not end, is none that the loop accepts: it is skipped. What a caller of the runtime
// promises is checked on the way (--wrap): the ranges of a copy do not overlap.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

typedef uint64_t loop(uint8_t *, uint8_t *, long, long, uint64_t, uint64_t);
struct info {
  loop *f;
  unsigned number;      // of the function in the whole file: its inputs hang on it
  unsigned unit, align; // bytes that one n takes, about; alignment that the loop needs
  char kind;            // D: a and b do not overlap
};
extern const struct info plain_table[], lifted_table[];

enum { Page = 4096, Size = 4 * Page, Rounds = 48 };

static uint64_t state;
static uint64_t next(void) {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static sigjmp_buf outside;
static volatile sig_atomic_t inside;
static const char *volatile broken; // promise

static void leave(int number) {
  if (!inside)
    _exit(3);
  inside = 0;
  siglongjmp(outside, number);
}

void __real_memlift_copy(void *d, const void *s, size_t n);
void __wrap_memlift_copy(void *d, const void *s, size_t n);
void __wrap_memlift_copy(void *d, const void *s, size_t n) {
  uintptr_t to = (uintptr_t)d, from = (uintptr_t)s;
  if (to != from && (to > from ? to - from : from - to) < n)
    broken = "a copy between ranges that overlap";
  __real_memlift_copy(d, s, n);
}

#ifdef FAULT // self_test.py: a routine that is wrong now and then has to be found out
#define REAL_SIZE(n) ((n) - ((n) > 40))
#else
#define REAL_SIZE(n) (n)
#endif
void __real_memlift_move(void *d, const void *s, size_t n);
void __wrap_memlift_move(void *d, const void *s, size_t n);
void __wrap_memlift_move(void *d, const void *s, size_t n) {
  __real_memlift_move(d, s, REAL_SIZE(n));
}

struct input {
  uint8_t *a, *b;
  long n, m;
  uint64_t v, w;
};

/// 0, or the signal that ended it.
static int call(loop *f, const struct input *in, uint64_t *result) {
  static const struct itimerval limit = {{0, 0}, {0, 100000}}, off;
  int number = sigsetjmp(outside, 1);
  if (number == 0) {
    inside = 1;
    setitimer(ITIMER_VIRTUAL, &limit, NULL);
    *result = f(in->a, in->b, in->n, in->m, in->v, in->w);
    inside = 0;
  }
  setitimer(ITIMER_VIRTUAL, &off, NULL);
  return number;
}

static uint8_t *region(void) {
  uint8_t *p = mmap(NULL, Size + 2 * Page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + Page, Size, PROT_READ | PROT_WRITE))
    exit(2);
  return p + Page;
}

/// Where `bytes` bytes may lie: at the end, at the beginning, anywhere.
static long place(long bytes, unsigned align) {
  long room = Size - bytes > 0 ? Size - bytes : 0;
  long at = next() % 3 == 0 ? room : next() % 4 == 0 ? 0 : (long)(next() % (uint64_t)(room + 1));
  return at / align * align;
}

static struct input choose(const struct info *f, uint8_t *one, uint8_t *two) {
  struct input in;
  long most = Size / 2 / f->unit;
  in.n = (long)(next() % 70);
  if (next() % 4 == 0)
    in.n = (long)(next() % 4);
  if (next() % 12 == 0)
    in.n = (long)(next() % (uint64_t)(most < 700 ? most : 700));
  if (next() % 16 == 0)
    in.n = -(long)(next() % 3) - 1;
  in.m = (long)(next() % 10);
  in.v = next() % 3 ? next() >> next() % 56 : 0x0101010101010101u * (next() % 256);
  in.w = next() % 4 ? next() : next() % 3;
  long bytes = in.n > 0 ? in.n * f->unit : 0, at = place(bytes, f->align);
  in.a = one + at;
  in.b = two + place(bytes, f->align);
  if (f->kind != 'D' && next() % 2) {
    long by = ((long)(next() % 65) - 32) * f->align;
    if (next() % 4 == 0)
      by = (long)(next() % 3 - 1) * bytes;
    // A loop of no rounds may have any pointers, and reads through none.
    if (bytes == 0 || (at + by >= 0 && at + by + bytes <= Size))
      in.b = in.a + by;
  }
  return in;
}

static uint8_t before[2][Size], after[2][Size];

static void load(uint8_t *one, uint8_t *two, uint8_t from[2][Size]) {
  memcpy(one, from[0], Size);
  memcpy(two, from[1], Size);
}

static const char *wrong(int number, uint64_t want, uint64_t have, const uint8_t *one,
                         const uint8_t *two) {
  if (number)
    return number == SIGVTALRM ? "does not end" : "touches what the plain loop does not";
  if (broken)
    return broken;
  if (want != have)
    return "another result";
  int same = !memcmp(one, after[0], Size) && !memcmp(two, after[1], Size);
  return same ? NULL : "other bytes in memory";
}

/// 1 if compared and alike, 0 if skipped, -1 if they differ.
static int compare(unsigned i, uint8_t *one, uint8_t *two) {
  uint64_t seed = state;
  const struct info *f = &plain_table[i];
  struct input in = choose(f, one, two);
  for (unsigned k = 0; k < Size; k += 8)
    memcpy(before[0] + k, &(uint64_t){next()}, 8), memcpy(before[1] + k, &(uint64_t){next()}, 8);
  uint64_t want = 0, have = 0;
  load(one, two, before);
  if (call(f->f, &in, &want))
    return 0;
  memcpy(after[0], one, Size);
  memcpy(after[1], two, Size);
  load(one, two, before);
  broken = NULL;
  int number = call(lifted_table[i].f, &in, &have);
  const char *why = wrong(number, want, have, one, two);
  if (!why)
    return 1;
  printf("loop %u differs: %s; n=%ld m=%ld v=%#llx w=%#llx a+%ld b+%ld b-a=%ld result %#llx, not "
         "%#llx (state %llu)\n", f->number, why, in.n, in.m, (unsigned long long)in.v,
         (unsigned long long)in.w, (long)(in.a - one), (long)(in.b - two), (long)(in.b - in.a),
         (unsigned long long)have, (unsigned long long)want, (unsigned long long)seed);
  return -1;
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
  struct sigaction action = {.sa_handler = leave, .sa_flags = SA_NODEFER};
  for (int number = 0; number < 4; number++)
    sigaction((int[]){SIGSEGV, SIGBUS, SIGILL, SIGVTALRM}[number], &action, NULL);
  uint8_t *one = region(), *two = region();
  unsigned loops = 0, idle = 0;
  int different = 0;
  long compared = 0;
  for (; plain_table[loops].f; loops++) {
    int before_ = different;
    long ran = compared;
    state = seed * 1000003 + plain_table[loops].number * 7919;
    for (int round = 0; round < Rounds && different == before_; round++) {
      int same = compare(loops, one, two);
      different += same < 0;
      compared += same > 0;
    }
    idle += compared == ran && different == before_;
  }
  printf("%u loops, %ld runs compared, %u never, %d differ\n", loops, compared, idle, different);
  return different != 0;
}
