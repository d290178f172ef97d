; pictures.ll - what the reader says of loops: trips, steps, values, live-outs, obstacles
; RUN: %each %opt -passes=memlift-print -disable-output %s 2>&1 | %filecheck %s %end

target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; A narrow count is widened exactly; the guard in front makes it at least one.
; CHECK-LABEL: loop "{{.*}}:narrow_count#0"
; CHECK: sym n 32
; CHECK: dim trip (add (zext 64 (add %n 4294967295:32)) 1) max 4294967296 nonzero
; CHECK-NEXT: store p + 0 step [4] bytes 4 align 4 value 305419896:32
define void @narrow_count(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %wide = zext i32 %i to i64
  %at = getelementptr i32, ptr %p, i64 %wide
  store i32 305419896, ptr %at, align 4
  %next = add nuw i32 %i, 1
  %again = icmp ne i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; The test on top: the body runs as often as the back edge, maybe never.
; CHECK-LABEL: loop "{{.*}}:test_on_top#0"
; CHECK: dim trip %n{{( max [0-9]+)?$}}
define void @test_on_top(ptr %p, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ne i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %at = getelementptr i8, ptr %p, i64 %i
  store i8 0, ptr %at
  %next = add nuw i64 %i, 1
  br label %head
exit:
  ret void
}

; Accesses on both sides of the exit test have no common count.
; CHECK-LABEL: loop "{{.*}}:both_sides#0"
; CHECK: obstacle MLF2017
define void @both_sides(ptr %p, ptr %q, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %a = getelementptr i8, ptr %q, i64 %i
  store i8 1, ptr %a
  %more = icmp ne i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %b = getelementptr i8, ptr %p, i64 %i
  store i8 0, ptr %b
  %next = add nuw i64 %i, 1
  br label %head
exit:
  ret void
}

; A nest whose inner loop is guarded by an invariant condition: the condition
; moves into the outermost trip count.
; CHECK-LABEL: loop "{{.*}}:rows#0"
; CHECK: dim trip (select
; CHECK-NEXT: dim trip %w
; CHECK-NEXT: store p + 0 step [%w 1] bytes 1 align 1 value 7:8
define void @rows(ptr %p, i64 %w, i64 %h) {
entry:
  %some = icmp ne i64 %w, 0
  br label %outer
outer:
  %y = phi i64 [ 0, %entry ], [ %y.next, %latch ]
  %start = mul i64 %y, %w
  br i1 %some, label %pre, label %latch
pre:
  br label %inner
inner:
  %x = phi i64 [ 0, %pre ], [ %x.next, %inner ]
  %sum = add i64 %start, %x
  %at = getelementptr i8, ptr %p, i64 %sum
  store i8 7, ptr %at
  %x.next = add nuw i64 %x, 1
  %x.more = icmp ne i64 %x.next, %w
  br i1 %x.more, label %inner, label %latch
latch:
  %y.next = add nuw i64 %y, 1
  %y.more = icmp ult i64 %y.next, %h
  br i1 %y.more, label %outer, label %exit
exit:
  ret void
}

; The last value of a counter is known in front of the loop, a sum is not.
; CHECK-LABEL: loop "{{.*}}:live#0"
; CHECK: liveout "next" rebuilt
; CHECK: liveout "sum.next" rec sum
define i64 @live(ptr noalias %d, ptr noalias %s, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %loop ]
  %from = getelementptr i64, ptr %s, i64 %i
  %v = load i64, ptr %from
  %to = getelementptr i64, ptr %d, i64 %i
  store i64 %v, ptr %to
  %sum.next = add i64 %sum, %v
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  %a = phi i64 [ %next, %loop ]
  %b = phi i64 [ %sum.next, %loop ]
  %r = add i64 %a, %b
  ret i64 %r
}

; Floats, pointers and vectors are bits.
; CHECK-LABEL: loop "{{.*}}:bits#0"
; CHECK: store p + 0 step [32] bytes 8 align 8 value 4607182418800017408
; CHECK: store p + 8 step [32] bytes 8 align 8 value %q
; CHECK: store p + 16 step [32] bytes 16 align 16 value (splat 128 7:8)
define void @bits(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %o = shl i64 %i, 5
  %a = getelementptr i8, ptr %p, i64 %o
  store double 1.0, ptr %a, align 8
  %b = getelementptr i8, ptr %a, i64 8
  store ptr %q, ptr %b, align 8
  %c = getelementptr i8, ptr %a, i64 16
  store <16 x i8> <i8 7, i8 7, i8 7, i8 7, i8 7, i8 7, i8 7, i8 7,
                    i8 7, i8 7, i8 7, i8 7, i8 7, i8 7, i8 7, i8 7>, ptr %c, align 16
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; Everything that is no plain access is an obstacle or a flag.
; CHECK-LABEL: loop "{{.*}}:effects#0"
; CHECK: bytes 4 align 4 volatile
; CHECK: bytes 4 align 4 atomic
; CHECK: bytes 1 align 1 padding
; CHECK: obstacle MLF2002 "atomicrmw"
; CHECK: obstacle MLF2012 "call of effect"
; CHECK: obstacle MLF2012 "memory fence"
; CHECK: obstacle MLF2012 "non-temporal access"
declare void @effect()
define void @effects(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i64 %i
  store volatile i32 0, ptr %at, align 4
  store atomic i32 0, ptr %at monotonic, align 4
  store i1 0, ptr %at
  %old = atomicrmw add ptr %at, i32 1 seq_cst
  call void @effect()
  fence seq_cst
  store i32 0, ptr %at, align 4, !nontemporal !0
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}
!0 = !{i32 1}

; CHECK-LABEL: loop "{{.*}}:call#0"
; CHECK: origin call
; CHECK: load s + 0 step [] bytes %n align 1
; CHECK-NEXT: store d + 4 step [] bytes %n align 1 value @0
; CHECK-NEXT: alias 0 1 none "memcpy's contract"
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @call(ptr %d, ptr %s, i64 %n) {
  %at = getelementptr i8, ptr %d, i64 4
  call void @llvm.memcpy.p0.p0.i64(ptr %at, ptr %s, i64 %n, i1 false)
  ret void
}
