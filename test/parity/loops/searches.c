// searches.c - loops that end at a byte: searches, lengths, comparisons, in many spellings
//
// All have one signature, for test/e2e/searches.test. The first word of a name says what they need:
// find: bytes up to p + n, or one that is found before; str: a byte 0 in each region; last: bytes
// from p to p + n; cmp: bytes up to p + n and q + n, or a difference before.
#include "parity.h"

PARITY_FLAGS("--memlift-searches")

#define LOOP(name) long name(const u8 *p, const u8 *q, size_t n, int c)

PARITY(find_index, "search lowered")
LOOP(find_index) {
  for (size_t i = 0; i < n; i++)
    if (p[i] == c)
      return (long)i;
  return -1;
}

PARITY(find_index_byte, "search lowered")
LOOP(find_index_byte) {
  u8 b = (u8)c;
  for (size_t i = 0; i < n; i++)
    if (p[i] == b)
      return (long)i;
  return -1;
}

PARITY(find_pointer, "search lowered")
LOOP(find_pointer) {
  const u8 *s = p;
  for (const u8 *e = p + n; s < e; s++)
    if (*s == (u8)c)
      return s - p;
  return -1;
}

PARITY(find_not_equal_end, "search lowered")
LOOP(find_not_equal_end) {
  const u8 *s = p, *e = p + n;
  while (s != e && *s != (u8)c)
    s++;
  return s - p;
}

PARITY(find_counted_down, "search lowered")
LOOP(find_counted_down) {
  const u8 *s = p;
  while (n--) {
    if (*s == (u8)c)
      return s - p;
    s++;
  }
  return -2;
}

PARITY(find_counted_down_for, "search lowered")
LOOP(find_counted_down_for) {
  const u8 *s = p;
  for (; n > 0; n--, s++)
    if (*s == (u8)c)
      break;
  return (long)n;
}

PARITY(find_bool, "search lowered")
LOOP(find_bool) {
  for (size_t i = 0; i < n; i++)
    if (p[i] == (u8)c)
      return 1;
  return 0;
}

PARITY(find_flag, "search lowered")
LOOP(find_flag) {
  int found = 0;
  for (size_t i = 0; i < n; i++)
    if (p[i] == (u8)c) {
      found = 1;
      break;
    }
  return found;
}

PARITY(find_int_index, "search lowered")
LOOP(find_int_index) {
  int m = (int)n;
  for (int i = 0; i < m; i++)
    if (p[i] == (u8)c)
      return i;
  return -1;
}

PARITY(find_break_after, "search lowered")
LOOP(find_break_after) {
  size_t i;
  for (i = 0; i < n; i++)
    if (p[i] == (u8)c)
      break;
  return i == n ? -1 : (long)i + 7;
}

PARITY(find_goto, "search lowered")
LOOP(find_goto) {
  size_t i = 0;
  for (; i < n; i++)
    if (p[i] == (u8)c)
      goto found;
  return -5;
found:
  return (long)(i * 3);
}

PARITY(find_constant, "search lowered")
LOOP(find_constant) {
  for (size_t i = 0; i < n; i++)
    if (p[i] == '\n')
      return (long)i;
  return (long)n;
}

PARITY(find_signed, "search lowered")
LOOP(find_signed) {
  const signed char *s = (const signed char *)p;
  for (size_t i = 0; i < n; i++)
    if (s[i] == (signed char)c)
      return (long)i;
  return -1;
}

PARITY(find_signed_int, "search lowered")
LOOP(find_signed_int) {
  const signed char *s = (const signed char *)p;
  for (size_t i = 0; i < n; i++)
    if (s[i] == c)
      return (long)i;
  return -1;
}

PARITY(find_do_while, "search lowered")
LOOP(find_do_while) {
  const u8 *s = p;
  if (!n)
    return -1;
  do {
    if (*s == (u8)c)
      return s - p;
    s++;
  } while (--n);
  return -2;
}

