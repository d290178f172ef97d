/* unit.c - units that are processes: their images, and memory that only the host has
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Problem: programs pass addresses of any memory to transfers, of variables, heap and stack. A unit
 * that is a process shares the arena with the host, and of the rest it has an old copy.
 *
 * Idea: a thread of the host moves those bytes, and does all that is atomic. A unit writes what it
 * wants into its request, pushes that, and waits, as for a transfer that takes its time. It does
 * not switch to another task meanwhile, so a task without a stack may do so, and one request for
 * each unit is enough.
 *
 * A unit may be killed while its request waits or is carried out, and its successor have one. So
 * each has a number. The host says that it is at a request, and looks at the number after that; a
 * unit writes its number, and waits until the host is not at it. So either the host sees the new
 * number, and drops what it has popped, or the unit waits until the old request is over. Who waits
 * for a task that was lost waits for what its unit had asked for, too: those bytes are not to come
 * later.
 */
#include "mars.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define MOVES 128u   /* requests that wait: those of all units, and of some that are gone */
#define ATTEMPTS 200 /* at looking, before a unit naps */

/* Entry of the queue of requests. */
struct asked {
  struct memlift_mars_request *request; /* NULL: somebody in the host waits for it */
  uint64_t number;                      /* or the address of the word that is then to be 1 */
};

/* In a unit's process: its context, and what it shares with the host. */
static struct mars_context *mine;
static uint64_t window_ea, window_size;

/* ---- The host ---------------------------------------------------- */

/* Moves bytes of this process by the kernel, which stops at a bad address. Some containers forbid
 * that call. */
static uint32_t move_here(int puts, char *bytes, uint64_t ea, uint32_t size) {
  struct iovec own = {bytes, size}, other = {mars_ea_to_ptr(ea), size};
  ssize_t moved = puts ? process_vm_writev(getpid(), &own, 1, &other, 1, 0)
                       : process_vm_readv(getpid(), &own, 1, &other, 1, 0);
  if (moved < 0 && errno != EFAULT) {
    memcpy(puts ? other.iov_base : bytes, puts ? bytes : other.iov_base, size);
    return size;
  }
  return moved < 0 ? 0 : (uint32_t)moved;
}

static void carry_out(struct memlift_mars_request *r) {
  char probe[128];
  switch ((enum memlift_mars_asked)r->what) {
  case MARS_GETS:
  case MARS_PUTS: r->result = move_here(r->what == MARS_PUTS, r->bytes, r->ea, r->size); break;
  case MARS_GETS_LINE:
    r->result = move_here(0, probe, r->ea, sizeof probe) == sizeof probe;
    if (r->result)
      memlift_mars_line_get(&r->line, r->bytes, r->ea);
    break;
  case MARS_PUTS_LINE:
    r->result = (uint32_t)memlift_mars_line_put(&r->line, r->bytes, r->ea, (int)r->size);
    break;
  case MARS_PRINTS:
    fwrite(r->bytes, 1, r->size, stdout);
    fflush(stdout);
    break;
  }
}

static void *serve(void *argument) {
  struct mars_context *c = (struct mars_context *)argument;
  struct asked a;
  while (memlift_queue_pop(&c->moves, &a, MEMLIFT_FOR_EVER) == MEMLIFT_OK) {
    if (!a.request) {
      /* Release: pairs with the acquire of memlift_mars_settle. */
      __atomic_store_n((uint32_t *)mars_ea_to_ptr(a.number), 1, __ATOMIC_RELEASE);
      continue;
    }
    /* Sequential: this is written and the number read; a unit does the reverse. */
    __atomic_store_n(&a.request->busy, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&a.request->number, __ATOMIC_SEQ_CST) == a.number) {
      carry_out(a.request);
      /* Release: pairs with the acquire of who waits. */
      __atomic_store_n(&a.request->done, a.number, __ATOMIC_RELEASE);
    }
    /* Release: the next request of the unit is written after this one. */
    __atomic_store_n(&a.request->busy, 0, __ATOMIC_RELEASE);
  }
  return NULL;
}

static int start_thread(struct mars_context *c) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(&c->mover, NULL, serve, c);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failed ? MARS_ERROR_INTERNAL : MARS_SUCCESS;
}

int memlift_mars_mover_start(struct mars_context *c) {
  if (!c->moves_places)
    c->moves_places = mars_malloc(MEMLIFT_QUEUE_BYTES(sizeof(struct asked), MOVES));
  c->request = (struct memlift_mars_request *)mars_ea_to_ptr(
      mars_ea_memalign(128, c->units * sizeof *c->request));
  if (!c->moves_places || !c->request)
    return MARS_ERROR_MEMORY;
  for (unsigned i = 0; i < c->units; i++)
    c->request[i].number = c->request[i].done = c->request[i].busy = 0;
  memset(&c->moves, 0, sizeof c->moves);
  int error = memlift_mars_error(
      memlift_queue_init(c->context, &c->moves, c->moves_places, sizeof(struct asked), MOVES));
  return error == MARS_SUCCESS ? start_thread(c) : error;
}

void memlift_mars_mover_end(struct mars_context *c) {
  memlift_queue_close(&c->moves);
  pthread_join(c->mover, NULL);
  mars_free(c->request);
  c->request = NULL;
}

/* ---- A unit ---------------------------------------------------- */

