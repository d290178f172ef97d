#!/bin/sh
# ping.sh - memlift-ni-ping: its output, its picture, its two ends, its exit codes
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: ping.sh MEMLIFT_NI_PING PYTHON
set -eu
ping=$1 python=$2
work=$(mktemp -d)
echo_pid=
trap '[ -z "$echo_pid" ] || kill "$echo_pid" 2>/dev/null; rm -rf "$work"' EXIT

fail() {
  echo "ping.sh: $*" >&2
  exit 1
}

# exits STATUS ARGUMENT...: with that status, and a message that names the last argument but in 0
exits() {
  wanted=$1 status=0
  shift
  timeout 60 "$ping" "$@" > "$work/out" 2> "$work/err" || status=$?
  [ "$status" -eq "$wanted" ] || fail "$*: exit code $status, not $wanted: $(cat "$work/err")"
}

exits 0 --help
grep -q '^usage: memlift-ni-ping' "$work/out" || fail "--help prints no usage"
for option in transport where page node size count reliable cpus svg json; do
  grep -q -- "^  --$option" "$work/out" || fail "--help has no --$option"
done
exits 0 --version
grep -qE '^memlift-ni-ping [0-9]+\.[0-9]+\.[0-9]+$' "$work/out" || fail "--version"

exits 2 --nonsense 1
grep -q -- '--nonsense.*--help' "$work/err" || fail "unknown option: $(cat "$work/err")"
exits 2 --count
exits 2 --size 7
exits 2 --size 257
exits 2 --count 1x
exits 2 --cpus 0
exits 1 --transport pigeon
exits 1 --transport shm --where "$work/no-such-directory"
exits 1 --where "$work" --count 10 --svg "$work/no-such-directory/x.svg"

for transport in soft shm; do
  for size in 8 32 100 256; do
    exits 0 --transport $transport --where "$work" --count 300 --size $size --json
    "$python" - "$work/out" $transport $size << 'END' || fail "$transport: $(cat "$work/out")"
import json, sys
d = json.load(open(sys.argv[1]))
order = [d[k] for k in ("min", "p50", "p99", "p99.9", "max")]
assert d["transport"] == sys.argv[2] and d["size"] == int(sys.argv[3]) and d["count"] == 300
assert order == sorted(order) and 10 <= order[0], d
END
  done
done
exits 0 --transport shm --where "$work" --count 300 --reliable --svg "$work/x.svg"
grep -qE '^  p99.9 +[0-9]+$' "$work/out" || fail "no percentiles as text"
"$python" -c "import sys, xml.dom.minidom as m
d = m.parse(sys.argv[1])
assert len(d.getElementsByTagName('rect')) > 5" "$work/x.svg" || fail "the picture is no SVG"

# Two ends that are started by hand.
mkdir -m 700 "$work/node"
"$ping" --echo --transport shm --where "$work/node" --page 9 > "$work/echo" &
echo_pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  ! grep -q '^page 9$' "$work/echo" || break
  sleep 0.1
done
exits 0 --to 9 --transport shm --where "$work/node" --count 300
exits 1 --to 8 --transport shm --where "$work/node" --count 300
grep -q 'sending' "$work/err" || fail "nobody at page 8: $(cat "$work/err")"
echo ok
