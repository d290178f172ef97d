// init.c - the first process of the guest that tries the kernel routines of examples/linux
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: init faults exact|rounded | init link WORD... - from the kernel's command line, after "--"
//
// Prints lines that begin with "memlift-user:", the last of them "all is well" or "FAILED".
#define _GNU_SOURCE
#include "guest.h"

#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int bad = 1;
  setvbuf(stdout, NULL, _IOLBF, 0);
  printf("memlift-user: begins\n");
  if (mount("devtmpfs", "/dev", "devtmpfs", 0, NULL) || mount("proc", "/proc", "proc", 0, NULL) ||
      mount("tmpfs", "/tmp", "tmpfs", 0, NULL))
    printf("memlift-user: cannot mount\n");
  else if (argc == 3 && !strcmp(argv[1], "faults"))
    bad = try_faults(!strcmp(argv[2], "exact"));
  else if (argc > 2 && !strcmp(argv[1], "link"))
    bad = run_link(argv + 2);
  printf("memlift-user: %s\n", bad ? "FAILED" : "all is well");
  sync();
  reboot(RB_POWER_OFF);
  return 1;
}
