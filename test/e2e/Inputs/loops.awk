# loops.awk - of RISC-V assembly: each loop of one block, as its loads and stores in their order
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   copy: ld*8 sd*8
#
# A block ends at a label, a branch or a jump; a loop is one that branches to its own label.
function count(what) {
  if (what == last) {
    times++
  } else {
    done()
    last = what
    times = 1
  }
}

function done() {
  if (times)
    text = text " " last (times > 1 ? "*" times : "")
  last = ""
  times = 0
}

function begin(label) {
  done()
  block = label
  text = ""
}

/^[A-Za-z_]/ {
  name = $1
  sub(/:.*/, "", name)
  begin("")
  print name ":"
}
/^\.L[A-Za-z0-9_]*:/ {
  label = $1
  sub(/:.*/, "", label)
  if (label !~ /^\.L(func|tmp|BE|VL|LVL|FB|FE)/)
    begin(label)
}
/^[ \t]+(l[bhwd]u?|s[bhwd])[ \t]/ { count($1) }
/^[ \t]+(b[a-z]+|j|jr|ret|tail|call)([ \t]|$)/ {
  n = split($NF, operands, ",")
  if (block != "" && operands[n] == block) {
    done()
    print name " loop" text
  }
  begin("")
}
