// rocket.c - loops in place on an in-order core: --memlift-runtime=none --memlift-core=rocket
#include <stddef.h>
#include <stdint.h>

// Clusters of loads, if the regions are apart.
void code_1014(uint64_t *d, const uint64_t *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = __builtin_bswap64(s[i]);
}

#define COPY(k)                                                                                    \
  for (size_t i = 0; i < n[k]; i++)                                                                \
  d[k][i] = s[k][i]
void code_3014(uint8_t **restrict d, uint8_t **restrict s, const size_t *restrict n) {
  COPY(0);
  COPY(1);
  COPY(2);
  COPY(3);
  COPY(4);
  COPY(5);
  COPY(6);
  COPY(7);
  COPY(8);
  COPY(9);
  COPY(10);
  COPY(11);
  COPY(12);
  COPY(13);
  COPY(14);
  COPY(15);
  COPY(16);
  COPY(17);
  COPY(18);
  COPY(19);
  COPY(20);
  COPY(21);
  COPY(22);
  COPY(23);
  COPY(24);
  COPY(25);
  COPY(26);
  COPY(27);
  COPY(28);
  COPY(29);
  COPY(30);
  COPY(31);
}
