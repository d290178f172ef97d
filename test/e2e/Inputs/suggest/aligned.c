// aligned.c - calls that become words on a machine where unaligned words trap, if a promise is made
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void aligned_clear(void *to) { memset(to, 0, 48); }

void aligned_copy(unsigned char *to, const unsigned char *from) {
  memcpy(to, from, 16);
}

// One byte of three: no alignment of the pointer helps.
void none_odd(unsigned char *to) { memset(to + 1, 0, 3); }
