/* describe.c - description of this machine, for memlift-info and for programs that ask
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "config.h"
#include "engine/engine.h"
#include "engine/health.h"
#include "engine/registry.h"
#include "include/memlift/memlift.h"
#include "kernels/dispatch.h"
#include "kernels/limits.h"
#include "queue/watch.h"

#if defined(__x86_64__)
#define ARCHITECTURE "x86-64"
#elif defined(__riscv)
#define ARCHITECTURE (__riscv_xlen == 64 ? "riscv64" : "riscv32")
#elif defined(__aarch64__)
#define ARCHITECTURE "aarch64"
#elif defined(__sparc__)
#define ARCHITECTURE "sparc"
#elif defined(__arc__)
#define ARCHITECTURE "arc"
#else
#define ARCHITECTURE "other"
#endif

static const struct memlift_named_kernel generic_kernel_names[] = {
    MEMLIFT_NAMED(copy_generic), MEMLIFT_NAMED(move_generic),
    MEMLIFT_NAMED(fill_generic), MEMLIFT_NAMED(pattern_generic),
    MEMLIFT_NAMED(crc_generic),  MEMLIFT_NAMED_AS(sum_u8_generic, sum_generic),
};

static const char *name_of(memlift_any_fn *kernel) {
#if MEMLIFT_HAVE_MACHINE_KERNELS
  for (const struct memlift_named_kernel *k = memlift_machine_kernel_names; k->name; k++)
    if (k->kernel == kernel)
      return k->name;
#endif
  for (size_t i = 0; i < sizeof generic_kernel_names / sizeof *generic_kernel_names; i++)
    if (generic_kernel_names[i].kernel == kernel)
      return generic_kernel_names[i].name;
  return "unknown";
}

#define NAME_IN_USE(pointer)                                                                       \
  name_of((memlift_any_fn *)__atomic_load_n(&(pointer), __ATOMIC_RELAXED))

/* "generic, sse2, ..." */
#define LEVEL_NAME(NAME, name) ", " #name
static const char level_names[] = "generic" MEMLIFT_MACHINE_LEVELS(LEVEL_NAME);

/* Copies as much of a struct as the caller knows of. */
static void give(void *out, const void *from, size_t size, size_t ours) {
  memlift_cpu_copy(out, from, size < ours ? size : ours);
}

static void describe_engine_choice(struct memlift_description *d) {
  d->engine = memlift_active_engine_name();
  d->engine_requested = d->wait_requested = "";
  d->wait = "poll";
  d->engine_health = "answers";
  d->engine_min = __atomic_load_n(&memlift_engine_min, __ATOMIC_RELAXED);
#if MEMLIFT_HAVE_ENGINES
  d->engine_requested = memlift_engine_requested;
  d->engine_status = memlift_engine_request_status;
  d->wait = memlift_watch_name(memlift_watch_in_use());
  d->wait_requested = memlift_watch_requested;
#endif
#if MEMLIFT_HAVE_OFFLOAD
  if (memlift_health_is_silent()) {
    d->engine_health = "silent";
    d->engine_pause = __atomic_load_n(&memlift_health.pause, __ATOMIC_RELAXED);
  } else if (__atomic_load_n(&memlift_health.time_outs, __ATOMIC_RELAXED)) {
    d->engine_health = "timed out";
  }
#endif
}

static void describe_limits(struct memlift_description *d, enum memlift_level used) {
  d->rep_copy_min = d->stream_copy_min = d->rep_fill_min = d->repeat_fill_min = SIZE_MAX;
  if (used == MEMLIFT_LEVEL_GENERIC)
    return;
  d->rep_copy_min = __atomic_load_n(&memlift_limits.copy_string, __ATOMIC_RELAXED);
  d->stream_copy_min = __atomic_load_n(&memlift_limits.copy_stream, __ATOMIC_RELAXED);
  d->rep_fill_min = __atomic_load_n(&memlift_limits.fill_string, __ATOMIC_RELAXED);
  d->repeat_fill_min = __atomic_load_n(&memlift_limits.fill_repeat, __ATOMIC_RELAXED);
}

