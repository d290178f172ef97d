/* arena.c - memory below 4 GiB: mars_malloc, mars_ea_memalign
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MARS programs keep effective addresses in 32 bits. Memory is mapped by chunks of 1 MiB, aligned
 * to that, at addresses that are tried upwards from 256 MiB on. A chunk has pieces of one size, a
 * power of two from 64 bytes to 64 KiB, each at a multiple of its size; what is larger has a
 * mapping of its own. The head of a chunk takes its first piece. Chunks of small pieces are kept.
 *
 * Where units are processes, all chunks are in one window that is mapped before them, and shared,
 * and so is what is known of the chunks.
 */
#include "mars.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define CHUNK ((size_t)1 << 20)
#define LOWEST ((uintptr_t)256 << 20)
#define HIGHEST ((uint64_t)4 << 30)
#define SMALLEST 6 /* log2 of the bytes of a piece */
#define LARGEST 16

struct chunk {
  struct chunk *next;
  size_t mapped; /* bytes */
  size_t piece;  /* bytes; of a large one, those after its head */
  size_t head;
};

#define WINDOW ((size_t)512 << 20) /* of address space */

struct arena {
  pthread_mutex_t lock;
  struct chunk *chunks;
  void *free_pieces[LARGEST + 1]; /* each begins with the next one */
  uintptr_t cursor;
  uintptr_t end; /* of the window; 0: none */
};

static struct arena own = {.lock = PTHREAD_MUTEX_INITIALIZER, .cursor = LOWEST};
static struct arena *arena = &own;

/* Who dies with the lock leaves a list that is complete at every point, or lacks a piece. */
static void lock_arena(void) {
  if (pthread_mutex_lock(&arena->lock) == EOWNERDEAD)
    pthread_mutex_consistent(&arena->lock);
}

static void unlock_arena(void) { pthread_mutex_unlock(&arena->lock); }

/* A fork copies the arena, or shares it. */
void memlift_mars_arena_lock(void) {
  if (arena == &own)
    lock_arena();
}

void memlift_mars_arena_unlock(void) {
  if (arena == &own)
    unlock_arena();
}

/* ---- Mappings ---------------------------------------------------- */

/* Maps bytes, a multiple of CHUNK, at a multiple of CHUNK below 4 GiB. A system that does not know
 * MAP_FIXED_NOREPLACE takes the address for a hint. */
static void *map_at(uintptr_t address, size_t size, int how) {
  void *p = mmap((void *)address, size, PROT_READ | PROT_WRITE,
                 how | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (p != MAP_FAILED && p != (void *)address) {
    munmap(p, size);
    p = MAP_FAILED;
  }
  return p == MAP_FAILED ? NULL : p;
}

/* Takes bytes of the window, if no chunk has them. */
static void *take_at(uintptr_t address, size_t size) {
  for (const struct chunk *c = arena->chunks; c; c = c->next)
    if (address < (uintptr_t)c + c->mapped && (uintptr_t)c < address + size)
      return NULL;
  return (void *)address;
}

static void *map_low(size_t size) {
  uintptr_t lowest = arena->end ? arena->end - WINDOW + CHUNK : LOWEST;
  uint64_t highest = arena->end ? arena->end : HIGHEST;
  for (int round = 0; round < 2; round++, arena->cursor = lowest)
    for (; (uint64_t)arena->cursor + size <= highest; arena->cursor += CHUNK) {
      void *p =
          arena->end ? take_at(arena->cursor, size) : map_at(arena->cursor, size, MAP_PRIVATE);
      if (p) {
        arena->cursor += size;
        return p;
      }
    }
  return NULL;
}

/* Maps the window, whose first chunk has the arena. */
static void open_window(void) {
  pthread_mutexattr_t shared;
  void *p = NULL;
  if (!memlift_mars_processes())
    return;
  for (uintptr_t at = LOWEST; !p && (uint64_t)at + WINDOW <= HIGHEST; at += WINDOW / 8)
    p = map_at(at, WINDOW, MAP_SHARED);
  if (!p)
    return;
  struct arena *a = (struct arena *)p;
  pthread_mutexattr_init(&shared);
  pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&shared, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&a->lock, &shared);
  pthread_mutexattr_destroy(&shared);
  a->end = (uintptr_t)p + WINDOW, a->cursor = (uintptr_t)p + CHUNK;
  arena = a;
}

