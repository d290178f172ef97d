/* ni.h - what the parts of the driver share
 *
 * SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 WITH LLVM-exception
 *
 *   front.c       the device file: open, ioctl, poll, release; finds devices in the device tree
 *   pages.c       which process has which page
 *   map.c         mmap: a process has its own pages in its address space, and no others
 *   packetizer.c, mailbox.c  the back ends: two devices of a page each, behind struct ni_backend
 *   control.c     commands to a device, which both back ends give
 *
 * Locks: ni_device.lock guards who has which page. It is taken inside of an address space's
 * mmap_lock, never the other way, so no user memory is touched while it is held.
 */
#ifndef MEMLIFT_LINUX_NI_H
#define MEMLIFT_LINUX_NI_H

#include <linux/bitmap.h>
#include <linux/fs.h>
#include <linux/io.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "../../intrinsics/generated/memlift_formats.h"
#include "../include/memlift/ni_linux.h"
#include "../include/memlift/ni_words.h"

/* Kinds of ni_page.h, as the device tree names them. */
enum ni_window { NI_WINDOW_DEVICE, NI_WINDOW_COMBINING, NI_WINDOW_MEMORY };

struct ni_device;

/* One of the two devices. Each function is called with ni_device.lock held, and may sleep. */
struct ni_backend {
  const char *name;
  size_t pages; /* where its page 0 is in the device, and in the file */

  /* Makes a page work for that protection id; its earlier contents cannot be read. 0, or -EIO. */
  int (*open)(struct ni_device *ni, unsigned int page, u32 protection_id);

  /* Withdraws what the page has, so that nothing waits for it. 0, or -EIO. */
  int (*close)(struct ni_device *ni, unsigned int page);
};
extern const struct ni_backend ni_packetizer, ni_mailbox;

struct ni_device {
  struct miscdevice misc;
  struct device *dev;
  void __iomem *base;
  phys_addr_t physical;
  enum ni_window window;
  int number;
  int irq; /* 0: there is none, and who polls is woken by `look` */
  struct mutex lock;
  struct list_head files;
  struct ni_file *owner[MEMLIFT_NI_PAGES];
  u32 incarnation[MEMLIFT_NI_PAGES];       /* of the owner, or of the last one */
  DECLARE_BITMAP(taken, MEMLIFT_NI_PAGES); /* by their owners, or for good as the device hangs */
  bool hangs;                              /* a command was not done: no other is given */
  wait_queue_head_t waiters;
  struct delayed_work look;
};

/* An open file. */
struct ni_file {
  struct ni_device *ni;
  struct list_head node; /* of ni_device.files */
  struct address_space *mapping;
  unsigned int pages;   /* attached */
  struct mm_struct *mm; /* who attached them; NULL without pages. Held by mmgrab. */
  u32 protection_id;    /* of the pages */
};

/* pages.c */
long ni_attach(struct ni_file *file, struct memlift_ni_ioctl_attach *wanted);
long ni_detach(struct ni_file *file, const struct memlift_ni_ioctl_detach *range);

long ni_get_incarnation(struct ni_file *file, struct memlift_ni_ioctl_incarnation *of);

/* Gives back all pages of the file, if that address space attached them; NULL: whichever did. */
void ni_release_pages(struct ni_file *file, const struct mm_struct *mm);

/* Called with the lock held, which guards struct ni_file, too. Any address space owns a file that
 * has no pages. */
bool ni_is_owner(const struct ni_file *file, const struct mm_struct *mm);
bool ni_has_pages(const struct ni_file *file, unsigned long first, unsigned long pages);

/* map.c */
int ni_mmap(struct file *file, struct vm_area_struct *vma);
void ni_unmap(struct ni_file *file, unsigned int page);

/* control.c: has the device do a command; 0, or -EIO when it does not answer. */
int ni_command(struct ni_device *ni, size_t record, u64 command);

/* mailbox.c */
bool ni_mailbox_has_message(struct ni_device *ni, unsigned int page);

#endif
