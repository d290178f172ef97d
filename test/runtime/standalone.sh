#!/bin/sh
# standalone.sh - runtime/ builds, installs and is found by CMake without the rest of memlift
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: standalone.sh RUNTIME_DIR SMOKE_C CMAKE
# Clang compiles it where it is installed: GCC compiles the build that the tests are part of. No
# kernel may call memcpy, memset or memmove: those may be calls of itself.
set -eu
runtime=$1 smoke=$2 cmake=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset CFLAGS CXXFLAGS LDFLAGS
cc=$(command -v clang-22 || command -v cc)

step() {
  "$@" > "$work/log" 2>&1 || {
    cat "$work/log" >&2
    echo "standalone.sh: failed: $*" >&2
    exit 1
  }
}

make=$(command -v ninja > /dev/null && echo Ninja || echo "Unix Makefiles")
step "$cmake" -G "$make" -S "$runtime" -B "$work/build" -DCMAKE_INSTALL_PREFIX="$work/prefix" \
  -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Release -DMEMLIFT_RISCV64_GCC=OFF \
  -DMEMLIFT_AARCH64_GCC=OFF
step "$cmake" --build "$work/build"
find "$work/build" \( -path '*/kernels/*' -o -path '*/entry/*' \) -name '*.o' > "$work/objects"
[ -s "$work/objects" ] || {
  echo "standalone.sh: no objects of kernels in the build" >&2
  exit 1
}
if xargs nm -A -u < "$work/objects" | grep -wE 'memcpy|memset|memmove|memcmp'; then
  echo "standalone.sh: $cc: a kernel calls the above" >&2
  exit 1
fi
step "$cmake" --install "$work/build"
for file in bin/memlift-info lib/libmemlift.a lib/libmemlift.so.0 include/memlift/memlift.h \
  include/memlift/operations.h include/memlift/async.h include/memlift/ni.h \
  include/memlift/ni_page.h include/memlift/ni_words.h include/memlift/mbox.h \
  include/memlift/barriers.h include/memlift/ni_await.h include/memlift/stream.h \
  include/memlift/local_store.h include/memlift/spread.h; do
  [ -e "$work/prefix/$file" ] || {
    echo "standalone.sh: $file is not installed" >&2
    exit 1
  }
done

mkdir "$work/user"
cp "$smoke" "$work/user/smoke.c"
cat > "$work/user/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(memlift REQUIRED)
add_executable(shared smoke.c)
target_link_libraries(shared PRIVATE memlift::runtime)
add_executable(static smoke.c)
target_link_libraries(static PRIVATE memlift::runtime_static)
END
step "$cmake" -S "$work/user" -B "$work/user/build" -DCMAKE_PREFIX_PATH="$work/prefix"
step "$cmake" --build "$work/user/build"
for program in shared static; do
  for isa in generic sse2 avx2 avx512; do
    MEMLIFT_CPU=$isa step "$work/user/build/$program"
  done
done
MEMLIFT_ENGINE=soft step "$work/user/build/static"
step "$work/prefix/bin/memlift-info"
echo "ok"
