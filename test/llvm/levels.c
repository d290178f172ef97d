// levels.c - every level compiles to valid IR and valid debug information
// RUN: %each for level in -O0 -Og -O1 -O2 -O3 -Os -Oz; do \
// RUN:   %clang $level -g -fverify-intermediate-code -c %s -o %t.o && %llvm-dwarfdump --verify \
// RUN:   %t.o > %t.out || exit 1; done %end
// The call has the loop's line.
// RUN: %each %clang -O2 -g -S -emit-llvm %s -o - | %filecheck %s %end
// -Os and -Oz do not keep a loop beside a call.
// RUN: %each for level in -Os -Oz; do \
// RUN:   %clang $level -c %s -o %t.o -Rpass-missed=memlift 2>&1 | grep MLF3003 || exit 1; done %end
// A call of a constant size stays, also where no vectors are made.
// RUN: %each for level in -O1 -O2 -O3; do %clang $level -S -emit-llvm %s -o - | \
// RUN:   %filecheck --check-prefix=CONSTANT %s || exit 1; done %end
// A record file of clang's own holds the same keys.
// RUN: %each %clang -O2 -c %s -o %t.o -fsave-optimization-record \
// RUN:   -foptimization-record-passes=memlift -foptimization-record-file=%t.$v.yaml \
// RUN:   && %filecheck --check-prefix=RECORD %s < %t.$v.yaml %end
#include <stddef.h>

// CHECK-LABEL: define {{.*}}@fill(
// CHECK: call void @memlift_fill32({{.*}}, !dbg [[LINE:![0-9]+]]
// CHECK: [[LINE]] = !DILocation(line: [[#@LINE+2]],
void fill(int *p, size_t n, int v) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}

void copy(int *d, const int *s, size_t n) {
  while (n--)
    d[n] = s[n];
}

// CONSTANT-LABEL: define {{.*}}@hundred(
// CONSTANT-NOT: @memlift_
// CONSTANT: call void @llvm.memset
// CONSTANT-NOT: @memlift_
// CONSTANT: ret void
void hundred(char *p, char v) {
  for (int i = 0; i < 100; i++)
    p[i] = v;
}

// RECORD: --- !Passed
// RECORD-NEXT: Pass: {{ *}}memlift
// RECORD-NEXT: Name: {{ *}}Lowered
// RECORD: Args:
// RECORD: - String: {{ *}}'loop became a call of memlift_fill32 [MLF1001]'
// RECORD-NEXT: - Idiom: {{ *}}fill
// RECORD-NEXT: - Decision: {{ *}}lowered
// RECORD-NEXT: - Code: {{ *}}MLF1001
// RECORD-NEXT: - LoopId: {{ *}}'{{.*}}levels.c:fill#0'
