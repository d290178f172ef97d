/* counts.c - a plugin of QEMU's: instructions that a guest executes, by ranges of addresses
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arguments: ranges=FILE, each line "FIRST END NAME" in hexadecimal, END behind the last byte, in
 * ascending order, at most MOST; out=FILE for lines "NAME COUNT" at the end of the run, in the order
 * of the ranges, then "elsewhere" and, for addresses of the lower half, "program"; mark=ADDRESS,
 * optional: counts are those between the last two times that this address is executed. The
 * guest has one core. A block of instructions that an exception leaves is counted whole.
 *
 * Debian has no header for plugins; what is used of version 1 of the interface, which QEMU 4.2 to 8.1
 * have, is declared here after its documentation (docs/devel/tcg-plugins.rst).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096, PROGRAM = MOST, ELSEWHERE, CLASSES };

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                                  void (*callback)(qemu_plugin_id_t id,
                                                                   struct qemu_plugin_tb *block));
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block,
                                                     enum qemu_plugin_op operation, void *at,
                                                     uint64_t value);
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block,
                                                 void (*callback)(unsigned core, void *data),
                                                 enum qemu_plugin_cb_flags flags, void *data);
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id,
                                           void (*callback)(qemu_plugin_id_t id, void *data),
                                           void *data);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block,
                                                        size_t index);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *instruction);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static struct range {
  uint64_t first, end;
  char name[64];
} ranges[MOST];
static size_t many;
static uint64_t counts[CLASSES], last[CLASSES], mark;
static char out[512];

static void marked(unsigned core, void *data) {
  (void)core;
  (void)data;
  memcpy(last, counts, sizeof last);
  memset(counts, 0, sizeof counts);
}

static size_t class_of(uint64_t address) {
  if (address >> 63 == 0)
    return PROGRAM;
  size_t low = 0, high = many;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (address < ranges[middle].first)
      high = middle;
    else if (address >= ranges[middle].end)
      low = middle + 1;
    else
      return middle;
  }
  return ELSEWHERE;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
  (void)id;
  size_t n = qemu_plugin_tb_n_insns(block);
  for (size_t i = 0; mark && i < n; i++)
    if (qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(block, i)) == mark)
      qemu_plugin_register_vcpu_tb_exec_cb(block, marked, QEMU_PLUGIN_CB_NO_REGS, NULL);
  for (size_t i = 0, next; i < n; i = next) {
    size_t class = class_of(qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(block, i)));
    for (next = i + 1; next < n; next++)
      if (class_of(qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(block, next))) != class)
        break;
    qemu_plugin_register_vcpu_tb_exec_inline(block, QEMU_PLUGIN_INLINE_ADD_U64, &counts[class],
                                             next - i);
  }
}

static void ended(qemu_plugin_id_t id, void *data) {
  (void)id;
  (void)data;
  FILE *stream = fopen(out, "w");
  const uint64_t *all = mark ? last : counts;
  if (!stream)
    return;
  for (size_t i = 0; i < many; i++)
    fprintf(stream, "%s %llu\n", ranges[i].name, (unsigned long long)all[i]);
  fprintf(stream, "elsewhere %llu\nprogram %llu\n", (unsigned long long)all[ELSEWHERE],
          (unsigned long long)all[PROGRAM]);
  fclose(stream);
}

__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
  (void)info;
  for (int i = 0; i < argc; i++)
    if (!strncmp(argv[i], "out=", 4))
      snprintf(out, sizeof out, "%s", argv[i] + 4);
    else if (!strncmp(argv[i], "mark=", 5))
      mark = strtoull(argv[i] + 5, NULL, 16);
    else if (!strncmp(argv[i], "ranges=", 7)) {
      FILE *stream = fopen(argv[i] + 7, "r");
      unsigned long long first, end;
      while (stream && many < MOST &&
             fscanf(stream, "%llx %llx %63s", &first, &end, ranges[many].name) == 3) {
        ranges[many].first = first;
        ranges[many++].end = end;
      }
      if (stream)
        fclose(stream);
    }
  if (!many || !out[0])
    return -1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
