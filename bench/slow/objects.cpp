// objects.cpp - loops over vectors, arrays and strings of C++
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The allocator is local to this file, so that no instance of a template is shared by both sides.
// It puts what is large at the same places of its pages on both: a vector across two of them takes
// twice as long.
#include "slow.h"

#include <algorithm>
#include <array>
#include <new>
#include <numeric>
#include <string>
#include <vector>

namespace {

template <class T> struct Local {
  typedef T value_type;
  Local() = default;
  template <class U> Local(const Local<U> &) {}
  static constexpr size_t page = 4096, apart = 320, large = 512; // bytes
  T *allocate(size_t n) {
    static unsigned calls;
    if (n * sizeof(T) < large)
      return static_cast<T *>(::operator new(n * sizeof(T)));
    auto *p = static_cast<char *>(::operator new(n * sizeof(T) + page, std::align_val_t(page)));
    return reinterpret_cast<T *>(p + calls++ * apart % page);
  }
  void deallocate(T *p, size_t n) {
    if (n * sizeof(T) < large)
      return ::operator delete(p);
    auto place = reinterpret_cast<uintptr_t>(p) / page * page;
    ::operator delete(reinterpret_cast<void *>(place), std::align_val_t(page));
  }
  bool operator==(const Local &) const { return true; }
  bool operator!=(const Local &) const { return false; }
};
template <class T> using Vector = std::vector<T, Local<T>>;
typedef std::basic_string<char, std::char_traits<char>, Local<char>> String;

Vector<u8> bytes(4096), others(4096);
Vector<u32> words(1024), moreWords(1024);
Vector<u64> wide(512);
Vector<float> floats(1024), moreFloats(1024);

} // namespace

INLINE(vector_copy) {
  for (size_t i = 0; i < n; i++)
    bytes[i] = others[i];
  return bytes[0] + *s + *d;
}
INLINE(vector_sized) {
  bytes.resize(n);
  for (size_t i = 0; i < bytes.size(); i++)
    bytes[i] = s[i];
  return bytes.empty() ? 0 : bytes.back();
}
INLINE(vector_fill) {
  words.resize(n / 4);
  for (auto &w : words)
    w = call;
  return words.empty() ? 0 : words[0];
}
INLINE(vector_zero) {
  for (size_t i = 0; i < n / 4; i++)
    floats[i] = 0;
  return u64(floats[3]);
}
INLINE(vector_sum) {
  bytes.resize(n);
  u32 t = 0;
  for (u8 b : bytes)
    t += b;
  return t;
}
INLINE(vector_words) {
  u64 t = 0;
  words.resize(n / 4);
  for (size_t i = 0; i < words.size(); i++)
    t += words[i];
  return t;
}
INLINE(vector_accumulate) {
  return std::accumulate(moreWords.begin(), moreWords.begin() + n / 4, 0u);
}
INLINE(vector_xor) {
  u8 x = 0;
  others.resize(n + 1);
  for (auto it = others.begin(); it != others.end(); ++it)
    x ^= *it;
  others.resize(4096);
  return x;
}
INLINE(vector_erase) {
  size_t at = n / 8;
  for (size_t i = at; i + 1 < n / 4 + 1; i++)
    words[i] = moreWords[i + 1];
  return words[at];
}
INLINE(vector_shift) {
  for (size_t i = n / 8; i > 0; i--)
    wide[i] = wide[i - 1];
  wide[0] = n;
  return wide[1];
}
INLINE(vector_floats) {
  for (size_t i = 0; i < n / 4; i++)
    moreFloats[i] = floats[i];
  return u64(moreFloats[0]);
}
INLINE(vector_mask) {
  for (size_t i = 0; i < n; i++)
    bytes[i] ^= s[i & 15];
  return bytes[0];
}
INLINE(vector_crossed) {
  for (size_t i = 0; i < n; i++)
    bytes[i] ^= others[i];
  return bytes[0];
}
INLINE(few_bytes) {
  size_t k = n & 7;
  for (size_t i = 0; i < k; i++)
    bytes[i] = others[i];
  return bytes[k];
}
INLINE(few_resized) {
  Vector<u8> &v = bytes;
  v.resize(n & 7);
  for (size_t i = 0; i < v.size(); ++i)
    v[i] = 7;
  return v.size();
}
INLINE(few_summed) {
  bytes.resize(n & 7);
  u64 t = 0;
  for (size_t i = 0; i < bytes.size(); ++i)
    t += bytes[i];
  return t;
}
INLINE(array_copy) {
  std::array<u8, 16> x, y;
  for (size_t i = 0; i < x.size(); i++)
    x[i] = s[i];
  y = x;
  for (size_t i = 0; i < n % 16; i++)
    d[i] = y[i];
  return d[3];
}
INLINE(array_rows) {
  auto &m = *reinterpret_cast<std::array<std::array<float, 4>, 4> *>(d);
  auto &f = *reinterpret_cast<const std::array<std::array<float, 4>, 4> *>(s);
  for (size_t r = 0; r < 4; r++)
    for (size_t c = 0; c < 4; c++)
      m[r][c] = f[r][c];
  return d[n & 15];
}
INLINE(string_append) {
  String t;
  t.resize(n & 15);
  for (size_t i = 0; i < t.size(); i++)
    t[i] = char(s[i]);
  return t.empty() ? 0 : u64(t[t.size() / 2]);
}
INLINE(string_hash) {
  String t(reinterpret_cast<const char *>(s), n & 15);
  unsigned h = 5381;
  for (char c : t)
    h = h * 33 + u8(c);
  return h;
}
INLINE(algorithm_copy) {
  std::copy(s, s + n, d);
  return d[0];
}
INLINE(algorithm_fill) {
  auto *w = reinterpret_cast<u16 *>(d);
  std::fill(w, w + n / 2, u16(call));
  return d[0];
}
INLINE(algorithm_backward) {
  auto *w = reinterpret_cast<u32 *>(d);
  std::copy_backward(w, w + n / 4, w + n / 4 + 1);
  w[0] = n;
  return d[4];
}
INLINE(algorithm_reverse) {
  std::reverse_copy(s, s + n, d);
  return d[0];
}
INLINE(pairs_sorted) {
  auto *v = reinterpret_cast<std::array<u32, 2> *>(d);
  size_t k = 1 + (n & 7);
  for (size_t i = k; i > k / 2; i--)
    v[i] = v[i - 1];
  v[k / 2] = {n, call};
  return v[0][1];
}

extern "C" const struct program F(objects)[] = {
    WORDS(vector_copy) WORDS(vector_sized) WORDS(vector_fill) WORDS(vector_zero) WORDS(vector_sum)
        WORDS(vector_words) WORDS(vector_accumulate) WORDS(vector_xor) WORDS(vector_erase)
            WORDS(vector_shift) WORDS(vector_floats) WORDS(vector_mask) WORDS(vector_crossed)
                WORDS(few_bytes) WORDS(few_resized) WORDS(few_summed) WORDS(array_copy)
                    WORDS(array_rows) WORDS(string_append) WORDS(string_hash) WORDS(algorithm_copy)
                        WORDS(algorithm_fill) WORDS(algorithm_backward) WORDS(algorithm_reverse)
                            WORDS(pairs_sorted){nullptr, nullptr, 0}};
