/* starts.c - the start of a transfer through a thread's own channel of a PDMA, again and again
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: starts WHAT COUNT, WHAT one of loop, start, get
 * Does COUNT empty rounds, starts by the mover, or memlift_get. bench/model/starts.py counts the
 * instructions. The registers are memory here, and reached by functions as on bare metal; nothing
 * moves.
 */
#include "engine/pdma/pdma_spec.h"
#include "tasks/mover_pdma.h"
#include "tasks/store.h"

#include <stdlib.h>
#include <string.h>

static uint64_t registers[0x4000 / 8];

static uint32_t read_word(uintptr_t address) { return *(volatile uint32_t *)address; }
static void write_word(uintptr_t address, uint32_t value) { *(volatile uint32_t *)address = value; }
static uint64_t read_long(uintptr_t address) { return *(volatile uint64_t *)address; }
static void write_long(uintptr_t address, uint64_t value) { *(volatile uint64_t *)address = value; }
static void nothing(const void *p, size_t size) { (void)p, (void)size; }
static uint64_t now(void) { return 0; }
static const struct memlift_bus bus = {read_word, write_word, read_long, write_long,
                                       nothing,   nothing,    now,       NULL};

static struct memlift_local_store store;
static struct memlift_mover_pdma pdma;
static unsigned char memory[1 << 16], from[1 << 16];

/* Ends what was started: the next round finds the slot and the channel as the first one did. */
__attribute__((noinline)) static void restore(void) {
  struct memlift_store *s = (struct memlift_store *)(void *)&store;
  s->free = ~(uint64_t)0;
  pdma.own = &pdma.job[0];
  pdma.job[0].next = NULL;
  pdma.job[0].state = 0;
}

int main(int argc, char **argv) {
  if (argc != 3 || memlift_mover_pdma_open(&pdma, &bus, (uintptr_t)registers, 1) != MEMLIFT_OK ||
      memlift_store_bind(&store, memory, sizeof memory, 0) != MEMLIFT_OK)
    return 2;
  ((struct memlift_store *)(void *)&store)->mover = &pdma.mover;
  struct memlift_transfer t = {memory, from, 4096, 1, 0, 0, MEMLIFT_GET};
  int start = strcmp(argv[1], "start") == 0, get = strcmp(argv[1], "get") == 0;
  for (int i = atoi(argv[2]); i > 0; i--) {
    uint64_t ticket;
    size_t moved;
    if (start)
      pdma.mover.start(&pdma.mover, &t, &ticket, &moved);
    if (get)
      memlift_get(memory, from, 4096, 3);
    restore();
  }
  return 0;
}
