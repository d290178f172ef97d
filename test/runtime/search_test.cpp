// search_test.cpp - searches and comparisons against loops, up to the ends of pages, at every level
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends that the index is that of the loop, whatever stands before, behind and beside what is
// found, and that nothing is read that could raise a signal: regions end at a page that may not be
// read, and n is far more than they have.

#include "support.h"

namespace {

constexpr size_t MaxLength = 300;
constexpr unsigned char Wanted = 0x5b, Other = 0xa4;

class Search : public AtLevel {};
AT_EVERY_LEVEL(Search);

uint64_t lastOf(const unsigned char *p, size_t n) {
  size_t i = 0;
  while (i < n && p[n - 1 - i] != Wanted)
    ++i;
  return i;
}

struct Finder {
  const char *name;
  unsigned char around; // bytes that are not looked for
  std::vector<unsigned char> wanted;
  uint64_t (*ours)(const void *, size_t);
};

const Finder finders[] = {
    {"find_u8",
     Other,
     {Wanted},
     [](const void *p, size_t n) { return memlift_find_u8(p, n, Wanted); }},
    {"find_u8 of 0", 1, {0}, [](const void *p, size_t n) { return memlift_find_u8(p, n, 0); }},
    {"find_u8 beside its neighbours",
     Wanted ^ 0x80,
     {Wanted},
     [](const void *p, size_t n) { return memlift_find_u8(p, n, Wanted); }},
    {"find_not_u8",
     Wanted,
     {Other, Wanted ^ 0x80, Wanted + 1, 0},
     [](const void *p, size_t n) { return memlift_find_not_u8(p, n, Wanted); }},
    {"find_any_u8",
     Other,
     {1, 0x80, 0xff, 0},
     [](const void *p, size_t n) { return memlift_find_any_u8(p, n, 0x00ff8001); }},
};

// The byte that is found, and a second one behind it, are put at every place of every length.
TEST_P(Search, EveryLengthPlaceAndAlignment) {
  Guarded region(4 * 4096);
  for (const Finder &f : finders)
    for (size_t at = 0; at < 64; at += slow ? 7 : 3) {
      memset(region.begin(), f.wanted[0], region.size()); // before and behind
      unsigned char *p = region.begin() + 4096 + at;
      for (size_t n = 0; n <= MaxLength; n += n < 70 ? 1 : slow ? 41 : 9) {
        memset(p, f.around, n + 1); // what is behind that is looked for again
        ASSERT_EQ(f.ours(p, n), n) << f.name << " alignment " << at;
        for (size_t k = 0; k < n; ++k) {
          unsigned char stop = f.wanted[k % f.wanted.size()];
          p[k] = stop;
          ASSERT_EQ(f.ours(p, n), k) << f.name << " n " << n << " alignment " << at;
          ASSERT_EQ(f.ours(p, SIZE_MAX), k) << f.name << " alignment " << at;
          p[n - 1] = stop;
          ASSERT_EQ(f.ours(p, n), k) << f.name << " n " << n << " alignment " << at;
          p[n - 1] = p[k] = f.around;
        }
      }
    }
}

// What is found is the last byte before a page that may not be read; n goes on behind it.
TEST_P(Search, PageEndAtEveryLength) {
  Guarded region(8192);
  for (const Finder &f : finders) {
    memset(region.begin(), f.around, region.size());
    for (size_t n = 0; n <= 4096 + MaxLength; n += n < MaxLength ? 1 : 97) {
      unsigned char *p = region.end() - n;
      ASSERT_EQ(f.ours(p, n), n) << f.name;
      for (size_t k = 1; k <= 70 && k <= n; ++k) {
        region.end()[-ptrdiff_t(k)] = f.wanted[0];
        for (size_t more : {size_t(0), size_t(1), size_t(31), size_t(5000), SIZE_MAX - n})
          ASSERT_EQ(f.ours(p, n + more), n - k) << f.name << " " << n << " and " << more;
        region.end()[-ptrdiff_t(k)] = f.around;
      }
    }
  }
}

TEST_P(Search, PageBeginsAtEveryLength) {
  Guarded region(8192);
  for (const Finder &f : finders) {
    memset(region.begin(), f.around, region.size());
    for (size_t n = 0; n <= MaxLength; ++n)
      ASSERT_EQ(f.ours(region.begin(), n), n) << f.name;
  }
}

TEST_P(Search, LastAtEveryLengthPlaceAndAlignment) {
  Guarded region(4 * 4096);
  for (size_t at = 0; at < 64; at += slow ? 7 : 3) {
    memset(region.begin(), Wanted, region.size());
    unsigned char *p = region.begin() + 4096 + at;
    for (size_t n = 0; n <= MaxLength; n += n < 70 ? 1 : slow ? 41 : 9) {
      memset(p, Other, n);
      ASSERT_EQ(memlift_find_last_u8(p, n, Wanted), n) << "alignment " << at;
      for (size_t k = 0; k < n; ++k) {
        p[k] = Wanted;
        ASSERT_EQ(memlift_find_last_u8(p, n, Wanted), n - 1 - k) << n << " alignment " << at;
        p[0] = Wanted;
        ASSERT_EQ(memlift_find_last_u8(p, n, Wanted), lastOf(p, n)) << n << " alignment " << at;
        p[0] = p[k] = Other;
      }
    }
  }
}

TEST_P(Search, LastAtBothEndsOfPages) {
  Guarded region(8192);
  memset(region.begin(), Other, region.size());
  for (size_t n = 0; n <= 4096 + MaxLength; n += n < MaxLength ? 1 : 97) {
    ASSERT_EQ(memlift_find_last_u8(region.begin(), n, Wanted), n);
    ASSERT_EQ(memlift_find_last_u8(region.end() - n, n, Wanted), n);
    if (n) {
      *region.begin() = Wanted;
      ASSERT_EQ(memlift_find_last_u8(region.begin(), n, Wanted), n - 1);
      *region.begin() = Other;
    }
  }
}

// Other bytes stand before and behind; with more of one byte than a lane counts.
TEST_P(Search, CountAtEveryLengthAndAlignment) {
  Guarded region(20 * 4096);
  for (size_t at = 0; at < 64; at += slow ? 7 : 1)
    for (size_t n = 0; n <= MaxLength; n += n < 140 ? 1 : slow ? 41 : 9) {
      unsigned char *p = region.begin() + 4096 + at;
      memset(region.begin(), Wanted, 3 * 4096);
      memset(p, Other, n);
      ASSERT_EQ(memlift_count_u8(p, n, Wanted), 0u) << n << " alignment " << at;
      ASSERT_EQ(memlift_count_u8(p, n, Other), n) << n << " alignment " << at;
      for (size_t k = 0, count = 0; k < n; k += 1 + k % 3) {
        p[k] = Wanted;
        ASSERT_EQ(memlift_count_u8(p, n, Wanted), ++count) << n << " alignment " << at;
      }
    }
  memset(region.begin(), Wanted, region.size());
  for (size_t n = 0; n <= region.size(); n += n < MaxLength ? 1 : slow ? 9973 : 997) {
    ASSERT_EQ(memlift_count_u8(region.end() - n, n, Wanted), n);
    ASSERT_EQ(memlift_count_u8(region.begin(), n, Wanted), n);
  }
}

using Compare = uint64_t (*)(const void *, const void *, size_t);
const struct {
  const char *name;
  Compare ours;
} comparisons[] = {
    {"mismatch_u8", memlift_mismatch_u8},
    {"mismatch_or_u8", [](const void *p, const void *q,
                          size_t n) { return memlift_mismatch_or_u8(p, q, n, Wanted); }},
};

TEST_P(Search, CompareAtEveryLengthPlaceAndAlignment) {
  std::vector<unsigned char> left(1024, Other), right(1024, Other);
  for (const auto &c : comparisons)
    for (size_t a = 0; a < 40; a += slow ? 13 : 5)
      for (size_t b = 0; b < 40; b += slow ? 11 : 3)
        for (size_t n = 0; n <= MaxLength; n += n < 40 ? 1 : slow ? 67 : 23) {
          unsigned char *p = &left[a], *q = &right[b];
          ASSERT_EQ(c.ours(p, q, n), n) << c.name;
          p[n] ^= 1; // behind the end
          for (size_t k = 0; k < n; ++k) {
            q[k] ^= 0x80;
            ASSERT_EQ(c.ours(p, q, n), k)
                << c.name << " n " << n << " alignments " << a << " " << b;
            q[k] ^= 0x80;
          }
          p[n] ^= 1;
        }
}

TEST_P(Search, CompareStopsAtTheByte) {
  std::vector<unsigned char> left(1024, Other), right(1024, Other);
  for (size_t a = 0; a < 40; a += slow ? 13 : 5)
    for (size_t n = 1; n <= MaxLength; n += n < 40 ? 1 : 23)
      for (size_t k = 0; k < n; ++k) {
        left[a + k] = right[k] = Wanted;
        ASSERT_EQ(memlift_mismatch_or_u8(&left[a], right.data(), n, Wanted), k) << n << " " << a;
        ASSERT_EQ(memlift_mismatch_u8(&left[a], right.data(), n), n) << n << " " << a;
        left[a + k] = right[k] = Other;
      }
}

// The difference is the last byte that either region has, at every place in the other's page.
TEST_P(Search, CompareUpToPageEnds) {
  Guarded left(3 * 4096), right(3 * 4096);
  memset(left.begin(), Other, left.size());
  memset(right.begin(), Other, right.size());
  for (const auto &c : comparisons)
    for (size_t from = 0; from <= 4200; from += from < 140 ? 1 : slow ? 379 : 61)
      for (size_t n = 1; n <= 4096 + 70; n += n < 70 ? 1 : slow ? 511 : 67) {
        unsigned char *p = left.end() - n, *q = right.begin() + from;
        p[n - 1] ^= 1;
        ASSERT_EQ(c.ours(p, q, SIZE_MAX), n - 1) << c.name << " from " << from;
        p[n - 1] ^= 1;
        p = left.begin() + from, q = right.end() - n;
        q[n - 1] ^= 1;
        ASSERT_EQ(c.ours(p, q, n + 1000), n - 1) << c.name << " from " << from;
        q[n - 1] ^= 1;
      }
}

// A byte that ends the comparison is the one before its neighbour's page.
TEST_P(Search, ByteBesideTheEndIsNotRead) {
  Guarded left(3 * 4096), right(2 * 4096);
  memset(left.begin(), Other, left.size());
  memset(right.begin(), Other, right.size());
  for (size_t at = 0; at < 4200; at += at < 140 ? 1 : 61)
    for (size_t n = 0; n <= 4096 + 70; n += n < 200 ? 1 : slow ? 511 : 67) {
      unsigned char *p = left.begin() + at;
      p[n] = Wanted; // beside the first byte behind `right`
      ASSERT_EQ(memlift_mismatch_or_u8(p, right.end() - n, SIZE_MAX, Wanted), n) << at;
      p[n] = Other;
    }
  left.begin()[0] = Wanted;
  ASSERT_EQ(memlift_mismatch_or_u8(left.begin(), nullptr, 1, Wanted), 0u);
}

TEST_P(Search, RandomBytes) {
  std::mt19937_64 random(testSeed());
  for (int round = 0; round < (slow ? 2000 : 20000); ++round) {
    size_t n = random() % 600, a = random() % 64, b = random() % 64;
    std::vector<unsigned char> left(n + a + 1), right(n + b + 1);
    for (size_t i = 0; i < n; ++i)
      left[a + i] = right[b + i] = static_cast<unsigned char>(random() % 8);
    size_t differs = random() % (n + 1);
    right[b + differs] ^= static_cast<unsigned char>(1 + random() % 3);
    unsigned char c = static_cast<unsigned char>(random() % 300 < 250 ? 200 : random() % 8);
    const unsigned char *p = &left[a], *q = &right[b];
    uint64_t first = 0, either = 0;
    while (first < n && p[first] == q[first])
      ++first;
    while (either < n && p[either] != c && p[either] == q[either])
      ++either;
    ASSERT_EQ(memlift_mismatch_u8(p, q, n), first) << "MEMLIFT_TEST_SEED=" << testSeed();
    ASSERT_EQ(memlift_mismatch_or_u8(p, q, n, c), either) << "MEMLIFT_TEST_SEED=" << testSeed();
    const auto *found = static_cast<const unsigned char *>(memchr(p, c, n));
    ASSERT_EQ(memlift_find_u8(p, n, c), found ? size_t(found - p) : n) << testSeed();
  }
}

TEST_P(Search, NoBytesTouchNothing) {
  for (const Finder &f : finders)
    ASSERT_EQ(f.ours(nullptr, 0), 0u) << f.name;
  ASSERT_EQ(memlift_find_last_u8(nullptr, 0, 1), 0u);
  ASSERT_EQ(memlift_mismatch_u8(nullptr, nullptr, 0), 0u);
  ASSERT_EQ(memlift_mismatch_or_u8(nullptr, nullptr, 0, 1), 0u);
}

} // namespace