memlift_status memlift_describe(struct memlift_description *out, size_t size) {
  if (!out || size == 0)
    return MEMLIFT_INVALID_ARGUMENT;
  enum memlift_level best = memlift_best_level(), used = memlift_level_in_use();
  memlift_choose_kernels(); /* what is described is what the next call uses */
  struct memlift_description d = {
      .architecture = ARCHITECTURE,
      .isa_best = memlift_level_name(best),
      .isa_requested = memlift_level_requested,
      .copy_kernel = NAME_IN_USE(memlift_copy_now),
      .move_kernel = NAME_IN_USE(memlift_move_now),
      .fill_kernel = NAME_IN_USE(memlift_fill_now),
      .pattern_kernel = NAME_IN_USE(memlift_pattern_now),
      .sum_kernel = NAME_IN_USE(memlift_sum_now[MEMLIFT_SUM_U8]),
      .crc_kernel = NAME_IN_USE(memlift_crc_now),
      .isa_levels = level_names,
      .limits_requested = memlift_limits_requested,
      .limits_refused = memlift_limits_refused ? memlift_limits_refused : "",
  };
  describe_limits(&d, used);
  describe_engine_choice(&d);
  give(out, &d, size, sizeof d);
  return MEMLIFT_OK;
}

static const struct record {
  const char *name, *source;
} records[] = {
#define MEMLIFT_ENGINE(identifier, text) {.name = #identifier, .source = text},
#include "../intrinsics/generated/Engines.inc"
};

memlift_status memlift_describe_engine(unsigned index, struct memlift_engine_description *out,
                                       size_t size) {
  if (!out || size == 0)
    return MEMLIFT_INVALID_ARGUMENT;
  if (index >= sizeof records / sizeof records[0])
    return MEMLIFT_UNKNOWN_ENGINE;
  struct memlift_engine_description d = {
      .name = records[index].name, .about = records[index].source, .alignment = 1};
  d.reason = "left out of this build: its target has no threads";
#if MEMLIFT_HAVE_OFFLOAD
  const struct memlift_engine *engine = memlift_find_engine(d.name);
  if (engine) {
    d.present = engine->probe(&d.reason) == MEMLIFT_OK;
    d.alignment = engine->alignment;
    d.min_bytes = engine->min_bytes;
    d.max_bytes = engine->max_bytes;
    d.in_flight = engine->in_flight;
  }
#else
  if (memlift_same_text(d.name, "cpu"))
    d.present = 1, d.reason = "";
#endif
  give(out, &d, size, sizeof d);
  return MEMLIFT_OK;
}

memlift_status memlift_engine_count(struct memlift_engine_counters *out, size_t size) {
  if (!out || size == 0)
    return MEMLIFT_INVALID_ARGUMENT;
  struct memlift_engine_counters c = {0};
#if MEMLIFT_HAVE_OFFLOAD
  struct memlift_engine_counters *from = &memlift_engine_counted;
  c.operations = __atomic_load_n(&from->operations, __ATOMIC_RELAXED);
  c.engine_bytes = __atomic_load_n(&from->engine_bytes, __ATOMIC_RELAXED);
  c.cpu_bytes = __atomic_load_n(&from->cpu_bytes, __ATOMIC_RELAXED);
  c.busy = __atomic_load_n(&from->busy, __ATOMIC_RELAXED);
  c.faults = __atomic_load_n(&from->faults, __ATOMIC_RELAXED);
  c.time_outs = __atomic_load_n(&from->time_outs, __ATOMIC_RELAXED);
  c.shared_bytes = __atomic_load_n(&from->shared_bytes, __ATOMIC_RELAXED);
  c.submitted = __atomic_load_n(&from->submitted, __ATOMIC_RELAXED);
  c.collected = __atomic_load_n(&from->collected, __ATOMIC_RELAXED);
  c.cancelled = __atomic_load_n(&from->cancelled, __ATOMIC_RELAXED);
  c.silent = __atomic_load_n(&from->silent, __ATOMIC_RELAXED);
  c.lost = __atomic_load_n(&from->lost, __ATOMIC_RELAXED);
#endif
  give(out, &c, size, sizeof c);
  return MEMLIFT_OK;
}
