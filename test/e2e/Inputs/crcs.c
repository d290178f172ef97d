/* crcs.c - calls the CRC loops of two libraries side by side and compares their results
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Usage: crcs PLAIN.so LIFTED.so. A function that a library does not have is left out; there
 * must be some. Each is called with bytes that end, or begin, at a page without access.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "random.h"

enum kind { R8, R16, R32, R64, BYTES8, BYTES16, BYTES32, HALVES16, HALVES32, WORDS32, LONGS64,
            SHORT16, TABLE32, INT32, POLY8, POLY16, POLY32, POLY64, POLYWORDS, ENGINE, COPY16,
            COPY32, STATE };

static const struct {
  const char *name;
  enum kind kind;
} functions[] = {
    {"if_else", R32}, {"if_not_else", R32}, {"lsb_first_kept", R16}, {"choice_under_xor", R32},
    {"minus_bit", R32}, {"bit_minus_one", R32}, {"times_bit", R32},
    {"mask_in_a_variable", BYTES32}, {"down_to_zero", R32}, {"while_down", R32},
    {"do_while_steps", R16}, {"unrolled_by_hand", R32}, {"mask_walks_along", R16},
    {"top_by_mask", R32}, {"top_by_sign", R32}, {"top_by_shift", R32}, {"top_by_sign_mask", R32},
    {"ecma64", R64}, {"smbus8", R8}, {"maxim8", R8}, {"leading_bit", BYTES32},
    {"openpgp24", BYTES32}, {"poly_shifted", BYTES32}, {"wide_masked", R32},
    {"wide_cut_after", R32}, {"wide_returned_narrow", BYTES16}, {"wide_in_64", BYTES16},
    {"high_aligned", R16}, {"high_sixteen_bits", BYTES16}, {"message_bits", R16},
    {"message_bits_32", BYTES16}, {"message_and_register", R32}, {"message_shifts_up", R16},
    {"message_bits_tested", R32}, {"message_turns_bit", R64}, {"message_put_in", BYTES32},
    {"other_bit_put_in", R32}, {"two_bits_turned", R64}, {"turned_input", R32}, {"augmented", R16}, {"usb5", R8},
    {"mmc7", R8}, {"mmc7_high", R8}, {"closed_mcrf4xx", R16}, {"closed_xmodem", R16},
    {"closed_swapping", R16}, {"inverted_inside", R32},
    {"any_polynomial", POLY32}, {"any_polynomial_masked", POLY16}, {"any_if", POLY32},
    {"any_times_bit", POLY32}, {"any_from_the_top", POLY32}, {"any_8", POLY8}, {"any_64", POLY64},
    {"any_message_bits", POLY16}, {"any_24_in_32", POLY32}, {"any_16_cut_after", POLY32},
    {"any_high_aligned", POLY32}, {"any_of_words", POLYWORDS}, {"any_of_a_struct", ENGINE},
    {"any_turned", POLY32}, {"any_seven_steps", POLY32}, {"any_that_moves", POLY32},
    {"any_completed", POLY32}, {"any_with_a_one", POLY32}, {"any_upper_bits_shown", POLY32},
    {"any_late", POLY16}, {"any_by_flag", POLY8}, {"any_by_flag_outside", POLY32},
    {"any_of_two_constants", POLY32}, {"any_by_flag_wrong_bit", POLY8}, {"seven_steps", R32},
    {"leading_bit_set", R32}, {"leading_bit_set_cut", R32}, {"shift_by_two", R32}, {"mask_too_narrow", R32}, {"upper_bits_shown", R32},
    {"by_index", R32}, {"by_pointer", R32}, {"by_end", R32}, {"before_the_first", R32},
    {"index_in_a_variable", BYTES32}, {"in_a_function", R32}, {"bzip", R32}, {"xmodem", R16},
    {"xmodem_in_int", R16}, {"arc", R16}, {"smbus", R8}, {"mmc", R8}, {"ecma", R64}, {"we", R64},
    {"openpgp", BYTES32}, {"other_end", R32}, {"inverted_each", R32}, {"nibble_by_nibble", R32},
    {"nibbles_from_the_top", R16}, {"two_nibble_tables", R32}, {"nibbles_in_a_loop", R32},
    {"four_in_turn", R32}, {"slicing_2", R32}, {"slicing_4", WORDS32}, {"slicing_8", R32},
    {"slicing_16", R32}, {"slicing_4_swapped", WORDS32}, {"two_halves", SHORT16},
    {"last_entry_mistyped", R32}, {"filled_at_run_time", R32}, {"table_as_argument", TABLE32},
    {"shifted_by_seven", R32}, {"seven_bit_mask", R32}, {"slices_in_the_wrong_order", WORDS32},
    {"words_from_the_wrong_end", WORDS32}, {"upper_bits_seen", INT32},
    {"crc32_bits", R32}, {"crc32_mask", R32}, {"crc32_if", BYTES32}, {"xmodem_bits", R16},
    {"crc64_bits", R64}, {"crc32_nibbles", R32}, {"crc32_mistyped", R32}, {"crc32_slip", R32},
    {"halfwords", HALVES16}, {"halfwords_from_the_top", HALVES16}, {"halfwords_wide", HALVES32},
    {"words", WORDS32}, {"words_from_the_top", WORDS32}, {"long_words", LONGS64},
    {"message_bits_of_words", WORDS32}, {"words_as_they_lie", WORDS32},
    {"fifteen_steps", HALVES16}, {"first_of_a_flat_table", R32}, {"flat_slices", WORDS32},
    {"flat_off_by_one", R32}, {"table_in_a_struct", BYTES32}, {"table_of_an_object", TABLE32},
    {"copied_by_table", COPY16}, {"copied_bit_by_bit", COPY32},
    {"turned_in_a_loop", R32}, {"seven_bits_shifted_out", BYTES8},
    {"crc10_fed_late", R16}, {"crc10_from_zero", BYTES16},
    {"bit_entered", R32}, {"bit_entered_down", R32}, {"last_byte_first", R32},
    {"last_pair_first", R32}, {"every_other_down", R32}, {"two_bits_entered", R32},
    {"copied_down", COPY32},
    {"stored_crc", STATE}, {"stored_crc16", STATE}, {"stored_sum", STATE}, {"stored_nibbles", STATE},
    {"stored_beside", STATE}, {"stored_fold", STATE},
    {"stored_words", STATE}, {"stored_hash", STATE}, {"stored_and_used", STATE},
};

/* Table that crc-tables.c finds in another file; exported with -rdynamic. */
extern const uint16_t elsewhere[256];
const uint16_t elsewhere[256] = {0, 0x1021, 1};

