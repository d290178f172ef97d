// init.c - the first process of the guest in which the driver is tried: does the checks, powers off
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: init [CHECK...] - from the kernel's command line, after "--"
//
// Each check is a process of its own. It prints "memlift-ni: NAME: ok", or what was wrong.
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

pid_t device_process;
static int failures;
static char **chosen; // names of checks, up to a NULL; none: all

static void say(const char *name, int good) {
  printf("memlift-ni: %s: %s\n", name, good ? "ok" : "FAILED");
  failures += !good;
}

static int is_chosen(const char *name) {
  char **at = chosen;
  while (*at && strcmp(*at, name))
    ++at;
  return *at || !*chosen;
}

static void run(const char *name, void (*check)(void)) {
  if (!is_chosen(name))
    return;
  pid_t pid = fork();
  if (pid == 0) {
    alarm(120); // a check that hangs is killed
    check();
    _exit(0);
  }
  int status = -1;
  waitpid(pid, &status, 0);
  if (WIFSIGNALED(status))
    printf("memlift-ni: %s: signal %d\n", name, WTERMSIG(status));
  say(name, status == 0);
}
#define RUN(check) run(#check, check)

static int load(const char *file) {
  int fd = open(file, O_RDONLY | O_CLOEXEC);
  int status = (int)syscall(SYS_finit_module, fd, "", 0);
  close(fd);
  return status;
}

// Returns when it works: its memory is cleared at first, with commands that were given before.
static void start_device(void) {
  int line[2];
  char ready;
  if (pipe2(line, O_CLOEXEC))
    return;
  device_process = fork();
  if (device_process == 0) {
    dup2(line[1], DEVICE_READY);
    execl("/device", "device", "9f000000", (char *)NULL);
    _exit(1);
  }
  close(line[1]);
  if (read(line[0], &ready, 1) != 1)
    printf("memlift-ni: FAILED: there is no device\n");
  close(line[0]);
}

static int is_zero(const char *file, const char *format, unsigned but) {
  FILE *f = fopen(file, "r");
  char line[128];
  unsigned number = ~0u;
  while (f && fgets(line, sizeof line, f) && sscanf(line, format, &number) != 1)
    ;
  if (f)
    fclose(f);
  return (number & ~but) == 0;
}

// The kernel has found nothing wrong: only the module from elsewhere taints it, and its check of
// locks, which it ends at the first fault, is still at work.
static void ask_kernel(void) {
  say("kernel_is_well", is_zero("/proc/sys/kernel/tainted", "%u", 1 << 12));
  say("locks_are_well", !is_zero("/proc/lockdep_stats", " debug_locks: %u", 0));
}

// The module is not unloaded under an open file, and its pages are free after it was.
static void reloads(void) {
  int fd = open_file();
  long busy = syscall(SYS_delete_module, "memlift_ni", O_NONBLOCK);
  int why = errno;
  close(fd);
  long unloaded = syscall(SYS_delete_module, "memlift_ni", O_NONBLOCK);
  WANT(busy < 0 && why == EWOULDBLOCK, "%ld, errno %d", busy, why);
  WANT(unloaded == 0, "errno %d", errno);
  WANT(access(MEMLIFT_NI_DEVICE_FILE, F_OK) < 0, "the file is there");
  WANT(load("/memlift_ni.ko") == 0, "errno %d", errno);
  WANT_STATUS(attach(open_file(), MEMLIFT_NI_PAGES, 0, NULL), 0);
}

static void check_all(void) {
  RUN(refuses_requests);
  RUN(refuses_mappings);
  RUN(tells_protection_id);
  RUN(counts_owners);
  RUN(others_pages);
  RUN(others_memory);
  RUN(forked_child);
  RUN(other_user);
  RUN(message_sizes);
  RUN(many_to_one);
  RUN(through_library);
  RUN(polls);
  RUN(uses_all_channels);
  RUN(detach_unmaps);
  RUN(detach_races_with_mmap);
  RUN(chain_of_the_dead);
  RUN(killed_at_any_time);
  RUN(child_keeps_file);
  RUN(file_is_handed_on);
  RUN(exec_ends);
  RUN(reloads);
  RUN(device_hangs);
  RUN(reloads); // a device that hung works again
}

static void set_up(void) {
  mkdir("/proc", 0755);
  mount("dev", "/dev", "devtmpfs", 0, NULL);
  mount("proc", "/proc", "proc", 0, NULL);
  if (load("/memlift_ni_line.ko"))
    printf("memlift-ni: FAILED: memlift_ni_line.ko: %s\n", strerror(errno));
  if (load("/memlift_ni.ko"))
    printf("memlift-ni: FAILED: memlift_ni.ko: %s\n", strerror(errno));
  chmod(MEMLIFT_NI_DEVICE_FILE, 0666);
  start_device();
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "sleep")) // of exec_ends
    for (;;)
      pause();
  setvbuf(stdout, NULL, _IOLBF, 0);
  chosen = argv + 1; // argc is 1 at least: the kernel gives a name
  printf("memlift-ni: begins\n");
  set_up();
  check_all();
  ask_kernel();
  printf(failures ? "memlift-ni: %d failed\n" : "memlift-ni: all is well\n", failures);
  fflush(stdout);
  reboot(RB_POWER_OFF);
}
