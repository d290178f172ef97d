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
// Nothing is left of it in IR but a property of the call's argument: pointers that are not followed
// may hold error numbers, as the kernel's do.
// RUN: %memlift-clang-22 -O1 -w -S -emit-llvm --memlift-trust-types -I%S/../../intrinsics/include %s -o - | %filecheck --check-prefix=IR %s
// IR-LABEL: @clear(
// IR-NOT: llvm.assume
// IR: load ptr,{{ }}
// IR-NOT: !align
// IR: call void @llvm.memset{{.*}}(ptr {{.*}}align 8 {{.*}}, i64 512,
// IR-NOT: llvm.assume
// IR: ret
#include <memlift/intrinsics.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

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
OPEN int any(struct holder *h) {
  uint64_t *w = (uint64_t *)h->any;
  return memlift_aligned(w, 8);
}
OPEN int from_any(void *any, int chosen) {
  struct holder *h = any, *other = chosen ? any : NULL;
  return 2 * memlift_aligned(&h[1].any, 8) + 4 * memlift_aligned(other, 8) + memlift_aligned(h, 16);
}
__attribute__((weak)) void *get(void) { return &global_words; }
OPEN int of_any(void) {
  uint32_t *w = get();
  return memlift_aligned(w + 1, 4);
}
OPEN int any_as_text(void *any) {
  char *c = any;
  return memlift_aligned((uint64_t *)c, 2);
}
OPEN int text_as_any(char *text) {
  uint64_t *w = (void *)text;
  return memlift_aligned(w, 2);
}
OPEN int any_packed(void *any) {
  struct odd *p = any;
  return memlift_aligned(&p->x, 2);
}
OPEN int variable_text(void) { return memlift_aligned((uint64_t *)global_text, 2); }
OPEN int element(int i, int k) { return memlift_aligned(table[i][k], 8); }
OPEN int cast_element(char *p, int i) { return memlift_aligned(((uint64_t **)p)[i], 2); }
OPEN int local(char *p) {
  uint64_t *volatile words = (uint64_t *)p;
  return memlift_aligned(words, 2);
}
OPEN int too_much(struct holder *h) { return memlift_aligned(h->words, 16); }

OPEN int walked(uint64_t *w, int n) {
  char *c = (char *)w;
  for (int i = 0; i < n; i++)
    c += 8 * (n + 1);
  return memlift_aligned(c, 8) + 2 * memlift_aligned(c, 16);
}
OPEN int chosen(uint64_t *w, char *text, int which) {
  uint64_t *both = which ? w : (uint64_t *)text, *one = which ? w : NULL;
  return memlift_aligned(both, 2) + 2 * memlift_aligned(one, 8);
}
OPEN int given_twice(uint64_t *w, char *text) {
  uint64_t *p = w;
  int before = memlift_aligned(p, 8);
  p = (uint64_t *)text;
  return memlift_aligned(p, 2) * (1 + before);
}
OPEN int argument_given(uint64_t *w, char *text, int which) {
  if (which)
    w = (uint64_t *)text;
  return memlift_aligned(w, 2);
}

/* Odd, as the kernel's errors are; not to be taken for anything else. */
OPEN int error_in(struct holder *h) { return (intptr_t)h->words == -517; }
OPEN int error_of(uint64_t *p) { return (intptr_t)p == -517; }
OPEN uint64_t *failing(void) { return (uint64_t *)(intptr_t)-517; }
OPEN int error_from(void) { return (intptr_t)failing() == -517; }
OPEN int asked(uint64_t *p) { return memlift_aligned(p, 8) < 2 && (intptr_t)p == -517; }

void clear(struct holder *h) { memset(h->words, 0, 512); }

int main(void) {
  static uint64_t room[8];
  struct holder h = {room, (struct odd *)room, (char *)room, room};
  global_words = room;
  global_text = (char *)room;
  // CHECK: walked 1, chosen 2, twice 0, given 0
  // CHECK-NEXT: errors 1 1 1 1
  // CHECK-NEXT: field 1, variable 1
  // CHECK-NEXT: any 1, from any 6, of any 1, any as text 0, text as any 0, any packed 0
  // CHECK-NEXT: in packed 0, text 0, variable text 0, too much 0
  // CHECK-NEXT: element 1, behind a cast 0, local 0
  // STRICT: walked 0, chosen 0, twice 0, given 0
  // STRICT-NEXT: errors 1 1 1 1
  // STRICT-NEXT: field 0, variable 0
  // STRICT-NEXT: any 0, from any 0, of any 0, any as text 0, text as any 0, any packed 0
  // STRICT-NEXT: in packed 0, text 0, variable text 0, too much 0
  printf("walked %d, chosen %d, twice %d, given %d\n", walked(room, 3),
         chosen(room, (char *)room, 1), given_twice(room, (char *)room),
         argument_given(room, (char *)room, 1));
  struct holder failed = {failing(), NULL, NULL, NULL};
  printf("errors %d %d %d %d\n", error_in(&failed), error_of(failing()), error_from(),
         asked(failing()));
  printf("field %d, variable %d\n", field(&h), variable());
  printf("any %d, from any %d, of any %d, any as text %d, text as any %d, any packed %d\n", any(&h),
         from_any(room, 1), of_any(), any_as_text(room), text_as_any((char *)room),
         any_packed(room));
  printf("in packed %d, text %d, variable text %d, too much %d\n", in_packed(&h), text(&h),
         variable_text(), too_much(&h));
  printf("element %d, behind a cast %d, local %d\n", element(1, 2), cast_element((char *)&h, 0),
         local((char *)room));
  return 0;
}
