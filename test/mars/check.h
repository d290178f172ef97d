// check.h - checks of the programs in cases/, on either side; they print what is wrong
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_TEST_MARS_CHECK_H
#define MEMLIFT_TEST_MARS_CHECK_H

#include <mars/task.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                               \
      fflush(stdout);                                                                              \
    }                                                                                              \
  } while (0)

#define EQUAL(got, wanted)                                                                         \
  do {                                                                                             \
    long long is = (long long)(got), should = (long long)(wanted);                                 \
    if (is != should) {                                                                            \
      printf("%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #got, is, should);               \
      fflush(stdout);                                                                              \
    }                                                                                              \
  } while (0)

#if !defined(MEMLIFT_MPU)
// A task of a program; a failure ends the test.
static inline struct mars_task_id make_task(struct mars_context *mars, const char *name,
                                            const void *image, uint32_t save_size) {
  struct mars_task_id id;
  int error = mars_task_create(mars, &id, name, image, save_size);
  if (error != MARS_SUCCESS) {
    printf("mars_task_create: %d\n", error);
    exit(1);
  }
  return id;
}

static inline int32_t code_of(const struct mars_task_id *id) {
  int32_t code = -1;
  int error = mars_task_wait(id, &code);
  return error == MARS_SUCCESS ? code : -1000 - error;
}
#endif

#endif
