// calls.h - a call of memset, memcpy or memmove of constant size, and what is known of its pointers
#include <stddef.h>
#include <stdint.h>

enum operation { SetZero, SetValue, Copy, Move };

struct call {
  enum operation operation;
  int bytes, align;
  // Does it where all pointers are multiples of `align`, else nothing. `s` and `d` may overlap in
  // a Move.
  void (*run)(char *d, const char *s, int value);
};

extern const struct call calls[];
extern const size_t call_count;
