#!/bin/sh
# options.sh - the wrappers' option functions accept what the records say and refuse the rest.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: options.sh REPOSITORY
set -eu
# shellcheck source=intrinsics/generated/memlift-options.sh
. "$1/intrinsics/generated/memlift-options.sh"
memlift_tool=memlift-test
failed=0

# expect CODE PATTERN ARGUMENT...: exit code and message of memlift_option_check.
expect() {
  want=$1 pattern=$2
  shift 2
  got=0
  message=$(memlift_option_check "$@" 2>&1) || got=$?
  case $message in
    *$pattern*) ;;
    *) echo "check $*: message '$message' lacks '$pattern'"; failed=1 ;;
  esac
  if [ "$got" -ne "$want" ]; then echo "check $*: exit $got, not $want"; failed=1; fi
  if [ "$want" -eq 0 ] && [ -n "$message" ]; then echo "check $*: printed $message"; failed=1; fi
}

for mode in memlift libc none; do expect 0 "" runtime $mode; done
expect 2 "MLF0002" runtime glibc
expect 2 "memlift libc none" runtime glibc
expect 2 "MLF0002" runtime
expect 2 "MLF0002" runtime ""
expect 2 "MLF0002" runtime "libc none"
expect 0 "" core sifive-u74
expect 0 "" core ariane
expect 2 "MLF0003" core z80
expect 2 "MLF0003" core "*"
expect 0 "" remarks "a file with spaces.yaml"
expect 2 "MLF0002" remarks
expect 2 "MLF0002" keep ""
expect 0 "" keep f,g
expect 0 "" map inet_checksum=my_sum,fill32=my.fill,copy=_c$
for item in copy copy= =f "copy=f," "copy=a b" copy=1f ",copy=f"; do
  expect 2 "MLF0020" map "$item"
done
expect 2 "MLF0021" map fill=f
expect 2 "inet_checksum" map paste=f
expect 2 "MLF0021" map "*=f"
expect 2 "MLF0022" map copy=f,move=g,copy=h
expect 2 "MLF0002" map ""
for flag in trust-types trust-names print-loops print-alignment count-calls verify off help; do
  expect 0 "" $flag
  expect 2 "takes no value" $flag yes
  expect 2 "takes no value" $flag ""
done
expect 1 "memlift-test: error: unknown option '--memlift-run'" run
expect 1 "MLF0001" ""

for name in $(memlift_option_names); do
  case $(memlift_option_help) in
    *"--memlift-$name"*) ;;
    *) echo "help does not mention $name"; failed=1 ;;
  esac
done
if [ "$(memlift_option_help | awk 'length > 100' | wc -l)" -ne 0 ]; then
  echo "help has lines of more than 100 columns"; failed=1
fi
[ $failed -eq 0 ] && echo "options: all checks passed"
exit $failed