PARITY(find_two_counters, "search lowered")
LOOP(find_two_counters) {
  long column = 1;
  for (size_t i = 0; i < n; i++, column += 4)
    if (p[i] == (u8)c)
      return column;
  return -column;
}

PARITY(find_one_of_two, "search lowered")
LOOP(find_one_of_two) {
  for (size_t i = 0; i < n; i++)
    if (p[i] == '\r' || p[i] == '\n')
      return (long)i;
  return -1;
}

PARITY(find_one_of_two_exits, "search lowered")
LOOP(find_one_of_two_exits) {
  for (size_t i = 0; i < n; i++) {
    if (p[i] == (u8)c)
      return (long)i;
    if (p[i] == 0x80)
      return -(long)i;
  }
  return -1;
}

PARITY(find_one_of_three, "search lowered")
LOOP(find_one_of_three) {
  for (size_t i = 0; i < n; i++)
    if (p[i] == ' ' || p[i] == (u8)c || p[i] == '\n')
      return (long)i;
  return -1;
}

PARITY(find_switch, "search lowered")
LOOP(find_switch) {
  for (size_t i = 0; i < n; i++)
    switch (p[i]) {
    case '"':
    case '\\':
    case '\n': return (long)i;
    default: break;
    }
  return -1;
}

PARITY(find_either_case, "search lowered")
LOOP(find_either_case) {
  for (size_t i = 0; i < n; i++)
    if ((p[i] | 0x20) == 'a')
      return (long)i;
  return -1;
}

PARITY(find_while_not, "search lowered")
LOOP(find_while_not) {
  const u8 *s = p, *e = p + n;
  while (s < e && *s != ',' && *s != ';')
    ++s;
  return s - p;
}

PARITY(find_other, "search lowered")
LOOP(find_other) {
  for (size_t i = 0; i < n; i++)
    if (p[i] != (u8)c)
      return (long)i;
  return -1;
}

PARITY(find_zeros, "search lowered")
LOOP(find_zeros) {
  for (size_t i = 0; i < n; i++)
    if (p[i])
      return 0;
  return 1;
}

PARITY(find_zeros_while, "search lowered")
LOOP(find_zeros_while) {
  size_t i = 0;
  while (i < n && !p[i])
    i++;
  return i == n;
}

PARITY(find_blanks, "search lowered")
LOOP(find_blanks) {
  const u8 *s = p, *e = p + n;
  while (s < e && *s == ' ')
    s++;
  return s - p;
}

PARITY(find_erased, "search lowered")
LOOP(find_erased) {
  while (n && *p == 0xff) {
    p++;
    n--;
  }
  return n == 0;
}

PARITY(find_other_int, "search lowered")
LOOP(find_other_int) {
  for (size_t i = 0; i < n; i++)
    if (p[i] != c)
      return (long)i;
  return -1;
}

PARITY(find_from_offset, "search lowered")
LOOP(find_from_offset) {
  for (size_t i = n < 3 ? n : 3; i < n; i++)
    if (p[i] == (u8)c)
      return (long)i;
  return -1;
}

PARITY(find_later_use, "search lowered")
LOOP(find_later_use) {
  const u8 *s = p, *e = p + n;
  u8 last = 0;
  while (s < e) {
    last = *s;
    if (last == (u8)c)
      break;
    s++;
  }
  return (s - p) * 256 + last;
}

PARITY(str_length, "search lowered")
PARITY_ALREADY(str_length, "clang-22", "untouched", "strlen", "clang makes it a call of strlen")
PARITY_BUT(str_length, "clang-20", "search lowered", "LLVM 20 makes no call of it")
LOOP(str_length) {
  const u8 *s = p;
  while (*s)
    s++;
  return s - p;
}

PARITY(str_chr, "search lowered")
LOOP(str_chr) {
  for (; *p != (u8)c; p++)
    if (!*p)
      return 0;
  return 1;
}

PARITY(str_chr_index, "search lowered")
LOOP(str_chr_index) {
  size_t i = 0;
  while (p[i] && p[i] != (u8)c)
    i++;
  return (long)i;
}

