/* dma.c - transfers of MPU programs, and lines that are accessed atomically
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Transfers are those of the unit's local store, whose tags each task has for itself.
 *
 * A line is stored under a version, which several lines share. It is odd while somebody stores.
 * A reservation is the version and the contents: so a store by these functions ends it, and a store
 * of another kind does if it has changed something. A store that changes one doubleword is a
 * compare and exchange, so that it does not undo what the host does to it at the same time. Where
 * units are processes the host does all that for them: one that is killed leaves no odd version.
 */
#include "mars.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 16u      /* of a line of 128 bytes */
#define VERSIONS 1024u /* for all lines */

void memlift_mars_refuse(const struct memlift_mars_task *task, const char *what) {
  fprintf(stderr, "memlift-mars: task %s: %s\n",
          task && task->id.name[0] ? (const char *)task->id.name : "without a name", what);
  abort();
}

/* ---- Transfers ---------------------------------------------------- */

/* Meets a bad address as an access by the program would. */
static void meet(const struct memlift_dma_fault *fault) {
  volatile char *p = (volatile char *)(uintptr_t)fault->address;
  char byte = *p;
  if (fault->put)
    *p = byte;
  fprintf(stderr, "memlift-mars: a transfer ended at %p after %zu bytes\n", fault->address,
          fault->bytes);
  abort();
}

/* After all that is under way: so fences and barriers are obeyed. */
static void move_remotely(enum memlift_mpu_way way, void *local, uint64_t ea, uint32_t size) {
  memlift_mars_tags_wait(UINT32_MAX, 1);
  uint32_t moved = memlift_mars_remote_move(way, local, ea, size);
  if (moved == size)
    return;
  fprintf(stderr, "memlift-mars: a transfer ended at %p after %u bytes\n",
          mars_ea_to_ptr(ea + moved), moved);
  abort();
}

void memlift_mars_move(enum memlift_mpu_way way, volatile void *ls, uint64_t ea, uint32_t size,
                       uint32_t tag) {
  void *memory = mars_ea_to_ptr(ea), *local = (void *)(uintptr_t)ls;
  if (memlift_mars_is_remote(ea)) {
    move_remotely(way, local, ea, size);
    return;
  }
  memlift_status status = way == MEMLIFT_MPU_GET ? memlift_get(local, memory, size, tag)
                                                 : memlift_put(memory, local, size, tag);
  if (status == MEMLIFT_OK)
    return;
  /* The unit has no local store: too many threads of the process have one. */
  if (way == MEMLIFT_MPU_GET)
    memcpy(local, memory, size);
  else
    memcpy(memory, local, size);
}

/* A number is accessed at once. */
#define MARS_ACCESS(bits)                                                                          \
  if (size == bits / 8 && ea % (bits / 8) == 0) {                                                  \
    volatile uint##bits##_t *number = (volatile uint##bits##_t *)memory;                           \
    uint##bits##_t value;                                                                          \
    if (way == MEMLIFT_MPU_PUT) {                                                                  \
      memcpy(&value, local, sizeof value);                                                         \
      *number = value;                                                                             \
    } else {                                                                                       \
      value = *number;                                                                             \
      memcpy(local, &value, sizeof value);                                                         \
    }                                                                                              \
    return;                                                                                        \
  }

void memlift_mars_copy(enum memlift_mpu_way way, void *local, uint64_t ea, size_t size) {
  void *memory = mars_ea_to_ptr(ea);
  if (memlift_mars_is_remote(ea)) {
    move_remotely(way, local, ea, (uint32_t)size);
    return;
  }
  MARS_ACCESS(8)
  MARS_ACCESS(16)
  MARS_ACCESS(32)
  MARS_ACCESS(64)
  if (way == MEMLIFT_MPU_GET)
    memcpy(local, memory, size);
  else
    memcpy(memory, local, size);
}

void memlift_mars_fence(uint32_t tag) { memlift_tag_fence(tag); }

