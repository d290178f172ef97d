/* ni_histogram.c - percentiles, and a picture of every latency in its place
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The picture is one of cells, COLUMNS by ROWS: a cell is drawn when a latency falls into it, the
 * darker the more of them. A million points would make a file that no viewer likes.
 */
#include "ni_histogram.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define COLUMNS 300
#define ROWS 150
#define CELL 3
#define LEFT 70
#define TOP 40
#define DECADES_FROM 1.5 /* log10 of 32 ns, below which no message is */
#define DECADES 6.0      /* up to 32 ms; what is above is drawn at the top */

uint64_t ni_percentile(const uint64_t *sorted, size_t count, double fraction) {
  size_t at = (size_t)(fraction * (double)(count - 1) + 0.5);
  return sorted[at < count ? at : count - 1];
}

static int row_of(uint64_t latency) {
  double place = (log10(latency ? (double)latency : 1) - DECADES_FROM) / DECADES;
  int row = (int)(place * ROWS);
  return row < 0 ? 0 : row >= ROWS ? ROWS - 1 : row;
}

static void draw_axes(FILE *to, size_t count, const char *title) {
  int bottom = TOP + ROWS * CELL;
  fprintf(to, "<text x='%d' y='24' font-size='15'>%s</text>\n", LEFT, title);
  for (int decade = 2; decade <= 7; decade++) {
    static const char *const names[] = {"100 ns", "1 us", "10 us", "100 us", "1 ms", "10 ms"};
    double y = bottom - (decade - DECADES_FROM) / DECADES * ROWS * CELL;
    fprintf(to, "<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' stroke='#ddd'/>\n", LEFT,
            LEFT + COLUMNS * CELL, y, y);
    fprintf(to, "<text x='%d' y='%.1f' text-anchor='end'>%s</text>\n", LEFT - 6, y + 4,
            names[decade - 2]);
  }
  fprintf(to, "<text x='%d' y='%d'>message 0</text>\n", LEFT, bottom + 18);
  fprintf(to, "<text x='%d' y='%d' text-anchor='end'>%zu</text>\n", LEFT + COLUMNS * CELL,
          bottom + 18, count);
}

static void draw_cells(FILE *to, const unsigned *cells, size_t count) {
  for (int row = 0; row < ROWS; row++)
    for (int column = 0; column < COLUMNS; column++) {
      unsigned n = cells[row * COLUMNS + column];
      if (n)
        fprintf(to, "<rect x='%d' y='%d' width='%d' height='%d' fill-opacity='%.2f'/>\n",
                LEFT + column * CELL, TOP + (ROWS - 1 - row) * CELL, CELL, CELL,
                0.35 + 0.65 * fmin(1, (double)n * COLUMNS / (double)count));
    }
}

int ni_plot(const char *file, const uint64_t *latency, size_t count, const char *title) {
  unsigned *cells = calloc((size_t)ROWS * COLUMNS, sizeof *cells);
  FILE *to = cells ? fopen(file, "w") : NULL;
  if (!to) {
    free(cells);
    return -1;
  }
  for (size_t i = 0; i < count; i++)
    cells[row_of(latency[i]) * COLUMNS + (int)(i * COLUMNS / count)]++;
  fprintf(to,
          "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' "
          "font-size='12'>\n<rect width='100%%' height='100%%' fill='white'/>\n",
          LEFT + COLUMNS * CELL + 20, TOP + ROWS * CELL + 30);
  draw_axes(to, count, title);
  fprintf(to, "<g fill='#1f4e8c'>\n");
  draw_cells(to, cells, count);
  fprintf(to, "</g>\n</svg>\n");
  free(cells);
  int failed = ferror(to);
  return fclose(to) != 0 || failed ? -1 : 0;
}
