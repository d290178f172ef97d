#!/bin/sh
# info.sh - memlift-info: its text, its JSON, what the environment changes, its exit codes
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: info.sh MEMLIFT_INFO PYTHON PROGRAM
# PROGRAM is of stats.c.
set -eu
info=$1 python=$2 program=$3
unset MEMLIFT_STATS MEMLIFT_WAIT
unset MEMLIFT_CPU MEMLIFT_ENGINE MEMLIFT_LIMITS MEMLIFT_THREADS

fail() {
  echo "info.sh: $*" >&2
  exit 1
}

# expect PATTERN COMMAND...: some line of the output matches
expect() {
  pattern=$1
  shift
  "$@" | grep -qE "$pattern" || fail "no line matches '$pattern' in: $*"
}

# json EXPRESSION: holds of the object d
json() {
  "$info" --json | "$python" -c "import json, sys; d = json.load(sys.stdin); assert ($1), d" ||
    fail "not so: $1"
}

expect '^usage: memlift-info' "$info" --help
expect '^memlift-info [0-9]+\.[0-9]+\.[0-9]+$' "$info" --version
expect 'best instruction set' "$info"
expect '^  in use +cpu$' "$info"
json "d['engine'] == 'cpu' and d['engine_min'] is None"
json "{e['name'] for e in d['engines']} >= {'cpu', 'soft'}"

status=0
message=$("$info" --nonsense 2>&1 > /dev/null) || status=$?
[ $status -eq 2 ] || fail "unknown argument: exit code $status, not 2"
case $message in
*--nonsense*--help*) ;;
*) fail "unknown argument: message is '$message'" ;;
esac

defaults=$("$info" --json |
  "$python" -c "import json, sys; print(json.load(sys.stdin)['rep_copy_min'])")

# Each level limits the kernels; one that the machine has not is met by the best below it.
best=$("$info" | sed -n 's/^  best instruction set *//p')
for level in generic sse2 avx2 avx512; do
  export MEMLIFT_CPU=$level
  json "d['isa_requested'] == '$level' and
    {d[k].split('_')[-1] for k in d if k.endswith('_kernel') and k not in
      ('crc_kernel', 'copy_kernel', 'move_kernel')} in ({'$level'}, {'$best'})"
  # Where 64 bytes are two halves, copies are by 32, in a way of their own.
  json "{d[k].split('_')[-1] for k in ('copy_kernel', 'move_kernel')}
      in ({'$level'}, {'$best'}) or d['fill_kernel'] == 'fill_x86_avx512' and
    (d['copy_kernel'], d['move_kernel']) == ('copy_x86_halves', 'move_x86_halves')"
  # Which vectors can be multiplied without carries is a question of its own.
  case $level in
  generic | sse2) json "d['crc_kernel'] == 'crc_generic'" ;;
  avx2) json "d['crc_kernel'] in ('crc_generic', 'crc_x86_clmul128', 'crc_x86_clmul256')" ;;
  esac
done
export MEMLIFT_CPU=generic
json "d['copy_kernel'] == 'copy_generic' and d['rep_copy_min'] is None"
MEMLIFT_CPU='a"\b'
json "d['isa_requested'] == 'a\"\\\\b' and d['fill_kernel'].endswith('$best')"
expect 'unknown, ignored' "$info"
unset MEMLIFT_CPU

# Limits: taken as they are, or not at all and with a reason.
export MEMLIFT_LIMITS=copy-string=40K,fill-string=never,fill-repeat=3M
json "d['limits_requested'] == '$MEMLIFT_LIMITS' and d['limits_refused'] == '' and
  ('generic' in d['copy_kernel'] or d['rep_copy_min'] == 40 << 10 and d['rep_fill_min'] is None and
    d['repeat_fill_min'] == 3 << 20)"
expect 'MEMLIFT_LIMITS +copy-string=40K,fill-string=never,fill-repeat=3M$' "$info"
for hostile in copy-string=1T copy-string=-1 bogus=1 \
  copy-string=1,fill-string=99999999999999999999; do
  MEMLIFT_LIMITS=$hostile
  json "d['limits_refused'] != '' and d['rep_copy_min'] in (None, $defaults)"
  expect "MEMLIFT_LIMITS +$hostile \(not used: .+\)$" "$info"
done
unset MEMLIFT_LIMITS

# bad MESSAGE ARGUMENT...: bad usage, with a message that matches
bad() {
  wanted=$1 status=0
  shift
  message=$("$info" "$@" 2>&1 > /dev/null) || status=$?
  [ $status -eq 2 ] || fail "$*: exit code $status, not 2"
  case $message in
  *"$wanted"*--help*) ;;
  *) fail "$*: message is '$message'" ;;
  esac
}
bad 'needs a file' --calibrate --output
bad 'needs a file' --calibrate --output ''
bad 'goes with --calibrate' --output x
bad 'has no --json' --json --calibrate
status=0
MEMLIFT_CPU=generic "$info" --calibrate 2> /dev/null || status=$?
[ $status -eq 1 ] || fail "nothing to calibrate: exit code $status, not 1"

export MEMLIFT_ENGINE=none
json "d['engine'] == 'cpu' and d['engine_status'].startswith('no engine of that name')"
expect 'none: not used, no engine of that name' "$info"
MEMLIFT_ENGINE=pdma
expect 'pdma: not used, this machine has no such engine' "$info"
export MEMLIFT_ENGINE=dax
[ -e /dev/oradax1 ] || [ -e /dev/oradax2 ] ||
  expect 'dax: not used, this machine has no such engine' "$info"
