/* arena.c - memory below 4 GiB: mars_malloc, mars_ea_memalign
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MARS programs keep effective addresses in 32 bits. Memory is mapped by chunks of 1 MiB, aligned
 * to that, at addresses that are tried upwards from 256 MiB on. A chunk has pieces of one size, a
 * power of two from 64 bytes to 64 KiB, each at a multiple of its size; what is larger has a
 * mapping of its own. The head of a chunk takes its first piece. Chunks of small pieces are kept.
 */
#include "mars.h"

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
  size_t piece;  /* bytes; of a large one, those behind its head */
  size_t head;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct chunk *chunks;
static void *free_pieces[LARGEST + 1]; /* each begins with the next one */
static uintptr_t cursor = LOWEST;

void memlift_mars_arena_lock(void) { pthread_mutex_lock(&lock); }
void memlift_mars_arena_unlock(void) { pthread_mutex_unlock(&lock); }

/* ---- Mappings ---------------------------------------------------- */

/* Maps bytes, a multiple of CHUNK, at a multiple of CHUNK below 4 GiB. A system that does not know
 * MAP_FIXED_NOREPLACE takes the address for a hint. */
static void *map_at(uintptr_t address, size_t size) {
  void *p = mmap((void *)address, size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (p != MAP_FAILED && p != (void *)address) {
    munmap(p, size);
    p = MAP_FAILED;
  }
  return p == MAP_FAILED ? NULL : p;
}

static void *map_low(size_t size) {
  for (int round = 0; round < 2; round++, cursor = LOWEST)
    for (; (uint64_t)cursor + size <= HIGHEST; cursor += CHUNK) {
      void *p = map_at(cursor, size);
      if (p) {
        cursor += size;
        return p;
      }
    }
  return NULL;
}

static struct chunk *new_chunk(size_t mapped, size_t piece, size_t head) {
  struct chunk *c = (struct chunk *)map_low(mapped);
  if (c) {
    c->mapped = mapped, c->piece = piece, c->head = head;
    c->next = chunks, chunks = c;
  }
  return c;
}

/* The chunk that a piece is in; NULL: it is not of here. */
static struct chunk *chunk_of(const void *p) {
  for (struct chunk *c = chunks; c; c = c->next)
    if ((uintptr_t)p - (uintptr_t)c < c->mapped)
      return c;
  return NULL;
}

/* ---- Pieces ---------------------------------------------------- */

static void *take_small(unsigned bits) {
  size_t size = (size_t)1 << bits;
  if (!free_pieces[bits]) {
    struct chunk *c = new_chunk(CHUNK, size, size);
    if (!c)
      return NULL;
    for (size_t at = CHUNK - size; at >= size; at -= size) {
      void **piece = (void **)(void *)((char *)c + at);
      *piece = free_pieces[bits], free_pieces[bits] = piece;
    }
  }
  void **piece = (void **)free_pieces[bits];
  free_pieces[bits] = *piece;
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
  struct chunk **link = &chunks;
  while (*link != c)
    link = &(*link)->next;
  *link = c->next;
  if ((uintptr_t)c < cursor)
    cursor = (uintptr_t)c;
  munmap(c, c->mapped);
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
  pthread_mutex_lock(&lock);
  void *p = size <= (size_t)1 << LARGEST ? take_small(bits_of(size > boundary ? size : boundary))
                                         : take_large(boundary, size);
  pthread_mutex_unlock(&lock);
  return mars_ptr_to_ea(p);
}

void mars_ea_free(uint64_t ea) {
  char *p = (char *)mars_ea_to_ptr(ea);
  pthread_mutex_lock(&lock);
  struct chunk *c = p ? chunk_of(p) : NULL;
  if (c && c->piece > (size_t)1 << LARGEST)
    give_large(c);
  else if (c && p != (char *)c && ((uintptr_t)p & (c->piece - 1)) == 0) {
    unsigned bits = bits_of(c->piece);
    *(void **)(void *)p = free_pieces[bits], free_pieces[bits] = p;
  }
  pthread_mutex_unlock(&lock);
}

void *mars_malloc(size_t size) { return mars_ea_to_ptr(mars_ea_memalign(64, size)); }

void mars_free(void *p) { mars_ea_free(mars_ptr_to_ea(p)); }

void *mars_realloc(void *p, size_t size) {
  pthread_mutex_lock(&lock);
  const struct chunk *c = p ? chunk_of(p) : NULL;
  size_t old = c ? c->piece : 0;
  pthread_mutex_unlock(&lock);
  void *moved = mars_malloc(size);
  if (moved && old)
    memcpy(moved, p, old < size ? old : size);
  if (moved || !size)
    mars_free(p);
  return moved;
}