/* To `to`, or over the bytes themselves, where a copy ahead of them repeats them. */
static uint64_t run_copy(void *f, enum kind kind, uint64_t crc, uint8_t *p, size_t n) {
  static uint8_t to[2 * 4096 + 8];
  uint8_t *dst = n > 64 && crc & 1 ? p + (crc >> 1 & 31) : to + (crc & 7);
  size_t m = dst == p + (crc >> 1 & 31) ? n - 32 : n;
  uint64_t r = kind == COPY16
                   ? ((uint16_t(*)(uint16_t, uint8_t *, const uint8_t *, size_t))f)((uint16_t)crc,
                                                                                    dst, p, m)
                   : ((uint32_t(*)(uint32_t, uint8_t *, const uint8_t *, size_t))f)((uint32_t)crc,
                                                                                    dst, p, m);
  for (size_t i = 0; i < m; i++)
    r = r * 31 + dst[i];
  return r;
}

/* With a state that lies in front of the bytes, behind or among them, or apart. */
static uint64_t run_state(void *f, uint64_t crc, uint8_t *memory, size_t n) {
  static uint32_t alone[2];
  uint8_t *p = memory + 64 + (crc & 60);
  n = n < 2 * 4096 - 256 ? n & ~(size_t)3 : 256; /* words are counted, of bytes a fourth is read */
  size_t at = crc >> 8 & 31;
  int where = crc >> 16 & 3;
  uint8_t *state = where == 0   ? p - at
                   : where == 1 ? p + n - 16 + at
                   : where == 2 ? p + (crc >> 32) % (n / 4 + 8)
                                : (uint8_t *)alone;
  state -= (uintptr_t)state & 3;
  alone[0] = alone[1] = (uint32_t)(crc >> 24);
  ((void (*)(void *, const void *, size_t))f)(state, p, n / 4);
  uint64_t r = alone[0] + 3 * (uint64_t)alone[1];
  for (size_t i = 0; i < 2 * 4096; i++)
    r = r * 31 + memory[i];
  return r;
}

/* The bytes from the first address on that is aligned to words of so many. */
static const uint8_t *aligned(const uint8_t *p, size_t *n, size_t word) {
  size_t skipped = -(uintptr_t)p & (word - 1);
  skipped = *n < skipped ? *n : skipped;
  *n = (*n - skipped) / word;
  return p + skipped;
}

