/* trace.c - the tracks of threads, and the file of MEMLIFT_TRACE
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The file is JSON in the Trace Event Format of Google's catapult project, which chrome://tracing
 * and ui.perfetto.dev show. It is written when the program ends, and replaces one of that name. The
 * spans of a thread are complete events of its row; transfers that move beside it may overlap each
 * other, and are asynchronous events.
 *
 * A unit that is a process has a track in memory that it shares with the host, which makes it
 * before the fork and writes the file. What a unit that was killed has noted stays there, and who
 * takes its place goes on in the same row.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../include/memlift/tasks.h"
#include "trace.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TRACKS 128u  /* threads */
#define SPANS 16384u /* of each: 1 MiB */

struct span {
  uint64_t begin, end, bytes;
  uint32_t kind;
  char name[MEMLIFT_SPAN_NAME];
};

struct memlift_track {
  uint32_t count, dropped; /* the count is written after the span */
  struct span spans[SPANS];
};

#define A_PROCESS 1u /* no thread */

static struct {
  struct memlift_track *track;
  uint32_t unit;
  uintptr_t thread; /* 0: nobody's */
} rows[TRACKS];
static char file[PATH_MAX];              /* "": nothing is traced, or not by this process */
static struct memlift_track *of_process; /* NULL: this is no unit, or not traced */

/* Weak: a program that is linked statically and has no tasks has nothing of them. */
extern __typeof__(memlift_task_unit) memlift_task_unit __attribute__((weak));

/* A child would replace the file of its parent. */
static void in_child(void) { file[0] = '\0', of_process = NULL; }

__attribute__((constructor(101))) static void read_trace_request(void) {
  const char *path = memlift_environment("MEMLIFT_TRACE");
  if (path && strlen(path) < sizeof file &&
      memlift_environment_text("MEMLIFT_TRACE", file, sizeof file)[0])
    pthread_atfork(NULL, NULL, in_child);
}

/* ---- Tracks ---------------------------------------------------------------------------------- */

