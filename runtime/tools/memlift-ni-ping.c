/* memlift-ni-ping.c - latency of messages between two ends of a network interface
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Each end sends a message and looks at its mailbox until the other's has come. The latency of an
 * iteration is half of the time between two readings of the clock, one of which is part of it.
 * Exit codes: 0 done, 1 it could not be done, 2 bad usage.
 */
#define _GNU_SOURCE
#include "ni_histogram.h"

#include <memlift/ni.h>

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "usage: memlift-ni-ping [OPTION...]                both ends, in two processes\n"
    "       memlift-ni-ping --echo [OPTION...]         the far end, until it is interrupted\n"
    "       memlift-ni-ping --to PAGE [OPTION...]      the near end of one that echoes\n"
    "Measures the one-way latency of messages between two ends of a network interface.\n"
    "\n"
    "  --transport NAME   shm (the default), soft (both ends in one thread), mmio, or ofi\n"
    "  --where PLACE      shm: directory of the processes; mmio: file to map; ofi: the nodes,\n"
    "                     as self=0,0=10.0.0.1:7000,1=10.0.0.2:7000\n"
    "  --page N           page to attach; default: the first that is free\n"
    "  --node N           coordinates of the far end's node; default 0\n"
    "  --size BYTES       of a message, 8 to 256; default 32\n"
    "  --count N          messages that are measured; default 1000000\n"
    "  --reliable         with sequence numbers and repetition\n"
    "  --incarnation N    mmio, reliable: 1 more than at the last use of the page\n"
    "  --cpus A,B         CPUs of the near and the far end; default: as the system likes\n"
    "  --svg FILE         draw the latency of each message\n"
    "  --json             print one JSON object\n"
    "  --help             this text\n"
    "  --version          version of libmemlift\n"
    "\n"
    "exit codes: 0 done, 1 it could not be done, 2 bad usage\n";

struct settings {
  const char *transport, *where, *svg;
  long page, node, size, count, to; /* -1: not stated */
  long incarnation;                 /* 0: not stated */
  int reliable, echo, json;
  int cpu[2]; /* -1: any */
};

/* ---- Both ends ----------------------------------------------------------------------------- */

/* Meaning of a status of messages; the library's texts are of engines. */
static const char *explain(memlift_status status) {
  switch (status) {
  case MEMLIFT_UNKNOWN_ENGINE: return "no such transport: soft, shm or mmio";
  case MEMLIFT_NOT_PRESENT: return "there is no such device or directory, or nobody at that page";
  case MEMLIFT_BUSY: return "the page is in use, or none is free";
  case MEMLIFT_TIMED_OUT: return "no acknowledgement in time";
  default: return memlift_strerror(status);
  }
}

static void fail(const char *what, memlift_status status) {
  fprintf(stderr, "memlift-ni-ping: %s: %s\n", what, explain(status));
  exit(1);
}

static memlift_ni *attach(const struct settings *s) {
  struct memlift_ni_options options = {s->transport,        s->where, -1, 0, NULL, 0,
                                       MEMLIFT_NI_ANY_PAGE, 0,        0,  0, 0,    0};
  memlift_ni *ni = NULL;
  if (s->page >= 0)
    options.first_page = (unsigned)s->page;
  if (s->reliable)
    options.flags = MEMLIFT_NI_RELIABLE;
  options.incarnation = (uint32_t)s->incarnation;
  memlift_status status = memlift_ni_attach(&options, sizeof options, &ni);
  if (status != MEMLIFT_OK)
    fail(s->transport, status);
  return ni;
}

static void run_on(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (cpu < 0)
    return;
  CPU_SET((unsigned)cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) {
    fprintf(stderr, "memlift-ni-ping: CPU %d: %s\n", cpu, strerror(errno));
    exit(1);
  }
}

static void send_message(memlift_ni *ni, memlift_ni_address to, const void *data, size_t size) {
  memlift_status status;
  while ((status = memlift_ni_try_enqueue(ni, 0, to, data, size, 0, NULL)) == MEMLIFT_BUSY)
    ;
  if (status != MEMLIFT_OK)
    fail("sending", status);
}

static size_t receive_message(memlift_ni *ni, void *buffer, memlift_ni_address *from) {
  size_t size = 0;
  memlift_status status;
  while ((status = memlift_ni_try_dequeue(ni, 0, buffer, MEMLIFT_NI_PAYLOAD_MOST, &size, from)) ==
         MEMLIFT_BUSY)
    ;
  if (status != MEMLIFT_OK)
    fail("receiving", status);
  return size;
}

