/* memlift-info.c - prints which kernels, engines and limits libmemlift uses on this machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Exit codes: 0 printed, 1 what was asked for could not be done, 2 bad usage. A request that could
 * not be honoured (MEMLIFT_ENGINE, MEMLIFT_CPU, MEMLIFT_LIMITS) is a line of the output, not an
 * error: programs run all the same.
 */
#include "calibrate.h"
#include "stats.h"

#include <memlift/memlift.h>

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: memlift-info [--json]\n"
    "       memlift-info --calibrate [--output FILE]\n"
    "       memlift-info --stats FILE [--json]\n"
    "Prints which kernels, engines and limits libmemlift uses on this machine.\n"
    "\n"
    "  --json           the same as one JSON object; a limit that is never reached is null\n"
    "  --calibrate      measure from which sizes copies and fills should change method here,\n"
    "                   and copies go to the engine that MEMLIFT_ENGINE names; print the figures\n"
    "                   and the setting of MEMLIFT_LIMITS that follows; takes some seconds on an\n"
    "                   otherwise idle machine, and up to 512 MiB\n"
    "  --output FILE    write the setting into FILE too, as a line for a shell or systemd to read\n"
    "  --stats FILE     what programs that ran with MEMLIFT_STATS=FILE have done with engines:\n"
    "                   counters, and operations by size and engine\n"
    "  --help           this text\n"
    "  --version        version of libmemlift\n"
    "\n"
    "environment:\n"
    "  MEMLIFT_CPU=LEVEL         use no instruction set above this one: generic; on x86-64 sse2,\n"
    "                            avx2, avx512; on AArch64 neon, crypto; on RV64 base, zb, v\n"
    "  MEMLIFT_ENGINE=NAME       engine for large copies and fills, one of:\n"
    "                           "
#define MEMLIFT_ENGINE(identifier, source) " " #identifier
#include "../../intrinsics/generated/Engines.inc"
    ";\n"
    "                            pdma and zdma are present on bare metal only\n"
    "  MEMLIFT_THREADS=N|cpus=LIST   helpers of threads: so many, or one on each CPU of a list\n"
    "                                as 0-3,8; else on each CPU but the one in use\n"
    "  MEMLIFT_WAIT=poll         wait for engines by looking again and again, not by what the\n"
    "                            core has for it (umwait, mwaitx, wfe, wrs)\n"
    "  MEMLIFT_LIMITS=NAME=SIZE,...  where the method changes: copy-string, copy-stream,\n"
    "                                fill-string, fill-repeat, engine; sizes like 24K, 96M or\n"
    "                                never\n"
    "  MEMLIFT_STATS=FILE            append what --stats reads to FILE when the program ends\n"
    "  MEMLIFT_TRACE=FILE            write a trace of tasks and local stores to FILE at the end\n"
    "\n"
    "exit codes: 0 done, 1 it could not be done, 2 bad usage\n";

static void print_size(const char *label, size_t bytes) {
  if (bytes == SIZE_MAX)
    printf("  %-26s never\n", label);
  else
    printf("  %-26s %zu bytes\n", label, bytes);
}

/* Is it one of the names in a list like "generic, sse2"? */
static int known_level(const char *name, const char *levels) {
  size_t length = strlen(name);
  for (const char *at = levels; (at = strstr(at, name)) != NULL && length; at += length)
    if ((at == levels || at[-1] == ' ') && (at[length] == ',' || at[length] == 0))
      return 1;
  return length == 0;
}

static void print_cpu(const struct memlift_description *d) {
  int known = known_level(d->isa_requested, d->isa_levels);
  printf("libmemlift %s\n\ncpu\n", memlift_version_string());
  printf("  %-26s %s\n", "architecture", d->architecture);
  printf("  %-26s %s\n", "best instruction set", d->isa_best);
  if (*d->isa_requested)
    printf("  %-26s %s%s%s%s\n", "MEMLIFT_CPU", d->isa_requested,
           known ? "" : " (unknown, ignored: ", known ? "" : d->isa_levels, known ? "" : ")");
  printf("\nkernels\n");
  printf("  %-26s %s\n  %-26s %s\n  %-26s %s\n  %-26s %s\n", "copy", d->copy_kernel, "move",
         d->move_kernel, "fill", d->fill_kernel, "fill, period 3 5 6 7", d->pattern_kernel);
  printf("  %-26s %s\n", "sums, Internet checksum", d->sum_kernel);
  printf("  %-26s %s\n", "CRCs", d->crc_kernel);
  print_size("string copy from", d->rep_copy_min);
  print_size("streaming copy from", d->stream_copy_min);
  print_size("string fill from", d->rep_fill_min);
  print_size("repeated fill from", d->repeat_fill_min);
  if (*d->limits_requested)
    printf("  %-26s %s%s%s%s\n", "MEMLIFT_LIMITS", d->limits_requested,
           *d->limits_refused ? " (not used: " : "", d->limits_refused,
           *d->limits_refused ? ")" : "");
}

