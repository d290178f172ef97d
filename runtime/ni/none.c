/* none.c - memlift/ni.h in builds without an operating system or for 32 bits: nothing to attach
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * So no attachment exists that another function could be called for. Pages are used by ni_page.h.
 */
#include "../config.h"

#if !MEMLIFT_HAVE_ENGINES
#include "../include/memlift/ni.h"

memlift_status memlift_ni_attach(const struct memlift_ni_options *options, size_t size,
                                 memlift_ni **ni) {
  return options && size && ni ? MEMLIFT_NOT_PRESENT : MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_ni_detach(memlift_ni *ni) {
  (void)ni;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_ni_get_protection_id(const memlift_ni *ni, uint32_t *id) {
  (void)ni, (void)id;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_ni_own_address(const memlift_ni *ni, unsigned page,
                                      memlift_ni_address *out) {
  (void)ni, (void)page, (void)out;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_ni_try_enqueue(memlift_ni *ni, unsigned page, memlift_ni_address to,
                                      const void *data, size_t size, uint32_t how,
                                      memlift_ni_ticket *ticket) {
  (void)ni, (void)page, (void)to, (void)data, (void)size, (void)how, (void)ticket;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_ni_enqueue(memlift_ni *ni, unsigned page, memlift_ni_address to,
                                  const void *data, size_t size, uint32_t how, uint64_t nanoseconds,
                                  memlift_ni_ticket *ticket) {
  (void)nanoseconds;
  return memlift_ni_try_enqueue(ni, page, to, data, size, how, ticket);
}

memlift_status memlift_ni_status(memlift_ni *ni, memlift_ni_ticket ticket) {
  (void)ni, (void)ticket;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_ni_wait(memlift_ni *ni, memlift_ni_ticket ticket, uint64_t nanoseconds) {
  (void)nanoseconds;
  return memlift_ni_status(ni, ticket);
}

memlift_status memlift_ni_flush(memlift_ni *ni, unsigned page, uint64_t nanoseconds) {
  (void)ni, (void)page, (void)nanoseconds;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_ni_try_dequeue(memlift_ni *ni, unsigned page, void *buffer, size_t room,
                                      size_t *size, memlift_ni_address *from) {
  (void)ni, (void)page, (void)buffer, (void)room, (void)size, (void)from;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_ni_dequeue(memlift_ni *ni, unsigned page, void *buffer, size_t room,
                                  uint64_t nanoseconds, size_t *size, memlift_ni_address *from) {
  (void)nanoseconds;
  return memlift_ni_try_dequeue(ni, page, buffer, room, size, from);
}

memlift_status memlift_ni_peek(memlift_ni *ni, unsigned page, size_t *size) {
  (void)ni, (void)page, (void)size;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_ni_descriptor(memlift_ni *ni, unsigned page, int *fd) {
  (void)ni, (void)page, (void)fd;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_ni_arm(memlift_ni *ni, unsigned page) {
  (void)ni, (void)page;
  return MEMLIFT_INVALID_ARGUMENT;
}

/* Tokens can be waited for, and all of them are complete. */
memlift_status memlift_wait_first(const struct memlift_waitable *list, size_t size, unsigned count,
                                  uint64_t nanoseconds, unsigned *which) {
  (void)nanoseconds;
  if (!list || !which || size < sizeof *list || count == 0)
    return MEMLIFT_INVALID_ARGUMENT;
  for (*which = 0; *which < count; ++*which) {
    const unsigned char *at = (const unsigned char *)list + *which * size;
    const struct memlift_waitable *w = (const struct memlift_waitable *)(const void *)at;
    if (w->kind == MEMLIFT_WAIT_TOKEN && w->token.id)
      return memlift_try_wait(w->token);
    if (w->kind != MEMLIFT_WAIT_NOTHING && w->kind != MEMLIFT_WAIT_TOKEN)
      return MEMLIFT_INVALID_ARGUMENT;
  }
  return MEMLIFT_COLLECTED;
}

memlift_status memlift_ni_map_page(memlift_ni *ni, unsigned page, struct memlift_ni_map *out) {
  (void)ni, (void)page, (void)out;
  return MEMLIFT_INVALID_ARGUMENT;
}

/* Nothing has happened. */
memlift_status memlift_ni_count(const memlift_ni *ni, struct memlift_ni_counters *out,
                                size_t size) {
  if (ni || !out || size == 0)
    return MEMLIFT_INVALID_ARGUMENT;
  for (size_t i = 0; i < size; i++)
    ((unsigned char *)out)[i] = 0;
  return MEMLIFT_OK;
}
#else
typedef int memlift_engines; /* a translation unit must not be empty */
#endif
