/* told.c - LIBRARY: loops of a file that was told something; else a program, with a loop of its own */
#include <stddef.h>
#include <stdint.h>

void fill(uint32_t *p, size_t n, uint32_t value);
unsigned total(const unsigned char *p, size_t n);

#ifdef LIBRARY
void fill(uint32_t *p, size_t n, uint32_t value) {
  for (size_t i = 0; i < n; i++)
    p[i] = value;
}
unsigned total(const unsigned char *p, size_t n) {
  unsigned s = 0;
  for (size_t i = 0; i < n; i++)
    s += p[i];
  return s;
}
#else
static uint32_t words[300];
static uint16_t halves[3000];
static unsigned char bytes[3000];

int main(int argc, char **argv) {
  (void)argv;
  size_t n = 298 + (size_t)argc;
  fill(words, n, 42);
  for (size_t i = 0; i < n * 10; i++)
    halves[i] = 0x1234;
  for (size_t i = 0; i < 3000; i++)
    bytes[i] = (unsigned char)(i * i);
  return !(words[298] == 42 && words[299] == 0 && halves[2989] == 0x1234 &&
           total(bytes, n * 10) == total(bytes, 100) + total(bytes + 100, n * 10 - 100));
}
#endif
