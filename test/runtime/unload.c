/* unload.c - libraries with libmemlift.a in them are loaded, used, and unloaded again
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: unload LIBRARY LIBRARY, two of unload_library.c. One that has started an engine stays,
 * with the engine's thread; one that has not goes, and no fork calls a handler of it afterwards.
 * Exit codes: 0 all is as it should be, 1 not; the program says what.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void expect(int good, const char *what) {
  if (good)
    return;
  printf("unload: %s\n", what);
  exit(1);
}

static void expect_child(void) {
  int status = -1;
  pid_t child = fork();
  if (child == 0)
    _exit(0);
  expect(waitpid(child, &status, 0) == child && status == 0,
         "a child after the unloading has died");
}

static int is_loaded(const char *library) {
  return dlopen(library, RTLD_NOW | RTLD_NOLOAD) != NULL;
}

/* Calls `name` of the library, which returns 0 when all is right. */
static void use(const char *library, const char *name) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  int (*function)(void) = handle ? (int (*)(void))dlsym(handle, name) : NULL;
  expect(function != NULL, "it cannot be loaded");
  expect(function() == 0, name);
  expect_child();
  dlclose(handle);
  expect_child();
}

int main(int count, char **names) {
  expect(count == 3, "usage: unload LIBRARY LIBRARY");
  for (int i = 0; i < 3; i++)
    use(names[1], "use_cpu");
  expect(!is_loaded(names[1]), "a library without an engine stays");
  for (int i = 0; i < 3; i++)
    use(names[2], "use_engine");
  usleep(120000); /* the device's thread looks around every 50 ms */
  use(names[2], "leave_under_way");
  usleep(120000);
  use(names[2], "use_engine");
  return 0;
}