static void enter(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_window);
  lock_arena();
}

size_t memlift_mars_window(void **memory) {
  enter();
  *memory = arena->end ? arena : NULL;
  unlock_arena();
  return *memory ? WINDOW : 0;
}

static struct chunk *new_chunk(size_t mapped, size_t piece, size_t head) {
  struct chunk *c = (struct chunk *)map_low(mapped);
  if (c) {
    c->mapped = mapped, c->piece = piece, c->head = head;
    c->next = arena->chunks, arena->chunks = c;
  }
  return c;
}

/* The chunk that a piece is in; NULL: it is not of here. */
static struct chunk *chunk_of(const void *p) {
  for (struct chunk *c = arena->chunks; c; c = c->next)
    if ((uintptr_t)p - (uintptr_t)c < c->mapped)
      return c;
  return NULL;
}

/* ---- Pieces ---------------------------------------------------- */

static void *take_small(unsigned bits) {
  size_t size = (size_t)1 << bits;
  if (!arena->free_pieces[bits]) {
    struct chunk *c = new_chunk(CHUNK, size, size);
    if (!c)
      return NULL;
    for (size_t at = CHUNK - size; at >= size; at -= size) {
      void **piece = (void **)(void *)((char *)c + at);
      *piece = arena->free_pieces[bits], arena->free_pieces[bits] = piece;
    }
  }
  void **piece = (void **)arena->free_pieces[bits];
  arena->free_pieces[bits] = *piece;
  return piece;
}

static void *take_large(size_t boundary, size_t size) {
  size_t head = boundary < 4096 ? 4096 : boundary;
  if (size > HIGHEST - head - CHUNK)
    return NULL;
  struct chunk *c = new_chunk((head + size + CHUNK - 1) & ~(CHUNK - 1), size, head);
  return c ? (char *)c + head : NULL;
}

static void give_large(struct chunk *c) {
  struct chunk **link = &arena->chunks;
  size_t mapped = c->mapped;
  while (*link != c)
    link = &(*link)->next;
  *link = c->next;
  if ((uintptr_t)c < arena->cursor)
    arena->cursor = (uintptr_t)c;
  if (arena->end)
    madvise(c, mapped, MADV_REMOVE);
  else
    munmap(c, mapped);
}

static unsigned bits_of(size_t size) {
  unsigned bits = SMALLEST;
  while (((size_t)1 << bits) < size)
    bits++;
  return bits;
}

/* ---- The interface ---------------------------------------------------- */

uint64_t mars_ea_memalign(size_t boundary, size_t size) {
  if (!size || !boundary || (boundary & (boundary - 1)) || boundary > (size_t)1 << LARGEST)
    return 0;
  enter();
  void *p = size <= (size_t)1 << LARGEST ? take_small(bits_of(size > boundary ? size : boundary))
                                         : take_large(boundary, size);
  unlock_arena();
  return mars_ptr_to_ea(p);
}

void mars_ea_free(uint64_t ea) {
  char *p = (char *)mars_ea_to_ptr(ea);
  enter();
  struct chunk *c = p ? chunk_of(p) : NULL;
  if (c && c->piece > (size_t)1 << LARGEST)
    give_large(c);
  else if (c && p != (char *)c && ((uintptr_t)p & (c->piece - 1)) == 0) {
    unsigned bits = bits_of(c->piece);
    *(void **)(void *)p = arena->free_pieces[bits], arena->free_pieces[bits] = p;
  }
  unlock_arena();
}

void *mars_malloc(size_t size) { return mars_ea_to_ptr(mars_ea_memalign(64, size)); }

void mars_free(void *p) { mars_ea_free(mars_ptr_to_ea(p)); }

void *mars_realloc(void *p, size_t size) {
  enter();
  const struct chunk *c = p ? chunk_of(p) : NULL;
  size_t old = c ? c->piece : 0;
  unlock_arena();
  void *moved = mars_malloc(size);
  if (moved && old)
    memcpy(moved, p, old < size ? old : size);
  if (moved || !size)
    mars_free(p);
  return moved;
}
