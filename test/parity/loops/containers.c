// containers.c - arrays between two pointers, or of a size, that are read again in each iteration
//
// So a std::vector<uint8_t> is walked by an index: the bytes stored may be those of the pointers.
// Optimisers find the first read of each pointer redundant and carry it on in a phi.
#include "parity.h"

struct bytes {
  u8 *begin, *end;
};
struct sized {
  size_t size;
  u8 *data;
};
struct lists {
  u32 *begin;
};
struct eight {
  u16 a, b;
  u32 c;
};

PARITY(fill_between, "fill guarded")
void fill_between(struct bytes *v, u8 value) {
  for (size_t i = 0; i < (size_t)(v->end - v->begin); i++)
    v->begin[i] = value;
}

PARITY(copy_between, "move guarded")
void copy_between(struct bytes *to, const struct bytes *from) {
  for (size_t i = 0; i < (size_t)(to->end - to->begin); i++)
    to->begin[i] = from->begin[i];
}

PARITY(copy_into, "move guarded")
void copy_into(struct bytes *to, const u8 *from) {
  for (size_t i = 0; i < (size_t)(to->end - to->begin); i++)
    to->begin[i] = from[i];
}

PARITY(copy_int, "move guarded")
void copy_int(struct bytes *to, const struct bytes *from) {
  for (int i = 0; i < (int)(to->end - to->begin); i++)
    to->begin[i] = from->begin[i];
}

PARITY(fill_from, "fill guarded")
void fill_from(struct bytes *v, u8 value, size_t from) {
  for (size_t i = from; i < (size_t)(v->end - v->begin); i++)
    v->begin[i] = value;
}

// The bounds are tested again, as by std::vector::at.
extern void out_of_range(void) __attribute__((noreturn));
PARITY(fill_checked, "fill guarded")
void fill_checked(struct bytes *v, u8 value) {
  for (size_t i = 0; i < (size_t)(v->end - v->begin); i++) {
    if (i >= (size_t)(v->end - v->begin))
      out_of_range();
    v->begin[i] = value;
  }
}

PARITY(fill_sized, "fill guarded")
void fill_sized(struct sized *v, u8 value) {
  for (size_t i = 0; i < v->size; i++)
    v->data[i] = value;
}

// A test that has one outcome, as long as the pointer stays: std::unique_ptr with assertions.
PARITY(fill_held, "fill guarded")
void fill_held(struct bytes *v, size_t n, u8 value) {
  for (size_t i = 0; i < n; i++) {
    if (!v->begin)
      out_of_range();
    v->begin[i] = value;
  }
}

// It may leave the loop before the first store, too.
PARITY(fill_unless, "fill guarded")
void fill_unless(struct bytes *v, size_t n, u8 value, size_t *done) {
  size_t i;
  for (i = 0; i < n && v->end != v->begin; i++)
    v->begin[i] = value;
  *done = i;
}

// A byte is loaded before the test, and stored after it.
PARITY(copy_until, "move guarded")
void copy_until(struct bytes *v, const u8 *s, size_t n, size_t *done) {
  size_t i;
  for (i = 0; i < n; i++) {
    u8 b = s[i];
    if (i >= (size_t)(v->end - v->begin))
      break;
    v->begin[i] = b;
  }
  *done = i;
}

// The byte that is loaded last is used where the loop is left.
PARITY(copy_last, "copy kept MLF2010 MLF2016 MLF2017")
PARITY_BUT(copy_last, "gcc-12", "move kept MLF2016 MLF2017",
           "its reader counts the exits, though the byte is used at one")
u8 copy_last(struct bytes *v, const u8 *s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    u8 b = s[i];
    if (i >= (size_t)(v->end - v->begin))
      return b;
    v->begin[i] = b;
  }
  return 0;
}

// Both tests have one outcome, so there is no count.
PARITY(fill_forever, "fill kept MLF2010 MLF2011")
void fill_forever(u8 *d, const u8 *a, const u8 *b) {
  for (size_t i = 0;; i++) {
    if (!*a)
      break;
    if (*b == 3)
      break;
    d[i] = 7;
  }
}

// A struct is read again for each element, as by std::fill.
PARITY(fill_struct, "fill guarded")
void fill_struct(struct eight *d, const struct eight *from, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = *from;
}

// The pointer was stored before the loop, not read.
PARITY(fill_given, "fill guarded")
void fill_given(struct bytes *v, u8 *at, u8 value) {
  v->begin = at;
  for (size_t i = 0; i < 100; i++)
    v->begin[i] = value;
}

// Every other time it was stored long before, and the first iteration writes elsewhere.
PARITY(given_sometimes, "none kept MLF2013")
PARITY_BUT(given_sometimes, "clang-19", "fill kept MLF3021", "LLVM takes the first iteration out of the loop")
PARITY_BUT(given_sometimes, "clang-22", "fill kept MLF3021", "LLVM takes the first iteration out of the loop")
void given_sometimes(struct lists *v, u32 *const *list, size_t count, size_t n) {
  for (size_t k = 0; k < count; k++) {
    u32 *at = list[k];
    if (k % 2 == 0)
      v->begin = at;
    for (size_t i = 0; i < n; i++) {
      at[i] = (u32)n;
      at = v->begin;
    }
  }
}

// The first iteration writes elsewhere.
PARITY(first_elsewhere, "none kept MLF2013")
void first_elsewhere(struct bytes *v, u8 *first, u8 value) {
  u8 *at = first;
  for (size_t i = 0; i < 100; i++) {
    at[i] = value;
    at = v->begin;
  }
}

// A store may have changed the pointer before the loop.
PARITY(changed_before, "none kept MLF2013")
void changed_before(struct bytes *v, u8 *flag, u8 value) {
  u8 *at = v->begin;
  *flag = 1;
  for (size_t i = 0; i < 100; i++) {
    at[i] = value;
    at = v->begin;
  }
}
