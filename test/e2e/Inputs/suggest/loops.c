// loops.c - loops that one change of the source frees; each name says which one
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void told(size_t i);
struct buffer {
  size_t used;
  uint8_t *data;
};

void restrict_moved(uint32_t *to, const uint32_t *from, long count) {
  for (long i = count - 1; i >= 0; i--)
    to[i] = from[i];
}

void counter_narrow(uint8_t *restrict d, const uint8_t *restrict s, size_t n) {
  for (uint16_t i = 0; i < n; i++)
    d[i] = s[i];
}

void bound_while(uint8_t *restrict d, const uint8_t *restrict s, size_t n) {
  unsigned i = 0;
  while (i < n) {
    d[i] = s[i];
    i++;
  }
}

void hoist_members(struct buffer *b) {
  for (size_t i = 0; i < b->used; i++)
    b->data[i] = 0;
}

void hoist_bound(uint8_t *d, volatile size_t *n) {
  for (size_t i = 0; i < *n; i++)
    d[i] = 7;
}

volatile uint8_t port = 9;
void hoist_value(uint8_t *d, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = port;
}

void split_call(uint8_t *restrict d, const uint8_t *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[i] = s[i];
    told(i);
  }
}

// The table is of a CRC, but anyone may write to it.
uint32_t crc_table[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
    0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
    0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
uint32_t table_of_crc(uint32_t crc, const uint8_t *p, size_t n) {
  while (n--) {
    crc ^= *p++;
    crc = crc_table[crc & 15] ^ (crc >> 4);
    crc = crc_table[crc & 15] ^ (crc >> 4);
  }
  return crc;
}

// Two reasons at once: neither change alone is enough.
void both_reasons(uint8_t *d, const uint8_t *s, volatile size_t *n) {
  for (size_t i = 0; i < *n; i++) {
    d[i] = s[i];
    told(i);
  }
}

// Nothing frees these: gaps, a call in the statement itself, a table that is of no CRC.
void none_strided(uint8_t *d, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[4 * i] = 0;
}

uint8_t next(void);
void none_called(uint8_t *d, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = next();
}

uint32_t odd_table[16] = {1, 2, 3, 5};
uint32_t none_table(uint32_t crc, const uint8_t *p, size_t n) {
  while (n--) {
    crc ^= *p++;
    crc = odd_table[crc & 15] ^ (crc >> 4);
    crc = odd_table[crc & 15] ^ (crc >> 4);
  }
  return crc;
}

// A break ends both halves, so the loop is never split.
void none_broken(uint8_t *d, const uint8_t *s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[i] = s[i];
    told(i);
    if (d[i] == 255)
      break;
  }
}
