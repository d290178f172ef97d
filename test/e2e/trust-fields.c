// trust-fields.c - trust-types holds of fields and variables that are read
//
// REQUIRES: gcc-12, clang-22, clang-19
// RUN: rm -f %t && %memlift-gcc -O2 -w --memlift-trust-types -I%S/../../intrinsics/include %s -o %t
// RUN: %t | %filecheck %s
// RUN: %memlift-gcc -O2 -w -I%S/../../intrinsics/include %s -o %t && %t | %filecheck --check-prefix=STRICT %s
// RUN: %memlift-clang-22 -O2 -w --memlift-trust-types -I%S/../../intrinsics/include %s -o %t
// RUN: %t | %filecheck %s
// RUN: %memlift-clang-22 -O2 -w -I%S/../../intrinsics/include %s -o %t && %t | %filecheck --check-prefix=STRICT %s
// RUN: %memlift-clang-19 -O2 -w --memlift-trust-types -I%S/../../intrinsics/include %s -o %t
// RUN: %t | %filecheck %s
// RUN: %memlift-clang-19 -O0 -w --memlift-trust-types -I%S/../../intrinsics/include %s -o %t && %t
//
// Nothing is left of it in IR but a property of the load.
// RUN: %memlift-clang-22 -O1 -w -S -emit-llvm --memlift-trust-types -I%S/../../intrinsics/include %s -o - | %filecheck --check-prefix=IR %s
// IR-LABEL: @first(
// IR-NOT: llvm.assume
// IR: load ptr, {{.*}}!align
// IR-NOT: llvm.assume
// IR: ret
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
uint64_t *global_words, *table[2][3];
char *global_text;

OPEN int field(struct holder *h) { return memlift_aligned(h->words, 8); }
OPEN int variable(void) { return memlift_aligned(global_words + 3, 8); }
OPEN int in_packed(struct holder *h) { return memlift_aligned(&h->odd->x, 2); }
OPEN int text(struct holder *h) { return memlift_aligned((uint64_t *)h->text, 2); }
OPEN int any(struct holder *h) { return memlift_aligned((uint64_t *)h->any, 2); }
OPEN int variable_text(void) { return memlift_aligned((uint64_t *)global_text, 2); }
OPEN int element(int i, int k) { return memlift_aligned(table[i][k], 8); }
OPEN int cast_element(char *p, int i) { return memlift_aligned(((uint64_t **)p)[i], 2); }
OPEN int local(char *p) {
  uint64_t *volatile words = (uint64_t *)p;
  return memlift_aligned(words, 2);
}
OPEN int too_much(struct holder *h) { return memlift_aligned(h->words, 16); }

uint64_t first(struct holder *h) { return *h->words; }

int main(void) {
  static uint64_t room[8];
  struct holder h = {room, (struct odd *)room, (char *)room, room};
  global_words = room;
  global_text = (char *)room;
  // CHECK: field 1, variable 1
  // CHECK-NEXT: in packed 0, text 0, any 0, variable text 0, too much 0
  // CHECK-NEXT: element 1, behind a cast 0, local 0
  // STRICT: field 0, variable 0
  // STRICT-NEXT: in packed 0, text 0, any 0, variable text 0, too much 0
  printf("field %d, variable %d\n", field(&h), variable());
  printf("in packed %d, text %d, any %d, variable text %d, too much %d\n", in_packed(&h), text(&h),
         any(&h), variable_text(), too_much(&h));
  printf("element %d, behind a cast %d, local %d\n", element(1, 2), cast_element((char *)&h, 0),
         local((char *)room));
  return 0;
}
