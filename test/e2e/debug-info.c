// debug-info.c - debug information stays valid when loops are replaced.
// llvm-dwarfdump 19 and 22 never end on location lists of stock GCC 12: scopes, lines and ranges
// are checked there.
// REQUIRES: clang-22
//
// RUN: for cc in %wrappers; do for source in copy fill checksum crc main; do \
// RUN:   for level in -O1 -O2 -O3 -Os -Og; do %sample; \
// RUN:   case $cc in *gcc) level="$level -fno-var-tracking" ;; esac; \
// RUN:   $cc -g $level -c %source/examples/$source.c -o %t.o && \
// RUN:   %llvm-dwarfdump --verify %t.o >%t.log || { echo "failed: $cc $level $source"; exit 1; }; \
// RUN: done; done; done
