// cxx-library.cpp - loops over containers and views, and algorithms, of the standard library
//
// Each function that begins with LIFTED has a remark of a loop that was lowered, by each compiler,
// with and without the library's assertions; and the program prints what it prints without memlift.
// REQUIRES: clang-19, clang-22, gcc-12
// RUN: rm -rf %t && mkdir -p %t
// RUN: %gxx12 -std=c++20 -O1 %s -o %t/plain && %t/plain > %t/expected
// RUN: sed -n 's/^LIFTED [a-z0-9]* \([a-z_0-9]*\)(.*/\1/p' %s | sort > %t/names
// RUN: test $(wc -l < %t/names) = 63
// RUN: for cc in %onewrappersxx; do for options in -O2 "-O2 -D_GLIBCXX_ASSERTIONS" -O3 \
// RUN:     "-O3 -D_GLIBCXX_ASSERTIONS"; do %sample; rm -f %t/r.yaml; \
// RUN:   $cc -std=c++20 $options %s -o %t/lifted --memlift-remarks=%t/r.yaml && \
// RUN:   %t/lifted | cmp - %t/expected && \
// RUN:   sed -n '/^--- !Passed/,/^Function:/s/^Function: *//p' %t/r.yaml | tr -d "'" | sort -u \
// RUN:     > %t/got && comm -23 %t/names %t/got > %t/missing && test ! -s %t/missing || \
// RUN:     { echo "failed: $cc $options:" $(cat %t/missing); exit 1; }; \
// RUN: done; done
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using bytes = std::vector<u8>;
using halves = std::vector<u16>;
using words = std::vector<u32>;

#define LIFTED extern "C" __attribute__((noinline))

