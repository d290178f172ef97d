// support.h - common part of the runtime's tests: levels, canaries, guard pages, seeds
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_TEST_SUPPORT_H
#define MEMLIFT_TEST_SUPPORT_H

#include <gtest/gtest.h>
#include <memlift/memlift.h>

#include "kernels/dispatch.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

// Sanitizers make everything ten times slower: sweeps take coarser steps, never none. Old clangs
// tell by __has_feature only.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__ 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
// So do emulators (ports.sh).
#if defined(MEMLIFT_TEST_EMULATED)
constexpr bool slow = true;
#else
constexpr bool slow = sanitized;
#endif

constexpr memlift_level noLimit = static_cast<memlift_level>(MEMLIFT_LEVELS - 1);

// Every instruction-set level that this machine has, from the lowest; tests over levels run as
// one test each.
inline std::vector<memlift_level> levels() {
  std::vector<memlift_level> found;
  for (unsigned level = MEMLIFT_LEVEL_GENERIC; level <= memlift_best_level(); ++level)
    found.push_back(static_cast<memlift_level>(level));
  return found;
}

// A fixture that runs its tests at one level and restores the best one.
class AtLevel : public testing::TestWithParam<memlift_level> {
protected:
  void SetUp() override {
    ASSERT_EQ(memlift_limit_level(GetParam()), GetParam());
#if defined(__x86_64__) // some machines use the level below for these
    if (GetParam() == MEMLIFT_LEVEL_AVX512) {
      memlift_copy_now = memlift_copy_x86_avx512;
      memlift_move_now = memlift_move_x86_avx512;
    }
#endif
  }
  void TearDown() override { memlift_limit_level(noLimit); }
};

inline std::string levelName(const testing::TestParamInfo<memlift_level> &info) {
  return memlift_level_name(info.param);
}

#define AT_EVERY_LEVEL(fixture)                                                                    \
  INSTANTIATE_TEST_SUITE_P(Isa, fixture, testing::ValuesIn(levels()), levelName)

using Bytes = std::vector<unsigned char>;

// Bytes that differ from their neighbours at every distance that a kernel could mix up.
inline Bytes randomBytes(size_t size, uint64_t seed) {
  Bytes bytes(size);
  unsigned char *to = bytes.data();
  for (size_t i = 0; i < size; i += 4) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const uint32_t upper = static_cast<uint32_t>(seed >> 32);
    memcpy(to + i, &upper, std::min<size_t>(4, size - i));
  }
  return bytes;
}

// Seed of this run: printed on failure, fixed by MEMLIFT_TEST_SEED.
inline uint64_t testSeed() {
  const char *fixed = getenv("MEMLIFT_TEST_SEED");
  static const uint64_t seed = fixed ? strtoull(fixed, nullptr, 0) : std::random_device{}();
  return seed;
}

// The definition of all fills: byte j of the result.
inline unsigned char patternByte(uint64_t pattern, size_t period, size_t j) {
  return static_cast<unsigned char>(pattern >> (8 * (j % period)));
}

// Likewise for a value in two words.
inline unsigned char patternByte16(uint64_t low, uint64_t high, size_t period, size_t j) {
  size_t k = j % period;
  return static_cast<unsigned char>((k < 8 ? low : high) >> (8 * (k % 8)));
}

// Writes what a fill with the first bytes of a pattern has to leave. Sanitizers slow down each
// access of a test: a few long copies, then, in place of many stores.
inline void writePattern(unsigned char *to, size_t size, uint64_t pattern, size_t period = 8) {
  size_t done = 0;
  for (; done < size && done < period; ++done)
    to[done] = patternByte(pattern, period, done);
  for (; done < size; done += std::min(done, size - done))
    memcpy(to + done, to, std::min(done, size - done));
}

inline Bytes patternBytes(size_t size, uint64_t pattern, size_t period = 8) {
  Bytes bytes(size);
  writePattern(bytes.data(), size, pattern, period);
  return bytes;
}

// True if both are equal; tells the first difference otherwise.
inline testing::AssertionResult sameBytes(const Bytes &have, const Bytes &want) {
  if (have == want)
    return testing::AssertionSuccess();
  if (have.size() != want.size())
    return testing::AssertionFailure() << have.size() << " bytes, not " << want.size();
  const size_t at = static_cast<size_t>(
      std::mismatch(have.begin(), have.end(), want.begin()).first - have.begin());
  return testing::AssertionFailure()
         << "byte " << at << " is " << +have[at] << ", not " << +want[at];
}

// kill() for one process: to 0 or -1 it would send the signal to the test's whole session, or to
// the whole machine.
inline int signalTo(pid_t process, int number) {
  if (process > 1)
    return kill(process, number);
  ADD_FAILURE() << process << " is no process to send a signal to";
  return -1;
}

// size bytes with an inaccessible page right before and right after.
class Guarded {
public:
  explicit Guarded(size_t size) : page(static_cast<size_t>(sysconf(_SC_PAGESIZE))) {
    inner = (size + page - 1) / page * page;
    void *memory = mmap(nullptr, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(memory, MAP_FAILED);
    base = static_cast<unsigned char *>(memory);
    EXPECT_EQ(mprotect(base + page, inner, PROT_READ | PROT_WRITE), 0);
  }
  ~Guarded() { munmap(base, inner + 2 * page); }
  Guarded(const Guarded &) = delete;
  Guarded &operator=(const Guarded &) = delete;

  unsigned char *begin() const { return base + page; }
  unsigned char *end() const { return base + page + inner; }
  size_t size() const { return inner; }

private:
  size_t page, inner;
  unsigned char *base;
};

#endif