/* Takes a row that nobody has, for a thread or A_PROCESS, and gives it memory. */
static struct memlift_track *new_track(uintptr_t thread, uint32_t unit, int sharing) {
  for (unsigned i = 0; i < TRACKS; i++) {
    uintptr_t there = 0;
    if (!__atomic_compare_exchange_n(&rows[i].thread, &there, thread, 0, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
      continue;
    void *memory = mmap(NULL, sizeof(struct memlift_track), PROT_READ | PROT_WRITE,
                        sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return NULL;
    rows[i].unit = unit;
    /* Release: whoever writes the file finds the unit of the spans. */
    __atomic_store_n(&rows[i].track, (struct memlift_track *)memory, __ATOMIC_RELEASE);
    return rows[i].track;
  }
  return NULL;
}

struct memlift_track *memlift_track_mine(void) {
  uintptr_t me = (uintptr_t)pthread_self();
  if (!file[0])
    return of_process;
  for (unsigned i = 0; i < TRACKS; i++)
    if (__atomic_load_n(&rows[i].thread, __ATOMIC_RELAXED) == me)
      return rows[i].track;
  return new_track(me, memlift_task_unit ? memlift_task_unit() : UINT32_MAX, MAP_PRIVATE);
}

struct memlift_track *memlift_track_of_process(uint32_t unit) {
  return file[0] ? new_track(A_PROCESS, unit, MAP_SHARED) : NULL;
}

void memlift_track_adopt(struct memlift_track *track) { of_process = track; }

void memlift_trace(struct memlift_track *t, enum memlift_span_kind kind, uint64_t begin,
                   uint64_t end, uint64_t bytes, const char *name) {
  uint32_t count = t->count;
  if (count == SPANS) {
    __atomic_store_n(&t->dropped, t->dropped + 1, __ATOMIC_RELAXED);
    return;
  }
  struct span *s = &t->spans[count];
  s->begin = begin, s->end = end < begin ? begin : end, s->bytes = bytes, s->kind = kind;
  unsigned i = 0;
  for (; name && name[i] && i + 1 < MEMLIFT_SPAN_NAME; i++)
    s->name[i] = name[i];
  s->name[i] = '\0';
  /* Release: pairs with the acquire of who writes the file. */
  __atomic_store_n(&t->count, count + 1, __ATOMIC_RELEASE);
}

/* ---- The file -------------------------------------------------------------------------------- */

/* Output that is collected before it is written. A write that fails ends all. */
static struct {
  int fd;
  size_t length;
  char text[8192];
} out;

static void flush(void) {
  for (size_t done = 0; out.fd >= 0 && done < out.length;) {
    ssize_t written = write(out.fd, out.text + done, out.length - done);
    if (written <= 0) {
      close(out.fd);
      out.fd = -1;
      return;
    }
    done += (size_t)written;
  }
  out.length = 0;
}

static void put(const char *text) {
  for (; *text; text++) {
    if (out.length == sizeof out.text)
      flush();
    if (out.fd < 0)
      return;
    out.text[out.length++] = *text;
  }
}

static void put_number(uint64_t number, unsigned least) {
  char digits[24];
  unsigned at = sizeof digits - 1;
  digits[at] = '\0';
  do
    digits[--at] = (char)('0' + number % 10);
  while ((number /= 10) || sizeof digits - 1 - at < least);
  put(digits + at);
}

/* A time or a duration: microseconds, as the format has them. */
static void put_time(const char *name, uint64_t nanoseconds) {
  put(name), put_number(nanoseconds / 1000, 1), put("."), put_number(nanoseconds % 1000, 3);
}

/* Text in quotes. Bytes that are not ASCII may be of any encoding, or of none. */
static void put_text(const char *text) {
  put("\"");
  for (; *text; text++) {
    static const char digits[] = "0123456789abcdef";
    unsigned char c = (unsigned char)*text;
    char plain[2] = {*text, '\0'};
    char coded[7] = {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15], '\0'};
    put(c < ' ' || c >= 0x7f || c == '"' || c == '\\' ? coded : plain);
  }
  put("\"");
}

/* {"ph":"X","pid":1,"tid":N,"cat":...,"name":..., where the event goes on with its times */
static void put_head(const char *phase, unsigned track, const char *category, const char *name) {
  put(",\n{\"ph\":\""), put(phase), put("\",\"pid\":1,\"tid\":"), put_number(track, 1);
  put(",\"cat\":\""), put(category), put("\",\"name\":"), put_text(name);
}

static void put_span(unsigned track, const struct span *s, uint64_t start) {
  static const struct {
    const char *category, *name;
  } kinds[] = {[MEMLIFT_SPAN_TASK] = {"task", "task"},
               [MEMLIFT_SPAN_SLEEP] = {"sleep", "sleep"},
               [MEMLIFT_SPAN_SETUP] = {"setup", "setup"},
               [MEMLIFT_SPAN_WAIT] = {"wait", "wait"},
               [MEMLIFT_SPAN_COMPUTE] = {"compute", "compute"},
               [MEMLIFT_SPAN_GET] = {"copy", "get"},
               [MEMLIFT_SPAN_PUT] = {"copy", "put"},
               [MEMLIFT_SPAN_GET_MOVES] = {"transfer", "get"},
               [MEMLIFT_SPAN_PUT_MOVES] = {"transfer", "put"}};
  static uint64_t id;
  const char *category = kinds[s->kind].category;
  const char *name = s->name[0] ? s->name : kinds[s->kind].name;
  int beside = s->kind == MEMLIFT_SPAN_GET_MOVES || s->kind == MEMLIFT_SPAN_PUT_MOVES;
  id += (uint64_t)beside;
  put_head(beside ? "b" : "X", track, category, name);
  put_time(",\"ts\":", s->begin - start);
  if (beside)
    put(",\"id\":"), put_number(id, 1);
  else
    put_time(",\"dur\":", s->end - s->begin);
  if (s->bytes)
    put(",\"args\":{\"bytes\":"), put_number(s->bytes, 1), put("}");
  put("}");
  if (!beside)
    return;
  put_head("e", track, category, name);
  put_time(",\"ts\":", s->end - start);
  put(",\"id\":"), put_number(id, 1), put("}");
}

/* The name of a thread's row. */
static void put_row(unsigned track) {
  unsigned unit = rows[track].unit;
  put(track ? ",\n" : "\n");
  put("{\"ph\":\"M\",\"pid\":1,\"tid\":"), put_number(track, 1);
  put(",\"name\":\"thread_name\",\"args\":{\"name\":\"");
  put(unit < MEMLIFT_UNITS ? "unit " : "thread "),
      put_number(unit < MEMLIFT_UNITS ? unit : track, 1);
  put("\"}}");
}

/* Acquire: pairs with the releases above. */
static uint32_t count_of(unsigned row) {
  const struct memlift_track *t = __atomic_load_n(&rows[row].track, __ATOMIC_ACQUIRE);
  return t ? __atomic_load_n(&t->count, __ATOMIC_ACQUIRE) : 0;
}

/* The earliest time of all: where the trace begins. */
static uint64_t start_of_all(void) {
  uint64_t start = UINT64_MAX;
  for (unsigned i = 0; i < TRACKS; i++)
    for (uint32_t j = 0; j < count_of(i); j++) {
      uint64_t begin = rows[i].track->spans[j].begin;
      start = begin < start ? begin : start;
    }
  return start;
}

/* Before memlift's other destructors may end what still runs; errors are ignored. */
__attribute__((destructor(101))) static void write_trace(void) {
  uint64_t start = start_of_all(), dropped = 0;
  out.fd = file[0] ? open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666) : -1;
  if (out.fd < 0)
    return;
  put("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  for (unsigned i = 0; i < TRACKS && __atomic_load_n(&rows[i].thread, __ATOMIC_RELAXED); i++)
    put_row(i);
  for (unsigned i = 0; i < TRACKS; i++) {
    uint32_t count = count_of(i);
    for (uint32_t j = 0; j < count; j++)
      put_span(i, &rows[i].track->spans[j], start);
    if (count)
      dropped += __atomic_load_n(&rows[i].track->dropped, __ATOMIC_RELAXED);
  }
  put("\n],\"otherData\":{\"dropped\":"), put_number(dropped, 1), put("}}\n");
  flush();
  if (out.fd >= 0)
    close(out.fd);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
