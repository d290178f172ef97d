; rewrite.ll - the operation in the loop's place, live-outs, poison, zero trips
; RUN: %each %opt -passes=memlift -verify-each -S %s | %filecheck %s %end
; RUN: %each %opt -passes=memlift -memlift-map=move=my_move,copy=my_copy -verify-each -S %s \
; RUN:   | %filecheck --check-prefix=GUARD %s %end

target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; The counter's last value replaces the phi; the loop is gone.
; CHECK-LABEL: define i64 @fill
; CHECK: %[[N:.*]] = freeze i64 %n
; CHECK: call void @memlift_fill8(ptr {{.*}}%p, i8 {{.*}}52, i64 %
; CHECK-NOT: br i1
; CHECK: %last = phi i64 [ %n, %entry ]
define i64 @fill(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i8, ptr %p, i64 %i
  store i8 52, ptr %at, align 1
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  %last = phi i64 [ %next, %loop ]
  ret i64 %last
}

; By a routine of our own there is one way, but for few iterations.
; CHECK-LABEL: define ptr @guarded
; CHECK: call void @memlift_copy_forward(ptr {{.*}}writeonly{{.*}} %d, ptr {{.*}}readonly{{.*}} %s, i64 {{.*}}1, i64 %
; CHECK: ret ptr
; By one of the user's, an address behind the guard must not be poison: the sources are frozen, the
; arguments keep their pointers. All ways meet in a phi. One byte apart the loop
; repeats a byte, which is read only there.
; GUARD-LABEL: define ptr @guarded
; GUARD: ptrtoint ptr %{{[ds]}}
; GUARD: freeze i64
; GUARD: br i1 %{{.*}}, label %memlift.run, label %memlift.apart
; GUARD: memlift.run:
; GUARD-NEXT: call void @my_move(ptr {{.*}}writeonly{{.*}} %d, ptr {{.*}}readonly{{.*}} %s, i64
; GUARD: br label %exit
; GUARD: memlift.apart:
; GUARD-NEXT: br i1 %{{.*}}, label %[[FILL:memlift.run[0-9]+]], label %memlift.loop
; GUARD: [[FILL]]:
; GUARD-NEXT: [[FIRST:%.*]] = load i8, ptr %s, align 1
; GUARD-NEXT: [[BYTE:%.*]] = freeze i8 [[FIRST]]
; GUARD-NEXT: call void @memlift_fill8(ptr {{.*}}%d, i8 {{.*}}[[BYTE]], i64
; GUARD: br label %exit
; GUARD: load i8
; GUARD: store i8
; GUARD: br i1 {{.*}}, !llvm.loop [[DONE:![0-9]+]]
; GUARD: exit:
; GUARD-NEXT: phi ptr [ %{{.*}}, %{{.*}}memlift.kept ], [ %{{.*}}, %memlift.run ], [ %{{.*}}, %[[FILL]] ]
define ptr @guarded(ptr %d, ptr %s, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr i8, ptr %s, i64 %i
  %v = load i8, ptr %from
  %to = getelementptr i8, ptr %d, i64 %i
  store i8 %v, ptr %to
  %end = getelementptr i8, ptr %to, i64 1
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  %last = phi ptr [ %end, %loop ]
  ret ptr %last
}

; A loop that may run zero times proves nothing of its pointers.
; CHECK-LABEL: define void @maybe_never
; CHECK: call void @memlift_fill32(
; CHECK-NOT: align
; CHECK-SAME: %p, i32 1, i64
define void @maybe_never(ptr %p, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %at, align 4
  %next = add nuw i64 %i, 1
  br label %head
exit:
  ret void
}
; GUARD-LABEL: attributes
; GUARD: [[DONE]] = distinct !{[[DONE]], [[TAG:![0-9]+]], [[SCALAR:![0-9]+]], [[ROLLED:![0-9]+]]}
; GUARD: [[TAG]] = !{!"memlift.done", i32 1}
; GUARD: [[SCALAR]] = !{!"llvm.loop.isvectorized", i32 1}
; GUARD: [[ROLLED]] = !{!"llvm.loop.unroll.runtime.disable", i32 1}
