// search.c - codes that a function's name names, drawn by -O2 --memlift-searches
#include <stddef.h>
#include <stdint.h>

size_t code_1018(const uint8_t *p, size_t n, uint8_t c) {
  size_t i = 0;
  while (i < n && p[i] != c)
    i++;
  return i;
}
size_t code_2170(const uint8_t *p, const uint8_t *q, size_t n) {
  size_t i = 0;
  while (i < n && p[i] == q[i] && p[i] != '\n' && p[i] != '\r')
    i++;
  return i;
}
struct item {
  uint8_t kind;
  uint32_t value;
};
size_t code_2171(const struct item *items, size_t n, uint8_t kind) {
  size_t i = 0;
  while (i < n && items[i].kind != kind)
    i++;
  return i;
}
