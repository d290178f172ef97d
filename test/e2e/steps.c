/* steps.c - one step and two, C and C++, static, shared, PIE: no warning from our flags.
 *
 * RUN: rm -rf %t && mkdir -p %t && cd %t
 * RUN: cp %s %t/a.cpp && echo 'int answer(void) { return 42; }' >%t/two.c
 * RUN: cd %t && for cc in %wrappers; do \
 * RUN:   $cc -O2 -Wall -Wextra -Werror %s two.c -o one-step && ./one-step && \
 * RUN:   $cc -O2 -Wall -Wextra -Werror -c %s -o one.o && \
 * RUN:     $cc -O2 -Wall -Werror -c two.c -o two.o && \
 * RUN:   $cc -O2 -Wall -Wextra -Werror one.o two.o -o two-steps && ./two-steps && \
 * RUN:   $cc -O2 -Werror -S %s -o one.s && $cc -Werror one.s two.o -o by-assembly && \
 * RUN:     ./by-assembly && \
 * RUN:   $cc -O2 -Werror -E %s -o one.i && $cc -O2 -Werror one.i two.o -o from-cpp && \
 * RUN:     ./from-cpp && \
 * RUN:   $cc -O2 -Werror -static one.o two.o -o static && ./static && \
 * RUN:   $cc -O2 -Werror -fPIC -shared %s -o libone.so && \
 * RUN:   $cc -O2 -Werror -fsyntax-only %s && $cc -Werror -M %s >deps || { echo "failed: $cc"; \
 * RUN:     exit 1; }; \
 * RUN:   nm two-steps | grep memlift_fill32 >nm.out || { echo "no call: $cc"; exit 1; }; \
 * RUN: done
 * RUN: cd %t && echo 'extern "C" int answer() { return 42; }' >two.cpp && for cc in %wrappersxx; \
 * RUN:   do \
 * RUN:   $cc -O2 -Wall -Wextra -Werror a.cpp two.cpp -o one-step && ./one-step && \
 * RUN:   $cc -O2 -Wall -Wextra -Werror -c a.cpp -o one.o && \
 * RUN:     $cc -O2 -Werror -c two.cpp -o two.o && \
 * RUN:   $cc -Werror one.o two.o -o two-steps && ./two-steps || { echo "failed: $cc"; exit 1; }; \
 * RUN:   nm two-steps | grep memlift_fill32 >nm.out || { echo "no call: $cc"; exit 1; }; \
 * RUN: done
 */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
#endif
int answer(void);

__attribute__((noinline)) void fill(uint32_t *to, uint32_t value, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = value;
}

static uint32_t words[300];

int main(void) {
  fill(words, (uint32_t)answer(), 299);
  return !(words[0] == 42 && words[298] == 42 && words[299] == 0);
}