/* The far end: sleeps until somebody sends, then looks without a pause. */
static void echo_for_ever(memlift_ni *ni) {
  unsigned char buffer[MEMLIFT_NI_PAYLOAD_MOST];
  memlift_ni_address from;
  size_t size = 0;
  if (memlift_ni_dequeue(ni, 0, buffer, sizeof buffer, UINT64_MAX, &size, &from) != MEMLIFT_OK)
    return;
  for (;;) {
    send_message(ni, from, buffer, size);
    size = receive_message(ni, buffer, &from);
  }
}

/* ---- Measuring ----------------------------------------------------------------------------- */

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Sends each message with its number, which comes back with it. far: the other end where this
 * process plays it, too. */
static void measure(const struct settings *s, memlift_ni *ni, memlift_ni *far,
                    memlift_ni_address to, uint64_t *latency) {
  unsigned char out[MEMLIFT_NI_PAYLOAD_MOST] = {0}, in[MEMLIFT_NI_PAYLOAD_MOST];
  size_t count = (size_t)s->count, warm = count / 10 + 1, size = (size_t)s->size;
  uint64_t begin = now_ns();
  for (size_t i = 0; i < warm + count; i++) {
    uint64_t number = i;
    memlift_ni_address from;
    memcpy(out, &number, sizeof number);
    send_message(ni, to, out, size);
    if (far) {
      size_t got = receive_message(far, in, &from);
      send_message(far, from, in, got);
    }
    if (receive_message(ni, in, NULL) != size || memcmp(in, out, size) != 0) {
      fprintf(stderr, "memlift-ni-ping: message %zu did not come back as it was sent\n", i);
      exit(1);
    }
    uint64_t end = now_ns();
    if (i >= warm)
      latency[i - warm] = (end - begin) / 2;
    begin = end;
  }
}

static void report(const struct settings *s, const uint64_t *latency) {
  size_t count = (size_t)s->count;
  uint64_t *sorted = malloc(count * sizeof *sorted);
  if (!sorted)
    fail("memory", MEMLIFT_NO_RESOURCES);
  memcpy(sorted, latency, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, by_value);
  static const struct {
    const char *name;
    double fraction;
  } rows[] = {{"min", 0}, {"p50", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}, {"max", 1}};
  if (s->json)
    printf("{\"transport\": \"%s\", \"size\": %ld, \"count\": %ld", s->transport, s->size,
           s->count);
  else
    printf("%s, %ld messages of %ld bytes, one way, in nanoseconds\n", s->transport, s->count,
           s->size);
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    printf(s->json ? ", \"%s\": %llu" : "  %-6s %10llu\n", rows[i].name,
           (unsigned long long)ni_percentile(sorted, count, rows[i].fraction));
  if (s->json)
    printf("}\n");
  free(sorted);
  char title[128];
  snprintf(title, sizeof title, "%s, %ld bytes, one way", s->transport, s->size);
  if (s->svg && ni_plot(s->svg, latency, count, title) != 0) {
    fprintf(stderr, "memlift-ni-ping: %s: %s\n", s->svg, strerror(errno));
    exit(1);
  }
}

/* The far end as a child, which ends with this process. Tells its page through a pipe. */
static pid_t start_echo(const struct settings *s, memlift_ni_address *to) {
  int ends[2];
  if (pipe(ends) != 0)
    fail("pipe", MEMLIFT_NO_RESOURCES);
  pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct settings far = *s;
    far.page = -1;
    run_on(s->cpu[1]);
    memlift_ni *ni = attach(&far);
    memlift_ni_address own;
    memlift_ni_own_address(ni, 0, &own);
    if (write(ends[1], &own, sizeof own) == (ssize_t)sizeof own)
      echo_for_ever(ni);
    _exit(1);
  }
  close(ends[1]);
  if (child < 0 || read(ends[0], to, sizeof *to) != (ssize_t)sizeof *to)
    fail("the far end", MEMLIFT_NO_RESOURCES);
  close(ends[0]);
  return child;
}

