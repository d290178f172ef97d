// copies-more.c - copies and moves in the spellings of real code
#include "parity.h"

// The index is narrower than the bound: a run-time check says that it ends.
PARITY(unsigned_index, "move guarded")
void unsigned_index(u8 *d, const u8 *s, size_t n) {
  for (unsigned i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(unsigned_index_apart, "copy guarded")
void unsigned_index_apart(u32 *restrict d, const u32 *restrict s, size_t n) {
  for (unsigned i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(int_index, "move lowered")
void int_index(u16 *d, const u16 *s, size_t n) {
  for (int i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(half_index, "copy guarded")
void half_index(u8 *restrict d, const u8 *restrict s, size_t n) {
  for (u16 i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(byte_index, "copy guarded")
void byte_index(u32 *restrict d, const u32 *restrict s, unsigned n) {
  for (u8 i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(unsigned_from, "copy guarded")
void unsigned_from(u8 *restrict d, const u8 *restrict s, unsigned from, size_t n) {
  for (unsigned i = from; i < n; i++)
    d[i] = s[i];
}

PARITY(two_counters, "copy lowered")
void two_counters(u8 *restrict d, const u8 *restrict s, size_t n) {
  unsigned j = 0;
  for (size_t i = 0; i < n; i++)
    d[i] = s[i], j++;
}

PARITY(counters_of_two_widths, "copy guarded")
void counters_of_two_widths(u8 *restrict d, const u8 *restrict s, size_t n) {
  unsigned j = 0;
  for (size_t i = 0; i < n; i++, j++)
    d[i] = s[j];
}

PARITY(unsigned_down, "copy lowered")
void unsigned_down(u8 *restrict d, const u8 *restrict s, unsigned n) {
  for (unsigned i = n; i-- > 0;)
    d[i] = s[i];
}

PARITY(at_offsets, "move guarded")
void at_offsets(u8 *d, unsigned at, const u8 *s, unsigned from, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    d[at + i] = s[from + i];
}

PARITY(signed_offsets, "move lowered")
void signed_offsets(u8 *d, int at, const u8 *s, int from, int n) {
  for (int i = 0; i < n; i++)
    d[at + i] = s[from + i];
}

PARITY(short_bound, "copy lowered")
void short_bound(u8 *restrict d, const u8 *restrict s, u16 n) {
  for (u16 i = 0; i < n; i++)
    d[i] = s[i];
}

// Pointers that are stepped as integers.
#define PTR_ADD(p, n) ((void *)((uintptr_t)(p) + (n)))
PARITY(integer_steps, "move lowered")
void integer_steps(void *d, const void *s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    *(u8 *)d = *(const u8 *)s;
    d = PTR_ADD(d, 1);
    s = PTR_ADD(s, 1);
  }
}

PARITY(integer_end, "move lowered")
void integer_end(void *d, const void *s, size_t n) {
  const void *end = PTR_ADD(s, n * 4);
  for (; s != end; s = PTR_ADD(s, 4), d = PTR_ADD(d, 4))
    *(u32 *)d = *(const u32 *)s;
}

PARITY(integer_below, "move lowered")
PARITY_BUT(integer_below, "gcc-12", "move guarded", "GCC cannot tell that the source does not wrap")
void integer_below(void *d, const void *s, const void *end) {
  for (; (uintptr_t)s < (uintptr_t)end; s = PTR_ADD(s, 8), d = PTR_ADD(d, 8))
    *(u64 *)d = *(const u64 *)s;
}

PARITY(plain_integers, "move lowered")
void plain_integers(uintptr_t to, uintptr_t from, size_t n) {
  while (n--)
    *(u8 *)to++ = *(const u8 *)from++;
}

PARITY(integer_index, "move lowered")
void integer_index(uintptr_t to, uintptr_t from, size_t n) {
  for (size_t i = 0; i < n; i++)
    *(u32 *)(to + 4 * i) = *(u32 *)(from + 4 * i);
}

PARITY(end_as_integer, "move lowered")
void end_as_integer(u8 *d, const u8 *s, size_t n) {
  uintptr_t end = (uintptr_t)d + n;
  while ((uintptr_t)d < end)
    *d++ = *s++;
}

// Overlap on purpose.
PARITY(repeat_byte, "fill lowered")
void repeat_byte(u8 *a, size_t n) {
  for (size_t i = 1; i < n; i++)
    a[i] = a[i - 1];
}

PARITY(repeat_wide, "fill lowered")
void repeat_wide(u64 *a, size_t n) {
  while (n--) {
    a[1] = a[0];
    a++;
  }
}

PARITY(repeat_first, "fill lowered")
void repeat_first(u32 *a) {
  for (int i = 0; i < 1000; i++)
    a[i + 1] = a[i];
}

PARITY(repeat_four, "fill lowered")
void repeat_four(u8 *a) {
  for (int i = 4; i < 4096; i++)
    a[i] = a[i - 4];
}

PARITY(match, "move lowered")
u8 *match(u8 *out, unsigned distance, unsigned length) {
  const u8 *from = out - distance;
  do
    *out++ = *from++;
  while (--length);
  return out;
}

PARITY(match_by_three, "move lowered")
u8 *match_by_three(u8 *out, const u8 *from, unsigned length) {
  while (length > 2) {
    *out++ = *from++;
    *out++ = *from++;
    *out++ = *from++;
    length -= 3;
  }
  return out;
}

PARITY(window, "move lowered")
void window(u8 *buffer, size_t at, size_t distance, size_t length) {
  for (size_t i = 0; i < length; i++)
    buffer[at + i] = buffer[at + i - distance];
}

PARITY(insert_gap, "move lowered")
void insert_gap(u32 *a, size_t n) {
  for (size_t i = n; i > 0; i--)
    a[i] = a[i - 1];
}

PARITY(remove_at, "move lowered")
void remove_at(void **list, unsigned long at, unsigned long count) {
  for (unsigned long i = at; i + 1 < count; i++)
    list[i] = list[i + 1];
}

PARITY(halves, "copy lowered")
void halves(u32 *a) {
  for (int i = 0; i < 512; i++)
    a[i] = a[512 + i];
}

// Counting in other ways.
PARITY(count_down, "move lowered")
void count_down(u16 *d, const u16 *s, int n) {
  for (; n > 0; n--)
    *d++ = *s++;
}

PARITY(pre_decrement, "move lowered")
void pre_decrement(u8 *d, const u8 *s, unsigned n) {
  n++;
  while (--n)
    *d++ = *s++;
}

PARITY(do_while, "copy lowered")
void do_while(u32 *restrict d, const u32 *restrict s, size_t n) {
  do
    *d++ = *s++;
  while (--n > 0);
}

PARITY(do_while_if, "move lowered")
void do_while_if(u8 *d, const u8 *s, size_t n) {
  if (n)
    do
      *d++ = *s++;
    while (--n);
}

PARITY(below_end, "copy lowered")
void below_end(u64 *restrict d, const u64 *restrict s, const u64 *end) {
  while (s < end)
    *d++ = *s++;
}

PARITY(endless, "copy lowered")
void endless(u8 *restrict d, const u8 *restrict s, size_t n) {
  size_t i = 0;
  for (;;) {
    if (i == n)
      break;
    d[i] = s[i];
    i++;
  }
}

PARITY(by_goto, "copy lowered")
void by_goto(u8 *restrict d, const u8 *restrict s, unsigned n) {
again:
  if (!n)
    return;
  n--;
  *d++ = *s++;
  goto again;
}

PARITY(not_equal, "copy lowered")
void not_equal(u8 *restrict d, const u8 *restrict s, size_t from, size_t to) {
  for (size_t i = from; i != to; i++)
    d[i] = s[i];
}

PARITY(inclusive, "copy lowered")
void inclusive(u8 *restrict d, const u8 *restrict s, int last) {
  for (int i = 0; i <= last; i++)
    d[i] = s[i];
}

PARITY(bytes_left, "copy lowered")
void bytes_left(u32 *restrict d, const u32 *restrict s, size_t bytes) {
  for (; bytes >= 4; bytes -= 4)
    *d++ = *s++;
}

PARITY(both_ends, "move lowered")
void both_ends(u8 *d, u8 *end, const u8 *s) {
  while (d < end)
    *d++ = *s++;
}

PARITY(from_the_end, "move guarded")
void from_the_end(u8 *d, const u8 *s, size_t n) {
  d += n;
  s += n;
  while (n--)
    *--d = *--s;
}

// The bound is read again in each iteration, through a pointer that may alias.
struct buffer { u8 *data; size_t used; };
PARITY(bound_by_reference_apart, "copy lowered")
void bound_by_reference_apart(u8 *restrict d, const u8 *restrict s, const size_t *restrict n) {
  for (size_t i = 0; i < *n; i++)
    d[i] = s[i];
}

PARITY(bound_of_other_type, "move lowered")
void bound_of_other_type(float *d, const float *s, const int *n) {
  for (int i = 0; i < *n; i++)
    d[i] = s[i];
}

// Conditions and calls inside.
PARITY(chosen_source, "copy lowered")
void chosen_source(u8 *restrict d, const u8 *restrict a, const u8 *restrict b, size_t n, int which) {
  const u8 *s = which ? a : b;
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(rows_by_call, "copy lowered")
void rows_by_call(u8 (*restrict d)[100], u8 (*restrict s)[100], size_t h) {
  for (size_t y = 0; y < h; y++)
    __builtin_memcpy(d[y], s[y], sizeof d[y]);
}

PARITY(words_by_call, "copy lowered")
void words_by_call(u8 *restrict d, const u8 *restrict s, size_t n) {
  for (; n >= 8; n -= 8, d += 8, s += 8)
    __builtin_memcpy(d, s, 8);
}

PARITY(invariant_choice, "copy lowered")
void invariant_choice(u8 *restrict d, const u8 *restrict s, size_t n, int really) {
  for (size_t i = 0; i < n; i++)
    if (really)
      d[i] = s[i];
}

PARITY(unless, "move lowered")
void unless(u32 *d, const u32 *s, size_t n, const void *none) {
  for (size_t i = 0; i < n; i++)
    if (!none)
      d[i] = s[i];
}

PARITY(through_a_word, "move lowered")
void through_a_word(u8 *d, const u8 *s, size_t n) {
  for (size_t i = 0; i + 8 <= n; i += 8) {
    u64 w;
    __builtin_memcpy(&w, s + i, 8);
    __builtin_memcpy(d + i, &w, 8);
  }
}

PARITY(up_to_the_last_four, "move lowered")
void up_to_the_last_four(u16 *d, const u16 *s, size_t n) {
  for (size_t i = 0; i + 4 <= n; i += 4) {
    d[i] = s[i];
    d[i + 1] = s[i + 1];
    d[i + 2] = s[i + 2];
    d[i + 3] = s[i + 3];
  }
}

PARITY(unrolled_four, "move lowered")
void unrolled_four(u32 *d, const u32 *s, size_t n) {
  while (n >= 4) {
    u32 a = s[0], b = s[1], c = s[2], e = s[3];
    d[0] = a, d[1] = b, d[2] = c, d[3] = e;
    d += 4, s += 4, n -= 4;
  }
}

PARITY(limbs, "move lowered")
void limbs(unsigned long *d, const unsigned long *s, long n) {
  long i = n;
  while (--i >= 0)
    *d++ = *s++;
}

// Bounds and pointers that are read again in each iteration, through pointers that may alias.
PARITY(bound_by_reference, "move guarded")
void bound_by_reference(u8 *d, const u8 *s, const size_t *n) {
  for (size_t i = 0; i < *n; i++)
    d[i] = s[i];
}

PARITY(clear_buffer, "fill guarded")
void clear_buffer(struct buffer *b) {
  for (size_t i = 0; i < b->used; i++)
    b->data[i] = 0;
}

PARITY(append, "move guarded")
void append(struct buffer *b, const u8 *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    b->data[b->used + i] = s[i];
}

PARITY(between, "move guarded")
void between(struct buffer *to, const struct buffer *from) {
  for (size_t i = 0; i < from->used; i++)
    to->data[i] = from->data[i];
}

struct packet { u32 length; u8 bytes[2000]; };
PARITY(own_length, "fill lowered")
void own_length(struct packet *p) {
  for (u32 i = 0; i < p->length; i++)
    p->bytes[i] = 0xff;
}

PARITY(value_again, "fill guarded")
void value_again(u32 *d, const u8 *v, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = *v;
}

PARITY(counts_itself, "move guarded")
void counts_itself(struct buffer *b, const u8 *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    b->data[b->used++] = s[i];
}

struct text { u8 used; u8 bytes[255]; };
PARITY(itself, "fill kept MLF2063")
void itself(struct text *t) {
  for (u8 i = 0; i < t->bytes[3]; i++)
    t->bytes[i] = 1;
}

PARITY(int_bound, "move guarded")
void int_bound(u8 *d, const u8 *s, const int *n) {
  for (int i = 0; i < *n; i++)
    d[i] = s[i];
}

PARITY(at_most_a_line, "move lowered")
PARITY_BUT(at_most_a_line, "clang-19", "move kept MLF3021", "clang makes vectors at -O2")
PARITY_BUT(at_most_a_line, "clang-22", "move kept MLF3021", "clang makes vectors at -O2")
void at_most_a_line(u8 *d, const u8 *s, size_t n) {
  for (size_t i = 0; i < n && i < 64; i++)
    d[i] = s[i];
}

PARITY(at_most_signed, "fill lowered")
void at_most_signed(u32 *d, int n) {
  for (int i = 0; i < n && i <= 99; i++)
    d[i] = 0xabcd1234;
}

PARITY(down_to_three, "copy lowered")
void down_to_three(u8 *restrict d, const u8 *restrict s, const u8 *end, int n) {
  for (int i = n; i >= 3 && s < end; i--)
    *d++ = *s++;
}

/* Lengths from a constant table: its largest entry bounds them. */
static const u8 few[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4};
static const u8 many[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 200};
static u8 set_later[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4};
void change_set(unsigned which, u8 to) { set_later[which] = to; }

PARITY(character_of_table, "move kept MLF3004")
void character_of_table(u8 *d, const u8 *s) {
  unsigned n = few[*s >> 4];
  for (unsigned i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(character_apart, "copy already")
void character_apart(u8 *restrict d, const u8 *restrict s) {
  unsigned n = few[*s >> 4];
  for (unsigned i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(run_of_table, "move lowered")
void run_of_table(u8 *d, const u8 *s) {
  unsigned n = many[*s >> 4];
  for (unsigned i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(run_of_changed_table, "move lowered")
void run_of_changed_table(u8 *d, const u8 *s) {
  unsigned n = set_later[*s >> 4];
  for (unsigned i = 0; i < n; i++)
    d[i] = s[i];
}
