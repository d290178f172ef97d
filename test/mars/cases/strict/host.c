// host.c - with MEMLIFT_MARS=strict the alignments of Cell hold; a bad transfer ends the program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../check.h"
#include <libspe2.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern spe_program_handle_t mpu_prog;

static uint8_t memory[65536] __attribute__((aligned(128)));

// A task in a context of its own does the transfer of that number.
static void run(uint32_t number, uint64_t queue_ea) {
  struct mars_context *mars;
  EQUAL(mars_context_create(&mars, 1, 0), MARS_SUCCESS);
  if (queue_ea)
    EQUAL(mars_task_queue_create(mars, &queue_ea, 32, 4, MARS_TASK_QUEUE_MPU_TO_MPU), MARS_SUCCESS);
  struct mars_task_args args = {.type.u64 = {mars_ptr_to_ea(memory), queue_ea, number}};
  struct mars_task_id id = make_task(mars, "blur", mpu_prog.elf_image, 4096);
  EQUAL(mars_task_schedule(&id, &args, 0), MARS_SUCCESS);
  EQUAL(code_of(&id), 0);
  EQUAL(mars_task_destroy(&id), MARS_SUCCESS);
  EQUAL(mars_context_destroy(mars), MARS_SUCCESS);
}

// The same in a child that it ends.
static void dies(uint32_t number, const char *message) {
  char said[300];
  size_t size = 0;
  ssize_t got;
  int ends[2], status = 0;
  CHECK(pipe(ends) == 0);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    dup2(ends[1], 2);
    run(number, 0);
    _exit(0);
  }
  close(ends[1]);
  while ((got = read(ends[0], said + size, sizeof said - 1 - size)) > 0)
    size += (size_t)got;
  said[size] = '\0';
  close(ends[0]);
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  if (!strstr(said, "memlift-mars: task blur: ") || !strstr(said, message))
    printf("%u says: %s\nnot: %s\n", number, said, message);
}

int main(void) {
  dies(1, "the size of a transfer is not 1, 2, 4, 8 or a multiple of 16 up to 16384");
  dies(2, "the size of a transfer is not 1, 2, 4, 8 or a multiple of 16 up to 16384");
  dies(3, "the addresses of a transfer differ modulo 16");
  dies(4, "an address of a transfer is not aligned to its size, or to 16");
  dies(5, "the tag of a transfer is not 0 to 31");
  dies(6, "a list is not aligned to 8");
  dies(7, "an address of an atomic line is no multiple of 128");
  dies(8, "spu_mfcdma64 has a command that memlift has not");
  run(0, 1);
  struct mars_context *mars;
  uint64_t ea;
  EQUAL(mars_context_create(&mars, 1, 0), MARS_SUCCESS);
  EQUAL(mars_task_queue_create(mars, &ea, 20, 4, MARS_TASK_QUEUE_MPU_TO_MPU), MARS_ERROR_PARAMS);
  EQUAL(mars_context_destroy(mars), MARS_SUCCESS);
  printf("done\n");
  return 0;
}