PARITY(str_nlength, "search lowered")
LOOP(str_nlength) {
  size_t i = 0;
  while (i < n && p[i])
    i++;
  return (long)i;
}

PARITY(str_nlength_for, "search lowered")
LOOP(str_nlength_for) {
  const u8 *s;
  for (s = p; n-- && *s != 0; ++s)
    ;
  return s - p;
}

PARITY(str_until_of, "search lowered")
PARITY_BUT(str_until_of, "gcc-12", "untouched", "GCC makes a branch and a bit test of it")
PARITY_BUT(str_until_of, "gcc-16", "search lowered", "GCC 16 leaves the three tests alone")
LOOP(str_until_of) {
  size_t i = 0;
  while (p[i] && p[i] != '=' && p[i] != ':')
    i++;
  return (long)i;
}

PARITY(str_line, "search lowered")
LOOP(str_line) {
  const u8 *s = p;
  for (;;) {
    if (*s == 0 || *s == '\n')
      return s - p;
    s++;
  }
}

PARITY(str_compare, "compare lowered")
LOOP(str_compare) {
  while (*p && *p == *q) {
    p++;
    q++;
  }
  return *p - *q;
}

PARITY(str_equal, "compare lowered")
LOOP(str_equal) {
  for (; *p == *q; p++, q++)
    if (!*p)
      return 1;
  return 0;
}

PARITY(str_ncompare, "compare lowered")
LOOP(str_ncompare) {
  for (size_t i = 0; i < n; i++) {
    if (p[i] != q[i])
      return p[i] < q[i] ? -1 : 1;
    if (!p[i])
      return 0;
  }
  return 0;
}

PARITY(str_prefix, "compare lowered")
LOOP(str_prefix) {
  size_t i = 0;
  while (q[i] && q[i] == p[i])
    i++;
  return (long)i;
}

PARITY(last_index, "search lowered")
LOOP(last_index) {
  for (size_t i = n; i-- > 0;)
    if (p[i] == (u8)c)
      return (long)i;
  return -1;
}

PARITY(last_index_long, "search lowered")
LOOP(last_index_long) {
  for (long i = (long)n - 1; i >= 0; i--)
    if (p[i] == (u8)c)
      return i;
  return -1;
}

PARITY(last_pointer, "search lowered")
LOOP(last_pointer) {
  const u8 *s = p + n;
  while (s > p)
    if (*--s == (u8)c)
      return s - p;
  return -1;
}

PARITY(last_slash, "search lowered")
LOOP(last_slash) {
  size_t i = n;
  while (i > 0 && p[i - 1] != '/')
    i--;
  return (long)i;
}

PARITY(last_counted, "search lowered")
LOOP(last_counted) {
  const u8 *s = p + n;
  while (n--)
    if (*--s == (u8)c)
      return s - p;
  return -1;
}

PARITY(cmp_order, "compare lowered")
LOOP(cmp_order) {
  for (size_t i = 0; i < n; i++)
    if (p[i] != q[i])
      return p[i] - q[i];
  return 0;
}

PARITY(cmp_equal, "compare lowered")
LOOP(cmp_equal) {
  for (size_t i = 0; i < n; i++)
    if (p[i] != q[i])
      return 0;
  return 1;
}

PARITY(cmp_pointers, "compare lowered")
LOOP(cmp_pointers) {
  while (n--)
    if (*p++ != *q++)
      return (int)p[-1] - (int)q[-1];
  return 0;
}

PARITY(cmp_index, "compare lowered")
LOOP(cmp_index) {
  size_t i = 0;
  while (i < n && p[i] == q[i])
    i++;
  return (long)i;
}

PARITY(cmp_end, "compare lowered")
LOOP(cmp_end) {
  const u8 *s = p, *e = p + n;
  while (s < e && *s == *q) {
    ++s;
    ++q;
  }
  return s - p;
}

PARITY(cmp_xor, "compare lowered")
LOOP(cmp_xor) {
  for (size_t i = 0; i < n; i++)
    if (p[i] ^ q[i])
      return (long)i;
  return -1;
}

