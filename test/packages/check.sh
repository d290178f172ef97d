#!/bin/bash
# check.sh PART - one part of the test of packages, inside the chroot; debs.py runs it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Debian's packages of memlift are in /debs/1 and, of a later revision, in /debs/2; the demo's
# programs are in /check/examples.
set -eu
cd /check
mkdir -p out

newest() { # FAMILY - of the compilers that there are packages for
  printf '%s\n' "/debs/1/memlift-$1"-[0-9]*.deb | sed "s/.*memlift-$1-\([0-9]*\)_.*/\1/" | sort -n |
    tail -n 1
}

count() { # FILE...
  printf '%s\n' "$#"
}

gcc=$(newest gcc)
clang=$(newest clang)

die() {
  printf 'check: %s\n' "$*" >&2
  exit 1
}

installed() { # prints the packages of memlift that dpkg knows, removed or not
  dpkg-query -W -f '${Package} ${Version} ${db:Status-Status}\n' '*memlift*' 2>/dev/null |
    grep -v ' not-installed$' || :
}

# Operations and results that a build of the demo's programs prints, without the speeds.
results() { # NAME COMPILER
  mkdir -p "$1"
  for source in examples/*.c; do
    file=${source##*/}
    case $2 in
      *memlift*) "$2" -O2 -g -c "$source" -o "$1/$file.o" "--memlift-remarks=$1/$file.yaml" ;;
      *) "$2" -O2 -g -c "$source" -o "$1/$file.o" ;;
    esac
  done
  "$2" -O2 "$1"/*.o -o "$1/packets"
  "$1/packets" /usr/bin/bash 1 | awk '{ print $1, $2 }' >"$1/results"
  test "$(wc -l <"$1/results")" -ge 5
}

uses_routines() { # PROGRAM
  objdump -d "$1" | grep -q '\(call\|jmp\|bl\|b\).*<memlift_'
}

# The compiler as the archive has it: a run before may have left one of its own.
restore() {
  dpkg-query -W -f '${db:Status-Status} ${Package}\n' 'cpp-*' 'gcc-*' 2>/dev/null |
    sed -n 's/^installed //p' | xargs -r apt-get -q install -y --reinstall
}

# What a run that was killed left: packages half installed, and those of memlift.
clear_away() {
  dpkg --configure -a || :
  # Ours are in no archive, so apt cannot unpack again what was half unpacked.
  dpkg-query -W -f '${db:Status-Eflag} ${Package}\n' '*memlift*' 2>/dev/null |
    sed -n 's/^reinstreq //p' | xargs -r dpkg --purge --force-depends --force-remove-reinstreq
  apt-get -q update
  apt-get -q -y --no-install-recommends --fix-broken install
  purge
}

install_first() { # by name alone, without what is only recommended
  apt-get -q update
  restore
  apt-get -q install -y --no-install-recommends /debs/1/*.deb
  test "$(installed | grep -c ' installed$')" -eq "$(count /debs/1/*.deb)"
}

demo() {
  rm -rf out && mkdir out
  for family in "gcc-$gcc" "clang-$clang"; do
    results "out/$family" "$family"
    results "out/memlift-$family" "memlift-$family"
    cmp "out/$family/results" "out/memlift-$family/results"
    uses_routines "out/memlift-$family/packets"
    ! uses_routines "out/$family/packets" || die "the plain program calls memlift"
    memlift-report "out/memlift-$family" | tail -n 3
  done
  # The commands without a number, and those for tools.
  memlift-gcc -O2 -c examples/copy.c -o out/copy.o
  memlift-clang -O2 -c examples/copy.c -o out/copy.o
  memlift-info --version
  memlift-gcc --memlift-version
}

# The compiler after an update: packages of the same version, with other bytes in them.
repack() { # PACKAGE SED-EXPRESSION
  mkdir -p /repack && cd /repack
  test -f "$1.deb" || { apt-get -q download "$1" && mv "$1"_*.deb "$1.deb"; }
  rm -rf tree && dpkg-deb -R "$1.deb" tree
  find tree -type f \( -name cc1 -o -name "*-gcc-$gcc" -o -name configargs.h \
    -o -name plugin-version.h \) | while read -r file; do LC_ALL=C sed -i "$2" "$file"; done
  dpkg-deb -Znone --root-owner-group -b tree "new-$1.deb" >/dev/null
  dpkg -i "new-$1.deb"
  cd /check
}

replaces_loops() { # true if memlift-gcc replaces a loop, and says nothing
  "memlift-gcc-$gcc" -O2 -Werror -c examples/copy.c -o out/now.o 2>out/said && ! test -s out/said &&
    objdump -r out/now.o | grep -q memlift_
}

stamp() { # prints the date of the compiler's sources
  apt-get -q download "gcc-$gcc-plugin-dev" >&2
  dpkg-deb --fsys-tarfile "gcc-$gcc-plugin-dev"_*.deb | tar -xO --wildcards '*/plugin-version.h' |
    sed -n 's/.* datestamp.* = "\(.*\)";/\1/p'
  rm -f "gcc-$gcc-plugin-dev"_*.deb
}

