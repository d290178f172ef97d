/* dax_model.c - the DAX model's queue, clock and driver
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "dax_model.h"
#include "memory.h"

#include <sys/syscall.h>
#include <unistd.h>

struct dax_model *memlift_dax_model;

/* The figures of the T7 are derived in bench/model; here they only have to be of that order. */
void memlift_dax_model_reset(struct dax_model *m, uint64_t seed, uint64_t page) {
  static const struct dax_model none;
  *m = none;
  m->costs.submit = 750, m->costs.ask = 50, m->costs.start = 15000, m->costs.block = 210;
  m->costs.unit_speed = 8660, m->costs.jitter = 20000;
  m->seed = seed, m->units = 8, m->in_flight = 64, m->page = page;
  m->area_count = DAX_COMPLETION_AREAS;
}

/* ---- Time ---------------------------------------------------------------------------------- */

/* The live block that ends first, by `until`; -1: none does. */
static int next_to_end(const struct dax_model *m, uint64_t until) {
  int next = -1;
  for (unsigned i = 0; i < m->area_count; i++)
    if (m->pending[i].live && !m->pending[i].lost && m->pending[i].finish <= until &&
        (next < 0 || m->pending[i].finish < m->pending[next].finish))
      next = (int)i;
  return next;
}

void memlift_dax_model_pass(struct dax_model *m, uint64_t nanoseconds) {
  uint64_t until = m->now + nanoseconds;
  int area;
  while ((area = next_to_end(m, until)) >= 0)
    memlift_dax_model_run(m, (unsigned)area);
  m->now = until;
}

/* Removes the device: commands under way still write, and report nothing, until it is closed. */
static void remove_device(struct dax_model *m) { m->gone = 1; }

static uint64_t now(void) {
  struct dax_model *m = memlift_dax_model;
  if (++m->looks == m->faults.remove_later)
    remove_device(m);
  memlift_dax_model_pass(m, m->costs.ask);
  return m->now;
}

static void pause_until(unsigned area, uint64_t nanoseconds) {
  struct dax_model *m = memlift_dax_model;
  const struct dax_pending *p = &m->pending[area];
  uint64_t left = p->finish > m->now ? p->finish - m->now : 0;
  if (m->areas[area][0] != MEMLIFT_DAX_CA_STATUS_PENDING)
    return;
  memlift_dax_model_pass(m, p->live && !p->lost && !m->gone && left < nanoseconds
                                ? left + m->costs.wake
                                : nanoseconds);
}

static void rest(uint64_t nanoseconds) { memlift_dax_model_pass(memlift_dax_model, nanoseconds); }

/* ---- Submission ---------------------------------------------------------------------------- */

/* 1 in so many thousands, when random faults are asked for. */
static int by_chance(struct dax_model *m) {
  return m->faults.per_mille && memlift_model_random(&m->seed) % 1000 < m->faults.per_mille;
}

static int among(uint32_t k, uint32_t at, uint32_t count) {
  return at && k >= at && k - at < (count ? count : 1);
}

/* Returns how many of `count` commands this submission takes, by the faults asked for. */
static unsigned faulty_acceptance(struct dax_model *m, unsigned count, uint32_t *why) {
  const struct dax_faults *f = &m->faults;
  uint32_t k = ++m->submissions;
  *why = MEMLIFT_DAX_EXEC_WOULD_BLOCK;
  if (among(k, f->busy_at, f->busy_count))
    return 0;
  if (k == f->refuse_at) {
    *why = f->refuse_why;
    return 0;
  }
  if (k == f->accept_at)
    return f->accept_most < count ? f->accept_most : count;
  if (!by_chance(m))
    return count;
  static const uint32_t answers[] = {MEMLIFT_DAX_EXEC_OK,          MEMLIFT_DAX_EXEC_WOULD_BLOCK,
                                     MEMLIFT_DAX_EXEC_NO_MAPPING,  MEMLIFT_DAX_EXEC_NO_ACCESS,
                                     MEMLIFT_DAX_EXEC_UNAVAILABLE, MEMLIFT_DAX_EXEC_RETRY,
                                     MEMLIFT_DAX_EXEC_INTERNAL};
  *why = answers[memlift_model_random(&m->seed) % (sizeof answers / sizeof *answers)];
  return (unsigned)(memlift_model_random(&m->seed) % (count + 1));
}

