/* main.c - copies and fills of a bare-metal program, done by the DMA engine of its chip
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls the loops of loops.c and checks every byte and who has moved it; then makes the engine's
 * channels report an error, and checks that the CPU has done the rest. Says "firmware: ok" or what
 * is wrong.
 */
#include "board.h"
#include "loops.h"

#include <memlift/memlift.h>

#include "engine/pdma/pdma.h"
#include "engine/pdma/pdma_spec.h"
#include "engine/zdma/zdma.h"
#include "engine/zdma/zdma_spec.h"

#define MOST ((size_t)1 << 20)
#define EDGE 64

static unsigned char __attribute__((aligned(64))) from[MOST + EDGE];
static unsigned char __attribute__((aligned(64))) to[MOST + 2 * EDGE];
static struct memlift_engine_counters before, since;
static int bad;

static void say(const char *text) {
  for (; *text; text++)
    board_put(*text);
}

static void say_number(uint64_t number) {
  char digits[24];
  unsigned at = sizeof digits - 1;
  digits[at] = 0;
  do
    digits[--at] = (char)('0' + number % 10);
  while (number /= 10);
  say(digits + at);
}

/* ---- Who has moved what ---------------------------------------------------------------------- */

static void begin(void) {
  volatile unsigned char *p = to;
  for (size_t i = 0; i < sizeof to; i++)
    p[i] = 0xc3;
  memlift_engine_count(&before, sizeof before);
}

static void end(const char *what, size_t size, int right, int as_expected) {
  say(what);
  say(" of "), say_number(size), say(" bytes: ");
  say_number(since.engine_bytes), say(" by the engine, "), say_number(since.cpu_bytes);
  say(" by the CPU after "), say_number(since.faults), say(" faults");
  say(right ? "" : ", WRONG BYTES"), say(as_expected ? "\n" : ", NOT AS EXPECTED\n");
  bad |= !right || !as_expected;
}

static void look(void) {
  memlift_engine_count(&since, sizeof since);
  since.operations -= before.operations, since.engine_bytes -= before.engine_bytes;
  since.cpu_bytes -= before.cpu_bytes, since.faults -= before.faults;
  since.time_outs -= before.time_outs;
}

static int edges_are_whole(const unsigned char *first, const unsigned char *last) {
  for (const unsigned char *p = to; p < to + sizeof to; p++)
    if ((p < first || p >= last) && *p != 0xc3)
      return 0;
  return 1;
}

/* Bytes of whole granules, which are the engine's. */
static size_t body(const unsigned char *p, size_t size) {
  uintptr_t first = ((uintptr_t)p + 63) & ~(uintptr_t)63;
  uintptr_t last = ((uintptr_t)p + size) & ~(uintptr_t)63;
  return last > first ? last - first : 0;
}

/* ---- Copies and fills ------------------------------------------------------------------------ */

static void check_copy(size_t size, size_t skew, int fails) {
  unsigned char *first = to + EDGE + skew;
  size_t engine = body(first, size);
  int right = 1;
  begin();
  copy_bytes(first, from + 2 * skew, size);
  look();
  for (size_t i = 0; i < size; i++)
    right &= first[i] == from[2 * skew + i];
  right &= edges_are_whole(first, first + size);
  end("copy", size, right,
      !since.time_outs &&
          (fails ? since.faults > 0 && since.engine_bytes == 0 && since.cpu_bytes == engine
                 : !since.faults && since.engine_bytes == engine));
}

/* The PDMA does not fill. */
static void check_fill(size_t size, size_t skew, int fills, int fails) {
  unsigned char *first = to + EDGE + 8 * skew;
  uint64_t v = UINT64_C(0x8877665544332211);
  int right = 1;
  begin();
  fill_words((uint64_t *)(void *)first, v, size / 8);
  look();
  for (size_t i = 0; i < size; i++)
    right &= first[i] == (unsigned char)(v >> 8 * (i % 8));
  right &= edges_are_whole(first, first + size);
  end("fill", size, right,
      since.engine_bytes == (fills && !fails ? body(first, size) : 0) &&
          (since.faults > 0) == (fills && fails));
}

/* ---- Making channels report errors ----------------------------------------------------------- */

#if defined(BOARD_ZCU102)
#define FILLS 1
/* Memory as one that has it in pages says where it is: copies become lists of descriptors. */
static uint64_t in_pages(const void *p, size_t *bytes) {
  *bytes = 1024 - (uintptr_t)p % 1024;
  return (uintptr_t)p;
}

static void use_pages(int in_use) {
  static struct memlift_bus bus;
  bus = *memlift_own_bus;
  bus.physical = in_pages;
  memlift_zdma_use(in_use ? &bus : NULL, 0, 0);
}

/* The first channel has run one. */
static void check_lists(void) {
  check_copy(MOST - 64, 13, 0);
  if (*board_register(ZDMA_BASE + MEMLIFT_ZDMA_MODE_OFFSET) & MEMLIFT_ZDMA_SCATTER_GATHER_MASK)
    return;
  say("NO LIST HAS BEEN RUN\n");
  bad = 1;
}

/* A list of descriptors at an address that is none: no multiple of their size. */
static void break_engine(void) {
  memlift_zdma_use(NULL, 0, MEMLIFT_ZDMA_SCATTER_GATHER_MASK);
  for (unsigned c = 0; c < ZDMA_CHANNELS; c++)
    for (unsigned offset = MEMLIFT_ZDMA_SOURCE_LIST_LOW_OFFSET;
         offset <= MEMLIFT_ZDMA_DESTINATION_LIST_HIGH_OFFSET; offset += 4)
      *board_register(ZDMA_BASE + c * (uintptr_t)ZDMA_STRIDE + offset) = offset % 8 ? 0 : 4;
}
static void mend_engine(void) { memlift_zdma_use(NULL, 0, 0); }
#else
#define FILLS 0
static void use_pages(int in_use) { (void)in_use; }
static void check_lists(void) {}

/* Reads and writes of different sizes, which QEMU's model refuses. */
static void break_engine(void) {
  memlift_pdma_use(NULL, 0, PDMA_WIDEST & ~(UINT32_C(1) << MEMLIFT_PDMA_WSIZE_SHIFT));
}
static void mend_engine(void) { memlift_pdma_use(NULL, 0, 0); }
#endif

static void check_all(int fails) {
  static const size_t sizes[] = {4096, 65536, 100003, MOST - 64};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    check_copy(sizes[i], i, fails);
    check_copy(sizes[i], i ? 13 : 0, fails);
    check_fill(sizes[i] & ~(size_t)7, i, FILLS, fails);
  }
}

int main(void);
int main(void) {
  board_start_serial();
  say(BOARD_NAME ", " BOARD_ENGINE "\n");
  for (size_t i = 0; i < sizeof from; i++)
    ((volatile unsigned char *)from)[i] = (unsigned char)(i * 31 + (i >> 8) * 7);
  if (memlift_engine_start(BOARD_ENGINE) != MEMLIFT_OK) {
    say("firmware: the engine does not start\n");
    return 1;
  }
  check_all(0);
  use_pages(1);
  check_all(0);
  check_lists();
  use_pages(0);
  break_engine();
  check_all(1);
  mend_engine();
  check_all(0);
  memlift_engine_stop();
  say(bad ? "firmware: FAILED\n" : "firmware: ok\n");
  return bad;
}