// clang-format off
// --- std::vector
LIFTED void range_fill8(bytes &v, u8 x) { for (auto &e : v) e = x; }
LIFTED void range_fill16(halves &v, u16 x) { for (auto &e : v) e = x; }
LIFTED void iterator_fill(words &v, u32 x) { for (auto i = v.begin(); i != v.end(); ++i) *i = x; }
LIFTED void reverse_fill(words &v, u32 x) { for (auto i = v.rbegin(); i != v.rend(); ++i) *i = x; }
LIFTED void index_fill32(words &v, u32 x) { for (size_t i = 0; i < v.size(); i++) v[i] = x; }
LIFTED void int_fill(bytes &v, u8 x) { for (int i = 0; i < (int)v.size(); i++) v[i] = x; }
LIFTED void unsigned_fill(bytes &v, u8 x) { for (unsigned i = 0; i < v.size(); i++) v[i] = x; }
LIFTED void at_fill(bytes &v, u8 x) { for (size_t i = 0; i < v.size(); i++) v.at(i) = x; }
LIFTED void index_copy8(bytes &v, const bytes &s) { for (size_t i = 0; i < v.size(); i++) v[i] = s[i]; }
LIFTED void index_copy32(words &v, const words &s) { for (size_t i = 0; i < v.size(); i++) v[i] = s[i]; }
LIFTED void index_xor(bytes &v, const bytes &s) { for (size_t i = 0; i < v.size(); i++) v[i] ^= s[i]; }
LIFTED void key_xor(bytes &v, u8 k) { for (size_t i = 0; i < v.size(); i++) v[i] ^= k; }
LIFTED u32 range_sum(const bytes &v) { u32 s = 0; for (auto e : v) s += e; return s; }
LIFTED u32 index_sum(const bytes &v) { u32 s = 0; for (size_t i = 0; i < v.size(); i++) s += v[i]; return s; }
LIFTED u16 crc16(const bytes &v) { u16 c = 0xffff; for (u8 b : v) { c ^= b; for (int k = 0; k < 8; k++) c = c & 1 ? (c >> 1) ^ 0xa001 : c >> 1; } return c; }
LIFTED u32 index_crc32(const bytes &v) { u32 c = ~0u; for (size_t i = 0; i < v.size(); i++) { c ^= v[i]; for (int k = 0; k < 8; k++) c = (c >> 1) ^ (0xedb88320u & -(c & 1)); } return ~c; }
LIFTED u32 adler(const bytes &v) { u32 a = 1, b = 0; for (auto x : v) { a = (a + x) % 65521; b = (b + a) % 65521; } return b << 16 | a; }
LIFTED u32 hash31(const bytes &v) { u32 h = 0; for (auto x : v) h = h * 31 + x; return h; }
LIFTED void assigned(bytes &v, const u8 *s, size_t n) { v.resize(n); for (size_t i = 0; i < n; i++) v[i] = s[i]; }
LIFTED u32 new_fill(size_t n, u16 x) { halves v(n); for (auto &e : v) e = x; u32 s = 0; for (auto e : v) s = s * 3 + e; return s; }
LIFTED bytes new_copy(const u8 *s, size_t n) { bytes v(n); for (size_t i = 0; i < n; i++) v[i] = s[i]; return v; }
LIFTED void constructed(size_t n, u32 x, words &to) { to = words(n, x); }
LIFTED void rows(std::vector<bytes> &m, u8 x) { for (auto &r : m) for (auto &e : r) e = x; }
struct Buffer { bytes data; u32 sum = 0; };
LIFTED void member_sum(Buffer &b) { b.sum = 0; for (u8 x : b.data) b.sum += x; }
struct Pair { u16 a, b; u32 c; };
LIFTED void struct_fill(std::vector<Pair> &v, const Pair &p) { std::fill(v.begin(), v.end(), p); }
LIFTED void struct_copy(std::vector<Pair> &v, const std::vector<Pair> &w) { for (size_t i = 0; i < v.size(); i++) v[i] = w[i]; }
LIFTED void struct_zero(std::vector<Pair> &v) { for (auto &p : v) p = Pair{}; }
// --- std::string, std::string_view
LIFTED void string_fill(std::string &s, char x) { for (size_t i = 0; i < s.size(); i++) s[i] = x; }
LIFTED u32 string_hash(const std::string &s) { u32 h = 5381; for (unsigned char c : s) h = h * 33 + c; return h; }
LIFTED u32 index_hash(const std::string &s) { u32 h = 5381; for (size_t i = 0; i < s.size(); i++) h = h * 33 + (unsigned char)s[i]; return h; }
LIFTED u32 view_sum(std::string_view s) { u32 h = 0; for (unsigned char c : s) h += c; return h; }
LIFTED void string_out(const std::string &s, char *d) { for (size_t i = 0; i < s.size(); i++) d[i] = s[i]; }
// --- std::span, std::array, std::unique_ptr
LIFTED void span_fill(std::span<u16> s, u16 x) { for (auto &e : s) e = x; }
LIFTED void span_copy(std::span<u8> d, std::span<const u8> s) { for (size_t i = 0; i < s.size(); i++) d[i] = s[i]; }
LIFTED u32 span_sum(std::span<const u8> s) { u32 r = 0; for (u8 b : s) r += b; return r; }
LIFTED void byte_copy(std::span<std::byte> d, std::span<const std::byte> s) { for (size_t i = 0; i < s.size(); i++) d[i] = s[i]; }
LIFTED void array_fill(std::array<u32, 300> &a, u32 x) { a.fill(x); }
LIFTED u32 array_sum(const std::array<u32, 300> &a) { u32 r = 0; for (u32 e : a) r += e; return r; }
LIFTED u32 pointer_sum(const std::unique_ptr<u8[]> &p, size_t n) { u32 s = 0; for (size_t i = 0; i < n; i++) s += p[i]; return s; }
LIFTED void pointer_fill8(std::unique_ptr<u8[]> &p, size_t n, u8 x) { for (size_t i = 0; i < n; i++) p[i] = x; }
LIFTED void pointer_fill32(std::unique_ptr<u32[]> &p, size_t n, u32 x) { for (size_t i = 0; i < n; i++) p[i] = x; }
// --- algorithms
LIFTED void filled_n(u16 *p, size_t n, u16 x) { std::fill_n(p, n, x); }
LIFTED void generated(words &v) { std::generate(v.begin(), v.end(), [] { return 0x01020304u; }); }
LIFTED void generated_n(halves &v, u16 x) { std::generate_n(v.begin(), v.size(), [x] { return x; }); }
LIFTED void copied(const halves &s, halves &d) { std::copy(s.begin(), s.end(), d.begin()); }
LIFTED void copied_n(const u8 *s, size_t n, bytes &d) { std::copy_n(s, n, d.begin()); }
LIFTED void copied_backward(words &v, size_t n) { std::copy_backward(v.begin(), v.begin() + n, v.end()); }
LIFTED void transformed(bytes &d, const bytes &s) { std::transform(s.begin(), s.end(), d.begin(), [](u8 x) { return x; }); }
LIFTED u32 accumulated(const bytes &v) { return std::accumulate(v.begin(), v.end(), 0u); }
LIFTED u64 accumulated32(const words &v) { return std::accumulate(v.begin(), v.end(), u64(0)); }
LIFTED u8 accumulated_xor(const bytes &v) { return std::accumulate(v.begin(), v.end(), u8(0), std::bit_xor<u8>()); }
LIFTED u32 accumulated_hash(const bytes &v) { return std::accumulate(v.begin(), v.end(), 0u, [](u32 h, u8 c) { return h * 31 + c; }); }
LIFTED u32 accumulated_crc(const bytes &v, u32 c) { return std::accumulate(v.begin(), v.end(), c, [](u32 c, u8 b) { c ^= b; for (int k = 0; k < 8; k++) c = c & 1 ? (c >> 1) ^ 0xedb88320u : c >> 1; return c; }); }
LIFTED u32 reduced(const bytes &v) { return std::reduce(v.begin(), v.end(), 0u); }
LIFTED u32 each_sum(const bytes &v) { u32 s = 0; std::for_each(v.begin(), v.end(), [&](u8 b) { s += b; }); return s; }
LIFTED void uninitialized(u32 *p, size_t n, u32 x) { std::uninitialized_fill_n(p, n, x); }
// --- ranges
LIFTED void ranges_fill(words &v, u32 x) { std::ranges::fill(v, x); }
LIFTED void ranges_copy(const halves &s, halves &d) { std::ranges::copy(s, d.begin()); }
LIFTED void ranges_generate(words &v) { std::ranges::generate(v, [] { return 7u << 20; }); }
LIFTED u32 taken_sum(const bytes &v, size_t n) { u32 s = 0; for (u8 b : v | std::views::take(n)) s += b; return s; }
LIFTED u32 dropped_sum(const bytes &v, size_t n) { u32 s = 0; for (u8 b : v | std::views::drop(n)) s += b; return s; }
LIFTED void reversed_view(words &v, u32 x) { for (auto &e : v | std::views::reverse) e = x; }
LIFTED void iota_fill(halves &v, u16 x) { for (size_t i : std::views::iota(size_t(0), v.size())) v[i] = x; }
// clang-format on

