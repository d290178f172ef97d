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
