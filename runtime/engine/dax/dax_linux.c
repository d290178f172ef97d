/* dax_linux.c - the way to a DAX through Linux's /dev/oradax1 and /dev/oradax2
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Linux Documentation/arch/sparc/oradax/oracle-dax.rst: a write() of whole blocks submits them, the
 * file's offset being the number of the first completion area; a write of 4 bytes is an immediate
 * command; a read() of 16 bytes gets the result of what was not taken whole. Completion areas are
 * mapped, read-only. Not run on silicon: in test/runtime/dax_linux_test.cpp a
 * driver in software answers the system calls.
 */
#define _GNU_SOURCE
#include "../../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../../queue/watch.h"
#include "dax_linux.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if !defined(MAP_FIXED_NOREPLACE) /* older headers of libc have no name for it */
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define AREAS_BYTES (DAX_AREAS_OF_ONE * MEMLIFT_DAX_CA_SIZE)

/* Made directly: those of libc are cancellation points. */
static int call_open(const char *path, int flags, ...) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0);
}
static int call_close(int fd) { return (int)syscall(SYS_close, fd); }
static ssize_t call_pwrite(int fd, const void *bytes, size_t size, off_t offset) {
  return (ssize_t)syscall(SYS_pwrite64, fd, bytes, size, offset);
}
static ssize_t call_write(int fd, const void *bytes, size_t size) {
  return (ssize_t)syscall(SYS_write, fd, bytes, size);
}
static ssize_t call_read(int fd, void *bytes, size_t size) {
  return (ssize_t)syscall(SYS_read, fd, bytes, size);
}

static int call_dont_fork(void *where, size_t size) { return madvise(where, size, MADV_DONTFORK); }

static const struct dax_calls system_calls = {
    call_open, call_close, call_pwrite,          call_write, call_read,
    mmap,      munmap,     memlift_device_raise, NULL,       call_dont_fork};
const struct dax_calls *memlift_dax_calls = &system_calls;

/* The device is opened several times, since each time gives so many completion areas. */
static struct memlift_device devices[DAX_OPENS] = {MEMLIFT_NO_DEVICE, MEMLIFT_NO_DEVICE};
static unsigned char *mapped; /* of all, one after the other */
/* where they are or were: it stays, since a thread may be watching one */
static unsigned char *place;
static pid_t thread;

static int open_any(void) {
  int fd = memlift_dax_calls->open("/dev/oradax1", O_RDWR | O_CLOEXEC);
  return fd >= 0 ? fd : memlift_dax_calls->open("/dev/oradax2", O_RDWR | O_CLOEXEC);
}

static memlift_status probe(const char **reason) {
  int saved_errno = errno, fd = open_any();
  *reason = errno == EACCES ? "/dev/oradax1 or 2 may not be opened by this user"
                            : "no /dev/oradax1 and no /dev/oradax2";
  if (fd >= 0) {
    memlift_dax_calls->close(fd);
    *reason = "";
  }
  errno = saved_errno;
  return fd >= 0 ? MEMLIFT_OK : MEMLIFT_NOT_PRESENT;
}

