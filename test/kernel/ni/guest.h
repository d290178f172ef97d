/* guest.h - what the checks of the driver share; each check is a function that a process runs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_TEST_NI_GUEST_H
#define MEMLIFT_TEST_NI_GUEST_H

#include "memlift/ni_linux.h"
#include "memlift/ni_page.h"

#include <stdint.h>
#include <sys/types.h>

enum { PAGE = MEMLIFT_NI_PAGE_BYTES, SECOND = 1000000000 };
enum { DEVICE_READY = 3 }; // descriptor that the device writes to when it works

/* Ends the check with a message unless it holds. */
#define WANT(condition, ...) \
  do { \
    if (!(condition)) \
      fail(__FILE__, __LINE__, #condition, __VA_ARGS__); \
  } while (0)
_Noreturn void fail(const char *file, int line, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A call gives that error, as a negative number; 0: none. */
#define WANT_STATUS(call, status) \
  do { \
    long got_ = (call); \
    WANT(got_ == (status), "%s gave %ld, not %ld", #call, got_, (long)(status)); \
  } while (0)

/* ---- The device file ---- */

int open_file(void);
long attach(int fd, unsigned pages, unsigned first, struct memlift_ni_ioctl_attach *out);
long detach(int fd, unsigned pages, unsigned first);
/* Address, or a negative errno. */
long map_at(int fd, size_t offset, size_t bytes, int protection, int flags);
long map_own(int fd, size_t offset, size_t bytes);

/* A page of this process. */
struct page {
  int fd;
  unsigned number;
  uint32_t protection_id;
  volatile void *channels, *mailbox;
};
/* Opens, attaches and maps a page, of that number or MEMLIFT_NI_IOCTL_ANY. */
struct page own_page(unsigned number);
/* Waits until that page is free, at most 10 s, and takes it. */
struct page own_page_soon(unsigned number);
void give_back(struct page *page);

/* ---- Messages ---- */

uint64_t now(void);
volatile void *channel(const struct page *page, unsigned c);
void start(const struct page *page, unsigned c, unsigned to, const void *data, size_t size,
           unsigned timeout, int chain);
/* State of a channel once the device has taken its doorbell. */
unsigned state(const struct page *page, unsigned c);
/* Waits until the channel is not queued any more; its state. */
unsigned outcome(const struct page *page, unsigned c);
/* Size of the message that comes, with its source word; 0: none for so many nanoseconds. */
size_t receive(const struct page *page, void *buffer, uint64_t *source, uint64_t nanoseconds);

/* ---- Processes ---- */

/* The signal that a load or store of the word gets; 0: none. */
int load_signal(volatile void *at);
int store_signal(volatile void *at);
/* A child that runs the function, and whether it ends with 0. */
pid_t child(void (*run)(void *), void *argument);
void want_success(pid_t pid);
void kill_and_wait(pid_t pid);
/* A line for others to wait at: memory that children share. */
struct shared {
  volatile uint32_t flag[16];
};
struct shared *share(void);
void set(volatile uint32_t *flag, uint32_t value);
void await(volatile uint32_t *flag, uint32_t value);

/* ---- The checks: refused.c, others.c, messages.c, life.c ---- */

void refuses_requests(void), refuses_mappings(void), tells_protection_id(void);
void counts_owners(void);
void others_pages(void), others_memory(void), forked_child(void), other_user(void);
void message_sizes(void), many_to_one(void), through_library(void), polls(void);
void uses_all_channels(void), detach_unmaps(void), detach_races_with_mmap(void);
void chain_of_the_dead(void), killed_at_any_time(void), child_keeps_file(void);
void file_is_handed_on(void), exec_ends(void);
void device_hangs(void);
extern pid_t device_process;


#endif
