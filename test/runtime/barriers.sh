#!/bin/sh
# barriers.sh - memory is ordered by the names of queue/barriers.h only; every window is ordered
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: barriers.sh ROOM
# ROOM is runtime/. What C's atomics order, at the access, is no barrier. Exit code 1 where an
# instruction or a built-in that orders memory stands elsewhere, or where a name is missing in one
# architecture.
set -u
room=$1
names=$room/queue/barriers.h
bad=0

raw='__atomic_thread_fence|__atomic_signal_fence|atomic_thread_fence|__sync_synchronize'
raw="$raw|_mm_[slm]fence|__builtin_ia32_[slm]fence"
instructions='[slm]fence|dmb|dsb|fence|membar|stbar|eieio'
raw="$raw|\"([^\"]*[^a-z_])?($instructions)[^a-z_.]"
found=$(grep -rnE "$raw" "$room" --include='*.c' --include='*.h' | grep -v "^$names:")
if [ -n "$found" ]; then
  echo "ordered elsewhere than by a name of queue/barriers.h:"
  echo "$found"
  bad=1
fi

# Every architecture has every name; a window's barrier is an instruction on each.
blocks=$(grep -cE '^MEMLIFT_BARRIER\(to_device,' "$names")
for name in to_device from_device flush_stream window maintain arm relax; do
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
