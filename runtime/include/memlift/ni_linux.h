/* ni_linux.h - the device file of the Linux driver of a network interface
 *
 * SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR Apache-2.0 WITH LLVM-exception
 *
 * /dev/memlift-ni gives pages of the packetizer, each with the mailbox page of the same number, to
 * the process that asks. Shared by the driver (runtime/linux) and programs.
 *
 *   ATTACH   gives consecutive pages to the calling process
 *   mmap     maps them: page p at offset p * MEMLIFT_NI_PAGE_BYTES, its mailbox page at
 *            MEMLIFT_NI_MAILBOXES + p * MEMLIFT_NI_PAGE_BYTES, with MAP_SHARED; consecutive ones
 *            may be mapped at once. The transport `mmio` (ni.h) does so with options.offset 0. No
 *            load or store of the process enters the kernel afterwards.
 *   DETACH   takes them back: they are unmapped, messages that wait are withdrawn. A later access
 *            gets SIGBUS. Close, exec, exit and death of the process do the same.
 *   poll     POLLIN: a mailbox of the file's pages has a message
 *
 * Pages belong to the file and to the address space that attached them: threads share them. A child
 * after fork has no mapping, and gets EPERM for whatever it does with the inherited file.
 *
 * Errors of all:  EPERM   another process attached the pages of this file
 *                 EFAULT  the argument is at no address; ENOTTY: there is no such request
 *                 EIO     the device does not answer; the page is given to nobody any more
 */
#ifndef MEMLIFT_NI_LINUX_H
#define MEMLIFT_NI_LINUX_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define MEMLIFT_NI_DEVICE_FILE "/dev/memlift-ni"

struct memlift_ni_ioctl_attach {
  __u32 pages;         /* in: how many, 1 to MEMLIFT_NI_PAGES */
  __u32 first;         /* in: number of the first, or MEMLIFT_NI_IOCTL_ANY; out: its number */
  __u32 protection_id; /* in: 0: effective user id plus 1; out: the id */
  __u32 window;        /* out: how they are mapped: a kind of ni_page.h, MEMLIFT_NI_DEVICE, ... */
};
#define MEMLIFT_NI_IOCTL_ANY 0xffffffffu

struct memlift_ni_ioctl_detach {
  __u32 pages, first; /* all of them are the file's */
};

/* EINVAL  pages is 0 or too large, or so is first
 * EBUSY   a page that was asked for by number is not free
 * ENOSPC  not so many consecutive pages are free
 * EPERM   an id that is not one's own needs CAP_NET_ADMIN */
#define MEMLIFT_NI_IOCTL_ATTACH _IOWR(0xEB, 0, struct memlift_ni_ioctl_attach)

/* EINVAL  a page is not the file's */
#define MEMLIFT_NI_IOCTL_DETACH _IOW(0xEB, 1, struct memlift_ni_ioctl_detach)

/* Tells which use of a page this is, counted from one owner to the next: what a program that sends
 * reliable messages by itself puts into INCARNATION (ni_words.h), so that a receiver tells its
 * messages from those of an earlier owner. The transport `mmio` does. After the module was loaded
 * it goes on from a number that the clock gives, modulo 2^32. */
struct memlift_ni_ioctl_incarnation {
  __u32 page;        /* in: number of a page of the file */
  __u32 incarnation; /* out: one more than that of the owner before */
};

/* EINVAL  the page is not the file's */
#define MEMLIFT_NI_IOCTL_GET_INCARNATION _IOWR(0xEB, 3, struct memlift_ni_ioctl_incarnation)

/* Gives the protection id of the file's pages. ENXIO: there are none. */
#define MEMLIFT_NI_IOCTL_GET_PROTECTION_ID _IOR(0xEB, 2, __u32)

#endif