static void wait_a_little(unsigned attempt) {
  const struct timespec nap = {0, 20000};
  if (attempt < ATTEMPTS)
    sched_yield();
  else
    nanosleep(&nap, NULL);
}

/* The request of this unit, to be written. */
static struct memlift_mars_request *begin_request(enum memlift_mars_asked what, uint64_t ea,
                                                  uint32_t size) {
  struct memlift_mars_request *r = &mine->request[memlift_task_unit()];
  uint64_t number = __atomic_add_fetch(&mine->numbers, 1, __ATOMIC_RELAXED);
  /* Sequential: see serve. */
  __atomic_store_n(&r->number, number, __ATOMIC_SEQ_CST);
  for (unsigned i = 0; __atomic_load_n(&r->busy, __ATOMIC_SEQ_CST); i++)
    wait_a_little(i);
  r->what = (uint32_t)what, r->ea = ea, r->size = size;
  return r;
}

static uint32_t finish_request(struct memlift_mars_request *r) {
  struct asked a = {r, r->number};
  for (unsigned i = 0; memlift_queue_push(&mine->moves, &a, 0) == MEMLIFT_BUSY; i++)
    wait_a_little(i);
  /* Acquire: pairs with the release of the host. */
  for (unsigned i = 0; __atomic_load_n(&r->done, __ATOMIC_ACQUIRE) != a.number; i++)
    wait_a_little(i);
  return r->result;
}

void memlift_mars_settle(struct mars_context *c) {
  uint32_t settled = 0;
  struct asked a = {NULL, mars_ptr_to_ea(&settled)};
  if (mine) {
    finish_request(begin_request(MARS_GETS, 0, 0));
    return;
  }
  for (unsigned i = 0; memlift_queue_push(&c->moves, &a, 0) == MEMLIFT_BUSY; i++)
    wait_a_little(i);
  /* Acquire: pairs with the release of the mover. */
  for (unsigned i = 0; !__atomic_load_n(&settled, __ATOMIC_ACQUIRE); i++)
    wait_a_little(i);
}

int memlift_mars_is_unit(void) { return mine != NULL; }

int memlift_mars_is_remote(uint64_t ea) { return mine && ea - window_ea >= window_size; }

uint32_t memlift_mars_remote_move(enum memlift_mpu_way way, void *local, uint64_t ea,
                                  uint32_t size) {
  uint32_t moved = 0, most = sizeof((struct memlift_mars_request *)0)->bytes;
  while (moved < size) {
    uint32_t part = size - moved < most ? size - moved : most;
    int puts = way == MEMLIFT_MPU_PUT;
    struct memlift_mars_request *r = begin_request(puts ? MARS_PUTS : MARS_GETS, ea + moved, part);
    if (puts)
      memcpy(r->bytes, (char *)local + moved, part);
    uint32_t done = finish_request(r);
    if (!puts)
      memcpy((char *)local + moved, r->bytes, done);
    moved += done;
    if (done != part)
      break;
  }
  return moved;
}

void memlift_mars_remote_line_get(struct memlift_mpu_line *line, volatile void *ls, uint64_t ea) {
  struct memlift_mars_request *r = begin_request(MARS_GETS_LINE, ea, 0);
  if (!finish_request(r))
    memlift_mars_refuse(NULL, "an atomic line is at a bad address");
  *line = r->line;
  memcpy((void *)(uintptr_t)ls, r->bytes, sizeof line->words);
}

int memlift_mars_remote_line_put(struct memlift_mpu_line *line, const volatile void *ls,
                                 uint64_t ea, int anyway) {
  struct memlift_mars_request *r = begin_request(MARS_PUTS_LINE, ea, (uint32_t)anyway);
  r->line = *line, line->ea = 0;
  memcpy(r->bytes, (const void *)(uintptr_t)ls, sizeof line->words);
  return (int)finish_request(r);
}

int memlift_mars_remote_print(const char *format, va_list args) {
  struct memlift_mars_request *r = begin_request(MARS_PRINTS, 0, 0);
  int count = vsnprintf(r->bytes, sizeof r->bytes, format, args);
  r->size = count < 0 ? 0 : (uint32_t)count;
  if (r->size >= sizeof r->bytes)
    r->size = sizeof r->bytes - 1;
  finish_request(r);
  return count;
}

/* ---- Its images ---------------------------------------------------- */

/* Images of this process, each with the task that it is of. */
static struct {
  struct mars_task_id id;
  struct memlift_mars_image image;
} images[MEMLIFT_TASKS];

const struct memlift_mars_image *memlift_mars_image_here(struct memlift_mars_task *t) {
  unsigned place = t->id.workload_id & (MEMLIFT_TASKS - 1);
  struct memlift_mars_image *image = &images[place].image;
  if (!mine) {
    void *window;
    window_size = memlift_mars_window(&window);
    window_ea = mars_ptr_to_ea(window);
    mine = t->context;
  }
  if (image->handle && images[place].id.workload_id == t->id.workload_id) {
    memlift_mars_image_renew(image);
    return image;
  }
  memlift_mars_image_close(image);
  struct memlift_mars_task here = *t;
  if (memlift_mars_image_open(&here) != MARS_SUCCESS)
    return NULL;
  here.image.program->task = t;
  memlift_mars_image_keep(&here.image);
  *image = here.image, images[place].id = t->id;
  return image;
}
