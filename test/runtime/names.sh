#!/bin/sh
# names.sh - no object of libmemlift.a defines a global name that a program may want for itself
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: names.sh LIBMEMLIFT_A...
#
# Hidden visibility does not help in a static link: every global name of an object that is pulled in
# collides with the program's own. The builtin's name is reserved, so no program has it.
set -eu
names=$(mktemp)
trap 'rm -f "$names"' EXIT
for archive do
  nm -gA --defined-only "$archive" | awk '{ print $NF }' | sort -u > "$names"
  if [ "$(wc -l < "$names")" -lt 20 ]; then
    echo "names.sh: $archive defines next to nothing; does nm read it?" >&2
    exit 1
  fi
  if grep -vE '^(memlift_|__builtin_memlift_aligned$)' "$names"; then
    echo "names.sh: $archive defines the names above, without memlift_ before them" >&2
    exit 1
  fi
done
