// reductions-main.c - runs each reduction as plain and as lifted, up to an unreadable page
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
  uint64_t (*run)(const void *, size_t, uint64_t);
  size_t size;
  const char *name;
} entry;
extern const entry plain_reductions[], lifted_reductions[];

static uint64_t state = 88172645463325252u;
static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

int main(void) {
  enum { pages = 4 };
  size_t page = (size_t)sysconf(_SC_PAGESIZE), room = pages * page;
  uint8_t *memory = mmap(0, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                         -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + room, page, PROT_NONE))
    return 2;
  int bad = 0;
  for (unsigned fill = 0; fill < 3; fill++) {
    for (size_t i = 0; i < room; i++)
      memory[i] = fill ? fill == 1 ? 0xff : (uint8_t)next() : (uint8_t)(next() % 3);
    for (const entry *plain = plain_reductions, *lifted = lifted_reductions; plain->run;
         plain++, lifted++) {
      unsigned trials = 700;
      for (unsigned t = 0; t < trials; t++) {
        size_t n = t < 200 ? t : t < trials - 4 ? next() % 2000 : room / plain->size;
        uint64_t init = t % 3 ? next() : t % 2 ? 0 : ~(uint64_t)0;
        size_t slack = (room - n * plain->size) / plain->size;
        size_t gap = slack && t % 4 ? next() % (slack < 70 ? slack : 70) * plain->size : 0;
        const uint8_t *p = memory + room - n * plain->size - gap;
        uint64_t want = plain->run(p, n, init), have = lifted->run(p, n, init);
        if (want != have) {
          printf("%s: n %zu init %llx fill %u: want %llx, have %llx\n", plain->name, n,
                 (unsigned long long)init, fill, (unsigned long long)want,
                 (unsigned long long)have);
          bad = 1;
          break;
        }
      }
    }
  }
  return bad;
}