MEMLIFT_ENGINE=cpu
json "d['engine'] == 'cpu' and d['engine_status'] == 'success'"
MEMLIFT_ENGINE=soft
if "$info" | grep -q '^  soft  *present'; then
  json "d['engine'] == 'soft' and d['engine_min'] > 0"
  for limit in 1 5000 3M; do
    export MEMLIFT_LIMITS=engine=$limit
    json "d['engine_min'] == {'1': 1, '5000': 5000, '3M': 3 << 20}['$limit'] and
      not d['limits_refused']"
  done
  MEMLIFT_LIMITS=engine=never
  json "d['engine'] == 'soft' and d['engine_min'] is None"
  unset MEMLIFT_LIMITS
fi

# Helper threads: as many as asked for, or none and a reason.
MEMLIFT_ENGINE=threads
if "$info" | grep -q '^  threads  *present'; then
  for setting in '' 1 2; do
    export MEMLIFT_THREADS="$setting"
    json "d['engine'] == 'threads' and d['engine_status'] == 'success'"
  done
fi
for hostile in 0 many 1,2 cpus= cpus=9999 cpus=3-1 99999999999999999999; do
  export MEMLIFT_THREADS=$hostile
  json "d['engine'] == 'cpu' and d['engine_status'].startswith('this machine has no such engine')"
  "$info" | grep -qE '^  threads +absent: (MEMLIFT_THREADS|this|process_vm)' ||
    fail "MEMLIFT_THREADS=$hostile: no reason"
done
unset MEMLIFT_ENGINE MEMLIFT_THREADS

# Waiting: by what the core has, or by looking again and again.
json "d['wait'] in ('poll', 'umwait', 'mwaitx', 'wfe', 'wrs') and d['wait_requested'] == ''"
export MEMLIFT_WAIT=poll
json "d['wait'] == d['wait_requested'] == 'poll'"
expect '^  waits by +poll$' "$info"
waits=$(unset MEMLIFT_WAIT && "$info" | sed -n 's/^  waits by *//p')
MEMLIFT_WAIT='sleep'
json "d['wait'] == '$waits' and d['wait_requested'] == 'sleep'"
expect '^  MEMLIFT_WAIT +sleep \(unknown, ignored: poll\)$' "$info"
unset MEMLIFT_WAIT

# Statistics: programs append to one file, forked children their own part; other files are refused.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if "$info" | grep -q '^  soft  *present'; then
  for i in 1 2; do
    MEMLIFT_ENGINE=soft MEMLIFT_STATS="$work/stats" "$program" > /dev/null || fail "$program failed"
  done
  expect '^  processes +4$' "$info" --stats "$work/stats"
  expect '^  operations +8$' "$info" --stats "$work/stats"
  expect '^  ni_sent +6$' "$info" --stats "$work/stats" # two programs, three messages each
  expect '^  ni_received_bytes +30$' "$info" --stats "$work/stats"
  expect '^  tasks_scheduled +4$' "$info" --stats "$work/stats" # each program and each child one
  expect '^  tasks +4( +0)?$' "$info" --stats "$work/stats"
  expect '^  transfers +8( +0)?$' "$info" --stats "$work/stats"
  expect '^  transfer_bytes +32768( +0)?$' "$info" --stats "$work/stats"
  expect '^  256 KiB +4$' "$info" --stats "$work/stats"
  expect '^  1 MiB +4$' "$info" --stats "$work/stats"
  "$info" --stats "$work/stats" --json | "$python" -c "import json, sys; d = json.load(sys.stdin)
assert d['sizes'] == {'soft': {'262144': 4, '1048576': 4}}, d
assert d['units']['0']['tasks'] == d['units']['0']['pulls'] == 4, d
assert d['units']['0']['transfers'] == 8 and d['units']['0']['sleeps'] > 0, d
assert d['counters']['engine_bytes'] == 4 * ((256 << 10) + (1 << 20)), d" || fail "--stats --json"
fi
# A FIFO that nobody reads is not waited for; a long path is a file of that name, or none at all.
mkfifo "$work/fifo"
MEMLIFT_STATS="$work/fifo" timeout 20 "$program" > /dev/null ||
  fail "a FIFO that nobody reads: exit code $?"
long=$work
for i in 1 2 3 4 5 6 7 8 9 10; do
  long=$long/a-folder-whose-name-is-not-short-$i
done
mkdir -p "$long"
MEMLIFT_STATS="$long/stats" "$program" > /dev/null || fail "$program failed"
expect '^  processes +2$' "$info" --stats "$long/stats"
before=$(find "$work" | wc -l)
MEMLIFT_STATS=$work/$(printf '/%.0s' $(seq 4096))stats "$program" > /dev/null ||
  fail "$program failed"
[ "$(find "$work" | wc -l)" = "$before" ] || fail "a path that is too long: a file of another name"

# refused MESSAGE FILE: exit code 1, with a message that matches
refused() {
  status=0
  message=$("$info" --stats "$2" 2>&1 > /dev/null) || status=$?
  [ $status -eq 1 ] || fail "--stats $2: exit code $status, not 1"
  case $message in
  *"$1"*) ;;
  *) fail "--stats $2: message is '$message'" ;;
  esac
}
refused 'MEMLIFT_STATS=' "$work/none"
for hostile in nonsense 'counter busy' 'counter busy 1 2' 'size soft 48 1' 'size soft 3' \
  'counter Bad 1'; do
  echo "$hostile" > "$work/bad"
  refused "$work/bad:1 is no line" "$work/bad"
done
bad 'needs a file' --stats
bad 'two things' --calibrate --stats x
echo "ok"