static u64 hash;
static void mix(u64 x) { hash = (hash ^ x) * 1099511628211u; }
template <class C> void mixAll(const C &c) {
  const auto *at = reinterpret_cast<const unsigned char *>(c.data());
  for (size_t i = 0; i < c.size() * sizeof(*c.data()); i++)
    mix(u64(at[i]));
}

template <class T> std::vector<T> random(size_t n) {
  static u32 state = 1;
  std::vector<T> v(n);
  for (auto &e : v)
    e = T((state = state * 1664525 + 1013904223) >> 8);
  return v;
}

static void vectors(size_t n) {
  bytes a = random<u8>(n), b = random<u8>(n);
  halves h = random<u16>(n), g = random<u16>(n);
  words w = random<u32>(n), x = random<u32>(n);
  auto done = [&] { mixAll(a), mixAll(h), mixAll(w); };
  index_copy8(a, b), index_copy32(w, x), done();
  index_xor(a, random<u8>(n)), done(), key_xor(a, 0x5a), done();
  mix(range_sum(a)), mix(index_sum(b)), mix(crc16(a)), mix(index_crc32(a)), mix(adler(a));
  mix(hash31(a)), mix(accumulated(a)), mix(accumulated32(w)), mix(accumulated_xor(a));
  mix(accumulated_hash(a)), mix(accumulated_crc(a, 7)), mix(reduced(a)), mix(each_sum(a));
  mix(taken_sum(a, n / 2)), mix(dropped_sum(a, n / 3)), mix(new_fill(n, 77));
  copied_backward(w, n / 2), copied(g, h), done();
  transformed(a, b), reverse_fill(w, 3), done();
  b = random<u8>(n), copied_n(b.data(), n, a), ranges_fill(x, 5), mixAll(x), done();
  range_fill8(a, 1), range_fill16(h, 0x102), iterator_fill(w, 0x01020304), done();
  int_fill(a, 2), index_fill32(w, 9), generated_n(h, 0x304), done();
  unsigned_fill(a, 3), generated(w), filled_n(h.data(), n, 5), done();
  at_fill(a, 4), ranges_generate(w), ranges_copy(g, h), done();
  assigned(a, b.data(), n / 2), constructed(n, 11, w), iota_fill(h, 6), done();
  mixAll(new_copy(a.data(), n));
  reversed_view(w, 12), span_fill(h, 0x777), span_copy(a, std::span(b).first(n / 2)), done();
  byte_copy(std::as_writable_bytes(std::span(w)), std::as_bytes(std::span(b))), done();
  uninitialized(w.data(), n, 13), done();
  mix(span_sum(a));
}

static void others(size_t n) {
  std::string s(n, 'a'), t(n, 'b');
  string_fill(s, 'c');
  for (size_t i = 0; i < n; i++)
    s[i] = char('a' + i % 23);
  string_out(s, t.data());
  mixAll(t), mix(string_hash(s)), mix(index_hash(t)), mix(view_sum(s));
  std::vector<Pair> p(n), q(n);
  struct_fill(p, {1, 2, 3}), struct_copy(q, p), mix(u64(q.size() ? q[n - 1].c + q[0].a : 0));
  if (n > 2)
    q[1] = {9, 8, 7}, struct_fill(q, q[1]), mixAll(q); // the value lies in the region
  struct_zero(p), mixAll(p);
  std::vector<bytes> m(5, random<u8>(n));
  rows(m, 8);
  for (auto &r : m)
    mixAll(r);
  Buffer b = {random<u8>(n)};
  member_sum(b), mix(b.sum);
  std::array<u32, 300> a;
  array_fill(a, u32(n)), mix(array_sum(a));
  auto c = std::make_unique<u8[]>(n + 1);
  auto d = std::make_unique<u32[]>(n + 1);
  pointer_fill8(c, n, 7), pointer_fill32(d, n, 0x55aa), mix(pointer_sum(c, n)), mix(d[n / 2]);
}

int main() {
  for (size_t n : {0, 1, 5, 16, 63, 300, 5001})
    vectors(n), others(n);
  std::printf("%016llx\n", static_cast<unsigned long long>(hash));
}
