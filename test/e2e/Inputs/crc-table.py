# crc-table.py - prints the byte table of CRC-32 for crc-forms.c
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
for c in range(256):
    for _ in range(8):
        c = c >> 1 ^ (0xEDB88320 if c & 1 else 0)
    print(f"{c:#x},")
