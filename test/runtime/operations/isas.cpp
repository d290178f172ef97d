// isas.cpp - the choices of kernels, and the lengths, that the tests of operations go through
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operations.h"

#if defined(__x86_64__)
#include "kernels/x86/direction.h"
#include "kernels/x86/limits.h"
#endif

namespace operations {

// Asks the processor, which takes microseconds in a virtual machine: not for the innermost loop.
void Isa::enter() const {
  ASSERT_EQ(memlift_limit_level(level), level);
  if (refine)
    refine();
}

#if defined(__x86_64__)
namespace {

// And copies by whole vectors, in the directions of a Zen 5,
// whatever the machine has.
void withoutVnni() {
  memlift_alias_window = MEMLIFT_ALIAS_WINDOW;
  memlift_copy_now = memlift_copy_x86_avx512;
  memlift_move_now = memlift_move_x86_avx512;
  memlift_inet_now = memlift_inet_x86_avx512;
  memlift_pair_now = memlift_pair_x86_avx512;
  memlift_pair_halves_now = memlift_pair_halves_x86_avx512;
  memlift_copy_inet_now = memlift_copy_inet_generic;
  memlift_copy_sum_now = memlift_copy_sum_u16_generic;
  memlift_sum_now[MEMLIFT_SUM_U16] = memlift_sum_u16_x86_avx512;
  memlift_sum_now[MEMLIFT_SUM_SWAP16] = memlift_sum_swap_u16_x86_avx512;
}

// Directions of copies and ways to store patterns as on a machine with whole vectors where this one
// has halves, and the other way round.
void otherVectors() {
  const bool halves = !memlift_halves_vectors();
  memlift_copy_now = halves ? memlift_copy_x86_halves : memlift_copy_x86_avx512;
  memlift_move_now = halves ? memlift_move_x86_halves : memlift_move_x86_avx512;
  memlift_alias_window = {0, 0};
  if (!halves)
    memlift_alias_window = MEMLIFT_ALIAS_WINDOW;
  memlift_pattern_steps = halves ? MEMLIFT_PATTERN_STEPS_HALVES : MEMLIFT_PATTERN_STEPS;
}

void narrowProducts() { memlift_crc_now = memlift_crc_x86_clmul128; }

} // namespace
#endif

std::vector<Isa> isas() {
  std::vector<Isa> list;
  for (memlift_level level : levels())
    list.push_back({memlift_level_name(level), level, nullptr});
#if defined(__x86_64__)
  if (memlift_best_level() >= MEMLIFT_LEVEL_AVX512)
    for (const Isa &isa : {Isa{"avx512 without VNNI", MEMLIFT_LEVEL_AVX512, withoutVnni},
                           Isa{"avx512 by other vectors", MEMLIFT_LEVEL_AVX512, otherVectors}})
      list.push_back(isa);
  if (memlift_clmul_bits() >= 256)
    list.push_back({"avx2 with products of 128 bits", MEMLIFT_LEVEL_AVX2, narrowProducts});
#endif
  return list;
}

bool isLong() { return getenv("MEMLIFT_TEST_LONG") != nullptr; }

std::vector<size_t> lengths() {
  std::vector<size_t> list;
  const size_t all = sanitized ? 70 : 300, step = sanitized ? 211 : 37;
  for (size_t n = 0; n <= MaxLength; n += isLong() || n < all ? 1 : step)
    list.push_back(n);
  return list;
}

} // namespace operations