static void ping(const struct settings *s) {
  memlift_ni_address to = {0};
  memlift_ni *far = NULL;
  pid_t child = 0;
  if (s->to >= 0)
    to = memlift_ni_mailbox_at(s->node < 0 ? 0 : (uint32_t)s->node, (unsigned)s->to);
  else if (strcmp(s->transport, "shm") == 0 || strcmp(s->transport, "ofi") == 0)
    child = start_echo(s, &to);
  uint64_t *latency = calloc((size_t)s->count, sizeof *latency);
  if (!latency)
    fail("memory", MEMLIFT_NO_RESOURCES);
  run_on(s->cpu[0]);
  memlift_ni *ni = attach(s);
  if (s->to < 0 && !child) {
    struct settings other = *s;
    other.page = s->page < 0 ? -1 : s->page + 1;
    if (s->page < 0 && strcmp(s->transport, "mmio") == 0)
      other.page = 1;
    far = attach(&other);
    memlift_ni_own_address(far, 0, &to);
  }
  measure(s, ni, far, to, latency);
  if (child) {
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
  }
  memlift_ni_detach(ni);
  if (far)
    memlift_ni_detach(far);
  report(s, latency);
  free(latency);
}

/* ---- Arguments ----------------------------------------------------------------------------- */

static void bad_usage(const char *what, const char *argument) {
  fprintf(stderr, "memlift-ni-ping: %s: %s; --help lists the options\n", what, argument);
  exit(2);
}

static long number(const char *name, const char *text, long least, long most) {
  char *end;
  long n = strtol(text, &end, 10);
  if (*text == 0 || *end || n < least || n > most)
    bad_usage(name, text);
  return n;
}

static void read_cpus(struct settings *s, const char *text) {
  char rest;
  if (sscanf(text, "%d,%d%c", &s->cpu[0], &s->cpu[1], &rest) != 2 || s->cpu[0] < 0 ||
      s->cpu[1] < 0 || s->cpu[0] >= CPU_SETSIZE || s->cpu[1] >= CPU_SETSIZE)
    bad_usage("--cpus", text);
}

/* An option without a value; 0: it is none. */
static int read_flag(struct settings *s, const char *name) {
  if (strcmp(name, "--reliable") == 0)
    s->reliable = 1;
  else if (strcmp(name, "--echo") == 0)
    s->echo = 1;
  else if (strcmp(name, "--json") == 0)
    s->json = 1;
  else
    return 0;
  return 1;
}

static void read_option(struct settings *s, const char *name, const char *value) {
  if (!value)
    bad_usage("unknown, or without a value", name);
  if (strcmp(name, "--transport") == 0)
    s->transport = value;
  else if (strcmp(name, "--where") == 0)
    s->where = value;
  else if (strcmp(name, "--svg") == 0)
    s->svg = value;
  else if (strcmp(name, "--page") == 0)
    s->page = number(name, value, 0, MEMLIFT_NI_PAGES - 1);
  else if (strcmp(name, "--to") == 0)
    s->to = number(name, value, 0, MEMLIFT_NI_PAGES - 1);
  else if (strcmp(name, "--node") == 0)
    s->node = number(name, value, 0, (1 << 22) - 1);
  else if (strcmp(name, "--size") == 0)
    s->size = number(name, value, 8, MEMLIFT_NI_PAYLOAD_MOST);
  else if (strcmp(name, "--count") == 0)
    s->count = number(name, value, 1, 100000000);
  else if (strcmp(name, "--incarnation") == 0)
    s->incarnation = number(name, value, 1, UINT32_MAX);
  else if (strcmp(name, "--cpus") == 0)
    read_cpus(s, value);
  else
    bad_usage("unknown option", name);
}

int main(int argc, char **argv) {
  struct settings s = {"shm", NULL, NULL, -1, -1, 32, 1000000, -1, 0, 0, 0, 0, {-1, -1}};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0)
      return fputs(usage, stdout) < 0;
    if (strcmp(argv[i], "--version") == 0)
      return printf("memlift-ni-ping %s\n", memlift_version_string()) < 0;
    if (!read_flag(&s, argv[i])) {
      read_option(&s, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
      i++;
    }
  }
  if (!s.echo) {
    ping(&s);
    return 0;
  }
  run_on(s.cpu[1]);
  memlift_ni *ni = attach(&s);
  memlift_ni_address own;
  memlift_ni_own_address(ni, 0, &own);
  printf("page %llu\n", (unsigned long long)((own.word & MEMLIFT_NI_CHANNEL_ADDRESS_MASK) /
                                             MEMLIFT_NI_PAGE_BYTES));
  fflush(stdout);
  echo_for_ever(ni);
  return 1;
}
