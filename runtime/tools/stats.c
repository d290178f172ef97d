/* stats.c - memlift-info --stats: sums what programs have reported of engines, messages, tasks
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The lines are those of engine/statistics.c. A file with any other line is refused whole: half of
 * a statistic would look like one.
 */
#include "stats.h"

#include <memlift/memlift.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST 80
#define NAME 24
#define METERS 16

struct total {
  char name[NAME];
  uint64_t value;
  uint64_t sizes[MEMLIFT_SIZE_CLASSES];
  uint64_t meters[METERS];
};

struct totals {
  struct total of[MOST];
  unsigned count;
};

/* units: of tasks, and "host", each with its meters; the names of those */
static struct totals counters, engines, units, meters;

/* The one of that name, which is put last if it is new; NULL: there are too many. */
static struct total *find(struct totals *totals, const char *name) {
  for (unsigned i = 0; i < totals->count; i++)
    if (!strcmp(totals->of[i].name, name))
      return &totals->of[i];
  if (totals->count == MOST)
    return NULL;
  struct total *total = &totals->of[totals->count++];
  snprintf(total->name, NAME, "%s", name);
  return total;
}

/* "unit NUMBER NAME VALUE" */
static int take_unit(const char *line) {
  char unit[NAME], name[NAME];
  uint64_t value;
  int end = 0;
  if (sscanf(line, "unit %4[a-z0-9] %23[a-z_] %" SCNu64 "\n%n", unit, name, &value, &end) != 3 ||
      !end || line[end])
    return 0;
  struct total *total = find(&units, unit), *meter = find(&meters, name);
  if (!total || !meter || meter - meters.of >= METERS)
    return 0;
  total->meters[meter - meters.of] += value;
  return 1;
}

static int take_line(const char *line) {
  char name[NAME];
  unsigned class;
  uint64_t value;
  int end = 0;
  struct total *total;
  if (sscanf(line, "counter %23[a-z_] %" SCNu64 "\n%n", name, &value, &end) == 2 && end &&
      !line[end] && (total = find(&counters, name)) != NULL) {
    total->value += value;
    return 1;
  }
  end = 0;
  if (sscanf(line, "size %23[a-z] %u %" SCNu64 "\n%n", name, &class, &value, &end) == 3 && end &&
      !line[end] && class < MEMLIFT_SIZE_CLASSES && (total = find(&engines, name)) != NULL) {
    total->sizes[class] += value;
    return 1;
  }
  return take_unit(line);
}

static int read_file(const char *file) {
  char line[128];
  unsigned number = 0;
  FILE *in = fopen(file, "r");
  if (!in) {
    fprintf(stderr, "memlift-info: cannot read %s; run a program with MEMLIFT_STATS=%s\n", file,
            file);
    return 0;
  }
  while (fgets(line, sizeof line, in)) {
    number++;
    if (!take_line(line)) {
      fprintf(stderr, "memlift-info: %s:%u is no line of MEMLIFT_STATS\n", file, number);
      fclose(in);
      return 0;
    }
  }
  fclose(in);
  return 1;
}

/* 2^class bytes, as people say it. */
static const char *size_text(unsigned class) {
  static char text[16];
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  snprintf(text, sizeof text, "%u %s", 1u << class % 10, units[class / 10]);
  return text;
}

static void print_units(void) {
  if (!units.count)
    return;
  printf("\nunits of tasks\n  %-16s", "");
  for (unsigned u = 0; u < units.count; u++)
    printf(" %12s", units.of[u].name);
  printf("\n");
  for (unsigned m = 0; m < meters.count; m++) {
    printf("  %-16s", meters.of[m].name);
    for (unsigned u = 0; u < units.count; u++)
      printf(" %12" PRIu64, units.of[u].meters[m]);
    printf("\n");
  }
}

static void print_text(void) {
  printf("counters\n");
  for (unsigned i = 0; i < counters.count; i++)
    printf("  %-26s %" PRIu64 "\n", counters.of[i].name, counters.of[i].value);
  printf("\noperations, by size and engine\n  %-12s", "from");
  for (unsigned e = 0; e < engines.count; e++)
    printf(" %12s", engines.of[e].name);
  printf("\n");
  for (unsigned i = 0; i < MEMLIFT_SIZE_CLASSES; i++) {
    uint64_t any = 0;
    for (unsigned e = 0; e < engines.count; e++)
      any |= engines.of[e].sizes[i];
    if (!any)
      continue;
    printf("  %-12s", size_text(i));
    for (unsigned e = 0; e < engines.count; e++)
      printf(" %12" PRIu64, engines.of[e].sizes[i]);
    printf("\n");
  }
  print_units();
}

static void print_json(void) {
  printf("{\n  \"counters\": {");
  for (unsigned i = 0; i < counters.count; i++)
    printf("%s\"%s\": %" PRIu64, i ? ", " : "", counters.of[i].name, counters.of[i].value);
  printf("},\n  \"sizes\": {");
  for (unsigned e = 0; e < engines.count; e++) {
    const char *next = "";
    printf("%s\n    \"%s\": {", e ? "," : "", engines.of[e].name);
    for (unsigned i = 0; i < MEMLIFT_SIZE_CLASSES; i++)
      if (engines.of[e].sizes[i]) {
        printf("%s\"%" PRIu64 "\": %" PRIu64, next, (uint64_t)1 << i, engines.of[e].sizes[i]);
        next = ", ";
      }
    printf("}");
  }
  printf("\n  },\n  \"units\": {");
  for (unsigned u = 0; u < units.count; u++) {
    printf("%s\n    \"%s\": {", u ? "," : "", units.of[u].name);
    for (unsigned m = 0; m < meters.count; m++)
      printf("%s\"%s\": %" PRIu64, m ? ", " : "", meters.of[m].name, units.of[u].meters[m]);
    printf("}");
  }
  printf("\n  }\n}\n");
}

int print_stats(const char *file, int json) {
  if (!read_file(file))
    return 1;
  if (json)
    print_json();
  else
    print_text();
  return 0;
}
