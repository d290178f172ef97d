#!/bin/sh
# protection.sh - a program keeps its -fcf-protection with libmemlift.a in it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: protection.sh CC LIBMEMLIFT_A OPTION FEATURES
#
# The linker marks a file as protected if each object is: one without the note takes it from all.
# Without the start files, which may have none on this machine, only the library is on trial.
set -eu
cc=$1 archive=$2 option=$3 features=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo 'int own(int (*f)(void)) { return f(); }' > "$work/own.c"
"$cc" "$option" -fPIC -shared -nostdlib "$work/own.c" -Wl,--whole-archive "$archive" \
  -Wl,--no-whole-archive -o "$work/all.so"
readelf -n "$work/all.so" > "$work/notes" 2> "$work/errors"
grep -q "feature: .*$features" "$work/notes" || {
  echo "protection.sh: no '$features' in what was linked with $archive; of its objects these" >&2
  echo "have no such note:" >&2
  mkdir "$work/objects"
  (cd "$work/objects" && ar x "$archive" && for object in *.o; do
    readelf -n "$object" 2>/dev/null | grep -q "feature: .*$features" || echo "  $object"
  done) >&2
  cat "$work/notes" "$work/errors" >&2
  exit 1
}
