// main.c - runs the functions of loops.c and prints what they leave behind
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct buffer {
  size_t used;
  uint8_t *data;
};
void restrict_moved(uint32_t *to, const uint32_t *from, long count);
void counter_narrow(uint8_t *restrict d, const uint8_t *restrict s, size_t n);
void bound_while(uint8_t *restrict d, const uint8_t *restrict s, size_t n);
void hoist_members(struct buffer *b);
void hoist_bound(uint8_t *d, volatile size_t *n);
void hoist_value(uint8_t *d, size_t n);
void split_call(uint8_t *restrict d, const uint8_t *restrict s, size_t n);
uint32_t table_of_crc(uint32_t crc, const uint8_t *p, size_t n);
void both_reasons(uint8_t *d, const uint8_t *s, volatile size_t *n);
void none_strided(uint8_t *d, size_t n);
void none_called(uint8_t *d, size_t n);
uint32_t none_table(uint32_t crc, const uint8_t *p, size_t n);
void none_broken(uint8_t *d, const uint8_t *s, size_t n);

static size_t calls;
void told(size_t i) { calls += i + 1; }
uint8_t next(void) { return (uint8_t)(calls += 3); }

static uint32_t words[2][300];
static uint8_t bytes[1200];
static void show(size_t n) {
  uint64_t sum = calls;
  for (size_t i = 0; i < sizeof bytes; i++)
    sum = sum * 31 + bytes[i];
  for (size_t i = 0; i < 300; i++)
    sum = sum * 31 + words[0][i];
  printf("%zu %016llx\n", n, (unsigned long long)sum);
}

int main(void) {
  for (size_t i = 0; i < 300; i++)
    words[1][i] = (uint32_t)(i * 2654435761u);
  const uint8_t *from = (const uint8_t *)words[1];
  for (size_t n = 0; n < 255; n += n < 40 ? 1 : 37) {
    volatile size_t count = n;
    struct buffer buffer = {n, bytes + 1};
    restrict_moved(words[0], words[1], (long)n);
    show(n);
    counter_narrow(bytes, from, n);
    show(n);
    hoist_members(&buffer);
    show(n);
    bound_while(bytes + 3, from, n);
    hoist_bound(bytes + 300, &count);
    hoist_value(bytes + 600, n);
    show(n);
    split_call(bytes + 9, from + 5, n);
    show(n);
    words[0][299] = table_of_crc((uint32_t)n, from, n);
    show(n);
    both_reasons(bytes + 13, from + 7, &count);
    none_strided(bytes, n);
    none_called(bytes + 700, n);
    words[0][298] = none_table((uint32_t)n, from, n);
    none_broken(bytes + 20, from, n);
    show(n);
  }
  return 0;
}