uint32_t memlift_mars_tags_wait(uint32_t mask, int all) {
  struct memlift_dma_fault fault;
  uint32_t done = 0;
  memlift_status status =
      mask ? memlift_tags_wait(mask, all > 0 ? MEMLIFT_TAGS_ALL : MEMLIFT_TAGS_ANY,
                               all < 0 ? 0 : UINT64_MAX, &done, &fault)
           : MEMLIFT_OK;
  if (status == MEMLIFT_FAULT)
    meet(&fault);
  return status == MEMLIFT_NOT_PRESENT ? mask : done;
}

/* ---- Lines ---------------------------------------------------- */

static uint64_t versions[VERSIONS];

static uint64_t *version_of(uint64_t ea) { return &versions[ea / 128 % VERSIONS]; }

/* The version while nobody stores. Acquire: pairs with the release at the end of a store. */
static uint64_t settled(const uint64_t *version) {
  uint64_t v;
  while ((v = __atomic_load_n(version, __ATOMIC_ACQUIRE)) & 1)
    sched_yield();
  return v;
}

void memlift_mars_line_get(struct memlift_mpu_line *line, volatile void *ls, uint64_t ea) {
  const uint64_t *version = version_of(ea), *memory = (const uint64_t *)mars_ea_to_ptr(ea);
  if (memlift_mars_is_unit()) {
    memlift_mars_remote_line_get(line, ls, ea);
    return;
  }
  do {
    line->version = settled(version);
    /* Acquire: the version is read once more after them; and pairs with stores by the host. */
    for (unsigned i = 0; i < WORDS; i++)
      line->words[i] = __atomic_load_n(&memory[i], __ATOMIC_ACQUIRE);
  } while (__atomic_load_n(version, __ATOMIC_RELAXED) != line->version);
  line->ea = ea;
  memcpy((void *)(uintptr_t)ls, line->words, sizeof line->words);
}

/* Stores the words that differ from those that were got; 0: somebody else has changed one. */
static int store_words(const uint64_t *got, const uint64_t *words, uint64_t *memory) {
  unsigned changed = 0, last = 0;
  for (unsigned i = 0; i < WORDS; i++) {
    if (__atomic_load_n(&memory[i], __ATOMIC_RELAXED) != got[i])
      return 0;
    if (words[i] != got[i])
      changed++, last = i;
  }
  uint64_t expected = got[last];
  /* Release: pairs with the acquire of who gets the line, or reads the word. */
  if (changed == 1)
    return __atomic_compare_exchange_n(&memory[last], &expected, words[last], 0, __ATOMIC_RELEASE,
                                       __ATOMIC_RELAXED);
  for (unsigned i = 0; i < WORDS; i++)
    if (words[i] != got[i])
      __atomic_store_n(&memory[i], words[i], __ATOMIC_RELEASE);
  return 1;
}

int memlift_mars_line_put(struct memlift_mpu_line *line, const volatile void *ls, uint64_t ea,
                          int anyway) {
  uint64_t *version = version_of(ea), *memory = (uint64_t *)mars_ea_to_ptr(ea), words[WORDS];
  if (memlift_mars_is_unit())
    return memlift_mars_remote_line_put(line, ls, ea, anyway);
  int held = line->ea == ea, done = 1;
  uint64_t v = line->version;
  memcpy(words, (const void *)(uintptr_t)ls, sizeof words);
  line->ea = 0;
  if (!anyway && !held)
    return 0;
  /* Acquire: pairs with the release below, of the store before this one. */
  do
    v = anyway ? settled(version) : v;
  while (!__atomic_compare_exchange_n(version, &v, v + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED) &&
         anyway);
  if (!anyway && v != line->version)
    return 0;
  if (anyway)
    for (unsigned i = 0; i < WORDS; i++)
      __atomic_store_n(&memory[i], words[i], __ATOMIC_RELEASE);
  else
    done = store_words(line->words, words, memory);
  /* Release: pairs with the acquire of who gets the line. */
  __atomic_store_n(version, v + 2, __ATOMIC_RELEASE);
  return done;
}
