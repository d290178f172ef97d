#!/bin/sh
# barriers.sh - barriers have names in one header; acquire and release say what they pair with
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: barriers.sh RUNTIME
# RUNTIME is the directory runtime/. An acquire or a release of C is no barrier: it may stand at any
# access, at most 8 lines after a comment on it. Exit code 1 where an instruction or a built-in that
# orders memory stands elsewhere, where such a comment or a name of one architecture is missing.
set -u
runtime=$1
names=$runtime/include/memlift/barriers.h
bad=0

raw='__atomic_thread_fence|__atomic_signal_fence|atomic_thread_fence|__sync_synchronize'
raw="$raw|_mm_[slm]fence|__builtin_ia32_[slm]fence"
instructions='[slm]fence|dmb|dsb|fence|membar|stbar|eieio'
raw="$raw|\"([^\"]*[^a-z_])?($instructions)[^a-z_.]"
found=$(grep -rnE "$raw" "$runtime" --include='*.c' --include='*.h' | grep -v "^$names:")
if [ -n "$found" ]; then
  echo "ordered elsewhere than by a name of memlift/barriers.h:"
  echo "$found"
  bad=1
fi

# shellcheck disable=SC2016 # the $0 is awk's
found=$(find "$runtime" -name '*.[ch]' | sort | xargs awk '
  FNR == 1 { said = 0 }
  /[Aa]cquire|[Rr]elease|[Pp]airs with/ && /\/\*|^ *\*/ { said = FNR }
  /__ATOMIC_(ACQUIRE|RELEASE|ACQ_REL)/ && (!said || FNR - said > 8) {
    print FILENAME ":" FNR ": " $0
  }')
if [ -n "$found" ]; then
  echo "an acquire or a release without a comment on what it pairs with:"
  echo "$found"
  bad=1
fi

# Every architecture has every name; a window's barrier is an instruction on each.
blocks=$(grep -cE '^MEMLIFT_BARRIER\(to_device,' "$names")
for name in to_device from_device flush_stream window maintain arm recheck relax; do
  count=$(grep -cE "^MEMLIFT_BARRIER\($name," "$names")
  if [ "$count" -ne "$blocks" ]; then
    echo "$name: $count of $blocks architectures"
    bad=1
  fi
done
if grep -qE '^MEMLIFT_BARRIER\(window, ""\)' "$names"; then
  echo "window: empty on some architecture"
  bad=1
fi
exit $bad
