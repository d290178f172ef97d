/* statistics.c - operations by size and engine, and the report of a program that ends
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MEMLIFT_STATS=FILE: lines "counter NAME VALUE", "size ENGINE CLASS COUNT" and "unit NUMBER NAME
 * VALUE", those that are not 0, appended by one write, so that programs that end at the same time
 * do not mix theirs. A child after fork reports what it has done itself.
 */
#define _GNU_SOURCE
#include "../config.h"
#include "../include/memlift/memlift.h"
#include "../include/memlift/ni.h"
#include "meter.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "engine.h"
#include "registry.h"

void memlift_count_size(const struct memlift_engine *engine, size_t size) {
  unsigned class = 63u - (unsigned)__builtin_clzll(size);
  memlift_count(&engine->sizes[class < MEMLIFT_SIZE_CLASSES ? class : MEMLIFT_SIZE_CLASSES - 1], 1);
}

memlift_status memlift_engine_sizes(const char *name, uint64_t *counts, unsigned classes) {
  if (!name || !counts || classes == 0 || classes > 64)
    return MEMLIFT_INVALID_ARGUMENT;
  const struct memlift_engine *engine = memlift_find_engine(name);
  if (!engine)
    return MEMLIFT_UNKNOWN_ENGINE;
  for (unsigned i = 0; i < classes; i++)
    counts[i] = 0;
  for (unsigned i = 0; i < MEMLIFT_SIZE_CLASSES; i++)
    counts[i < classes ? i : classes - 1] += __atomic_load_n(&engine->sizes[i], __ATOMIC_RELAXED);
  return MEMLIFT_OK;
}
#endif

#if MEMLIFT_HAVE_ENGINES
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* ---- The report ---------------------------------------------------------------------------- */

/* Weak: a program that is linked statically and sends no messages has nothing of ni/. */
extern __typeof__(memlift_ni_count) memlift_ni_count __attribute__((weak));

/* Weak, as well: nothing of tasks/ without a context. */
extern __typeof__(memlift_meter_look) memlift_meter_look __attribute__((weak));

/* Everything that is counted, at one time. */
struct picture {
  struct memlift_engine_counters counters;
  struct memlift_ni_counters ni;
  struct memlift_meters meters;
  uint64_t sizes[MEMLIFT_ENGINES_MOST][MEMLIFT_SIZE_CLASSES];
};

/* "" when there is no report; of a longer path there is no file */
static char file[PATH_MAX];
static struct picture inherited; /* what the parent had counted before it forked us */
/* Lines as "size threads 47 18446744073709551615". */
static char text[4096 + MEMLIFT_ENGINES_MOST * MEMLIFT_SIZE_CLASSES * 48 +
                 MEMLIFT_METER_ROWS * MEMLIFT_METERS * 48];
static size_t length;

static void look(struct picture *p) {
  if (memlift_ni_count)
    memlift_ni_count(NULL, &p->ni, sizeof p->ni);
  if (memlift_meter_look)
    memlift_meter_look(&p->meters);
  memlift_engine_count(&p->counters, sizeof p->counters);
  for (unsigned e = 0; e < MEMLIFT_ENGINES_MOST && memlift_engine_at(e); e++)
    memlift_engine_sizes(memlift_engine_at(e)->name, p->sizes[e], MEMLIFT_SIZE_CLASSES);
}

static void in_child(void) { look(&inherited); }

static void put(const char *word) {
  while (*word && length < sizeof text)
    text[length++] = *word++;
}

static void put_number(uint64_t number, const char *end) {
  char digits[24];
  unsigned at = sizeof digits - 1;
  digits[at] = '\0';
  do
    digits[--at] = (char)('0' + number % 10);
  while (number /= 10);
  put(digits + at);
  put(end);
}

