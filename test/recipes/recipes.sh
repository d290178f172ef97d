#!/bin/bash
# recipes.sh BUILD - a project of each build system through memlift, and compilers' caches and farms
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The recipes are those of docs/user/build-systems.md. Exit status: 0 all work, 1 one does not, 77 a
# tool is missing (--install installs them).
set -eu
needs='meson ninja-build autoconf automake pkg-config ccache distcc icecc'

if [ "${1-}" = --install ]; then
  # shellcheck disable=SC2086 # words
  exec apt-get -q install -y --no-install-recommends $needs
fi
for tool in meson ninja autoreconf pkg-config ccache distcc distccd icecc iceccd; do
  command -v $tool >/dev/null || {
    echo "recipes: skipped: no $tool (--install)"
    exit 77
  }
done
build=$(cd "$1" && pwd)
inputs=$(cd "$(dirname -- "$0")/Inputs" && pwd)
work=$(mktemp -d)
servers=
# shellcheck disable=SC2086 # numbers of processes
trap 'test -z "$servers" || kill $servers; rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null
prefix=$work/prefix
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name memlift-runtime.pc)")
export PKG_CONFIG_PATH CCACHE_DIR=$work/ccache
unset CCACHE_DISABLE
gcc=$("$prefix/bin/memlift-gcc" --memlift-print-command -c x.c | cut -d ' ' -f 1)
major=$("$gcc" -dumpversion | cut -d . -f 1)
clang=$("$prefix/bin/memlift-clang" --memlift-print-command -c x.c | cut -d ' ' -f 1)
cd "$work"

works() { # NAME PROGRAM - it prints what it has to, and its loops are calls or code of memlift
  test "$("$2")" = "$(cat expected)" || { echo "$1: wrong result"; exit 1; }
  objdump -d "$2" | grep -q '<memlift_copy' || { echo "$1: no loop was replaced"; exit 1; }
  echo "$1: works"
}

"$gcc" -O1 "$inputs/app.c" -o plain && ./plain >expected

