#!/bin/sh
# symbols.sh - libmemlift.so exports what its headers declare, under MEMLIFT_0, and nothing else
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: symbols.sh LIBMEMLIFT_SO LIBMEMLIFT_A HEADER...
set -eu
so=$1 archive=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A declaration starts a line with MEMLIFT_API; the function's name is the last word before "(",
# that of a variable the last word.
# The builtin of memlift/intrinsics.h has a symbol for links without the plugin.
{
  sed -n '/^MEMLIFT_API/s/^.*[ *]\(memlift_[a-z0-9_]*\)(.*$/\1/p' "$@"
  sed -n 's/^MEMLIFT_API extern .*[ *]\(memlift_[a-z0-9_]*\);$/\1/p' "$@"
  echo __builtin_memlift_aligned
} | sort > "$work/declared"
nm -D --defined-only "$so" | awk '$2 != "A" { print $3 }' | sort > "$work/exported"
sed 's/$/@@MEMLIFT_0/' "$work/declared" | sort > "$work/wanted"
if [ "$(wc -l < "$work/declared")" -lt 10 ]; then
  echo "symbols.sh: found too few declarations in $*; has their layout changed?" >&2
  exit 1
fi
if ! diff -u "$work/wanted" "$work/exported"; then
  echo "symbols.sh: the headers (-) and $so (+) differ; see runtime/libmemlift.map" >&2
  exit 1
fi

readelf -d "$so" | grep -q 'SONAME.*\[libmemlift\.so\.0\]' || {
  echo "symbols.sh: $so has not the SONAME libmemlift.so.0" >&2
  exit 1
}
# Contract 9: no TLS of ours, and no text relocation.
if readelf -lW "$so" | grep -q ' TLS '; then
  echo "symbols.sh: $so has a TLS segment" >&2
  exit 1
fi
if readelf -d "$so" | grep -q TEXTREL; then
  echo "symbols.sh: $so has text relocations" >&2
  exit 1
fi
# The archive goes into other people's shared libraries: nothing internal may be visible there.
readelf -sW "$archive" > "$work/symbols"
if awk '$4 == "FUNC" && $5 == "GLOBAL" && $6 == "DEFAULT" && $7 != "UND" { print $8 }' \
    "$work/symbols" | sort | comm -13 "$work/declared" - | grep .; then
  echo "symbols.sh: $archive has default visibility for the symbols above" >&2
  exit 1
fi
echo "$(wc -l < "$work/declared") symbols, as declared"
