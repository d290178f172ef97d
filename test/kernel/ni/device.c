// device.c - plays the network interface in the guest: the model of runtime/model on reserved memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: device ADDRESS - physical, of MEMLIFT_NI_CONTROL_EXTENT bytes that the kernel leaves alone
// Writes a byte to descriptor 3 when it works.
//
// The model has pages, network and mailboxes; here are the driver's words and the interrupt. A page
// works as soon as its packetizer is opened: the driver opens that first, and its mailbox then.
#include "../../../intrinsics/generated/memlift_formats.h"
#include "memlift/ni_page.h"
#include "../../../runtime/model/ni_model.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct ni_model *model;
static unsigned char *base;

static void die(const char *what) {
  perror(what);
  exit(1);
}

static volatile void *record(size_t records, unsigned page) {
  return base + records + (size_t)page * MEMLIFT_NI_CONTROL_SIZE;
}

// The command of a record; 0: there is none.
static unsigned command(volatile void *of) {
  unsigned word = (unsigned)memlift_ni_get(of, MEMLIFT_NI_CONTROL_COMMAND_OFFSET);
  if (word)
    memlift_barrier_from_device(); // the id is that of this command
  return word;
}

static void done(volatile void *of) {
  memlift_barrier_to_device(); // who sees that it is done sees what it did
  memlift_ni_put(of, MEMLIFT_NI_CONTROL_COMMAND_OFFSET, 0);
}

static void packetizer(unsigned page) {
  volatile void *of = record(MEMLIFT_NI_CONTROL_PACKETIZER, page);
  unsigned what = command(of);
  if (!what)
    return;
  uint32_t id = (uint32_t)memlift_ni_get(of, MEMLIFT_NI_CONTROL_PROTECTION_ID_OFFSET);
  if (what == MEMLIFT_NI_CONTROL_COMMAND_OPEN)
    memlift_ni_model_open(model, (int)page, 1, id);
  else
    memlift_ni_model_close(model, page, 1);
  done(of);
}

// Takes nothing more, and drops what it has.
static void close_mailbox(unsigned page) {
  volatile void *at = memlift_ni_mailbox_page(base, page);
  memlift_ni_model_kill(model, page);
  while (memlift_ni_head(at, MEMLIFT_NI_MEMORY)) {
    memlift_ni_pop(at, MEMLIFT_NI_MEMORY);
    memlift_ni_model_step(model);
  }
  memset((void *)at, 0, MEMLIFT_NI_PAGE_BYTES);
}

static void mailbox(unsigned page) {
  volatile void *of = record(MEMLIFT_NI_CONTROL_MAILBOX, page);
  unsigned what = command(of);
  if (what == MEMLIFT_NI_CONTROL_COMMAND_CLOSE)
    close_mailbox(page);
  if (what)
    done(of);
}

// Packets that have arrived since it was asked last.
static int has_arrived(void) {
  static uint64_t before;
  uint64_t arrived = memlift_ni_model_happened(model).arrived, news = arrived - before;
  before = arrived;
  return news != 0;
}

int main(int argc, char **argv) {
  int memory = open("/dev/mem", O_RDWR | O_SYNC | O_CLOEXEC);
  int line = open("/dev/memlift-ni-line", O_WRONLY | O_CLOEXEC); // not in each device tree
  if (argc != 2 || memory < 0)
    die("/dev/mem");
  base = mmap(NULL, MEMLIFT_NI_CONTROL_EXTENT, PROT_READ | PROT_WRITE, MAP_SHARED, memory,
              strtol(argv[1], NULL, 16));
  if (base == MAP_FAILED)
    die("mmap");
  memset(base, 0, MEMLIFT_NI_CONTROL_EXTENT);
  model = memlift_ni_model_new(NULL, base);
  if (!model)
    die("model");
  if (write(3, "", 1) != 1)
    die("descriptor 3");
  close(3);
  for (;;) {
    for (unsigned page = 0; page < MEMLIFT_NI_PAGES; page++) {
      packetizer(page);
      mailbox(page);
    }
    memlift_ni_model_step(model);
    if (!has_arrived())
      usleep(20);
    else if (line >= 0 && write(line, "", 1) < 0)
      die("/dev/memlift-ni-line");
  }
}