/* The driver pins the page of each address that the block names. */
static int can_be_pinned(const struct dax_model *m, const struct dax_command *c) {
  unsigned char byte;
  if (m->dry)
    return 1;
  return (!c->has_output ||
          (memlift_model_read(&byte, c->output, 1) && memlift_model_write(c->output, &byte, 1))) &&
         (!c->has_primary || memlift_model_read(&byte, c->primary, 1)) &&
         (!c->has_secondary || memlift_model_read(&byte, c->secondary, 1));
}

/* Random faults of a block become those that are asked for by number. */
static void draw_fault(struct dax_model *m, struct dax_pending *p) {
  struct dax_faults *f = &m->faults;
  if (!by_chance(m))
    return;
  switch (memlift_model_random(&m->seed) % 5) {
  case 0: p->lost = 1; break;
  case 1:
    f->fail_at = p->number, f->fail_error = 1 + (uint32_t)(memlift_model_random(&m->seed) % 15);
    f->fail_byte = memlift_model_random(&m->seed) % 10000;
    break;
  case 2:
    f->status_at = p->number;
    f->status = 2 + (uint32_t)(memlift_model_random(&m->seed) % 254);
    break;
  case 3:
    if (!p->command.has_runs)
      f->short_at = p->number;
    break;
  default:
    p->late = 1;
    p->finish += memlift_model_random(&m->seed) % 20000000;
    f->deaf_at = m->kills + 1, f->deaf_count = (uint32_t)(memlift_model_random(&m->seed) % 4);
  }
}

/* The unit that is free first. */
static unsigned pick_unit(const struct dax_model *m) {
  unsigned best = 0;
  for (unsigned u = 1; u < m->units; u++)
    if (m->unit_free[u] < m->unit_free[best])
      best = u;
  return best;
}

static int is_idle(const struct dax_model *m) {
  for (unsigned u = 0; u < m->units; u++)
    if (m->unit_free[u] > m->now)
      return 0;
  return 1;
}

/* Block `area` runs on a unit from `begin` on; returns when it ends. */
static uint64_t enqueue(struct dax_model *m, unsigned area, const unsigned char *block,
                        const struct dax_command *command, uint64_t begin) {
  struct dax_pending *p = &m->pending[area];
  uint64_t size = command->has_runs && !m->dry ? memlift_dax_output_bytes(command)
                                               : command->elements * command->output_bytes;
  for (unsigned i = 0; i < DAX_BLOCK; i++)
    p->block[i] = block[i];
  p->command = *command;
  p->number = ++m->blocks;
  p->live = 1, p->late = 0;
  p->lost = among(p->number, m->faults.lose_at, m->faults.lose_count);
  p->begin = begin;
  p->finish = begin + m->costs.block + size * 1000 / m->costs.unit_speed;
  if (m->costs.jitter)
    p->finish += memlift_model_random(&m->seed) % m->costs.jitter;
  uint64_t end = p->finish;
  if (p->number == m->faults.late_at)
    p->late = 1, p->finish += m->faults.late_ns;
  draw_fault(m, p);
  m->lost += p->lost;
  /* Release: pairs with the engine's acquire of the status. */
  __atomic_store_n(m->areas[area], MEMLIFT_DAX_CA_STATUS_PENDING, __ATOMIC_RELEASE);
  return end;
}

static unsigned commands_under_way(const struct dax_model *m) {
  unsigned count = 0;
  for (unsigned i = 0; i < sizeof m->command_ends / sizeof *m->command_ends; i++)
    count += m->command_ends[i] > m->now;
  return count;
}