/* Takes the areas away, and leaves zeros in their place for whoever is in pause_until. */
static void unmap_areas(void) {
  if (mapped &&
      memlift_dax_calls->mmap(place, DAX_OPENS * AREAS_BYTES, PROT_READ,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) {
    memlift_dax_calls->munmap(place, DAX_OPENS * AREAS_BYTES);
    place = NULL;
  }
  mapped = NULL;
}

/* Those that are still ours. */
static void close_files(void) {
  for (unsigned i = 0; i < DAX_OPENS; i++) {
    int fd = memlift_device_drop(&devices[i]);
    if (fd >= 0)
      memlift_dax_calls->close(fd);
  }
}

/* The driver waits for and kills what is under way when the last descriptor goes. The mappings
 * first: they hold the file open. */
static void close_device(void) {
  if (mapped)
    memlift_devices_settle();
  unmap_areas();
  close_files();
}

/* In a child, which has not inherited the areas. Zeros stand in their place for whoever was in
 * pause_until when a handler forked, unless something else does by now. */
static void let_go(void) {
  size_t size = DAX_OPENS * AREAS_BYTES;
  void *zeros =
      mapped ? memlift_dax_calls->mmap(place, size, PROT_READ,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0)
             : place;
  if (zeros != place && zeros != MAP_FAILED)
    memlift_dax_calls->munmap(zeros, size);
  place = zeros == place ? place : NULL;
  mapped = NULL;
  close_files();
}

static memlift_status open_all(unsigned char *areas) {
  for (unsigned i = 0; i < DAX_OPENS; i++) {
    int fd = open_any();
    if (fd < 0)
      return MEMLIFT_NOT_PRESENT;
    fd = memlift_dax_calls->raise ? memlift_dax_calls->raise(fd) : fd;
    if (!memlift_device_hold(&devices[i], fd, memlift_dax_calls->identify)) {
      memlift_dax_calls->close(fd);
      return MEMLIFT_NOT_PRESENT;
    }
    unsigned char *at = areas + i * AREAS_BYTES;
    if (memlift_dax_calls->mmap(at, AREAS_BYTES, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0) ==
        MAP_FAILED)
      return MEMLIFT_NO_RESOURCES;
    if (memlift_dax_calls->dont_fork && memlift_dax_calls->dont_fork(at, AREAS_BYTES) != 0)
      return MEMLIFT_NO_RESOURCES;
  }
  return MEMLIFT_OK;
}

static memlift_status open_device(void) {
  if (!memlift_devices_watch(let_go))
    return MEMLIFT_NO_RESOURCES;
  void *areas =
      memlift_dax_calls->mmap(place, DAX_OPENS * AREAS_BYTES, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | (place ? MAP_FIXED : 0), -1, 0);
  if (areas == MAP_FAILED)
    return MEMLIFT_NO_RESOURCES;
  mapped = place = (unsigned char *)areas;
  thread = (pid_t)syscall(SYS_gettid);
  memlift_status status = open_all(mapped);
  if (status != MEMLIFT_OK)
    close_device();
#if defined(__sparc__)
  else /* M7 and later, whose cores can watch a line */
    memlift_watch_use(MEMLIFT_WATCH_MWAIT);
#endif
  return status;
}

static int mine(void) { return thread == (pid_t)syscall(SYS_gettid); }

static const unsigned char *areas(void) { return mapped; }

/* A system call that fails says by errno whether there will be another answer. EUSERS is the
 * driver's for a thread that did not open the device, which is as good as before. */
static uint32_t why_failed(void) {
  switch (errno) {
  case EUSERS: return MEMLIFT_DAX_EXEC_WRONG_THREAD;
  case EAGAIN:
  case EINTR: return MEMLIFT_DAX_EXEC_WOULD_BLOCK;
  case EINVAL:
  case EFAULT: return MEMLIFT_DAX_EXEC_BAD_ARGUMENT;
  default: return DAX_GONE;
  }
}

/* The number of the file that has this area; -1: it is none of ours any more. */
static int file_of(unsigned area) {
  const struct memlift_device *device = &devices[area / DAX_AREAS_OF_ONE];
  return memlift_device_is_ours(device) ? device->fd : -1;
}

static unsigned submit(const unsigned char *blocks, unsigned count, unsigned area, uint32_t *why) {
  unsigned char result[MEMLIFT_DAX_EXEC_SIZE];
  size_t size = count * DAX_BLOCK;
  int device = file_of(area);
  *why = device < 0 ? DAX_GONE : MEMLIFT_DAX_EXEC_OK;
  if (device < 0)
    return 0;
  ssize_t taken = memlift_dax_calls->pwrite(device, blocks, size, (off_t)(area % DAX_AREAS_OF_ONE));
  if (taken == (ssize_t)size)
    return count;
  if (taken < 0) {
    *why = why_failed();
    return 0;
  }
  /* Accepted in part: the driver takes nothing else until the reason has been read. */
  if (memlift_dax_calls->read(device, result, sizeof result) != sizeof result)
    *why = DAX_GONE;
  else
    *why = (uint32_t)MEMLIFT_GET(result, DAX_EXEC, STATUS);
  return (unsigned)((size_t)taken / DAX_BLOCK);
}

static enum dax_answer answer_of(uint32_t why) {
  return why == MEMLIFT_DAX_EXEC_WOULD_BLOCK    ? DAX_ASK_AGAIN
         : why == MEMLIFT_DAX_EXEC_WRONG_THREAD ? DAX_NOT_YOURS
                                                : DAX_NO_DEVICE;
}

/* Writes an immediate command and, unless it has none, reads the result. */
static enum dax_answer ask(unsigned command, unsigned area, unsigned char *result) {
  unsigned char bytes[MEMLIFT_DAX_COMMAND_SIZE];
  int device = file_of(area);
  if (device < 0)
    return DAX_NO_DEVICE;
  memlift_record_clear(bytes, sizeof bytes);
  MEMLIFT_PUT(bytes, DAX_COMMAND, COMMAND, command);
  MEMLIFT_PUT(bytes, DAX_COMMAND, COMPLETION_OFFSET, area % DAX_AREAS_OF_ONE * MEMLIFT_DAX_CA_SIZE);
  ssize_t written = memlift_dax_calls->write(device, bytes, sizeof bytes);
  if (written != sizeof bytes)
    return written < 0 ? answer_of(why_failed()) : DAX_NO_DEVICE;
  if (result &&
      memlift_dax_calls->read(device, result, MEMLIFT_DAX_KILLED_SIZE) != MEMLIFT_DAX_KILLED_SIZE)
    return DAX_NO_DEVICE;
  return DAX_ANSWERED;
}

static enum dax_answer kill_block(unsigned area, uint32_t *action) {
  unsigned char result[MEMLIFT_DAX_KILLED_SIZE];
  enum dax_answer answer = ask(MEMLIFT_DAX_COMMAND_KILL, area, result);
  *action = answer == DAX_ANSWERED ? (uint32_t)MEMLIFT_GET(result, DAX_KILLED, ACTION) : 0;
  return answer;
}

static enum dax_answer info(unsigned area, uint32_t *state) {
  unsigned char result[MEMLIFT_DAX_INFO_SIZE];
  enum dax_answer answer = ask(MEMLIFT_DAX_COMMAND_INFO, area, result);
  *state = answer == DAX_ANSWERED ? (uint32_t)MEMLIFT_GET(result, DAX_INFO, STATE) : 0;
  return answer;
}

static void dequeue(void) {
  for (unsigned i = 0; i < DAX_OPENS; i++)
    ask(MEMLIFT_DAX_COMMAND_DEQUEUE, i * DAX_AREAS_OF_ONE, NULL);
}

/* One area is watched; others may be waited for as well, so this is never long. */
#define LONGEST_PAUSE 50000u

static void pause_until(unsigned area, uint64_t nanoseconds) {
  if (place)
    memlift_watch(place + area * MEMLIFT_DAX_CA_SIZE, 1, MEMLIFT_DAX_CA_STATUS_PENDING,
                  nanoseconds < LONGEST_PAUSE ? nanoseconds : LONGEST_PAUSE);
}

static void rest(uint64_t nanoseconds) {
  uint64_t end = memlift_now() + nanoseconds;
  do
    sched_yield();
  while (memlift_now() < end);
}

const struct dax_transport memlift_dax_linux = {
    .probe = probe,
    .open = open_device,
    .close = close_device,
    .mine = mine,
    .areas = areas,
    .submit = submit,
    .kill = kill_block,
    .info = info,
    .dequeue = dequeue,
    .now = memlift_now,
    .pause = pause_until,
    .rest = rest,
};
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