point_release() {
  replaces_loops || die "memlift-gcc does not work before"
  date=$(stamp)
  test "${#date}" = 8
  repack "cpp-$(cpp_name)" "s/$date/19990101/g"
  # Nothing to compile the plugin with: no build breaks, and the code is that of plain GCC.
  "memlift-gcc-$gcc" -O2 -Werror -c examples/copy.c -o out/with.o 2>out/said
  grep 'compiled without memlift \[MLF0014\]' out/said
  "gcc-$gcc" -O2 -c examples/copy.c -o out/without.o
  cmp out/with.o out/without.o
  # With it, the plugin is compiled when the headers come.
  apt-get -q install -y --no-install-recommends "gcc-$gcc-plugin-dev" "g++-$gcc" libgmp-dev
  before=$(date +%s)
  repack "gcc-$gcc-plugin-dev" "s/$date/19990101/g" | tee out/trigger
  echo "dpkg and the trigger took $(($(date +%s) - before)) s"
  grep "gcc-$gcc: building its plugin" out/trigger
  test "$(readlink "/usr/lib/memlift/memlift_gcc$gcc.so")" = "rebuilt/memlift-gcc$gcc.so"
  replaces_loops || die "the plugin that was compiled anew does not work: $(cat out/said)"
  # Back: the plugin as it came.
  apt-get -q install -y --reinstall "cpp-$(cpp_name)" "gcc-$gcc-plugin-dev"
  test "$(readlink "/usr/lib/memlift/memlift_gcc$gcc.so")" = "memlift-gcc$gcc.so"
  test ! -e "/usr/lib/memlift/rebuilt/memlift-gcc$gcc.so"
  replaces_loops
}

cpp_name() { # the package of cc1 is cpp-12, later cpp-14-x86-64-linux-gnu
  dpkg -S "$(realpath "$("gcc-$gcc" -print-prog-name=cc1)")" | sed 's/^cpp-\([^:]*\):.*/\1/'
}

gcc_name() { # and that of the driver
  dpkg -S "$(realpath "$(command -v "gcc-$gcc")")" | sed 's/^\([^:]*\):.*/\1/'
}

revision() {
  other="s/--with-pkgversion='D/--with-pkgversion='X/g"
  repack "cpp-$(cpp_name)" "$other"
  repack "$(gcc_name)" "$other"
  ! replaces_loops || die "a plugin of another revision works unasked"
  repack "gcc-$gcc-plugin-dev" "$other" | tee out/trigger
  grep "gcc-$gcc: its headers are those of the plugin" out/trigger
  test "$(readlink "/usr/lib/memlift/memlift_gcc$gcc.so")" = "memlift-gcc$gcc.so"
  replaces_loops || die "an equal compiler is not accepted: $(cat out/said)"
}

upgrade() {
  apt-get -q install -y --no-install-recommends /debs/2/*.deb
  test "$(installed | grep -c -- '-2~deb.* installed$')" -eq "$(count /debs/2/*.deb)"
  replaces_loops || die "memlift-gcc does not work after the upgrade: $(cat out/said)"
  demo
}

purge() {
  # shellcheck disable=SC2046 # names of packages
  apt-get -q purge -y $(installed | cut -d ' ' -f 1)
  test -z "$(installed)" || die "dpkg still knows: $(installed)"
  left=$(find / -xdev \( -path /check -o -path /debs -o -path /repack -o -path /proc \
    -o -path /sys -o -path /dev -o -path /tmp -o -path /var/log -o -path /var/cache/apt \) -prune \
    -o -iname '*memlift*' ! -name memlift-made -print)
  test -z "$left" || die "purged packages left: $left"
}

"$1"