static void put_counters(const struct picture *p) {
#define COUNTER(name) {#name, p->counters.name - inherited.counters.name}
#define TASKS(name) {"tasks_" #name, p->meters.tasks.name - inherited.meters.tasks.name}
#define MESSAGES(name) {"ni_" #name, p->ni.name - inherited.ni.name}
  const struct {
    const char *name;
    uint64_t value;
  } counters[] = {
      COUNTER(operations), COUNTER(engine_bytes), COUNTER(cpu_bytes),       COUNTER(shared_bytes),
      COUNTER(busy),       COUNTER(faults),       COUNTER(time_outs),       COUNTER(submitted),
      COUNTER(collected),  COUNTER(cancelled),    COUNTER(silent),          COUNTER(lost),
      MESSAGES(sent),      MESSAGES(sent_bytes),  MESSAGES(acknowledged),   MESSAGES(timed_out),
      MESSAGES(gone),      MESSAGES(cancelled),   MESSAGES(repeated),       MESSAGES(busy),
      MESSAGES(refused),   MESSAGES(received),    MESSAGES(received_bytes), MESSAGES(duplicates),
      MESSAGES(stale),     MESSAGES(malformed),   MESSAGES(taken_over),     MESSAGES(redelivered),
      MESSAGES(wakeups),   TASKS(scheduled),      TASKS(unscheduled),       TASKS(ended),
      TASKS(by_hosts),     TASKS(time_outs),      TASKS(lost_locks),        TASKS(host_calls)};
#undef COUNTER
#undef TASKS
#undef MESSAGES
  put("counter processes 1\n");
  for (unsigned i = 0; i < sizeof counters / sizeof *counters; i++)
    if (counters[i].value) {
      put("counter "), put(counters[i].name), put(" ");
      put_number(counters[i].value, "\n");
    }
}

static void put_sizes(const struct picture *p) {
  for (unsigned e = 0; e < MEMLIFT_ENGINES_MOST && memlift_engine_at(e); e++)
    for (unsigned i = 0; i < MEMLIFT_SIZE_CLASSES; i++)
      if (p->sizes[e][i] != inherited.sizes[e][i]) {
        put("size "), put(memlift_engine_at(e)->name), put(" ");
        put_number(i, " ");
        put_number(p->sizes[e][i] - inherited.sizes[e][i], "\n");
      }
}

static void put_units(const struct picture *p) {
  static const char *const names[MEMLIFT_METERS] = MEMLIFT_METER_NAMES;
  for (unsigned unit = 0; unit < MEMLIFT_METER_ROWS; unit++)
    for (unsigned i = 0; i < MEMLIFT_METERS; i++) {
      uint64_t value = p->meters.row[unit][i] - inherited.meters.row[unit][i];
      if (!value)
        continue;
      put("unit ");
      if (unit < MEMLIFT_UNITS)
        put_number(unit, " ");
      else
        put("host ");
      put(names[i]), put(" ");
      put_number(value, "\n");
    }
}

/* Before the registry's constructor, which may start an engine. */
__attribute__((constructor(101))) static void read_stats_request(void) {
  const char *path = memlift_environment("MEMLIFT_STATS");
  if (path && strlen(path) < sizeof file &&
      memlift_environment_text("MEMLIFT_STATS", file, sizeof file)[0])
    pthread_atfork(NULL, NULL, in_child);
}

/* Appends the report. Errors are ignored: the program has ended. A FIFO without a reader is not
 * waited for. */
__attribute__((destructor(101))) static void report(void) {
  static struct picture now;
  int fd = file[0] ? open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666) : -1;
  if (fd < 0)
    return;
  look(&now);
  put_counters(&now);
  put_sizes(&now);
  put_units(&now);
  ssize_t written = write(fd, text, length);
  (void)written;
  close(fd);
}
#elif !MEMLIFT_BARE
memlift_status memlift_engine_sizes(const char *name, uint64_t *counts, unsigned classes) {
  if (!name || !counts || classes == 0 || classes > 64)
    return MEMLIFT_INVALID_ARGUMENT;
  if (!memlift_same_text(name, "cpu"))
    return MEMLIFT_UNKNOWN_ENGINE;
  for (unsigned i = 0; i < classes; i++)
    counts[i] = 0;
  return MEMLIFT_OK;
}
#endif
