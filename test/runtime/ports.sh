#!/bin/sh
# ports.sh - GoogleTest programs of the runtime on another machine, under user emulation
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: ports.sh MACHINE ROOT WORK GTEST_DIR JOBS, MACHINE one of aarch64, riscv64, s390x
# Builds libmemlift and GoogleTest (from its sources, GTEST_DIR) statically with GCC 12 for the
# machine, into WORK, and runs every program on each processor below. Sweeps take coarser steps, as
# they do under sanitizers.
# No engine starts under user emulation, and no store checks addresses, for want of
# process_vm_readv: tests of those are left out.
# MEMLIFT_TEST_SUITES='NAME...' runs these suites alone, on the first processor.
# MEMLIFT_TEST_QEMU=FOLDER takes qemu-MACHINE from there. From 8.2 on it tells what its RV64 has:
# nothing is assumed of it then.
set -eu
machine=$1 root=$2 work=$3 gtest=$4 jobs=$5
suites='machine kernels edges rows sums inet ones modsum crc xor operations'

# Machines to run on: the processor for qemu, and the assumptions about it (- is none).
case $machine in
aarch64)
  processors='cortex-a53 -
max -
a64fx -' ;;
riscv64)
  processors='rv64 -
rv64 zbb,zbc,zicboz=16
rv64,v=true,vlen=128,vext_spec=v1.0,rvv_ta_all_1s=true,rvv_ma_all_1s=true zbb,zbc,v,zicboz=128
rv64,v=true,vlen=256,vext_spec=v1.0 v
rv64,v=true,vlen=1024,vext_spec=v1.0 v,zicboz=1024' ;;
s390x) processors='max -' ;;
*)
  echo "ports.sh: unknown machine '$machine'" >&2
  exit 2 ;;
esac
case $machine-${MEMLIFT_TEST_QEMU:+new} in
riscv64-new)
  processors='rv64,zbb=false,zbc=false,zicboz=false -
rv64,cboz_blocksize=128 -
max,rvv_ta_all_1s=true,rvv_ma_all_1s=true -
max,vlen=512,rvv_vl_half_avl=true -' ;;
esac
case $machine in # engines: only where there are barriers
s390x) flags=-DMEMLIFT_FREESTANDING ;;
*) flags='' suites="$suites queue watch tasks store stream" ;;
esac
if [ -n "${MEMLIFT_TEST_SUITES:-}" ]; then
  suites=$MEMLIFT_TEST_SUITES
  processors=$(printf '%s\n' "$processors" | head -n 1)
fi

fail() {
  echo "ports.sh: $machine: $*" >&2
  exit 1
}

mkdir -p "$work"
flags="$flags -I$root/runtime -I$root/runtime/include -I$gtest -I$gtest/include"
flags="$flags -DMEMLIFT_TEST_EMULATED -fno-builtin -funwind-tables"

# The sources in test/runtime of one suite, without their ending.
sources_of() {
  case $1 in
  operations) (cd "$root/test/runtime" && ls operations/*.cpp) | grep -v -e fuzz -e huge |
    sed 's/\.cpp$//' ;;
  tasks) printf '%s\n' tasks_test tasks_units_test sync_test task_queue_test ;;
  store) printf '%s\n' local_store_test dma_test ;;
  stream) printf '%s\n' stream_test stream_blocks_test stream_faults_test stream_random_test \
    mover_pdma_test ;;
  *) echo "${1}_test" ;;
  esac
}

# One "compiler source object" a line; what is up to date is left as it is.
plan() {
  (cd "$root/runtime" && sed -n '/^set(/,$s/^ *\([a-z/0-9_]*\.c\).*/\1/p' sources.cmake) |
    while read -r source; do
      case $machine/$source in # no barriers are known for it
      s390x/engine/*/* | s390x/model/* | s390x/queue/*) continue ;;
      esac
      echo "gcc $root/runtime/$source lib_$(echo "$source" | tr / _).o"
    done
  for suite in $suites; do
    sources_of "$suite" | while read -r source; do
      echo "g++ $root/test/runtime/$source.cpp test_$suite-$(basename "$source").o"
    done
  done
  echo "g++ $gtest/src/gtest-all.cc gtest-all.o"
  echo "g++ $gtest/src/gtest_main.cc gtest-main.o"
  [ "$machine" != riscv64 ] || echo "gcc $root/test/runtime/assume_riscv64.c assume.o"
}

plan > "$work/plan"
rm -f "$work"/lib_*.o "$work"/test_*.o
export machine work flags
# shellcheck disable=SC2016 # expanded by the inner shell
xargs -P "$jobs" -n 3 sh -c '
  [ "$2" -nt "$1" ] && [ "${2#gtest}" != "$2" ] ||
  "$machine-linux-gnu-$0-12" -O2 $flags -c "$1" -o "$work/$2" || exit 255
' < "$work/plan" || fail "does not compile"

assume=
[ "$machine" != riscv64 ] || assume=$work/assume.o
for suite in $suites; do
  # shellcheck disable=SC2086 # no file or one
  "$machine-linux-gnu-g++-12" -static -Wl,-w "$work/test_$suite"-*.o $assume "$work"/gtest-*.o \
    "$work"/lib_*.o -o "$work/$suite" || fail "$suite does not link"
done

unset MEMLIFT_TEST_RISCV64 MEMLIFT_CPU MEMLIFT_ENGINE
qemu=${MEMLIFT_TEST_QEMU:+$MEMLIFT_TEST_QEMU/}qemu-$machine
export suites qemu
# shellcheck disable=SC2016 # expanded by the inner shell
printf '%s\n' "$processors" | xargs -P "$jobs" -L 1 sh -c '
  [ "$1" = - ] || export MEMLIFT_TEST_RISCV64="$1"
  for suite in $suites; do
    log=$work/log.$$
    "$qemu" -cpu "$0" "$work/$suite" --gtest_brief=1 \
      "--gtest_filter=-*EnginesThread*:*Checked*" > "$log" 2>&1 || {
      tail -40 "$log"
      echo "ports.sh: $machine: $suite failed on $0, assumed $1" >&2
      exit 255
    }
  done
  echo "$machine: $0, assumed $1: ok"' || fail "a test failed"
