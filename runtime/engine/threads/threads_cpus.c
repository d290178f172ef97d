/* threads_cpus.c - how many helpers, and on which CPUs: MEMLIFT_THREADS
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   (nothing)        one on each CPU that the process may use, but for the one that it is on
 *   N                so many of those, and if N is all of them the one that it is on too
 *   cpus=0-3,8       one on each of these
 */
#define _GNU_SOURCE
#include "../../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "threads.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

static int has(const struct threads_set *set, unsigned cpu) {
  return set->bits[cpu / 8] >> cpu % 8 & 1;
}

static unsigned count_of(const struct threads_set *set) {
  unsigned count = 0;
  for (unsigned cpu = 0; cpu < THREADS_CPUS; cpu++)
    count += (unsigned)has(set, cpu);
  return count;
}

/* Reads digits. Returns 1, and moves *text past them, when they are a number below the limit. */
static int read_number(const char **text, unsigned limit, unsigned *number) {
  const char *first = *text;
  *number = 0;
  for (; **text >= '0' && **text <= '9'; ++*text) {
    *number = *number * 10 + (unsigned)(**text - '0');
    if (*number >= limit)
      return 0;
  }
  return *text != first;
}

/* The first so many, in the order of their numbers, the one that the process is on last. */
static void take_first(const struct threads_set *may, unsigned here, unsigned count,
                       struct threads_crew_plan *plan) {
  plan->count = 0;
  for (unsigned cpu = 0; cpu < THREADS_CPUS && plan->count < count; cpu++)
    if (has(may, cpu) && cpu != here)
      plan->cpu[plan->count++] = cpu;
  if (plan->count < count)
    plan->cpu[plan->count++] = here;
}

static const char *take(const struct threads_set *may, unsigned cpu,
                        struct threads_crew_plan *plan) {
  if (!has(may, cpu))
    return "MEMLIFT_THREADS names a CPU that this process may not use";
  for (unsigned i = 0; i < plan->count; i++)
    if (plan->cpu[i] == cpu)
      return "MEMLIFT_THREADS names a CPU twice";
  if (plan->count == THREADS_MOST)
    return "MEMLIFT_THREADS names more than 64 CPUs";
  plan->cpu[plan->count++] = cpu;
  return NULL;
}

static const char *read_list(const char *text, const struct threads_set *may,
                             struct threads_crew_plan *plan) {
  static const char *const form =
      "MEMLIFT_THREADS: after cpus= there are numbers of CPUs, and ranges "
      "as 0-3, with commas between them";
  for (plan->count = 0;; text++) {
    unsigned first, last;
    if (!read_number(&text, THREADS_CPUS, &first))
      return form;
    last = first;
    if (*text == '-' && (text++, !read_number(&text, THREADS_CPUS, &last)))
      return form;
    if (last < first)
      return form;
    for (unsigned cpu = first; cpu <= last; cpu++) {
      const char *wrong = take(may, cpu, plan);
      if (wrong)
        return wrong;
    }
    if (*text == '\0')
      return NULL;
    if (*text != ',')
      return form;
  }
}

/* Returns the text after `word` when it begins with that, else NULL. */
static const char *after_word(const char *text, const char *word) {
  while (*word && *text == *word)
    text++, word++;
  return *word ? NULL : text;
}

const char *memlift_threads_choose(const char *setting, const struct threads_set *may,
                                   unsigned here, struct threads_crew_plan *plan) {
  unsigned cpus = count_of(may), count = cpus > THREADS_MOST ? THREADS_MOST : cpus - 1;
  const char *list = after_word(setting, "cpus=");
  if (cpus < 2)
    return "this process may use one CPU only";
  if (list)
    return read_list(list, may, plan);
  if (*setting && (!read_number(&setting, THREADS_MOST + 1, &count) || *setting || !count))
    return "MEMLIFT_THREADS is a number from 1 to 64, or cpus= and a list";
  if (count > cpus)
    return "MEMLIFT_THREADS is more than the CPUs that this process may use";
  take_first(may, here, count, plan);
  return NULL;
}

const char *memlift_threads_choose_here(const char *setting, struct threads_crew_plan *plan) {
  struct threads_set may = {{0}};
  unsigned long words[THREADS_CPUS / 8 / sizeof(unsigned long)] = {0};
  /* The system's own call: libc's sets have room for 1024 CPUs. */
  if (syscall(SYS_sched_getaffinity, 0, sizeof words, words) < 0)
    return "this system does not tell which CPUs may be used";
  for (unsigned cpu = 0; cpu < THREADS_CPUS; cpu++)
    if (words[cpu / (8 * sizeof *words)] >> cpu % (8 * sizeof *words) & 1)
      may.bits[cpu / 8] |= (unsigned char)(1u << cpu % 8);
  int here = sched_getcpu();
  return memlift_threads_choose(setting, &may, here < 0 ? 0 : (unsigned)here, plan);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
