/* pages.c - which process has which page
 *
 * SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 WITH LLVM-exception
 *
 * A page has one owner: an open file, and the address space that attached it there. It comes back
 * by DETACH, when the file is closed, and when the address space ends (exit, death, exec), even
 * where a child keeps the file open.
 */
#include "ni.h"

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/nospec.h>
#include <linux/sched/mm.h>

/* Gives a page back: its owner cannot reach it any more. One whose device does not answer stays
 * taken, as it may still have the messages of its last owner. */
static void close_page(struct ni_file *file, unsigned int page) {
  struct ni_device *ni = file->ni;
  int mailbox, packetizer;

  ni_unmap(file, page);
  mailbox = ni_mailbox.close(ni, page);
  packetizer = ni_packetizer.close(ni, page);
  ni->owner[page] = NULL;
  if (!mailbox && !packetizer)
    __clear_bit(page, ni->taken);
  if (!--file->pages) {
    mmdrop(file->mm);
    file->mm = NULL;
  }
}

static void close_all(struct ni_file *file) {
  unsigned int page;

  for (page = 0; page < MEMLIFT_NI_PAGES && file->pages; page++)
    if (file->ni->owner[page] == file)
      close_page(file, page);
}

void ni_release_pages(struct ni_file *file, const struct mm_struct *mm) {
  mutex_lock(&file->ni->lock);
  if (!mm || mm == file->mm)
    close_all(file);
  mutex_unlock(&file->ni->lock);
}

/* Frees pages whose process has ended without having mapped one, while a child has the file. Those
 * that are mapped come back when the address space ends (map.c). */
static void reap(struct ni_device *ni) {
  struct ni_file *file;

  list_for_each_entry(file, &ni->files, node) {
    if (file->mm && !atomic_read(&file->mm->mm_users))
      close_all(file);
  }
}

bool ni_is_owner(const struct ni_file *file, const struct mm_struct *mm) {
  return !file->mm || file->mm == mm;
}

bool ni_has_pages(const struct ni_file *file, unsigned long first, unsigned long pages) {
  unsigned long i;

  if (!pages || pages > MEMLIFT_NI_PAGES || first > MEMLIFT_NI_PAGES - pages)
    return false;
  for (i = first; i < first + pages; i++)
    if (file->ni->owner[i] != file)
      return false;
  return true;
}

/* Number of the first page of a free range, or an error. */
static long choose(struct ni_device *ni, const struct memlift_ni_ioctl_attach *wanted) {
  unsigned long first = wanted->first;

  if (!wanted->pages || wanted->pages > MEMLIFT_NI_PAGES)
    return -EINVAL;
  if (wanted->first == MEMLIFT_NI_IOCTL_ANY) {
    first = bitmap_find_next_zero_area(ni->taken, MEMLIFT_NI_PAGES, 0, wanted->pages, 0);
    return first < MEMLIFT_NI_PAGES ? (long)first : -ENOSPC;
  }
  if (first > MEMLIFT_NI_PAGES - wanted->pages)
    return -EINVAL;
  if (find_next_bit(ni->taken, first + wanted->pages, first) < first + wanted->pages)
    return -EBUSY;
  return (long)first;
}

/* The mailbox of a page is opened after the packetizer's part, and closed before it. A page that
 * fails half-way is closed again, which makes it free if the device answers then. */
static int open_page(struct ni_file *file, unsigned int page) {
  struct ni_device *ni = file->ni;
  int status;

  __set_bit(page, ni->taken);
  ni->owner[page] = file;
  ni->incarnation[page]++;
  if (!file->pages++) {
    mmgrab(current->mm); /* its address means no other address space while the file has it */
    file->mm = current->mm;
  }
  status = ni_packetizer.open(ni, page, file->protection_id);
  if (!status)
    status = ni_mailbox.open(ni, page, file->protection_id);
  return status;
}

static int open_pages(struct ni_file *file, unsigned int first, unsigned int pages) {
  unsigned int i;
  int status = 0;

  for (i = first; i < first + pages && !status; i++)
    status = open_page(file, i);
  while (status && i-- > first)
    close_page(file, i);
  return status;
}

/* A process may take an id that is not its own if it may do as it likes with the network. All pages
 * of a file have one id. */
static int choose_id(struct ni_file *file, u32 wanted) {
  u32 own = from_kuid(&init_user_ns, current_euid()) + 1;
  u32 id = wanted ? wanted : own;

  if (file->pages && wanted && wanted != file->protection_id)
    return -EINVAL;
  if (id != own && !capable(CAP_NET_ADMIN))
    return -EPERM;
  if (!file->pages)
    file->protection_id = id;
  return 0;
}

static long attach(struct ni_file *file, struct memlift_ni_ioctl_attach *wanted) {
  long first;
  int status;

  if (!ni_is_owner(file, current->mm))
    return -EPERM;
  reap(file->ni);
  first = choose(file->ni, wanted);
  if (first < 0)
    return first;
  status = choose_id(file, wanted->protection_id);
  if (!status)
    status = open_pages(file, first, wanted->pages);
  if (status)
    return status;
  wanted->first = first;
  wanted->protection_id = file->protection_id;
  wanted->window = file->ni->window;
  return 0;
}

long ni_attach(struct ni_file *file, struct memlift_ni_ioctl_attach *wanted) {
  long status;

  mutex_lock(&file->ni->lock);
  status = attach(file, wanted);
  mutex_unlock(&file->ni->lock);
  return status;
}

long ni_get_incarnation(struct ni_file *file, struct memlift_ni_ioctl_incarnation *of) {
  long status = 0;

  mutex_lock(&file->ni->lock);
  if (!ni_is_owner(file, current->mm))
    status = -EPERM;
  else if (!ni_has_pages(file, of->page, 1))
    status = -EINVAL;
  else
    of->incarnation = file->ni->incarnation[array_index_nospec(of->page, MEMLIFT_NI_PAGES)];
  mutex_unlock(&file->ni->lock);
  return status;
}

/* Holds mmap_lock, as mmap does: a mapping that is being made by another thread is either complete,
 * and is found by ni_unmap, or will see that the page is gone. */
long ni_detach(struct ni_file *file, const struct memlift_ni_ioctl_detach *range) {
  long status = 0;
  unsigned int i;

  mmap_read_lock(current->mm);
  mutex_lock(&file->ni->lock);
  if (!ni_is_owner(file, current->mm))
    status = -EPERM;
  else if (!ni_has_pages(file, range->first, range->pages))
    status = -EINVAL;
  for (i = range->first; !status && i < range->first + range->pages; i++)
    close_page(file, i);
  mutex_unlock(&file->ni->lock);
  mmap_read_unlock(current->mm);
  return status;
}
