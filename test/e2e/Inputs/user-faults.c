/* user-faults.c - copies and fills whose accesses fault, compared with a loop over bytes.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Three pages for each side: the middle one is missing or may not be written, or all are there. A
 * handler of SIGSEGV searches __ex_table as the kernel does. user-routines.c must not know of
 * callers, so it is a file of its own.
 *
 * Arguments: nothing for lengths of 0 to 300 with the fault at each byte of the shorter ones and
 * some bytes of the longer ones; "all" for each byte of all; a count and a seed for so many random
 * operations.
 */
#define _GNU_SOURCE
#include "user.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { PAGE = 4096, PAGES = 3, LONGEST = 300, GUARD = 64 };

struct entry {
  int32_t insn, fixup; /* from the address of each field */
#ifdef __x86_64__
  int32_t type;
#else
  int16_t type, data;
#endif
};
extern const struct entry __start_table[] __asm__("__start___ex_table");
extern const struct entry __stop_table[] __asm__("__stop___ex_table");

static unsigned long faults;

static uintptr_t *pcOf(void *context) {
  ucontext_t *u = context;
#if defined(__x86_64__)
  return (uintptr_t *)&u->uc_mcontext.gregs[REG_RIP];
#elif defined(__riscv)
  return (uintptr_t *)&u->uc_mcontext.__gregs[0];
#else
  return (uintptr_t *)&u->uc_mcontext.pc;
#endif
}

static void onFault(int signal, siginfo_t *info, void *context) {
  (void)info;
  uintptr_t *pc = pcOf(context);
  for (const struct entry *e = __start_table; e != __stop_table; e++)
    if ((uintptr_t)&e->insn + (uintptr_t)(intptr_t)e->insn == *pc) {
      *pc = (uintptr_t)&e->fixup + (uintptr_t)(intptr_t)e->fixup;
      faults++;
      return;
    }
  static const char text[] = "a fault at an instruction without an entry\n";
  (void)!fwrite(text, 1, sizeof text - 1, stderr);
  _Exit(signal == SIGBUS ? 4 : 3);
}

/* What of the middle page of a side is there. */
enum kind { WHOLE, ABSENT, READ_ONLY, KINDS };

static unsigned char *sides[2][KINDS]; /* source and destination */
static unsigned char before[PAGES * PAGE];

static void setUp(void) {
  static const int protection[KINDS] = {PROT_READ | PROT_WRITE, PROT_NONE, PROT_READ};
  for (int side = 0; side < 2; side++)
    for (int kind = 0; kind < KINDS; kind++) {
      unsigned char *p =
          mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (p == MAP_FAILED || mprotect(p + PAGE, PAGE, protection[kind]))
        exit(2);
      sides[side][kind] = p;
    }
  struct sigaction action = {.sa_sigaction = onFault, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGBUS, &action, NULL);
}

/* Bytes from `at` on, up to `n`, before the first that cannot be accessed. */
static size_t reachable(enum kind kind, int writes, size_t at, size_t n) {
  int bad = kind == ABSENT || (kind == READ_ONLY && writes);
  if (!bad || at + n <= PAGE || at >= 2 * PAGE)
    return n;
  return at < PAGE ? PAGE - at : 0;
}

static int isPage(size_t at, enum kind kind) {
  return kind != WHOLE && at >= PAGE && at < 2 * PAGE;
}

enum routine { COPY, OPENED, ALIGNED, FIXED_COPY, SOME, MOSTLY, CLEAR, CLEAR_BY, FILL, ROUTINES };

static size_t run(enum routine r, void *to, const void *from, int value, size_t n) {
  switch (r) {
  case COPY: return copy_user(to, from, n);
  case OPENED: return copy_open(to, from, n);
  case ALIGNED: return copy_aligned(to, from, n);
  case FIXED_COPY: return copy_fixed(to, from);
  case SOME: return copy_some(to, from, n);
  case MOSTLY: return copy_most(to, from, n);
  case CLEAR: return clear_user(to, n);
  case CLEAR_BY: return clear_by(to, n);
  default: return fill_user(to, value, n);
  }
}

#if defined(__x86_64__) || defined(__riscv)
static const int opens = 1;
#else
static const int opens = 0;
#endif

/* Whether what copy_open() switches on is still on; switches it off. */
static int isOpen(void) {
#if defined(__x86_64__)
  uint32_t environment[7];
  __asm__ volatile("fnstenv %0\n\tfldenv %0" : "=m"(environment) : : "memory");
  int open = (environment[2] & 0xffff) != 0xffff; /* a register of the x87 is in use */
  if (open)
    __asm__ volatile("fstp %st(0)");
  return open;
#elif defined(__riscv)
  long flags;
  __asm__ volatile("csrrc %0, fflags, %1" : "=r"(flags) : "r"(1L));
  return (int)flags & 1;
#else
  return 0;
#endif
}

static void fail(const char *what, enum routine r, enum kind from, enum kind to, size_t src,
                 size_t dst, size_t n, size_t have, size_t want) {
  printf(
      "%s: routine %d, kinds %d %d, source at %zu, destination at %zu, %zu bytes: %zu, not %zu\n",
      what, r, from, to, src, dst, n, have, want);
  exit(1);
}