static void print_engines(const struct memlift_description *d) {
  struct memlift_engine_description e;
  printf("\nengines\n  %-26s %s\n", "in use", d->engine);
  if (*d->engine_requested)
    printf("  %-26s %s%s%s\n", "MEMLIFT_ENGINE", d->engine_requested,
           d->engine_status == MEMLIFT_OK ? "" : ": not used, ",
           d->engine_status == MEMLIFT_OK ? "" : memlift_strerror(d->engine_status));
  print_size("used from", d->engine_min);
  printf("  %-26s %s\n", "health", d->engine_health);
  printf("  %-26s %s\n", "waits by", d->wait);
  if (*d->wait_requested)
    printf("  %-26s %s%s\n", "MEMLIFT_WAIT", d->wait_requested,
           strcmp(d->wait_requested, "poll") ? " (unknown, ignored: poll)" : "");
  for (unsigned i = 0; memlift_describe_engine(i, &e, sizeof e) == MEMLIFT_OK; i++)
    printf("  %-26s %s%s%s\n", e.name, e.present ? "present" : "absent", e.present ? "" : ": ",
           e.reason);
}

/* Strings here are ours or an environment value: quotes and control characters are escaped. */
static void json_text(const char *key, const char *value, const char *end) {
  printf("\"%s\": \"", key);
  for (; *value; value++)
    if (*value == '"' || *value == '\\')
      printf("\\%c", *value);
    else if ((unsigned char)*value < 0x20)
      printf("\\u%04x", (unsigned)(unsigned char)*value);
    else
      putchar(*value);
  printf("\"%s", end);
}

static void json_size(const char *key, size_t bytes, const char *end) {
  if (bytes == SIZE_MAX)
    printf("\"%s\": null%s", key, end);
  else
    printf("\"%s\": %zu%s", key, bytes, end);
}

static void json_engines(void) {
  struct memlift_engine_description e;
  printf("  \"engines\": [");
  for (unsigned i = 0; memlift_describe_engine(i, &e, sizeof e) == MEMLIFT_OK; i++) {
    printf("%s\n    {", i ? "," : "");
    json_text("name", e.name, ", ");
    printf("\"present\": %s, ", e.present ? "true" : "false");
    json_text("reason", e.reason, ", ");
    json_text("about", e.about, "");
    if (e.present) {
      printf(", ");
      json_size("alignment", e.alignment, ", ");
      json_size("min_bytes", e.min_bytes, ", ");
      json_size("max_bytes", e.max_bytes, ", ");
      printf("\"in_flight\": %u", e.in_flight);
    }
    printf("}");
  }
  printf("\n  ]\n}\n");
}

static void print_json(const struct memlift_description *d) {
  const char *next = ",\n  ";
  printf("{\n  ");
  json_text("version", memlift_version_string(), next);
  json_text("architecture", d->architecture, next);
  json_text("isa_best", d->isa_best, next);
  json_text("isa_requested", d->isa_requested, next);
  json_text("isa_levels", d->isa_levels, next);
  json_text("copy_kernel", d->copy_kernel, next);
  json_text("move_kernel", d->move_kernel, next);
  json_text("fill_kernel", d->fill_kernel, next);
  json_text("pattern_kernel", d->pattern_kernel, next);
  json_text("sum_kernel", d->sum_kernel, next);
  json_text("crc_kernel", d->crc_kernel, next);
  json_size("rep_copy_min", d->rep_copy_min, next);
  json_size("stream_copy_min", d->stream_copy_min, next);
  json_size("rep_fill_min", d->rep_fill_min, next);
  json_size("repeat_fill_min", d->repeat_fill_min, next);
  json_text("limits_requested", d->limits_requested, next);
  json_text("limits_refused", d->limits_refused, next);
  json_text("engine", d->engine, next);
  json_text("engine_requested", d->engine_requested, next);
  json_text("engine_status", memlift_strerror(d->engine_status), next);
  json_size("engine_min", d->engine_min, next);
  json_text("engine_health", d->engine_health, next);
  json_text("wait", d->wait, next);
  json_text("wait_requested", d->wait_requested, ",\n");
  json_engines();
}

static int bad_usage(const char *message, const char *argument) {
  fprintf(stderr, "memlift-info: %s%s%s; try memlift-info --help\n", message, argument ? " " : "",
          argument ? argument : "");
  return 2;
}

static int describe(int json) {
  struct memlift_description d;
  memlift_describe(&d, sizeof d);
  if (json) {
    print_json(&d);
  } else {
    print_cpu(&d);
    print_engines(&d);
  }
  return 0;
}

int main(int argc, char **argv) {
  int json = 0, measures = 0;
  const char *output = NULL, *stats = NULL;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--help")) {
      fputs(usage, stdout);
      return 0;
    }
    if (!strcmp(argv[i], "--version")) {
      printf("memlift-info %s\n", memlift_version_string());
      return 0;
    }
    if (!strcmp(argv[i], "--json"))
      json = 1;
    else if (!strcmp(argv[i], "--calibrate"))
      measures = 1;
    else if (!strcmp(argv[i], "--stats")) {
      if (++i == argc || !*argv[i])
        return bad_usage("--stats needs a file", NULL);
      stats = argv[i];
    } else if (strcmp(argv[i], "--output"))
      return bad_usage("unknown argument", argv[i]);
    else if (++i == argc || !*argv[i])
      return bad_usage("--output needs a file", NULL);
    else
      output = argv[i];
  }
  if (measures && json)
    return bad_usage("--calibrate has no --json", NULL);
  if (measures && stats)
    return bad_usage("--calibrate and --stats are two things", NULL);
  if (output && !measures)
    return bad_usage("--output goes with --calibrate", NULL);
  if (stats)
    return print_stats(stats, json);
  return measures ? calibrate(output) : describe(json);
}
