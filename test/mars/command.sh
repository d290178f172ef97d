#!/bin/sh
# command.sh - memlift-mpu-cc makes images and objects, and refuses what is none
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: command.sh BUILD CC CXX
set -eu
build=$1 cc=$2 cxx=$3
mpu=$build/bin/memlift-mpu-cc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export MEMLIFT_MPU_CC="$cc"

fail() {
  echo "command.sh: $*" >&2
  exit 1
}

refused() { # CODE TEXT COMMAND... - fails with that exit code and such a message
  code=$1 text=$2
  shift 2
  if "$@" >out 2>&1; then fail "succeeded: $*"; else got=$?; fi
  [ "$got" = "$code" ] || fail "exit code $got, not $code: $*: $(cat out)"
  grep -q -e "$text" out || fail "'$*' does not say '$text' but: $(cat out)"
}

cat >good.c <<'END'
#include <mars/task.h>
int counter = 41;
int mars_task_main(const struct mars_task_args *args) { return (int)args->type.u32[0] + ++counter; }
END
cat >two.c <<'END'
int helper(void) { return 1; }
END
printf '_Thread_local int own;\n' >tls.c
cat good.c >>tls.c
sed 's/++counter/++counter + ++own/' tls.c >tls2.c
printf '#include <mars/task.h>\nint other(void) { return 1; }\n' >empty.c
sed 's/++counter/missing()/; 1i int missing(void);' good.c >undefined.c
printf '#include <spu_mfcio.h>\n' >channel.c

# What it says of itself.
"$mpu" --help | grep -q 'Usage: memlift-mpu-cc'
"$mpu" --version | grep -q '^memlift-mpu-cc [0-9]'

# Images, in one step and in two; one symbol is seen from outside.
"$mpu" -O2 good.c
"$mpu" -O2 -c good.c -o good.o
"$mpu" -c two.c -o two.o
"$mpu" good.o two.o -o two.elf
for image in mpu.elf two.elf; do
  [ "$(nm -D --defined-only $image | awk '{ print $3 }')" = memlift_mpu_program ] ||
    fail "$image exports something else"
done
cat >cxx.cpp <<'END'
#include <dma/spu_dma.h>
#include <mars/mutex.h>
#include <mars/task.h>
static struct own {
  int n;
  own() : n(42) {}
} it;
int mars_task_main(const struct mars_task_args *args) { return (int)args->type.u32[0] + it.n++; }
END
"$mpu" --cc="$cxx" cxx.cpp -o cxx.elf
"$mpu" --print-command good.c -o printed.elf | grep -q -- "$cc -fPIC .*-shared"
[ ! -e printed.elf ] || fail "--print-command has run the command"

# Objects for the host, of a source and of an image.
"$mpu" --embed=first good.c -o first.o
"$mpu" --embed=second mpu.elf -o second.o
"$mpu" --bin=third mpu.elf -o third.o
cat >host.c <<'END'
#include <libspe2.h>
#include <mars/task.h>
#include <stdio.h>
extern spe_program_handle_t first, second;
extern const unsigned char third[], third_end[];
extern const unsigned int third_size;
static int run(struct mars_context *c, const void *image) {
  struct mars_task_id id;
  struct mars_task_args args = {.type.u32 = {1000}};
  int32_t code = 0;
  int error = mars_task_create(c, &id, "t", image, 0);
  if (error != MARS_SUCCESS) {
    printf("create: %d\n", error);
    return 1;
  }
  for (int i = 0; i < 2; i++) {
    if (mars_task_schedule(&id, &args, 0) != MARS_SUCCESS || mars_task_wait(&id, &code))
      return 1;
    printf("%d\n", code);
  }
  return mars_task_destroy(&id);
}
int main(int count, char **words) {
  struct mars_context *c;
  char buffer[200000] __attribute__((aligned(16))) = {0};
  if (mars_context_create(&c, 1, 0))
    return 1;
  if (count > 1) {
    FILE *f = fopen(words[1], "rb");
    if (!f || !fread(buffer, 1, sizeof buffer, f))
      return 1;
    return run(c, buffer);
  }
  if (first.handle_size != sizeof first || third_end - third != (long)third_size)
    return 1;
  return run(c, first.elf_image) || run(c, second.elf_image) || run(c, third) ||
         mars_context_destroy(c);
}
END
"$cc" -I"$build/include/memlift-mars" host.c first.o second.o third.o \
  "$build/lib/libmemlift_mars.a" "$build/lib/libmemlift.a" -pthread -ldl -o host
[ "$(./host | sort -u)" = 1042 ] || fail "an embedded image runs wrongly: $(./host)"
"$cc" -I"$build/include/memlift-mars" host.c first.o second.o third.o -L"$build/lib" \
  -Wl,-rpath,"$build/lib" -lmemlift_mars -lmemlift -o shared
