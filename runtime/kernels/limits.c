/* limits.c - where large copies and fills change their method: starting values, MEMLIFT_LIMITS
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "limits.h"
#include "../config.h"
#include "kernels.h"

#if defined(__x86_64__)
#include "x86/limits.h"
#else
#define MEMLIFT_REP_COPY_MIN SIZE_MAX
#define MEMLIFT_STREAM_COPY_MIN SIZE_MAX
#define MEMLIFT_REP_FILL_MIN SIZE_MAX
struct memlift_limits memlift_first_limits(void) {
  const struct memlift_limits never = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, 0};
  return never;
}
#endif

/* Constants, so that they hold before any constructor has run. */
struct memlift_limits memlift_limits = {MEMLIFT_REP_COPY_MIN, MEMLIFT_STREAM_COPY_MIN,
                                        MEMLIFT_REP_FILL_MIN, SIZE_MAX, 0};
char memlift_limits_requested[128];
const char *memlift_limits_refused;

void memlift_set_limits(const struct memlift_limits *limits) {
  __atomic_store_n(&memlift_limits.copy_string, limits->copy_string, __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_limits.copy_stream, limits->copy_stream, __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_limits.fill_string, limits->fill_string, __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_limits.fill_repeat, limits->fill_repeat, __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_limits.engine, limits->engine, __ATOMIC_RELAXED);
}

/* Returns 1 and moves *text past the word when it begins with that. */
static int skip(const char **text, const char *word) {
  const char *at = *text;
  for (; *word; at++, word++)
    if (*at != *word)
      return 0;
  *text = at;
  return 1;
}

/* Digits and K, M or G, or "never". */
static const char *read_size(const char **text, size_t *size) {
  if (skip(text, "never")) {
    *size = SIZE_MAX;
    return NULL;
  }
  if (**text < '0' || **text > '9')
    return "a size is digits followed by K, M or G, or 'never'";
  size_t value = 0;
  int over = 0;
  for (; **text >= '0' && **text <= '9'; ++*text)
    over |= __builtin_mul_overflow(value, (size_t)10, &value) |
            __builtin_add_overflow(value, (size_t)(**text - '0'), &value);
  unsigned shift = **text == 'K' ? 10 : **text == 'M' ? 20 : **text == 'G' ? 30 : 0;
  if (over || value > SIZE_MAX >> shift)
    return "a size does not fit into this machine's addresses";
  *text += shift != 0;
  *size = value << shift;
  return NULL;
}

const char *memlift_read_limits(const char *text, struct memlift_limits *limits) {
  struct memlift_limits all = *limits;
  size_t length = 0;
  while (text[length])
    if (++length >= sizeof memlift_limits_requested - 1)
      return "the text is too long";
  for (;;) {
    size_t *limit = skip(&text, "copy-string=")   ? &all.copy_string
                    : skip(&text, "copy-stream=") ? &all.copy_stream
                    : skip(&text, "fill-string=") ? &all.fill_string
                    : skip(&text, "fill-repeat=") ? &all.fill_repeat
                    : skip(&text, "engine=")      ? &all.engine
                                                  : NULL;
    if (!limit)
      return "the names are copy-string, copy-stream, fill-string, fill-repeat and engine, each "
             "followed by '='";
    const char *wrong = read_size(&text, limit);
    if (wrong)
      return wrong;
    if (!*text)
      break;
    if (*text++ != ',')
      return "sizes end with K, M, G or nothing, and the next name follows a comma";
  }
  *limits = all;
  return NULL;
}

#if MEMLIFT_HAVE_ENVIRONMENT
/* The earliest priority that programs may use, as for MEMLIFT_CPU. */
__attribute__((constructor(101))) static void read_limits_request(void) {
  struct memlift_limits limits = memlift_first_limits();
  const char *text = memlift_environment_text("MEMLIFT_LIMITS", memlift_limits_requested,
                                              sizeof memlift_limits_requested);
  if (*text)
    memlift_limits_refused = memlift_read_limits(text, &limits);
  memlift_set_limits(&limits);
}
#endif
