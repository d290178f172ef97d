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

PARITY(copy_to_rows, "move guarded")
void copy_to_rows(const struct image *m, u8 **rows) {
  for (int y = 0; y < m->h; y++)
    for (int x = 0; x < m->w; x++)
      rows[y][x] = m->data[y * m->stride + x];
}
