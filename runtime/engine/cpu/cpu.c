/* cpu.c - the engine that every machine has: the kernels, complete when submitted
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Operations normally reach the kernels without an engine in between (MEMLIFT_ENGINE=cpu makes no
 * engine active); this form lets code that drives engines drive the CPU alike.
 */
#include "../../config.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "../../kernels/dispatch.h"
#include "../engine.h"

static memlift_status probe(const char **reason) {
  *reason = "";
  return MEMLIFT_OK;
}

static void nothing(void) {}

static unsigned submit(const struct memlift_request *pieces, unsigned count,
                       memlift_ticket *tickets, memlift_status *status) {
  *status = MEMLIFT_OK;
  for (unsigned i = 0; i < count; i++) {
    const struct memlift_request *piece = &pieces[i];
    tickets[i] = 0;
    if (piece->operation == MEMLIFT_OPERATION_COPY)
      memlift_cpu_copy(piece->destination, piece->source, piece->size);
    else
      memlift_cpu_fill(piece->destination, piece->pattern, piece->size);
  }
  return count;
}

static memlift_status poll(memlift_ticket ticket, const struct memlift_request *piece,
                           size_t *done) {
  (void)ticket;
  *done = piece->size;
  return MEMLIFT_OK;
}

static void no_wait(memlift_ticket ticket, const struct memlift_request *piece, uint64_t limit) {
  (void)ticket, (void)piece, (void)limit;
}

static uint64_t sizes[MEMLIFT_SIZE_CLASSES];

const struct memlift_engine memlift_engine_cpu = {
    .name = "cpu",
    .sizes = sizes,
    .alignment = 1,
    .min_bytes = MEMLIFT_CPU_MIN_BYTES,
    .max_bytes = SIZE_MAX & ~(size_t)7,
    .in_flight = MEMLIFT_CPU_IN_FLIGHT,
    .timeout_ns = 0,
    .probe = probe,
    .submit = submit,
    .poll = poll,
    .wait = no_wait,
    .abort = nothing,
};
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
