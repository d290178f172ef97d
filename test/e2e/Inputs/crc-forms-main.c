// crc-forms-main.c - each CRC as plain and as lifted, between two unreadable pages
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
  const char *name;
  uint64_t (*run)(uint64_t state, const uint8_t *p, size_t n);
} form;
extern const form plain_forms[], lifted_forms[];

static uint64_t random = 88172645463325252u;
static uint64_t next(void) {
  random ^= random << 13;
  random ^= random >> 7;
  return random ^= random << 17;
}

static unsigned cases;
static int differ(const form *plain, const form *lifted, const uint8_t *p, size_t n) {
  uint64_t state = n % 5 ? next() : n % 2 ? 0 : ~(uint64_t)0;
  uint64_t want = plain->run(state, p, n), have = lifted->run(state, p, n);
  cases++;
  if (want != have)
    printf("failed: %s: %zu bytes at ...%x from %llx: want %llx, have %llx\n", plain->name, n,
           (unsigned)((uintptr_t)p & 0xfff), (unsigned long long)state,
           (unsigned long long)want, (unsigned long long)have);
  return want != have;
}

int main(void) {
  static const size_t large[] = {511, 512, 1000, 1500, 4096, 9001, 16384, 20000};
  size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (20000 / page + 1) * page;
  uint8_t *memory = mmap(0, room + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                         -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, page, PROT_NONE) ||
      mprotect(memory + page + room, page, PROT_NONE))
    return 2;
  uint8_t *from = memory + page, *end = from + room;
  for (size_t i = 0; i < room; i++)
    from[i] = (uint8_t)(next() >> 11);
  int bad = 0;
  for (const form *p = plain_forms, *l = lifted_forms; p->run; p++, l++) {
    for (size_t n = 0; n <= 300 && !bad; n++)
      for (size_t gap = 0; gap < 16 && !bad; gap++)
        bad = differ(p, l, from + gap, n) || differ(p, l, end - n - gap, n);
    for (size_t i = 0; i < sizeof large / sizeof *large && !bad; i++)
      for (size_t gap = 0; gap < 3 && !bad; gap++)
        bad = differ(p, l, end - large[i] - (large[i] < 20000 ? 5 * gap : 0), large[i]);
  }
  printf("%u cases\n", cases);
  return bad;
}