[ "$(./shared | sort -u)" = 1042 ] || fail "not with the shared library: $(./shared)"

# The library shows what its headers declare to host programs, and its archive no more.
"$cc" -E -P -I"$build/include/memlift-mars" -include mars/mutex.h -include mars/task.h -x c \
  /dev/null | tr '\n' ' ' | sed 's/[;{}]/\n/g' | grep -vE 'static|return|memcpy|volatile' |
  sed -n 's/^.*[ *]\(\(memlift_\)\{0,1\}mars_[a-z0-9_]*\) *(.*$/\1/p' | sort -u >declared
nm -D --defined-only "$build/lib/libmemlift_mars.so" | awk '$2 != "A" { print $3 }' |
  sed 's/@.*//' | sort >exported
readelf -sW "$build/lib/libmemlift_mars.a" |
  awk '$5 == "GLOBAL" && $6 == "DEFAULT" && $7 != "UND" { print $8 }' | sort >visible
[ "$(wc -l <declared)" -ge 40 ] || fail "few declarations were found: $(cat declared)"
diff -u declared exported || fail "headers (-) and library (+) differ"
diff -u declared visible || fail "headers (-) and archive (+) differ"
[ "$(./host cxx.elf | sort -u)" = 1042 ] || fail "a program in C++ runs wrongly"

# Bad usage.
refused 2 'there is no input file' "$mpu"
refused 2 'there is no input file' "$mpu" -O2 -o x.elf
refused 2 "not '1x'" "$mpu" --embed=1x good.c -o x.o
refused 2 "not ''" "$mpu" --embed= good.c -o x.o
refused 2 '--bin needs a value' "$mpu" --bin good.c -o x.o
refused 2 'only one of --embed and --bin' "$mpu" --embed=a --bin=b good.c -o x.o
refused 2 '--embed needs -o' "$mpu" --embed=a good.c
refused 2 'is for a link' "$mpu" --embed=a -c good.c -o x.o
refused 2 'no such file' "$mpu" --embed=a nothing.elf -o x.o
refused 2 '-o needs a file' "$mpu" good.c -o
refused 2 'an image is a shared object' "$mpu" -static good.c
refused 2 'for 64 bits only' "$mpu" -m32 good.c
refused 2 'thread-local variables' "$mpu" tls2.c -o x.elf
[ ! -e x.elf ] || fail "a refused image is left"

# Bad programs.
refused 1 'mars_task_main' "$mpu" empty.c -o x.elf
refused 1 'missing' "$mpu" undefined.c -o x.elf
for type in 'vector float' qword vec_float4; do
  printf '#include <spu_intrinsics.h>\n%s f;\n' "$type" >vector.c
  refused 1 'memlift has no SPU vector types' "$mpu" -c vector.c
done
refused 1 'compile this file by memlift-mpu-cc' "$cc" -I"$build/include/memlift-mars" -c channel.c

# Images that the library refuses, and why.
export MEMLIFT_MARS=explain
"$cc" -fPIC -shared two.c -o plain.elf
"$cc" -c two.c -o plain.o
{ printf '\177ELF\001\002\001' && head -c 200 /dev/zero; } >spu.elf
"$mpu" -c tls2.c -o tls2.o
"$cc" -shared tls2.o "$build/lib/libmemlift_mpu.a" -o tls.elf
cp mpu.elf machine.elf
printf '\377' | dd of=machine.elf bs=1 seek=18 conv=notrunc status=none
refused 1 'create: 8' ./host host.c
refused 1 'no ELF file' ./host host.c
refused 1 'perhaps for an SPU' ./host spu.elf
refused 1 'none of memlift-mpu-cc' ./host plain.elf
refused 1 'an object or a program' ./host plain.o
refused 1 'thread-local variables' ./host tls.elf
refused 1 'for ELF machine' ./host machine.elf
unset MEMLIFT_MARS
refused 1 '^create: 8$' ./host plain.elf
# On RV64, whose base has no atomic accesses of bytes, nothing asks for libatomic.
sources=$(cd -P "$build/include/memlift-mars/.." && pwd)
if command -v riscv64-linux-gnu-gcc-12 >/dev/null; then
  for file in "$sources"/lib/*.c; do
    grep -q __atomic "$file" || continue
    riscv64-linux-gnu-gcc-12 -c -I"$sources/include" -I"$sources/../runtime/include" "$file" -o rv.o
    ! nm -u rv.o | grep __atomic || fail "$file needs libatomic on RV64"
  done
fi
echo "images, objects and refusals are right"
