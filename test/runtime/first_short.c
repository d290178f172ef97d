/* first_short.c - a program whose operations are all short has the kernels of its machine, too
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Short operations are in the public routines themselves, and which of their ways is right for the
 * machine is known once the kernels are chosen. The first call of a process makes the choice,
 * however short: each operation is the first one of a process here.
 */
#include "../../runtime/kernels/dispatch.h"

#include <memlift/memlift.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned char to[32];

static void by_copy(void) { memlift_copy(to, "12345678", 8); }
static void by_move(void) { memlift_move(to, "12345678", 8); }
static void by_pattern(void) { memlift_fill64(to, 0x3837363534333231, 8); }
static void by_bytes(void) { memlift_fill8(to, '1', 8); }

/* Returns 0 if nothing was chosen before the operation, and the kernels after it. */
static int first(void (*operation)(void)) {
  if (memlift_copy_now != NULL)
    return 0; /* a constructor has asked the system: so it is on AArch64 */
  operation();
  return memlift_copy_now != NULL && memlift_fill_now != NULL && to[0] == '1' ? 0 : 1;
}

int main(void) {
  static const struct {
    const char *name;
    void (*run)(void);
  } operations[] = {
      {"copy", by_copy}, {"move", by_move}, {"fill64", by_pattern}, {"fill8", by_bytes}};
  int wrong = 0;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
    int status = 1;
    const pid_t child = fork();
    if (child == 0)
      _exit(first(operations[i].run));
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
      printf("after a first memlift_%s of 8 bytes no kernels are chosen\n", operations[i].name);
      wrong = 1;
    }
  }
  return wrong;
}