static void remember_command(struct dax_model *m, uint64_t end) {
  for (unsigned i = 0; i < sizeof m->command_ends / sizeof *m->command_ends; i++)
    if (m->command_ends[i] <= m->now) {
      m->command_ends[i] = end;
      return;
    }
}

/* Checks of the driver before it calls the hypervisor: if one fails, nothing is taken. */
static uint32_t refuse_all(const struct dax_model *m, const unsigned char *blocks, unsigned count,
                           unsigned area, struct dax_command *commands) {
  if (area + count > m->area_count)
    return MEMLIFT_DAX_EXEC_NO_COMPLETION_AREA;
  for (unsigned i = 0; i < count; i++)
    if (m->pending[area + i].live)
      return MEMLIFT_DAX_EXEC_NO_COMPLETION_AREA;
  for (unsigned i = 0; i < count; i++) {
    uint32_t status = memlift_dax_decode(blocks + i * DAX_BLOCK, &commands[i]);
    if (status == MEMLIFT_DAX_EXEC_BAD_BLOCK)
      return status;
  }
  for (unsigned i = 0; i < count; i++)
    if (!can_be_pinned(m, &commands[i]))
      return MEMLIFT_DAX_EXEC_NO_ACCESS;
  return MEMLIFT_DAX_EXEC_OK;
}

static int mine(void) {
  return memlift_dax_model && memlift_dax_model->thread == (uint64_t)syscall(SYS_gettid);
}

/* The driver answers EUSERS to all others. */
static int is_owner(struct dax_model *m) {
  m->strangers += !mine();
  return mine();
}

static unsigned submit(const unsigned char *blocks, unsigned count, unsigned area, uint32_t *why) {
  struct dax_model *m = memlift_dax_model;
  struct dax_command commands[DAX_MAX_BLOCKS];
  if (m->submissions + 1 == m->faults.remove_at)
    remove_device(m);
  *why = m->gone ? DAX_GONE : MEMLIFT_DAX_EXEC_WRONG_THREAD;
  if (!m->is_open || m->gone || !is_owner(m))
    return 0;
  *why = MEMLIFT_DAX_EXEC_BAD_ARGUMENT;
  if (count == 0 || count > DAX_MAX_BLOCKS || (uintptr_t)blocks % DAX_BLOCK)
    return 0;
  memlift_dax_model_pass(m, m->costs.submit + (is_idle(m) ? m->costs.start : 0));
  *why = refuse_all(m, blocks, count, area, commands);
  if (*why != MEMLIFT_DAX_EXEC_OK) {
    m->refused++;
    return 0;
  }
  unsigned taken = faulty_acceptance(m, count, why);
  if (taken && commands_under_way(m) >= m->in_flight)
    taken = 0, *why = MEMLIFT_DAX_EXEC_WOULD_BLOCK;
  unsigned unit = pick_unit(m);
  uint64_t time = m->unit_free[unit] > m->now ? m->unit_free[unit] : m->now;
  for (unsigned i = 0; i < taken; i++) {
    if (memlift_dax_decode(blocks + i * DAX_BLOCK, &commands[i]) != MEMLIFT_DAX_EXEC_OK) {
      *why = MEMLIFT_DAX_EXEC_UNAVAILABLE;
      taken = i;
      break;
    }
    time = enqueue(m, area + i, blocks + i * DAX_BLOCK, &commands[i], time);
  }
  if (taken)
    m->unit_free[unit] = time, remember_command(m, time);
  return taken;
}

/* ---- Questions ----------------------------------------------------------------------------- */

