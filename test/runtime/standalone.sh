#!/bin/sh
# standalone.sh - runtime/ builds, installs and is found by CMake without the rest of memlift
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: standalone.sh RUNTIME_DIR SMOKE_C CMAKE
set -eu
runtime=$1 smoke=$2 cmake=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset CFLAGS CXXFLAGS LDFLAGS

step() {
  "$@" > "$work/log" 2>&1 || {
    cat "$work/log" >&2
    echo "standalone.sh: failed: $*" >&2
    exit 1
  }
}

step "$cmake" -S "$runtime" -B "$work/build" -DCMAKE_INSTALL_PREFIX="$work/prefix" \
  -DCMAKE_BUILD_TYPE=Debug -DMEMLIFT_RISCV64_GCC=OFF \
  -DMEMLIFT_AARCH64_GCC=OFF
step "$cmake" --build "$work/build"
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
step "$work/user/build/shared"
step "$work/user/build/static"
step "$work/prefix/bin/memlift-info"
echo "ok"
