/* stay.c - a library that has started an engine is not unloaded any more
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libmemlift.a may be part of a library that a program loads and unloads. An engine's thread would
 * then run in unmapped code, and a device would write to memory that now belongs to others.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "stay.h"

#include <dlfcn.h>
#include <link.h>

#if defined(__GLIBC__)
/* Weak: a program that is linked statically has neither, and unloads nothing. dlopen itself is
 * looked up, as the linker warns of every static program that names it. */
extern __typeof__(dladdr1) dladdr1 __attribute__((weak));
extern __typeof__(dlsym) dlsym __attribute__((weak));

void memlift_stay(void) {
  static const char here;
  Dl_info info;
  struct link_map *map = (struct link_map *)0;
  if (!dladdr1 || !dlsym || !dladdr1(&here, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
    return;
  union {
    void *address;
    __typeof__(dlopen) *call;
  } open = {dlsym(RTLD_DEFAULT, "dlopen")};
  if (open.call && map->l_name && map->l_name[0]) /* else it is the program itself */
    open.call(map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}
#else
void memlift_stay(void) {} /* musl unloads nothing */
#endif
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
