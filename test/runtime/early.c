/* early.c - calls before constructors, from an ifunc resolver and from the preinit array
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A lowered loop may run at any of these moments (contract 9). Linked against the static library:
 * the resolver runs while the program's own relocations are applied.
 */
#include <memlift/memlift.h>
#include <stdio.h>
#include <string.h>

static unsigned char resolved[300], preinit[300], constructed[300];

/* 1 when copy, move, fill and sum give what they should. No libc call: it may not be there yet. */
static int works(unsigned char *to) {
  unsigned char from[300];
  for (volatile int i = 0; i < 300; i = i + 1)
    from[i] = (unsigned char)(i * 7 + 1);
  memlift_copy(to, from, 300);
  memlift_move(to + 1, to, 299);
  memlift_fill_pattern(to, 0x616263, 3, 5);
  uint64_t sum = 0;
  for (int i = 0; i < 300; i++)
    sum += from[i];
  if (memlift_sum_u8(from, 300) != sum)
    return 0;
  for (int i = 5; i < 300; i++)
    if (to[i] != from[i - 1])
      return 0;
  return to[0] == 0x63 && to[4] == 0x62;
}

static int early_ok;

static int answer_right(void) { return 1; }
static int answer_wrong(void) { return 0; }

typedef int answer_fn(void);
/* Sanitizers instrument the resolver before their runtime is up. */
__attribute__((no_sanitize("address", "undefined", "thread"))) static answer_fn *resolve(void) {
  return works(resolved) ? answer_right : answer_wrong;
}
int answer(void) __attribute__((ifunc("resolve")));

static void before_constructors(int argc, char **argv, char **environment) {
  (void)argc, (void)argv, (void)environment;
  early_ok += works(preinit);
}
__attribute__((section(".preinit_array"),
               used)) static void (*const entry)(int, char **, char **) = before_constructors;

__attribute__((constructor(101))) static void first_constructor(void) {
  early_ok += works(constructed);
}

int main(void) {
  if (!answer())
    puts("wrong in an ifunc resolver");
  if (early_ok != 2)
    puts("wrong in the preinit array or the first constructor");
  return !(answer() && early_ok == 2);
}