for cc in "$gcc" "$clang"; do
  rm -rf meson && cp -r "$inputs/meson" meson && cp "$inputs/app.c" meson
  CC=$cc meson setup meson/out meson >log 2>&1 || { cat log; exit 1; }
  ninja -C meson/out >>log || { cat log; exit 1; }
  works "Meson, $cc" meson/out/app
  rm -rf meson/out
  CC=$prefix/bin/memlift-${cc##*/} meson setup meson/out meson >log 2>&1 || { cat log; exit 1; }
  ninja -C meson/out >>log || { cat log; exit 1; }
  works "Meson, the wrapper of $cc" meson/out/app
done

cp -r "$inputs/autotools" autotools && cp "$inputs/app.c" autotools
(cd autotools && autoreconf -i && ./configure "CC=$gcc" && make) >log 2>&1 || { cat log; exit 1; }
works "Autotools, pkg-config" autotools/app
(cd autotools && make distclean && ./configure "CC=$prefix/bin/memlift-gcc" &&
  make MEMLIFT_CFLAGS= MEMLIFT_LIBS=) >log 2>&1 || { cat log; exit 1; }
works "Autotools, the wrapper" autotools/app

# --- ccache: Debian's folder of links first in PATH, so that it sees the plugin ------------------
mkdir links
for name in "${gcc##*/}" "${clang##*/}"; do ln -s "$(command -v ccache)" "links/$name"; done
hits() {
  ccache --print-stats |
    awk '$1 == "direct_cache_hit" || $1 == "preprocessed_cache_hit" { n += $2 } END { print n + 0 }'
}
misses() { ccache --print-stats | awk '$1 == "cache_miss" { print $2 }'; }
for name in "gcc-$major" "${clang##*/}"; do
  compile() { # OUTPUT OPTION...
    PATH=$work/links:$PATH "$prefix/bin/memlift-$name" -O2 -c "$inputs/app.c" -o "$1" "${@:2}"
  }
  ccache --zero-stats >/dev/null
  compile one.o && compile two.o
  if [ "$(hits)" != 1 ] || [ "$(misses)" != 1 ] || ! cmp one.o two.o; then
    echo "ccache, $name: $(hits) hits"
    exit 1
  fi
  # Another plugin, though its name, size and options are the same, is another compiler.
  plugin=$("$prefix/bin/memlift-$name" --memlift-version | sed -n 's/^plugin: //p')
  real=$(readlink -f "$plugin")
  cp "$real" kept.so
  printf x | dd of="$real" bs=1 seek=$(($(stat -c %s "$real") - 1)) conv=notrunc 2>/dev/null
  touch -d '+5 seconds' "$real"
  compile two.o
  [ "$(misses)" = 2 ] || { echo "ccache, $name: the plugin is not part of the key"; exit 1; }
  cp kept.so "$real"
  # Remarks are written each time: ccache would not know of them.
  compile two.o "--memlift-remarks=$work/first.yaml"
  compile two.o "--memlift-remarks=$work/second.yaml"
  compile two.o "--memlift-remarks=$work/second.yaml"
  test -s second.yaml && cmp first.yaml second.yaml && cmp one.o two.o
  echo "ccache, $name: works"
done

# --- distcc: it refuses plugins among the options, but a wrapper is a compiler ------------------
mkdir farm far
# As root, distccd compiles as another user.
chmod 755 "$work" && : >far/far.yaml && chmod 666 far/far.yaml
export DISTCC_DIR=$work/farm DISTCC_HOSTS=127.0.0.1:3699 DISTCC_FALLBACK=0 DISTCC_VERBOSE=0
distccd --no-detach --daemon --listen 127.0.0.1 --port 3699 --allow 127.0.0.1 --jobs 2 \
  --enable-tcp-insecure --log-stderr 2>distccd.log &
servers=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
  ! grep -q 'listening on' distccd.log 2>/dev/null || break
  sleep 1
done
distcc "$prefix/bin/memlift-gcc" -O2 "--memlift-remarks=$work/far/far.yaml" \
  -c "$inputs/app.c" -o far.o || { cat distccd.log; exit 1; }
"$prefix/bin/memlift-gcc" -O2 -c "$inputs/app.c" -o near.o
grep -q 'COMPILE_OK' distccd.log || { echo "distcc: not compiled there"; cat distccd.log; exit 1; }
cmp <(objdump -dr far.o | tail -n +4) <(objdump -dr near.o | tail -n +4)
test -s far/far.yaml
echo "distcc: works"

# --- icecream: it takes the plugin along, as a part of the compiler ------------------------------
# Two daemons are two machines here; the client may use the second one only. A machine that is
# busy with other things offers itself to nobody.
export ICECC_TESTS=1 ICECC_TEST_REMOTEBUILD=1 # no address but 127.0.0.1
mkdir ice && chmod 777 ice
daemon() { # NAME OPTION...
  ICECC_TEST_SOCKET=$work/ice/$1 iceccd -s 127.0.0.1:8790 -n memlift -N "$1" -m 2 \
    -b "$work/ice/env-$1" -l "$work/ice/$1.log" "${@:2}" &
  servers="$servers $!"
}
icecc-scheduler -vvv -p 8790 -n memlift -l "$work/ice/scheduler.log" &
servers="$servers $!"
sleep 1
daemon near --no-remote
daemon far -p 10246
# A client that asks before the scheduler knows both compiles here. They try every three seconds.
for _ in $(seq 30); do
  ! grep -q 'login near' ice/scheduler.log || ! grep -q 'login far' ice/scheduler.log || break
  sleep 1
done
for name in "${gcc##*/}" "${clang##*/}"; do ln -sf "$(command -v icecc)" "links/$name"; done
export ICECC_TEST_SOCKET=$work/ice/near ICECC_PREFERRED_HOST=far ICECC_DEBUG=debug
export ICECC_LOGFILE=$work/ice/client.log
for name in "gcc-$major" "${clang##*/}"; do
  compile() { # OUTPUT OPTION...
    rm -f "$ICECC_LOGFILE"
    PATH=$work/links:$PATH timeout 120 \
      "$prefix/bin/memlift-$name" -O2 -c "$inputs/app.c" -o "$1" "${@:2}"
  }
  status=0
  compile far.o || status=$?
  if [ $status = 124 ]; then
    echo "icecream, $name: left out: this machine has too much to do to be offered"
    continue
  fi
  if ! grep -q 'Have to use host 127.0.0.1:10246' "$ICECC_LOGFILE" ||
    grep -q building_local "$ICECC_LOGFILE"; then
    echo "icecream, $name: not compiled there"
    cat "$ICECC_LOGFILE"
    exit 1
  fi
  "$prefix/bin/memlift-$name" -O2 -c "$inputs/app.c" -o near.o
  cmp <(objdump -dr far.o | tail -n +4) <(objdump -dr near.o | tail -n +4)
  objdump -r far.o | grep -q memlift_copy || { echo "icecream, $name: no plugin there"; exit 1; }
  # With remarks the other machine has a message, as it cannot write them, and icecc compiles here.
  compile far.o "--memlift-remarks=$work/far.yaml"
  test -s far.yaml && rm far.yaml
  echo "icecream, $name: works"
done