PARITY(cmp_less, "compare lowered")
LOOP(cmp_less) {
  for (size_t i = 0; i < n; i++) {
    if (p[i] < q[i])
      return -1;
    if (p[i] > q[i])
      return 1;
  }
  return 0;
}

PARITY(cmp_signed, "compare lowered")
LOOP(cmp_signed) {
  const signed char *a = (const signed char *)p, *b = (const signed char *)q;
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i])
      return a[i] < b[i];
  return 2;
}

PARITY(cmp_until, "compare lowered")
LOOP(cmp_until) {
  for (size_t i = 0; i < n; i++) {
    if (p[i] != q[i])
      return (long)i;
    if (p[i] == (u8)c)
      return -1;
  }
  return -2;
}

typedef u16 __attribute__((aligned(1), may_alias)) w16;
typedef u32 __attribute__((aligned(1), may_alias)) w32;
typedef u64 __attribute__((aligned(1), may_alias)) w64;

PARITY(cmp_halves, "compare lowered")
LOOP(cmp_halves) {
  const w16 *a = (const w16 *)p, *b = (const w16 *)q;
  for (size_t i = 0; i < n / 2; i++)
    if (a[i] != b[i])
      return (long)i;
  return -1;
}

PARITY(cmp_words, "compare lowered")
LOOP(cmp_words) {
  const w32 *a = (const w32 *)p, *b = (const w32 *)q;
  for (size_t i = 0; i < n / 4; i++)
    if (a[i] != b[i])
      return (long)i;
  return -1;
}

PARITY(cmp_longs, "compare lowered")
LOOP(cmp_longs) {
  const w64 *a = (const w64 *)p, *b = (const w64 *)q;
  size_t i = 0;
  while (i < n / 8 && a[i] == b[i])
    i++;
  return (long)i;
}

// Near misses.

PARITY(find_range, "untouched")
LOOP(find_range) {
  for (size_t i = 0; i < n; i++)
    if (p[i] >= '0' && p[i] <= '9')
      return (long)i;
  return -1;
}

PARITY(find_five, "untouched")
LOOP(find_five) {
  for (size_t i = 0; i < n; i++)
    if (p[i] == '<' || p[i] == '>' || p[i] == '&' || p[i] == '"' || p[i] == '\'')
      return (long)i;
  return -1;
}

PARITY(find_two_blanks, "untouched")
LOOP(find_two_blanks) {
  size_t i = 0;
  while (i < n && (p[i] == ' ' || p[i] == '\t'))
    i++;
  return (long)i;
}

PARITY(find_every_second, "untouched")
LOOP(find_every_second) {
  for (size_t i = 0; i < n; i += 2)
    if (p[i] == (u8)c)
      return (long)i;
  return -1;
}

PARITY(find_volatile, "search kept MLF2001")
LOOP(find_volatile) {
  const volatile u8 *s = p;
  for (size_t i = 0; i < n; i++)
    if (s[i] == (u8)c)
      return (long)i;
  return -1;
}

PARITY(find_few, "search kept MLF3004")
LOOP(find_few) {
  for (size_t i = 0; i < (n & 15); i++)
    if (p[i] == (u8)c)
      return (long)i;
  return -1;
}

PARITY(find_equal, "untouched")
LOOP(find_equal) {
  for (size_t i = 0; i < n; i++)
    if (p[i] == q[i])
      return (long)i;
  return -1;
}

PARITY(cmp_sign_and_zero, "untouched")
LOOP(cmp_sign_and_zero) {
  const signed char *s = (const signed char *)q;
  for (size_t i = 0; i < n; i++)
    if (p[i] != s[i])
      return (long)i;
  return -1;
}

PARITY(cmp_backwards, "compare kept MLF2172")
LOOP(cmp_backwards) {
  for (size_t i = n; i-- > 0;)
    if (p[i] != q[i])
      return (long)i;
  return -1;
}
