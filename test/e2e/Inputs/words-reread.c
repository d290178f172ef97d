/* words-reread.c - elements computed by words, where pointers and lengths are read again each time
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Prints what is in memory after each loop. Built without memlift at -O0 and with it, it has to
 * print the same: the bytes that are stored to lie far from the pointers that lead to them, right
 * beside them, or upon them, so that a store changes where the next one goes, or the length.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint64_t u64;

struct bytes {
  u8 *data;
  size_t length;
};
struct both {
  u8 *to;
  const u8 *from;
  unsigned length;
};

#define LOOP __attribute__((noinline))

LOOP static void each(struct bytes *d, const struct bytes *s) {
  for (size_t i = 0; i < d->length; i++)
    d->data[i] ^= s->data[i];
}
LOOP static void in_one(struct both *b) {
  for (unsigned i = 0; i < b->length; i++)
    b->to[i] ^= b->from[i];
}
LOOP static void by_key(struct bytes *d, const struct bytes *s) {
  const u8 key = s->data[0];
  for (size_t i = 0; i < d->length; i++)
    d->data[i] = (u8)(d->data[i] + key);
}
LOOP static void three(struct bytes *d, const struct bytes *s) {
  for (size_t i = 0; i < d->length; i++)
    d->data[i] = (u8)(d->data[i] ^ (s->data[i] & s->data[i + 3]));
}
LOOP static void key_read_again(struct bytes *d, const struct bytes *s) {
  for (size_t i = 0; i < d->length; i++)
    d->data[i] ^= s->data[0];
}

/* Between the test of the length and the loop it is stored to. */
static size_t *elsewhere;
LOOP static void stored_between(struct bytes *d, const struct bytes *s) {
  size_t n = d->length, i = 0;
  u8 *to = d->data;
  if (!n)
    return;
  *elsewhere = n / 2 + 1;
  to[0] ^= s->data[1];
  do
    d->data[i] ^= 5;
  while (++i < d->length);
}
/* The loop before has read the length last. */
LOOP static void after_loop(struct bytes *d, const struct bytes *s) {
  size_t i = 0;
  do
    d->data[i] ^= s->data[i];
  while (++i < d->length);
  i = 0;
  do
    d->data[i] = (u8)(d->data[i] + 3);
  while (++i < d->length);
}
/* It has been read, and not written since. */
LOOP static void read_before(struct bytes *d, const struct bytes *s) {
  const size_t n = d->length;
  const u8 *from = s->data;
  size_t i = 0;
  if (!n || !from)
    return;
  do
    d->data[i] ^= s->data[i];
  while (++i < d->length);
}

enum { SIZE = 4096, MIDDLE = SIZE / 2, BEHIND = 40 };
static u8 *memory;
static u64 state = 88172645463325252u;

static u64 next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static u64 hash(void) {
  u64 h = 0, w;
  for (size_t i = 0; i < SIZE; i += 8) {
    memcpy(&w, memory + i, 8);
    h = (h ^ w) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  return h;
}

/* A destination `apart` from its own pointer. The source is 0 but for the byte that meets byte `at`
 * of that pointer and length, which changes them a little, and for bytes that go behind them. */
static void run(void (*loop)(struct bytes *, const struct bytes *), long apart, size_t length,
                long at, u8 with) {
  memset(memory, 0, SIZE);
  struct bytes *d = (struct bytes *)(memory + MIDDLE), *s = (struct bytes *)(memory + 64);
  u8 *from = memory + 1024;
  *d = (struct bytes){(u8 *)d + apart, length};
  *s = (struct bytes){from, 0};
  if (at - apart >= 0 && at - apart < 500)
    from[at - apart] = with;
  for (long i = apart < BEHIND ? BEHIND - apart : 0; i < 400; i++)
    from[i] = (u8)(37 * i + 1);
  loop(d, s);
}

static void run_far(void (*loop)(struct bytes *, const struct bytes *), size_t length, size_t to,
                    size_t apart) {
  for (size_t i = 0; i < SIZE; i++)
    memory[i] = (u8)next();
  struct bytes *d = (struct bytes *)memory, *s = (struct bytes *)(memory + 32);
  *d = (struct bytes){memory + MIDDLE + to, length};
  *s = (struct bytes){d->data + apart, length};
  elsewhere = &d->length;
  loop(d, s);
}

int main(void) {
  void (*const loops[])(struct bytes *, const struct bytes *) = {
      each, by_key, three, key_read_again, stored_between, after_loop, read_before};
  static const u8 with[] = {1, 2, 16};
  memory = mmap((void *)0x10000000, SIZE, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == MAP_FAILED)
    return 2;
  for (size_t k = 0; k < sizeof loops / sizeof *loops; k++) {
    u64 mix = 0;
    bool moves = loops[k] == each || loops[k] == three ||
                 loops[k] == read_before; /* others would store too far away */
    for (long apart = -90; moves && apart <= 90; apart++)
      for (size_t length = 0; length <= 130; length += length < 18 ? 3 : 16)
        for (long at = 0; at <= 8; at += 8)
          for (size_t w = 0; w < sizeof with; w++) {
            run(loops[k], apart, length, at, with[w]);
            mix = mix * 31 + hash();
          }
    for (size_t length = 0; length <= 300; length += 1 + length / 20)
      for (size_t to = 0; to < 9; to++)
        for (size_t apart = 0; apart < 80; apart += 1 + apart / 8) {
          run_far(loops[k], length, to, apart - 40);
          mix = mix * 31 + hash();
        }
    printf("%zu %016llx\n", k, (unsigned long long)mix);
  }
  u64 mix = 0;
  for (long apart = -90; apart <= 90; apart++)
    for (unsigned length = 0; length <= 130; length += 1 + length / 16) {
      memset(memory, 0, SIZE);
      struct both *b = (struct both *)(memory + MIDDLE);
      *b = (struct both){(u8 *)b + apart, memory + 1024, length};
      if (apart < 17 && apart > -60)
        memory[1024 + 16 - apart] = 3;
      for (long i = apart < BEHIND ? BEHIND - apart : 0; i < 400; i++)
        memory[1024 + i] = (u8)(37 * i + 1);
      in_one(b);
      mix = mix * 31 + hash();
    }
  printf("%016llx\n", (unsigned long long)mix);
  return 0;
}
