; narrow.ll - loops where offsets are narrower than pointers: fills, and what only looks like one
;
; RUN: %each %opt -passes=memlift -S %s | %filecheck %s %end
; RUN: %each %opt -passes=memlift -disable-output %s -pass-remarks-missed=memlift \
; RUN:   -pass-remarks-analysis=memlift 2>&1 | %filecheck --check-prefix=KEPT %s %end
; Pointers of 40 bits.
; RUN: %each sed 's/p:64:64:64:32/p:40:64:64:32/' %s | %opt -passes=memlift -S \
; RUN:   | %filecheck %s %end
; RUN: %each %opt -passes=memlift -memlift-runtime=none -S %s \
; RUN:   | %filecheck --check-prefix=NONE %s %end
; Nothing is called that has a size_t.
; RUN: %each %opt -passes=memlift -S %s | not grep 'call.*@memlift_' %end
; RUN: %each %opt -passes=memlift -memlift-map=fill32=own -S %s \
; RUN:   | %filecheck --check-prefix=NONE %s %end
; RUN: %each %opt -passes='default<O2>' -disable-loop-idiom-all -disable-output %s %end
; NONE-NOT: call void

target datalayout = "e-p:64:64:64:32-i64:64-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @fields(
; CHECK: call void @llvm.memset.p0.i32(ptr align 4 %p, i8 0, i32 %{{.*}}, i1 false)
; CHECK-NOT: store
define void @fields(ptr %p, i32 %n) {
entry:
  %none = icmp eq i32 %n, 0
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr inbounds { i32, i16, i16 }, ptr %p, i32 %i, i32 0
  store i32 0, ptr %a, align 4
  %b = getelementptr inbounds { i32, i16, i16 }, ptr %p, i32 %i, i32 1
  store i16 0, ptr %b, align 4
  %c = getelementptr inbounds { i32, i16, i16 }, ptr %p, i32 %i, i32 2
  store i16 0, ptr %c, align 2
  %next = add nuw nsw i32 %i, 1
  %again = icmp ne i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @down(
; CHECK: call void @llvm.memset.p0.i32(ptr {{.*}}%p, i8 -1, i32 %{{.*}}, i1 false)
; CHECK-NOT: store
define void @down(ptr %p, i32 %n) {
entry:
  %none = icmp eq i32 %n, 0
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %next, %loop ]
  %next = add i32 %i, -1
  %to = getelementptr i64, ptr %p, i32 %next
  store i64 -1, ptr %to, align 8
  %again = icmp ne i32 %next, 0
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; The first offset may be negative: it changes the low bits of the pointer only.
; CHECK-LABEL: define i32 @from(
; CHECK: %[[AT:.*]] = getelementptr i8, ptr %p, i32 %
; CHECK: call void @llvm.memset.p0.i32(ptr {{.*}}%[[AT]], i8 %{{.*}}, i32 %{{.*}}, i1 false)
; CHECK-NOT: store
define i32 @from(ptr %p, i32 %first, i32 %n, i8 %byte) {
entry:
  %none = icmp eq i32 %n, 0
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = add i32 %first, %i
  %to = getelementptr i8, ptr %p, i32 %at
  store i8 %byte, ptr %to, align 1
  %next = add nuw i32 %i, 1
  %again = icmp ne i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  %done = phi i32 [ 0, %entry ], [ %at, %loop ]
  ret i32 %done
}

; CHECK-LABEL: define void @walk(
; CHECK: call void @llvm.memset.p0.i32(ptr align 2 %p, i8 0, i32 %{{.*}}, i1 false)
; CHECK-NOT: store
define void @walk(ptr %p, i32 %n) {
entry:
  %none = icmp eq i32 %n, 0
  br i1 %none, label %exit, label %loop
loop:
  %to = phi ptr [ %p, %entry ], [ %on, %loop ]
  %left = phi i32 [ %n, %entry ], [ %less, %loop ]
  store i16 0, ptr %to, align 2
  %on = getelementptr i8, ptr %to, i32 2
  %less = add i32 %left, -1
  %again = icmp ne i32 %less, 0
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; Rows that join are one fill.
; CHECK-LABEL: define void @rows(
; CHECK: call void @llvm.memset.p0.i32(ptr align 4 %p, i8 0, i32 %{{.*}}, i1 false)
; CHECK-NOT: store
define void @rows(ptr %p, i32 %h) {
entry:
  %none = icmp eq i32 %h, 0
  br i1 %none, label %exit, label %row
row:
  %y = phi i32 [ 0, %entry ], [ %below, %end ]
  br label %loop
loop:
  %x = phi i32 [ 0, %row ], [ %next, %loop ]
  %to = getelementptr [24 x i32], ptr %p, i32 %y, i32 %x
  store i32 0, ptr %to, align 4
  %next = add i32 %x, 1
  %again = icmp ne i32 %next, 24
  br i1 %again, label %loop, label %end
end:
  %below = add nuw i32 %y, 1
  %more = icmp ne i32 %below, %h
  br i1 %more, label %row, label %exit
exit:
  ret void
}

; No routine of the C library has such a pattern.
; CHECK-LABEL: define void @pattern(
; CHECK-NOT: call void
; KEPT: [MLF3002]
define void @pattern(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %to = getelementptr i32, ptr %p, i32 %i
  store i32 2, ptr %to, align 4
  %next = add nuw i32 %i, 1
  %again = icmp ne i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; What may be between two objects, the low bits of their addresses do not tell.
; CHECK-LABEL: define void @two(
; CHECK-NOT: call void
; KEPT: [MLF2195]
define void @two(ptr %p, ptr %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %to = getelementptr i32, ptr %p, i32 %i
  store i32 0, ptr %to, align 4
  %too = getelementptr i32, ptr %q, i32 %i
  store i32 -1, ptr %too, align 4
  %next = add nuw i32 %i, 1
  %again = icmp ne i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @copy(
; CHECK-NOT: call void
; KEPT: [MLF2195]
define void @copy(ptr noalias %p, ptr noalias %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr i32, ptr %q, i32 %i
  %value = load i32, ptr %from, align 4
  %to = getelementptr i32, ptr %p, i32 %i
  store i32 %value, ptr %to, align 4
  %next = add nuw i32 %i, 1
  %again = icmp ne i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; Null may have other bits than zero bytes as far as a model of 32 bits knows.
; CHECK-LABEL: define void @pointers(
; CHECK-NOT: call void
; KEPT: [MLF2195]
define void @pointers(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %to = getelementptr ptr, ptr %p, i32 %i
  store ptr null, ptr %to, align 8
  %next = add nuw i32 %i, 1
  %again = icmp ne i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; The distance of two pointers may be more than an offset.
; CHECK-LABEL: define void @until(
; CHECK-NOT: call void
; KEPT: [MLF2195]
define void @until(ptr %p, ptr %end) {
entry:
  br label %loop
loop:
  %to = phi ptr [ %p, %entry ], [ %on, %loop ]
  store i8 0, ptr %to, align 1
  %on = getelementptr i8, ptr %to, i32 1
  %again = icmp ne ptr %on, %end
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define ptr @leaves(
; CHECK-NOT: call void
; KEPT: [MLF2195]
define ptr @leaves(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %to = getelementptr i8, ptr %p, i32 %i
  store i8 0, ptr %to, align 1
  %next = add nuw i32 %i, 1
  %again = icmp ne i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  %last = phi ptr [ %to, %loop ]
  ret ptr %last
}

; CHECK-LABEL: define void @numbers(
; CHECK-NOT: call void
; KEPT: [MLF2195]
define void @numbers(i64 %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %p, %entry ], [ %next, %loop ]
  %left = phi i32 [ %n, %entry ], [ %less, %loop ]
  %to = inttoptr i64 %i to ptr
  store i8 0, ptr %to, align 1
  %next = add i64 %i, 1
  %less = add i32 %left, -1
  %again = icmp ne i32 %less, 0
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @device(
; CHECK-NOT: call void
; KEPT: [MLF2195]
define void @device(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %to = getelementptr i8, ptr %p, i32 %i
  store volatile i8 0, ptr %to, align 1
  %next = add nuw i32 %i, 1
  %again = icmp ne i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}
