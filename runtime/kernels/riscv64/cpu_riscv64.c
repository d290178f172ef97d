/* cpu_riscv64.c - features of the machine beyond the base instruction set, by riscv_hwprobe(2)
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The system call rather than libc's function, which may not be relocated yet, and without errno.
 * It answers for all processors that are on line. Systems before Linux 6.4 do not know it: then
 * only what the compiler was told to count on is used. The bit V of AT_HWCAP is not looked at: it
 * is also set for the vectors of draft 0.7, which are encoded differently.
 *
 * A process may be forbidden to use vectors that its machine has: prctl tells.
 *
 * Keys and bits: Linux, Documentation/arch/riscv/hwprobe.rst and vector.rst, asm/hwprobe.h.
 */
#include "../dispatch.h"

#if defined(__riscv) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "../../config.h"
#include "features_riscv64.h"

#define KEY_IMA_EXT_0 4
#define KEY_ZICBOZ_BLOCK_SIZE 6
#define EXT_V (1u << 2)
#define EXT_ZBB (1u << 4)
#define EXT_ZICBOZ (1u << 6)
#define EXT_ZBC (1u << 7)
#define EXT_ZAWRS ((uint64_t)1 << 48)
#define VECTORS_NOW 3 /* PR_RISCV_V_VSTATE_CTRL_CUR_MASK; ..._OFF */
#define VECTORS_OFF 1

static uint32_t counted_on(void) {
  uint32_t has = 0;
#if defined(__riscv_zbb)
  has |= MEMLIFT_RISCV64_ZBB;
#if defined(__riscv_zbc)
  has |= MEMLIFT_RISCV64_ZBC;
#endif
#endif
#if defined(__riscv_vector)
  has |= MEMLIFT_RISCV64_V;
#endif
  return has;
}

/* A block has to be a power of two that leaves room for head and tail; 0 is no block. */
static int is_block(uint64_t size) { return size >= 8 && size <= 4096 && !(size & (size - 1)); }

struct memlift_riscv64_features memlift_riscv64_from_probe(const struct memlift_hwprobe *answers,
                                                           size_t count, long vectors) {
  struct memlift_riscv64_features f = {counted_on(), 0};
  uint64_t extensions = 0, block = 0;
  for (size_t i = 0; i < count; i++)
    if (answers[i].key == KEY_IMA_EXT_0)
      extensions = answers[i].value;
    else if (answers[i].key == KEY_ZICBOZ_BLOCK_SIZE)
      block = answers[i].value;
  f.has |= extensions & EXT_ZBB ? MEMLIFT_RISCV64_ZBB : 0;
  f.has |= extensions & EXT_ZBB && extensions & EXT_ZBC ? MEMLIFT_RISCV64_ZBC : 0;
  if (extensions & EXT_V && (vectors < 0 || (vectors & VECTORS_NOW) != VECTORS_OFF))
    f.has |= MEMLIFT_RISCV64_V;
  f.has |= extensions & EXT_ZAWRS ? MEMLIFT_RISCV64_ZAWRS : 0;
  if (extensions & EXT_ZICBOZ && is_block(block)) {
    f.has |= MEMLIFT_RISCV64_ZICBOZ;
    f.zero_block = (uint32_t)block;
  }
  return f;
}

#if defined(__linux__) && !defined(MEMLIFT_FREESTANDING) && !defined(MEMLIFT_BARE_METAL)
#define SYS_PRCTL 167
#define SYS_RISCV_HWPROBE 258
#define PR_RISCV_V_GET_CONTROL 70

/* The result, or the negative of an error. */
static long system_call(long number, long first, long second) {
  register long a0 __asm__("a0") = first;
  register long a1 __asm__("a1") = second;
  register long a2 __asm__("a2") = 0;
  register long a3 __asm__("a3") = 0;
  register long a4 __asm__("a4") = 0;
  register long a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a7) : "memory");
  return a0;
}

/* No processors named: all of them. */
static long hwprobe(struct memlift_hwprobe *answers, size_t count) {
  return system_call(SYS_RISCV_HWPROBE, (long)(uintptr_t)answers, (long)count);
}

static long vector_control(void) { return system_call(SYS_PRCTL, PR_RISCV_V_GET_CONTROL, 0); }
#else
static long hwprobe(struct memlift_hwprobe *answers, size_t count) {
  (void)answers, (void)count;
  return -1;
}

static long vector_control(void) { return -1; }
#endif

/* Both words at once, so that no thread sees the one without the other; the top bit: known. */
static uint64_t known;
#define KNOWN ((uint64_t)1 << 63)

void memlift_riscv64_assume(struct memlift_riscv64_features f) {
  uint64_t both = KNOWN | (uint64_t)f.has << 32 | f.zero_block;
  __atomic_store_n(&known, both, __ATOMIC_RELAXED);
}

struct memlift_riscv64_features memlift_riscv64_features(void) {
  uint64_t both = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (both & KNOWN) {
    struct memlift_riscv64_features f = {(uint32_t)(both >> 32) & 0x7fffffffu, (uint32_t)both};
    return f;
  }
  struct memlift_hwprobe answers[2] = {{KEY_IMA_EXT_0, 0}, {KEY_ZICBOZ_BLOCK_SIZE, 0}};
  size_t count = hwprobe(answers, 2) == 0 ? 2 : 0;
  struct memlift_riscv64_features f = memlift_riscv64_from_probe(answers, count, vector_control());
  memlift_riscv64_assume(f);
  return f;
}

/* Asked before a program may have forbidden itself system calls. */
int memlift_look_at_machine(void) {
  memlift_riscv64_features();
  return 0;
}

enum memlift_level memlift_best_level(void) {
  uint32_t has = memlift_riscv64_features().has & ~MEMLIFT_RISCV64_ZAWRS;
  return has & MEMLIFT_RISCV64_V ? MEMLIFT_LEVEL_V : has ? MEMLIFT_LEVEL_ZB : MEMLIFT_LEVEL_BASE;
}
#endif

typedef int memlift_cpu_riscv64; /* a translation unit must not be empty */
