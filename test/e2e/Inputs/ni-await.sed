# ni-await.sed - reduces assembly to loads, conditional branches, barriers and calls
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
s/^([a-z_]+):.*/fn \1/p; t
# RV64: an instruction that only keeps the load behind it back, and loads with their register
s/^[[:space:]]*li[[:space:]]+([a-z0-9]+), ?0$/empty \1/p; t
s/^[[:space:]]*ld[[:space:]]+([a-z0-9]+), ?-?[0-9]+\([a-z0-9]+\)$/load \1/p; t
# x86-64
s/^[[:space:]]*(mov[a-z0-9]*|cmp[a-z]*|add[a-z]*)[[:space:]]+-?[0-9]*\(%[a-z0-9,%]+\), *%.*/load/p; t
# AArch64
s/^[[:space:]]*ldu?r[[:space:]]+x[0-9]+, \[x.*/load/p; t
# SPARC
s/^[[:space:]]*ldx[[:space:]]+\[%.*/load/p; t
# ARC
s/^[[:space:]]*ldd(\.[a-z]+)?[[:space:]]+r[0-9]+,\[r.*/load/p; t
# Branches on a condition: back to the first load, away for another size.
s/^[[:space:]]*(j[a-z]+|b\.?[a-z]+(,[a-z,]+)?)[[:space:]]+.*\.L[A-Z0-9_]+$/branch/p; t
# Barriers, and what must not be.
s/^[[:space:]]*([slm]fence|dmb|dsb|fence|membar|sync)([[:space:]].*)?$/barrier \1\2/p; t
s/^[[:space:]]*(call|bl|jal|tail|rep|ldp|l[wbh]|ld\.as|ldr?b|b[[:space:]]+mem)([[:space:]].*)$/other \1\2/p
