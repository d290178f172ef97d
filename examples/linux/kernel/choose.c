/* choose.c - calls the routines for the core that the kernel runs on
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One kernel has the routines of string.c, uaccess.c and csum.c for several cores. The device tree
 * names the core. Each entry below is no-ops and a jump to the generic routine until an initcall
 * patches one of the no-ops into a jump to the core's own: the kernel's jump labels. So the entries
 * also work while the kernel does not know the core yet, and before it maps itself.
 */
#define __NO_FORTIFY
#include <linux/export.h>
#include <linux/init.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/linkage.h>
#include <linux/of.h>
#include <linux/types.h>

/* KASAN has macros of these names, for callers. */
#undef memcpy
#undef memmove
#undef memset

static DEFINE_STATIC_KEY_FALSE(for_sifive_u74);
static DEFINE_STATIC_KEY_FALSE(for_cva6);
static DEFINE_STATIC_KEY_FALSE(for_rocket);

#define DECLARE(type, name, core, parameters) type name##_##core parameters;

/* An entry, and the declarations of its routines. */
#define CHOOSE(type, entry, name, parameters, arguments)                                           \
  DECLARE(type, name, generic_inorder, parameters)                                                 \
  DECLARE(type, name, sifive_u74, parameters)                                                      \
  DECLARE(type, name, cva6, parameters)                                                            \
  DECLARE(type, name, rocket, parameters)                                                          \
  asmlinkage type entry parameters;                                                                \
  asmlinkage type entry parameters {                                                               \
    if (static_branch_unlikely(&for_sifive_u74))                                                   \
      return name##_sifive_u74 arguments;                                                          \
    if (static_branch_unlikely(&for_cva6))                                                         \
      return name##_cva6 arguments;                                                                \
    if (static_branch_unlikely(&for_rocket))                                                       \
      return name##_rocket arguments;                                                              \
    return name##_generic_inorder arguments;                                                       \
  }

/* KASAN checks in functions of the plain names, which call these. */
CHOOSE(void *, __memcpy, memcpy, (void *to, const void *from, size_t n), (to, from, n))
CHOOSE(void *, __memmove, memmove, (void *to, const void *from, size_t n), (to, from, n))
CHOOSE(void *, __memset, memset, (void *to, int value, size_t n), (to, value, n))
void *memcpy(void *to, const void *from, size_t n) __attribute__((weak, alias("__memcpy")));
void *memmove(void *to, const void *from, size_t n) __attribute__((weak, alias("__memmove")));
void *memset(void *to, int value, size_t n) __attribute__((weak, alias("__memset")));

/* Both sides of a copy may fault, so one routine serves both directions. */
CHOOSE(unsigned long, __asm_copy_to_user, __asm_copy_to_user,
       (void *to, const void *from, unsigned long n), (to, from, n))
unsigned long __asm_copy_from_user(void *to, const void *from, unsigned long n)
    __attribute__((alias("__asm_copy_to_user")));
CHOOSE(unsigned long, __clear_user, __clear_user, (void *to, unsigned long n), (to, n))
EXPORT_SYMBOL(__asm_copy_to_user);
EXPORT_SYMBOL(__asm_copy_from_user);
EXPORT_SYMBOL(__clear_user);

CHOOSE(u32, csum_partial, csum_partial, (const void *buffer, int length, u32 sum),
       (buffer, length, sum))
EXPORT_SYMBOL(csum_partial);

/* Names of the cores in device trees: Documentation/devicetree/bindings/riscv/cpus.yaml, and for
 * CVA6 also the trees of its own repository. U74 in the FU740 is "sifive,bullet0".
 */
static const struct {
  const char *compatible, *core;
  struct static_key_false *key;
} cores[] __initconst = {
    {"sifive,u74-mc", "sifive-u74", &for_sifive_u74},
    {"sifive,u74", "sifive-u74", &for_sifive_u74},
    {"sifive,bullet0", "sifive-u74", &for_sifive_u74},
    {"openhwgroup,cva6", "cva6", &for_cva6},
    {"eth,ariane", "cva6", &for_cva6},
    {"eth, ariane", "cva6", &for_cva6},
    {"sifive,rocket0", "rocket", &for_rocket},
};

/* Before other cores run: they execute what is patched. Where not all are of one kind, the generic
 * routines stay.
 */
static int __init choose_routines(void) {
  int chosen = -1;
  struct device_node *node;
  for_each_of_cpu_node(node) {
    int i;
    for (i = 0; i < ARRAY_SIZE(cores); i++)
      if (of_device_is_compatible(node, cores[i].compatible))
        break;
    if (i == ARRAY_SIZE(cores) || (chosen >= 0 && cores[i].key != cores[chosen].key)) {
      of_node_put(node);
      chosen = -1;
      break;
    }
    chosen = i;
  }
  if (chosen >= 0)
    static_branch_enable(cores[chosen].key);
  pr_notice("memlift: memcpy, memmove, memset, copy_to_user, clear_user, csum_partial for %s\n",
            chosen >= 0 ? cores[chosen].core : "generic-inorder");
  return 0;
}
early_initcall(choose_routines);
