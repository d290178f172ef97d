#!/bin/sh
# generator.sh - the generator notices stale files, bad records and missing tools.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: generator.sh PYTHON REPOSITORY
set -eu
python=$1 repository=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The contents are copied, so that a folder that is a symbolic link is not edited in its place.
mkdir -p "$work/intrinsics" "$work/docs/reference" "$work/runtime/include/memlift"
cp -rL "$repository/intrinsics/." "$work/intrinsics"
cp -rL "$repository/docs/reference/." "$work/docs/reference"
cp "$repository/runtime/libmemlift.map" "$work/runtime"
cp "$repository"/runtime/include/memlift/*.h "$work/runtime/include/memlift"
gen="$work/intrinsics/gen/memlift-gen.py"

# expect CODE PATTERN COMMAND...
expect() {
  want=$1 pattern=$2
  shift 2
  got=0
  "$@" >"$work/out" 2>&1 || got=$?
  if [ "$got" -eq 77 ] && [ "$want" -ne 77 ]; then cat "$work/out"; exit 77; fi
  if [ "$got" -ne "$want" ] || { [ -n "$pattern" ] && ! grep -q -- "$pattern" "$work/out"; }; then
    echo "$*: exit $got (expected $want), output without '$pattern':"
    cat "$work/out"
    exit 1
  fi
}

expect 0 "" "$python" "$gen" --check

# A changed record makes its files stale, and the message says what to run.
sed -i 's/let LoadUse = 2;/let LoadUse = 9;/' "$work/intrinsics/Cores.td"
expect 1 "python3 intrinsics/gen/memlift-gen.py" "$python" "$gen" --check
expect 1 "Cores.inc (checked in)" "$python" "$gen" --check
expect 0 "wrote intrinsics/generated/Cores.inc" "$python" "$gen"
expect 0 "" "$python" "$gen" --check

# A file edited by hand is stale as well.
echo "// by hand" >>"$work/intrinsics/generated/Options.inc"
expect 1 "Options.inc" "$python" "$gen" --check
expect 0 "" "$python" "$gen"

expect 77 "not installed" env MEMLIFT_TBLGEN=/no/such/tblgen "$python" "$gen" --check
expect 2 "usage" "$python" "$gen" --no-such-option

# Records that contradict themselves.
sed -i 's/FactFailed<2011>/FactFailed<2010>/' "$work/intrinsics/diagnostics/LoopFacts.td"
expect 2 "unique and ascending" "$python" "$gen" --check
sed -i 's/def SeveralExits : FactFailed<2010>/def SeveralExits : FactFailed<2011>/' \
  "$work/intrinsics/diagnostics/LoopFacts.td"
sed -i 's/Word<"LENGTH", 24, 8/Word<"LENGTH", 60, 8/' "$work/intrinsics/formats/Soft.td"
expect 2 "SOFT_CMD.LENGTH does not fit" "$python" "$gen" --check
sed -i 's/Word<"LENGTH", 60, 8/Word<"LENGTH", 24, 8/' "$work/intrinsics/formats/Soft.td"
sed -i 's/Word<"LENGTH", 24, 8/Word<"LENGTH", 20, 8/' "$work/intrinsics/formats/Soft.td"
expect 2 "SOFT_CMD: the words at byte 20 overlap" "$python" "$gen" --check
sed -i 's/Word<"LENGTH", 20, 8/Word<"LENGTH", 24, 8/' "$work/intrinsics/formats/Soft.td"
sed -i 's/"INTERRUPT", 0, 4, 8, 8/"INTERRUPT", 0, 4, 9, 7/' "$work/intrinsics/formats/Soft.td"
expect 2 "SOFT_CMD.INTERRUPT overlaps another field" "$python" "$gen" --check
sed -i 's/"INTERRUPT", 0, 4, 9, 7/"INTERRUPT", 0, 4, 8, 8/' "$work/intrinsics/formats/Soft.td"
sed -i 's/"OP_NOP"/"LENGTH_BYTES"/' "$work/intrinsics/formats/Soft.td"
expect 2 "SOFT_CMD: two constants are named LENGTH_BYTES" "$python" "$gen" --check
sed -i 's/"LENGTH_BYTES"/"OP_NOP"/' "$work/intrinsics/formats/Soft.td"

# An operation that no header and no page would describe.
sed -i '/let In = Moves;/d' "$work/intrinsics/BulkOps.td"
expect 2 "Move is in no group" "$python" "$gen" --check
cp "$repository/intrinsics/BulkOps.td" "$work/intrinsics"

echo "this is no record" >>"$work/intrinsics/Cores.td"
expect 2 "Cores.td" "$python" "$gen" --check
echo "generator: all checks passed"
