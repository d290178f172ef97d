#!/bin/sh
# calibrate.sh - memlift-info --calibrate: its table, the setting, and that the library takes it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: calibrate.sh MEMLIFT_INFO
# Half a minute and 512 MiB. No figure is looked at: they are the machine's.
set -eu
info=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset MEMLIFT_CPU MEMLIFT_ENGINE MEMLIFT_LIMITS

fail() {
  echo "calibrate.sh: $*" >&2
  exit 1
}

if "$info" | grep -q 'copy  *copy_generic'; then
  echo "nothing to measure on this machine"
  exit 0
fi
"$info" --calibrate --output "$work/setting" > "$work/out" || fail "exit code $?"
for title in copies fills words; do
  grep -q "^$title  *bytes  *vectors  *string" "$work/out" || fail "no table of $title"
done
[ "$(grep -cE '^ +[0-9]+( +[0-9]+\.[0-9])+$' "$work/out")" -ge 20 ] || fail "too few sizes"
setting=$(cat "$work/setting")
[ "$(tail -n 1 "$work/out")" = "$setting" ] || fail "the file and the last line differ"
env "$setting" "$info" | grep -q "^  MEMLIFT_LIMITS  *${setting#*=}$" ||
  fail "the library does not take $setting"

# With an engine its limit is part of it, and holds. That of the soft one shows function, not speed.
export MEMLIFT_ENGINE=soft
if "$info" | grep -q '^  soft  *present'; then
  engine=$("$info" --calibrate) || fail "with an engine: exit code $?"
  echo "$engine" | grep -q '^soft  *bytes  *cpu  *engine$' || fail "no table of the engine"
  engine=$(echo "$engine" | tail -n 1)
  case $engine in
  *,engine=never) env "$engine" "$info" | grep -q '^  used from  *never$' ;;
  *,engine=*K | *,engine=*M) env "$engine" "$info" | grep -q '^  used from  *[0-9]* bytes$' ;;
  *) false ;;
  esac || fail "the library does not take the engine's part of $engine"
fi
unset MEMLIFT_ENGINE

status=0
message=$("$info" --calibrate --output "$work/no/such/folder" 2>&1 > /dev/null) || status=$?
[ $status -eq 1 ] || fail "a file that cannot be written: exit code $status, not 1"
case $message in
*"cannot write"*"No such file"*) ;;
*) fail "a file that cannot be written: message is '$message'" ;;
esac
echo "$setting"
