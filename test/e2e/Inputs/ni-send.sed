# ni-send.sed - reduces assembly to the stores into the page that is the first argument, and to barriers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
s/^([a-z_]+):.*/fn \1/p; t
# x86-64
s/^[[:space:]]*movq?[[:space:]]+[^,]*[^)0-9],? *([0-9]*)\(%rdi\)( *#.*)?$/store 0\1/p; t
s/^[[:space:]]*movq?[[:space:]]+\$[0-9]+, ([0-9]*)\(%rdi\)$/store 0\1/p; t
# AArch64
s/^[[:space:]]*str[[:space:]]+x[0-9zr]+, \[x0(, #?([0-9]+))?\]$/store 0\2/p; t
# RV64
s/^[[:space:]]*sd[[:space:]]+[a-z0-9]+, ?([0-9]*)\(a0\)$/store 0\1/p; t
# SPARC
s/^[[:space:]]*stx[[:space:]]+%[a-z0-9]+, \[%[io]0(\+([0-9]+))?\]$/store 0\2/p; t
# ARC: .as counts in words of four bytes
s/^[[:space:]]*std\.as[[:space:]]+[r0-9]+,\[r0,64\]$/store 0256/p; t
s/^[[:space:]]*std\.as[[:space:]]+[r0-9]+,\[r0,66\]$/store 0264/p; t
s/^[[:space:]]*std\.as[[:space:]]+[r0-9]+,\[r0,254\]$/store 01016/p; t
s/^[[:space:]]*std[[:space:]]+[r0-9]+,\[r0(,([0-9]+))?\]$/store 0\2/p; t
# Barriers, and what must not be.
s/^[[:space:]]*([slm]fence|dmb|dsb|fence|membar|sync)([[:space:]].*)?$/barrier \1\2/p; t
s/^[[:space:]]*(call|bl|jal|tail|rep|b[[:space:]]+mem)([[:space:]].*)$/other \1\2/p
s/^[[:space:]]*(stp.*\[x0|v?mov[au]p.*\(%rdi\))/other \1/p
