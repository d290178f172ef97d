// trust-fields.c - with GCC, trust-types holds of fields and variables that are read
//
// Clang goes by such types where a call is written, with or without the option.
// REQUIRES: gcc-12
// RUN: rm -f %t && %memlift-gcc -O2 -w --memlift-trust-types -I%S/../../intrinsics/include %s -o %t
// RUN: %t | %filecheck %s
// RUN: %memlift-gcc -O2 -w -I%S/../../intrinsics/include %s -o %t && %t | %filecheck --check-prefix=STRICT %s
#include <memlift/intrinsics.h>
#include <stdint.h>
#include <stdio.h>

#define OPEN __attribute__((noinline, noipa))
struct __attribute__((packed)) odd {
  char c;
  uint64_t x;
};
struct holder {
  uint64_t *words;
  struct odd *odd;
  char *text;
  void *any;
};
uint64_t *global_words;
char *global_text;

OPEN int field(struct holder *h) { return memlift_aligned(h->words, 8); }
OPEN int variable(void) { return memlift_aligned(global_words + 3, 8); }
OPEN int in_packed(struct holder *h) { return memlift_aligned(&h->odd->x, 2); }
OPEN int text(struct holder *h) { return memlift_aligned((uint64_t *)h->text, 2); }
OPEN int any(struct holder *h) { return memlift_aligned((uint64_t *)h->any, 2); }
OPEN int variable_text(void) { return memlift_aligned((uint64_t *)global_text, 2); }
OPEN int too_much(struct holder *h) { return memlift_aligned(h->words, 16); }

int main(void) {
  static uint64_t room[8];
  struct holder h = {room, (struct odd *)room, (char *)room, room};
  global_words = room;
  global_text = (char *)room;
  // CHECK: field 1, variable 1
  // CHECK-NEXT: in packed 0, text 0, any 0, variable text 0, too much 0
  // STRICT: field 0, variable 0
  // STRICT-NEXT: in packed 0, text 0, any 0, variable text 0, too much 0
  printf("field %d, variable %d\n", field(&h), variable());
  printf("in packed %d, text %d, any %d, variable text %d, too much %d\n", in_packed(&h), text(&h),
         any(&h), variable_text(), too_much(&h));
  return 0;
}