static uint64_t run(void *f, enum kind kind, uint64_t crc, const uint8_t *p, size_t n) {
  static uint32_t table[257];
  table[1] = 77;
  switch (kind) {
  case R8: return ((uint8_t(*)(uint8_t, const uint8_t *, size_t))f)((uint8_t)crc, p, n);
  case R16: return ((uint16_t(*)(uint16_t, const uint8_t *, size_t))f)((uint16_t)crc, p, n);
  case R32: return ((uint32_t(*)(uint32_t, const uint8_t *, size_t))f)((uint32_t)crc, p, n);
  case R64: return ((uint64_t(*)(uint64_t, const uint8_t *, size_t))f)(crc, p, n);
  case BYTES8: return ((uint8_t(*)(const uint8_t *, int))f)(p, (int)n);
  case BYTES16: return ((uint16_t(*)(const uint8_t *, size_t))f)(p, n);
  case BYTES32: return ((uint32_t(*)(const uint8_t *, size_t))f)(p, n);
  case HALVES16:
    p = aligned(p, &n, 2);
    return ((uint16_t(*)(uint16_t, const void *, size_t))f)((uint16_t)crc, p, n);
  case HALVES32:
    p = aligned(p, &n, 2);
    return ((uint32_t(*)(uint32_t, const void *, size_t))f)((uint32_t)crc, p, n);
  case WORDS32:
    p = aligned(p, &n, 4);
    return ((uint32_t(*)(uint32_t, const void *, size_t))f)((uint32_t)crc, p, n);
  case LONGS64:
    p = aligned(p, &n, 8);
    return ((uint64_t(*)(uint64_t, const void *, size_t))f)(crc, p, n);
  case SHORT16: return ((uint16_t(*)(const uint8_t *, unsigned short))f)(p, (unsigned short)n);
  case TABLE32:
    return ((uint32_t(*)(uint32_t, const uint8_t *, size_t, const uint32_t *))f)((uint32_t)crc, p,
                                                                                 n, table);
  case INT32: return (uint32_t)((int (*)(int, const uint8_t *, size_t))f)((int)crc, p, n);
  case POLY8:
    return ((uint8_t(*)(uint8_t, const uint8_t *, size_t, uint8_t, int))f)(
        (uint8_t)crc, p, n, (uint8_t)(crc >> 32), (int)(crc >> 40 & 1));
  case POLY64:
    return ((uint64_t(*)(uint64_t, const uint8_t *, size_t, uint64_t))f)(crc, p, n, crc * 77 + 5);
  case POLYWORDS:
    p = aligned(p, &n, 2);
    return ((uint32_t(*)(uint32_t, const void *, size_t, uint32_t))f)((uint32_t)crc, p, n,
                                                                      (uint32_t)(crc >> 32));
  case ENGINE:
    return ((uint32_t(*)(const void *, const uint8_t *, size_t))f)(&crc, p, n);
  case POLY16:
    return ((uint16_t(*)(uint16_t, const uint8_t *, size_t, uint16_t))f)((uint16_t)crc, p, n,
                                                                         (uint16_t)(crc >> 32));
  case POLY32:
    return ((uint32_t(*)(uint32_t, const uint8_t *, size_t, uint32_t, int))f)(
        (uint32_t)crc, p, n, (uint32_t)(crc >> 32), (int)(crc & 1));
  case COPY16:
  case COPY32:
  case STATE: break; /* see agree() */
  }
  return 0;
}

/* Two pages between two that nobody may touch. */
static uint8_t *pages(void) {
  uint8_t *p = mmap(NULL, 4 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + 4096, 2 * 4096, PROT_READ | PROT_WRITE))
    return NULL;
  for (int i = 0; i < 2 * 4096; i++)
    p[4096 + i] = (uint8_t)next_random();
  return p + 4096;
}

static uint8_t saved[2 * 4096];

static int agree(const char *name, enum kind kind, void *plain, void *lifted, uint8_t *memory) {
  static const size_t lengths[] = {100, 255, 256, 257, 1000, 4095, 8192};
  for (size_t k = 0; k < 48 + sizeof lengths / sizeof *lengths; k++) {
    size_t n = k < 48 ? k : lengths[k - 48];
    for (int way = 0; way < 4; way++) {
      uint64_t crc = way == 0 ? 0 : way == 1 ? ~(uint64_t)0 : next_random();
      uint8_t *p = way & 1 ? memory : memory + 2 * 4096 - n;
      uint64_t expected, got;
      if (kind == COPY16 || kind == COPY32 || kind == STATE) {
        memcpy(saved, memory, sizeof saved);
        expected = kind == STATE ? run_state(plain, crc, memory, n)
                                 : run_copy(plain, kind, crc, p, n);
        memcpy(memory, saved, sizeof saved);
        got = kind == STATE ? run_state(lifted, crc, memory, n)
                            : run_copy(lifted, kind, crc, p, n);
      } else {
        expected = run(plain, kind, crc, p, n);
        got = run(lifted, kind, crc, p, n);
      }
      if (got != expected) {
        printf("%s: %zu bytes, register 0x%llx: 0x%llx, not 0x%llx\n", name, n,
               (unsigned long long)crc, (unsigned long long)got, (unsigned long long)expected);
        return 0;
      }
    }
  }
  return 1;
}

int main(int argc, char **argv) {
  void *plain = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  void *lifted = argc == 3 ? dlopen(argv[2], RTLD_NOW | RTLD_LOCAL) : NULL;
  uint8_t *memory = pages();
  if (!plain || !lifted || !memory) {
    fprintf(stderr, "usage: crcs PLAIN.so LIFTED.so: %s\n", dlerror());
    return 2;
  }
  int compared = 0;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *a = dlsym(plain, functions[i].name), *b = dlsym(lifted, functions[i].name);
    if (!a || !b)
      continue;
    if (!agree(functions[i].name, functions[i].kind, a, b, memory))
      return 1;
    compared++;
  }
  printf("%d functions agree\n", compared);
  return compared == 0;
}
