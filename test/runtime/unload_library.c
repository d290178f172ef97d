/* unload_library.c - a library that has libmemlift.a in it, for unload.c
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <memlift/async.h>

#include <string.h>

#define SIZE ((size_t)1 << 20)

static unsigned char from[SIZE], to[SIZE];

static int submit(memlift_token *token) {
  for (size_t i = 0; i < SIZE; i++)
    from[i] = (unsigned char)(i * 7 >> 3);
  memset(to, 0, SIZE);
  return memlift_submit_copy(to, from, SIZE, (memlift_token){0}, token) != MEMLIFT_OK;
}

static int wait_for(memlift_token token) {
  return memlift_wait(token, UINT64_MAX) != MEMLIFT_OK || memcmp(to, from, SIZE) != 0;
}

__attribute__((visibility("default"))) int use_cpu(void) {
  memlift_token token;
  return submit(&token) || wait_for(token);
}

/* Where the system refuses the engine it is as use_cpu. */
__attribute__((visibility("default"))) int use_engine(void) {
  memlift_engine_start("soft");
  return use_cpu();
}

__attribute__((visibility("default"))) int leave_under_way(void) {
  memlift_token token;
  memlift_engine_start("soft");
  return submit(&token);
}