static enum dax_answer kill_block(unsigned area, uint32_t *action) {
  struct dax_model *m = memlift_dax_model;
  struct dax_pending *p = &m->pending[area];
  memlift_dax_model_pass(m, m->costs.ask);
  if (m->gone)
    return DAX_NO_DEVICE;
  if (!is_owner(m))
    return DAX_NOT_YOURS;
  if (among(++m->kills, m->faults.deaf_at, m->faults.deaf_count) ||
      (p->live && p->late && !p->lost))
    return DAX_ASK_AGAIN;
  *action = MEMLIFT_DAX_KILLED_COMPLETED;
  m->killed += p->live;
  if (p->live && p->lost)
    *action = MEMLIFT_DAX_KILLED_NOT_FOUND;
  else if (p->live && p->begin > m->now)
    *action = MEMLIFT_DAX_KILLED_DEQUEUED;
  else if (p->live) {
    struct dax_command half = p->command;
    *action = MEMLIFT_DAX_KILLED_STOPPED;
    half.elements /= 2; /* what it has written by now */
    p->command = half;
    memlift_dax_model_run(m, area);
  }
  p->live = 0;
  /* As the driver does, whatever the action was. */
  MEMLIFT_PUT(m->areas[area], DAX_CA, ERROR, MEMLIFT_DAX_CA_ERROR_KILLED);
  /* Release: pairs with the engine's acquire of the status. */
  __atomic_store_n(m->areas[area], MEMLIFT_DAX_CA_STATUS_KILLED, __ATOMIC_RELEASE);
  return DAX_ANSWERED;
}

static enum dax_answer info(unsigned area, uint32_t *state) {
  struct dax_model *m = memlift_dax_model;
  const struct dax_pending *p = &m->pending[area];
  memlift_dax_model_pass(m, m->costs.ask);
  if (m->gone)
    return DAX_NO_DEVICE;
  if (!is_owner(m))
    return DAX_NOT_YOURS;
  if (!p->live)
    *state = MEMLIFT_DAX_INFO_COMPLETED;
  else if (p->lost || p->late)
    *state = MEMLIFT_DAX_INFO_NOT_FOUND;
  else
    *state = p->begin > m->now ? MEMLIFT_DAX_INFO_QUEUED : MEMLIFT_DAX_INFO_RUNNING;
  return DAX_ANSWERED;
}

static void dequeue(void) {
  struct dax_model *m = memlift_dax_model;
  m->dequeues += !m->gone && is_owner(m);
}

/* ---- Opening ------------------------------------------------------------------------------- */

static memlift_status probe(const char **reason) {
  unsigned char from = 1, to = 0;
  int here = memlift_dax_model && !memlift_dax_model->gone &&
             (memlift_dax_model->dry || memlift_model_read(&to, (uintptr_t)&from, 1));
  *reason = here ? "" : "no model, or process_vm_readv is refused by this system";
  return here ? MEMLIFT_OK : MEMLIFT_NOT_PRESENT;
}

static memlift_status open_model(void) {
  struct dax_model *m = memlift_dax_model;
  for (unsigned i = 0; i < m->area_count; i++)
    m->areas[i][0] = MEMLIFT_DAX_CA_STATUS_OK;
  m->is_open = 1;
  m->opens++;
  m->thread = (uint64_t)syscall(SYS_gettid);
  return MEMLIFT_OK;
}

/* The driver waits for what runs, then kills it: by then nothing is written any more. */
static void close_model(void) {
  struct dax_model *m = memlift_dax_model;
  if (!m || !m->is_open)
    return;
  for (unsigned i = 0; i < m->area_count; i++) {
    if (m->pending[i].live && !m->pending[i].lost)
      memlift_dax_model_run(m, i);
    m->pending[i].live = 0;
  }
  m->is_open = 0;
}

static const unsigned char *areas(void) {
  return memlift_dax_model && memlift_dax_model->is_open ? memlift_dax_model->areas[0] : NULL;
}

const struct dax_transport memlift_dax_model_transport = {
    .probe = probe,
    .open = open_model,
    .close = close_model,
    .mine = mine,
    .areas = areas,
    .submit = submit,
    .kill = kill_block,
    .info = info,
    .dequeue = dequeue,
    .now = now,
    .pause = pause_until,
    .rest = rest,
};
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
