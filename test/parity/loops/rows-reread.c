// rows-reread.c - rows whose width, pitch and place are read again and again
//
// Nobody can tell that the pixels are not these fields; behind a test the rows are one
// operation each.
#include "parity.h"

struct image {
  int w, h, stride;
  u8 *data;
};

PARITY(clear_rows, "fill guarded")
void clear_rows(struct image *m, u8 value) {
  for (int y = 0; y < m->h; y++)
    for (int x = 0; x < m->w; x++)
      m->data[y * m->stride + x] = value;
}

PARITY(copy_rows, "move guarded")
void copy_rows(struct image *d, const struct image *s) {
  for (int y = 0; y < d->h; y++)
    for (int x = 0; x < d->w; x++)
      d->data[y * d->stride + x] = s->data[y * s->stride + x];
}

// mbedtls: what the second loop is first tested with is what the first one read last.
struct number {
  size_t used;
  u64 *limbs;
};

PARITY(shift_limbs, "move guarded + fill guarded")
void shift_limbs(struct number *x, size_t by) {
  size_t i;
  for (i = 0; i < x->used - by; i++)
    x->limbs[i] = x->limbs[i + by];
  for (; i < x->used; i++)
    x->limbs[i] = 0;
}

PARITY(copy_to_rows, "move guarded")
void copy_to_rows(const struct image *m, u8 **rows) {
  for (int y = 0; y < m->h; y++)
    for (int x = 0; x < m->w; x++)
      rows[y][x] = m->data[y * m->stride + x];
}

// The width is the distance of rows as well, and optimisers carry it on from row to row.
PARITY(clear_plane, "fill guarded")
void clear_plane(struct image *m, u8 value) {
  for (int y = 0; y < m->h; y++)
    for (int x = 0; x < m->w; x++)
      m->data[y * m->w + x] = value;
}

PARITY(copy_plane, "move guarded")
void copy_plane(struct image *d, const struct image *s) {
  for (int y = 0; y < d->h; y++)
    for (int x = 0; x < d->w; x++)
      d->data[y * d->w + x] = s->data[y * s->w + x];
}

// The store after a row may have changed the pointer, by which the next row begins all the same.
PARITY(stale_place, "none kept MLF2013")
void stale_place(struct image *m, u8 value, u8 *flag) {
  u8 *row = m->data;
  for (int y = 0; y < m->h; y++) {
    for (size_t x = 0; x < (size_t)m->w; x++) {
      row[x] = value;
      row = m->data;
    }
    *flag = value;
  }
}
