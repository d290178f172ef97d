/* overlap.c - how much of a device's time independent work hides, in virtual time
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: bench-overlap
 * A program submits a fill or a copy, does work of its own that lasts as long as the device does,
 * and waits. The devices are the models of a DAX and of a DSA, whose clocks stand still but for
 * what their clients do: hidden is what of the device's time is missing from the whole. The same
 * with the call that waits for what it asks for hides nothing.
 *
 * Exit codes: 0 at least 90 % is hidden everywhere, 1 not.
 */
#include "engine/dax/dax.h"
#include "engine/dsa/dsa_transport.h"
#include "model/dax_model.h"
#include "model/dsa_model.h"

#include <memlift/async.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST ((size_t)32 << 20)
static unsigned char *from, *to;

static struct dax_model dax;
static struct dsa_model dsa;
static uint64_t dax_now(void) { return dax.now; }
static uint64_t dsa_now(void) { return dsa.now; }
static void dax_pass(uint64_t time) { memlift_dax_model_pass(&dax, time); }
static void dsa_pass(uint64_t time) { memlift_dsa_model_pass(&dsa, time); }

struct device {
  const char *name;
  uint64_t (*now)(void);
  void (*pass)(uint64_t nanoseconds); /* the program's own work */
};

/* Nanoseconds from when submission has returned to when the bytes are there; *calls: of the
 * program's time, for submitting. */
static uint64_t run(const struct device *d, int fill, size_t size, uint64_t work, uint64_t *calls) {
  memlift_token token, none = {0};
  uint64_t start = d->now();
  memlift_status status = fill ? memlift_submit_fill(to, 0x1122334455667788u, 8, size, none, &token)
                               : memlift_submit_copy(to, from, size, none, &token);
  uint64_t submitted = d->now();
  *calls = submitted - start;
  d->pass(work);
  if (status != MEMLIFT_OK || memlift_wait(token, UINT64_MAX) != MEMLIFT_OK ||
      (fill ? to[size - 8] != 0x88 && to[size - 8] != 0x11 : memcmp(to, from, size) != 0)) {
    printf("wrong\n");
    exit(1);
  }
  return d->now() - submitted;
}

static int compare(const struct device *d) {
  int bad = 0;
  for (int fill = 0; fill < 2; fill++)
    for (size_t size = (size_t)512 << 10; size <= MOST; size *= 4) {
      uint64_t calls, device = run(d, fill, size, 0, &calls);
      uint64_t together = run(d, fill, size, device, &calls);
      double hidden = (2.0 * (double)device - (double)together) / (double)device;
      printf("| %s | %s | %zu | %.1f | %.1f | %.1f %% |\n", d->name, fill ? "fill" : "copy",
             size >> 10, (double)calls / 1000, (double)device / 1000, hidden * 100);
      bad |= hidden < 0.9;
    }
  return bad;
}

int main(void) {
  static const struct device devices[] = {{"dax", dax_now, dax_pass}, {"dsa", dsa_now, dsa_pass}};
  int bad = 0;
  from = aligned_alloc(4096, MOST), to = aligned_alloc(4096, MOST);
  if (!from || !to)
    return 1;
  for (size_t i = 0; i < MOST; i++)
    from[i] = (unsigned char)(i * 31 >> 3), to[i] = 0;
  memlift_dax_model_reset(&dax, 1, DAX_LARGEST_PAGE);
  memlift_dsa_model_reset(&dsa, 1);
  dax.costs.jitter = dsa.costs.jitter = 0;
  memlift_dax_model = &dax, memlift_dsa_model = &dsa;
  memlift_dax_use(&memlift_dax_model_transport);
  memlift_dsa_use(&memlift_dsa_model_transport);
  printf("| device | operation | KiB | submitting, us | device, us | hidden |\n"
         "|---|---|---:|---:|---:|---:|\n");
  for (unsigned i = 0; i < 2; i++) {
    if (memlift_engine_start(devices[i].name) != MEMLIFT_OK) {
      printf("the models do not run here\n");
      return 1;
    }
    bad |= compare(&devices[i]);
  }
  return bad;
}