/* Runs one operation, and compares the result and all bytes near the destination. */
static void check(enum routine r, enum kind fromKind, enum kind toKind, size_t src, size_t dst,
                  size_t n) {
  static unsigned char salt;
  unsigned char *from = sides[0][fromKind], *to = sides[1][toKind];
  size_t low = dst - GUARD, high = dst + n + GUARD;
  salt = (unsigned char)(salt * 5 + 113);
  for (size_t i = low; i < high; i++)
    if (!isPage(i, toKind))
      to[i] = before[i] = (unsigned char)(i ^ salt ^ 0x80);
  for (size_t i = src; i < src + n; i++)
    if (!isPage(i, fromKind))
      from[i] = (unsigned char)(i * 7 + salt);
  int copies = r < CLEAR, isClear = r == CLEAR || r == CLEAR_BY;
  size_t good = reachable(toKind, 1, dst, n);
  if (copies && reachable(fromKind, 0, src, n) < good)
    good = reachable(fromKind, 0, src, n);
  size_t left = run(r, to + dst, from + src, salt | 0x500, n);
  int open = isOpen(), stays = opens && r == SOME && n;
  if (open != stays)
    fail("open", r, fromKind, toKind, src, dst, n, (size_t)open, (size_t)stays);
  if (left != n - good)
    fail("result", r, fromKind, toKind, src, dst, n, left, n - good);
  for (size_t i = low; i < high; i++) {
    if (isPage(i, toKind) && toKind == ABSENT)
      continue;
    int inside = i >= dst && i < dst + good;
    unsigned char want = isPage(i, toKind) ? 0 /* never written */
                         : !inside         ? before[i]
                         : isClear         ? 0
                         : r == FILL       ? salt
                                           : from[src + (i - dst)];
    if (to[i] != want)
      fail("byte", r, fromKind, toKind, src, dst, n, to[i], want);
  }
}

static uint64_t state;
static uint32_t next(uint32_t below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((state >> 33) % below);
}

/* A place of a region of n bytes with the page's begin `ahead` bytes after it, or its end. */
static size_t place(int atEnd, size_t ahead) { return (atEnd ? 2 * PAGE : PAGE) - ahead; }

static void everyFault(enum routine r, size_t step) {
  for (size_t n = 0; n <= LONGEST; n += n < 80 ? 1 : step) {
    size_t bytes = r == FIXED_COPY ? FIXED : n;
    for (size_t ahead = 0; ahead <= bytes;
         ahead += n < 80 || step == 1 ? 1 : 1 + next((uint32_t)(2 * step)))
      for (int which = 0; which < 4; which++) { /* the side that faults, and how it does */
        size_t shift = r == ALIGNED ? 0 : next(16);
        size_t here = place(0, ahead), there = PAGE / 2 + shift;
        if (r == ALIGNED)
          here &= ~(size_t)15;
        check(r, which == 0 ? ABSENT : WHOLE,
              which == 1   ? ABSENT
              : which == 2 ? READ_ONLY
                           : WHOLE,
              which == 0 ? here : there, which == 0 ? there : here, bytes);
      }
    if (r == FIXED_COPY && n > 3)
      break;
  }
}

/* Regions without faults, at each pair of alignments. */
static void everyAlignment(enum routine r, size_t step) {
  for (size_t n = 0; n <= LONGEST; n += step)
    for (size_t src = 0; src < 8; src++)
      for (size_t dst = 0; dst < 8; dst++)
        check(r, WHOLE, WHOLE, r == ALIGNED ? 256 : 256 + src, r == ALIGNED ? 512 : 512 + dst,
              r == FIXED_COPY ? FIXED : n);
}

static void randomly(unsigned long count) {
  for (unsigned long i = 0; i < count; i++) {
    enum routine r = (enum routine)next(ROUTINES);
    size_t n = next(8) ? next(LONGEST + 1) : next(PAGE - 2 * GUARD);
    if (r == FIXED_COPY)
      n = FIXED;
    size_t src = place((int)next(8) == 0, next((uint32_t)n + 17));
    size_t dst = place((int)next(8) == 0, next((uint32_t)n + 17));
    if (r == ALIGNED)
      src &= ~(size_t)15, dst &= ~(size_t)15;
    check(r, (enum kind)next(KINDS), (enum kind)next(KINDS), src, dst, n);
  }
}

int main(int argc, char **argv) {
  setUp();
  state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
  int all = argc > 1 && strcmp(argv[1], "all") == 0;
  if (argc > 1 && !all)
    randomly(strtoul(argv[1], NULL, 0));
  else
    for (int r = 0; r < ROUTINES; r++) {
      everyFault((enum routine)r, all ? 1 : 23);
      everyAlignment((enum routine)r, all ? 1 : 7);
    }
  printf("%s\n", faults > 1000 ? "right, after many faults" : "too few faults");
  return faults <= 1000;
}
