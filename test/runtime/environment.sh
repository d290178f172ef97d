#!/bin/sh
# environment.sh - header and memlift-info list all environment variables of the library
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: environment.sh RUNTIME MEMLIFT_INFO
# RUNTIME is the directory runtime/. Engines are those of intrinsics/Engines.td, which memlift-info
# lists; variables are those that some source passes to memlift_environment. Exit code 1 where a
# list differs.
set -eu
runtime=$1 info=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# compare WHAT SOURCE LIST: the sorted lines of two files are the same
compare() {
  if ! diff -u "$2" "$3"; then
    echo "environment.sh: the library (-) and $1 (+) differ" >&2
    bad=1
  fi
}

sed -n 's/^MEMLIFT_ENGINE(\([a-z]*\),.*$/\1/p' "$runtime/../intrinsics/generated/Engines.inc" |
  sort > "$work/engines"
grep -rhoE 'memlift_environment(_text)?\("MEMLIFT_[A-Z]+"' "$runtime" --include='*.c' |
  sed 's/.*"\(.*\)"/\1/' | sort -u > "$work/variables"
if [ "$(wc -l < "$work/engines")" -lt 7 ] || [ "$(wc -l < "$work/variables")" -lt 6 ]; then
  echo "environment.sh: found too few engines or variables; has their layout changed?" >&2
  exit 1
fi

"$info" --help > "$work/help"
sed -n '/MEMLIFT_ENGINE=NAME/,/;/p' "$work/help" | sed -n '2s/;$//p' | tr ' ' '\n' | grep . |
  sort > "$work/named" || true
compare "the engines of memlift-info --help" "$work/engines" "$work/named"
for list in "$runtime/include/memlift/memlift.h" "$work/help"; do
  grep -oE '^[ *]+MEMLIFT_[A-Z]+=' "$list" | tr -d ' *=' | sort > "$work/named"
  compare "the variables of $list" "$work/variables" "$work/named"
done
exit $bad
