// mpu.c - does what the host asks for with its memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mars/task.h>
#include <signal.h>
#include <spu_mfcio.h>
#include <unistd.h>

#include "work.h"

static unsigned char bytes[16384] __attribute__((aligned(128)));
static uint64_t line[16] __attribute__((aligned(128)));
static int runs;

static int add(uint64_t ea, uint32_t size) {
  for (uint32_t at = 0; at < size; at += sizeof bytes) {
    uint32_t part = size - at < sizeof bytes ? size - at : sizeof bytes;
    mfc_get(bytes, ea + at, part, 3, 0, 0);
    mfc_write_tag_mask(1 << 3);
    mfc_read_tag_status_all();
    for (uint32_t i = 0; i < part; i++)
      bytes[i]++;
    mfc_put(bytes, ea + at, part, 3, 0, 0);
  }
  mfc_read_tag_status_all();
  return 0;
}

static int count(uint64_t ea, uint32_t times) {
  for (uint32_t i = 0; i < times; i++)
    do {
      mfc_getllar(line, ea, 0, 0);
      mfc_read_atomic_status();
      line[3]++;
      mfc_putllc(line, ea, 0, 0);
    } while (mfc_read_atomic_status() & MFC_PUTLLC_STATUS);
  return (int)line[3];
}

// Both tasks know of `where`, which is in memory of mars_malloc.
static int loop(uint64_t ea, uint32_t size, volatile int *where) {
  *where = getpid();
  while (add(ea, size) == 0)
    ;
  return -1;
}

static int kill_the_other(volatile int *where) {
  while (!*where)
    usleep(10);
  usleep((unsigned)runs % 7 * 50);
  return kill(*where, SIGKILL);
}

int mars_task_main(const struct mars_task_args *args) {
  switch ((enum work)args->type.u32[3]) {
  case WHERE: return (uint32_t)getpid() != args->type.u32[4];
  case ADDS: return add(args->type.u64[0], args->type.u32[2]);
  case COUNTS: return count(args->type.u64[0], args->type.u32[2]);
  case RUNS: return ++runs;
  case LOOPS: return loop(args->type.u64[0], args->type.u32[2], mars_ea_to_ptr(args->type.u64[3]));
  case KILLS:
    runs = (int)args->type.u32[2];
    return kill_the_other(mars_ea_to_ptr(args->type.u64[3]));
  case DIES: *(volatile int *)(uintptr_t)(args->type.u32[2] + 8) = 1; break;
  }
  return -1;
}
