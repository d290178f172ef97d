/* dsa_linux.c - the way to a DSA through a user work queue of Linux's idxd driver
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which queues there are, /sys/bus/dsa/devices/wqX.Y says (what libaccel-config reads, which is
 * asked instead in builds that have it: dsa_accel.c; accel-config or a distribution's service has
 * set them up); /dev/dsa/wqX.Y is opened. Two doors:
 *
 *   portal   a page that is written with 64 bytes at once: MOVDIR64B for a dedicated queue, ENQCMD,
 *            which says whether there was room, for a shared one. Ordinary users may not map it
 *            where INTEL-SA-01084 holds (Sapphire and Emerald Rapids).
 *   write    write(2) of the 64 bytes; the kernel does the rest, and refuses batches.
 *
 * Closing waits until the device has drained: the driver does that for the last descriptor.
 * devices.h is about who may have another one, and about programs that close ours.
 */
#define _GNU_SOURCE
#include "../../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../../queue/barriers.h"
#include "../../queue/watch.h"
#include "dsa_linux.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* numbers that are looked for, of 8 queues each: those of other accelerators count */
#define DEVICES 256u
#define QUEUES 8u
#define PORTAL_BYTES 4096u

/* Made directly: those of libc are cancellation points. */
static int call_open(const char *path, int flags) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0);
}
static int call_close(int fd) { return (int)syscall(SYS_close, fd); }
static ssize_t call_write(int fd, const void *bytes, size_t size) {
  return (ssize_t)syscall(SYS_write, fd, bytes, size);
}
static ssize_t call_read(int fd, void *bytes, size_t size) {
  return (ssize_t)syscall(SYS_read, fd, bytes, size);
}
static void *call_mmap(size_t size, int fd) {
  void *portal = mmap(NULL, size, PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
  return portal == MAP_FAILED ? NULL : portal;
}

static int call_dont_fork(void *where, size_t size) { return madvise(where, size, MADV_DONTFORK); }

static int call_node(void) {
  unsigned cpu, node;
  return syscall(SYS_getcpu, &cpu, &node, NULL) == 0 ? (int)node : -1;
}

#if defined(__x86_64__)
/* Both are weakly ordered: what was stored before, without the cache too, comes first. The clobber
 * keeps the stores to the descriptor, which nothing else seems to read. */
static void post_movdir64b(void *portal, const unsigned char *descriptor) {
  memlift_barrier_window();
  __asm__ volatile(".byte 0x66, 0x0f, 0x38, 0xf8, 0x02" /* movdir64b (%rdx), %rax */
                   :
                   : "a"(portal), "d"(descriptor)
                   : "memory");
}

static int enqueue_enqcmd(void *portal, const unsigned char *descriptor) {
  unsigned char retry;
  memlift_barrier_window();
  __asm__ volatile(".byte 0xf2, 0x0f, 0x38, 0xf8, 0x02\n\t" /* enqcmd (%rdx), %rax */
                   "setz %0"
                   : "=r"(retry)
                   : "a"(portal), "d"(descriptor)
                   : "memory", "cc");
  return !retry;
}

/* CPUID leaf 7: ECX bit 28 MOVDIR64B, bit 29 ENQCMD. */
static int has(unsigned bit) {
  unsigned a, b, c = 0, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (c >> bit & 1);
}
#define POST (has(28) ? post_movdir64b : NULL)
#define ENQUEUE (has(29) ? enqueue_enqcmd : NULL)
#else
#define POST NULL
#define ENQUEUE NULL
#endif

#if defined(MEMLIFT_HAVE_ACCEL_CONFIG)
#define NEXT memlift_dsa_next_by_accel_config
#else
#define NEXT NULL
#endif

const struct dsa_calls *memlift_dsa_calls;
static struct dsa_calls system_calls;

static const struct dsa_calls *calls(void) {
  if (memlift_dsa_calls)
    return memlift_dsa_calls;
  system_calls = (struct dsa_calls){
      call_open, call_close, call_write,           call_read, call_mmap,      munmap,   POST,
      ENQUEUE,   NEXT,       memlift_device_raise, NULL,      call_dont_fork, call_node};
  return &system_calls;
}

static struct dsa_queue queue;
static const struct dsa_calls *in_use;
static struct memlift_device device = MEMLIFT_NO_DEVICE;
static void *portal;

/* ---- Which queue ----------------------------------------------------------------------------- */

static char *append(char *at, const char *text) {
  while (*text)
    *at++ = *text++;
  *at = '\0';
  return at;
}

static char *append_number(char *at, unsigned n) {
  if (n >= 10)
    at = append_number(at, n / 10);
  *at++ = (char)('0' + n % 10);
  *at = '\0';
  return at;
}

/* "<before>wq<d>.<q><after>" */
static void queue_path(char *path, const char *before, unsigned d, unsigned q, const char *after) {
  char *at = append_number(append(append(path, before), "wq"), d);
  append(append_number(append(at, "."), q), after);
}

/* The first line of a file, "" when there is none. */
static void first_line(const char *path, char *value, size_t size) {
  value[0] = '\0';
  int fd = in_use->open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return;
  ssize_t length = in_use->read(fd, value, size - 1);
  in_use->close(fd);
  value[length > 0 ? length : 0] = '\0';
  for (char *c = value; *c; c++)
    if (*c == '\n')
      *c = '\0';
}

static void attribute(unsigned d, unsigned q, const char *name, char *value, size_t size) {
  char path[96];
  queue_path(path, "/sys/bus/dsa/devices/", d, q, name);
  first_line(path, value, size);
}

/* -1 when it is not told. */
static int node_of(unsigned d) {
  char path[96], value[32];
  append(append_number(append(path, "/sys/bus/dsa/devices/dsa"), d), "/numa_node");
  first_line(path, value, sizeof value);
  int node = value[0] >= '0' && value[0] <= '9' ? 0 : -1;
  for (const char *c = value; *c >= '0' && *c <= '9' && node < 100000; c++)
    node = node * 10 + (*c - '0');
  return node;
}

static uint64_t number(unsigned d, unsigned q, const char *name) {
  char value[32];
  uint64_t n = 0;
  attribute(d, q, name, value, sizeof value);
  for (const char *c = value; *c >= '0' && *c <= '9'; c++)
    n = n * 10 + (uint64_t)(*c - '0');
  return n;
}

static int is(unsigned d, unsigned q, const char *name, const char *wanted) {
  char value[32];
  attribute(d, q, name, value, sizeof value);
  return memlift_same_text(value, wanted);
}

int memlift_dsa_is_usable(const struct dsa_queue *q) {
  return q->limits.depth > 0 && q->limits.max_bytes >= 4096;
}

/* 1 when a program may use this queue; it is then in *found. */
static int look_at(unsigned d, unsigned q, struct dsa_queue *found) {
  if (!is(d, q, "/state", "enabled") || !is(d, q, "/type", "user"))
    return 0;
  queue_path(found->path, "/dev/dsa/", d, q, "");
  found->node = node_of(d);
  found->shared = is(d, q, "/mode", "shared");
  found->limits.depth = (unsigned)number(d, q, found->shared ? "/threshold" : "/size");
  found->limits.max_bytes = (size_t)number(d, q, "/max_transfer_size");
  found->limits.max_batch = (unsigned)number(d, q, "/max_batch_size");
  return memlift_dsa_is_usable(found);
}

static int next_by_sysfs(unsigned *at, struct dsa_queue *found) {
  while (*at < DEVICES * QUEUES) {
    unsigned number_of_it = (*at)++;
    if (look_at(number_of_it / QUEUES, number_of_it % QUEUES, found))
      return 1;
  }
  return 0;
}

/* The file of the first queue that can be opened, of those that are near or of those that are far.
 * *seen has a bit for each kind that there is: 1 near, 2 far. */
static int open_first(int near, int here, unsigned *seen) {
  int (*next)(unsigned *, struct dsa_queue *) = in_use->next ? in_use->next : next_by_sysfs;
  struct dsa_queue candidate;
  for (unsigned at = 0; next(&at, &candidate);) {
    int is_near = here < 0 || candidate.node < 0 || candidate.node == here;
    *seen |= is_near ? 1 : 2;
    int fd = is_near == near ? in_use->open(candidate.path, O_RDWR | O_CLOEXEC) : -1;
    if (fd >= 0) {
      queue = candidate;
      return fd;
    }
  }
  return -1;
}

/* A queue of a device that is near to this processor's memory, else any; *found when there is one
 * that cannot be opened. What is not told is taken for near. */
static int open_queue(int *found) {
  unsigned seen = 0;
  int here = in_use->node ? in_use->node() : call_node();
  int fd = open_first(1, here, &seen);
  if (fd < 0 && (seen & 2))
    fd = open_first(0, here, &seen);
  *found = seen != 0;
  return fd;
}

static memlift_status probe(const char **reason) {
  int saved_errno = errno, found, fd;
  in_use = calls();
  fd = open_queue(&found);
  *reason = found ? "no work queue of /dev/dsa may be opened by this user"
                  : "no enabled work queue of type user in /sys/bus/dsa/devices";
  if (fd >= 0) {
    in_use->close(fd);
    *reason = "";
  }
  errno = saved_errno;
  return fd >= 0 ? MEMLIFT_OK : MEMLIFT_NOT_PRESENT;
}

/* ---- Using it -------------------------------------------------------------------------------- */

/* In a child: without a look at what is under way, and without the portal, which it has not
 * inherited. */
static void let_go(void) {
  int fd = memlift_device_drop(&device);
  if (fd >= 0)
    in_use->close(fd);
  portal = NULL;
}

static void *map_portal(void) {
  int can_post = queue.shared ? in_use->enqueue != NULL : in_use->post != NULL;
  void *page = can_post ? in_use->mmap(PORTAL_BYTES, device.fd) : NULL;
  if (page && in_use->dont_fork && in_use->dont_fork(page, PORTAL_BYTES) != 0) {
    in_use->munmap(page, PORTAL_BYTES);
    return NULL;
  }
  return page;
}

static memlift_status open_device(struct dsa_limits *limits) {
  int found, fd;
  in_use = calls();
  if (!memlift_devices_watch(let_go))
    return MEMLIFT_NO_RESOURCES;
  fd = open_queue(&found);
  if (fd < 0)
    return MEMLIFT_NOT_PRESENT;
  fd = in_use->raise ? in_use->raise(fd) : fd;
  if (!memlift_device_hold(&device, fd, in_use->identify)) {
    in_use->close(fd);
    return MEMLIFT_NOT_PRESENT;
  }
  portal = map_portal();
  *limits = queue.limits;
  if (!portal)
    limits->max_batch = 1; /* write(2) refuses them */
  return MEMLIFT_OK;
}

/* The portal holds the file open as well, whoever has closed its number. */
static void close_device(void) {
  if (device.fd < 0)
    return;
  memlift_devices_settle();
  if (portal)
    in_use->munmap(portal, PORTAL_BYTES);
  portal = NULL;
  int fd = memlift_device_drop(&device);
  if (fd >= 0)
    in_use->close(fd);
}

static enum dsa_taken submit(const unsigned char *descriptor) {
  if (portal && queue.shared)
    return in_use->enqueue(portal, descriptor) ? DSA_TAKEN : DSA_QUEUE_FULL;
  if (portal) {
    in_use->post(portal, descriptor);
    return DSA_TAKEN;
  }
  if (!memlift_device_is_ours(&device))
    return DSA_GONE;
  ssize_t written = in_use->write(device.fd, descriptor, DSA_DESCRIPTOR);
  if (written == DSA_DESCRIPTOR)
    return DSA_TAKEN;
  return written < 0 && (errno == EAGAIN || errno == EINTR) ? DSA_QUEUE_FULL : DSA_GONE;
}

/* Others may be waited for as well, so this is never long. */
#define LONGEST_PAUSE 20000u

static void pause_until(const unsigned char *record, uint64_t nanoseconds) {
  memlift_watch(record, 1, MEMLIFT_DSA_COMP_STATUS_NONE,
                nanoseconds < LONGEST_PAUSE ? nanoseconds : LONGEST_PAUSE);
}

const struct dsa_transport memlift_dsa_linux = {
    .probe = probe,
    .open = open_device,
    .close = close_device,
    .submit = submit,
    .now = memlift_now,
    .pause = pause_until,
};
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
