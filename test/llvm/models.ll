; models.ll - what the reader says of loops: trips, steps, values, live-outs, obstacles
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

; What a loop makes of the bytes that it reads: next values over loads, other
; recurrences, the count and constant tables; rotations; arms of a condition.
; CHECK-LABEL: loop "{{.*}}:adler#0"
; CHECK: rec a 32 init %a0
; CHECK-NEXT: rec b 32 init 7:32
; CHECK: next a (add $a (zext 32 @0))
; CHECK-NEXT: next b (add $b (add $a (zext 32 @0)))
; CHECK-NEXT: liveout "b.next" rec b
define i32 @adler(ptr %p, i64 %n, i32 %a0) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = phi i32 [ %a0, %entry ], [ %a.next, %loop ]
  %b = phi i32 [ 7, %entry ], [ %b.next, %loop ]
  %from = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %from
  %x = zext i8 %v to i32
  %a.next = add i32 %a, %x
  %b.next = add i32 %b, %a.next
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret i32 %b.next
}

@small = private constant [4 x i16] [i16 5, i16 -1, i16 7, i16 9]
@grid = private constant [2 x [4 x i16]] [
  [4 x i16] [i16 0, i16 1, i16 2, i16 3], [4 x i16] [i16 4, i16 5, i16 6, i16 7]]

; The phi leaves through a test on top; the index is masked to the table's size.
; CHECK-LABEL: loop "{{.*}}:tables#0"
; CHECK: table small 16 [5 65535 7 9]
; CHECK-NEXT: table grid 16 [0 1 2 3 4 5 6 7]
; CHECK-NEXT: rec c 16 init 0:16
; CHECK-NOT: load small
; CHECK: (table small (zext 64 (and @0 3:8)))
; CHECK-SAME: (table grid (add
; CHECK-NEXT: liveout "c" rec c
define i16 @tables(ptr %p, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %c = phi i16 [ 0, %entry ], [ %c.next, %body ]
  %more = icmp ne i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %from = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %from
  %masked = and i8 %v, 3
  %at = zext i8 %masked to i64
  %entry1 = getelementptr [4 x i16], ptr @small, i64 0, i64 %at
  %x = load i16, ptr %entry1
  %entry2 = getelementptr [2 x [4 x i16]], ptr @grid, i64 0, i64 1, i64 %at
  %y = load i16, ptr %entry2
  %mixed = xor i16 %x, %y
  %turned = call i16 @llvm.fshl.i16(i16 %c, i16 %c, i16 3)
  %c.next = xor i16 %mixed, %turned
  %next = add nuw i64 %i, 1
  br label %head
exit:
  ret i16 %c
}

; Nothing is read behind the end of a table; one that may change has no entries here.
; CHECK-LABEL: loop "{{.*}}:no_lookups#0"
; CHECK: table small 16 [5 65535 7 9]
; CHECK: table variable 16 unknown
; CHECK-NOT: load small
; CHECK: load variable nonaffine {{.*}} lookup
; CHECK: liveout "c" rec c
@variable = internal global [256 x i16] zeroinitializer
define i16 @no_lookups(ptr %p, i64 %n) {
entry:
  store i16 1, ptr @variable
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %c = phi i16 [ 0, %entry ], [ %c.next, %body ]
  %more = icmp ne i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %from = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %from
  %masked = and i8 %v, 7
  %at = zext i8 %masked to i64
  %entry1 = getelementptr [4 x i16], ptr @small, i64 0, i64 %at
  %x = load i16, ptr %entry1
  %entry2 = getelementptr [256 x i16], ptr @variable, i64 0, i64 %at
  %y = load i16, ptr %entry2
  %mixed = xor i16 %x, %y
  %c.next = xor i16 %mixed, %c
  %next = add nuw i64 %i, 1
  br label %head
exit:
  ret i16 %c
}

; A condition without effects becomes a choice; a count is an expression.
; CHECK-LABEL: loop "{{.*}}:choice#0"
; CHECK: next c (add $c (select (eq @0 0:8) (trunc 32 (mul iv0 3)) (zext 32 @0)))
; CHECK-NEXT: liveout "c.next" rec c
define i32 @choice(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %c = phi i32 [ 0, %entry ], [ %c.next, %latch ]
  %from = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %from
  %none = icmp eq i8 %v, 0
  br i1 %none, label %arm, label %latch.pre
arm:
  %thrice = mul i64 %i, 3
  %t = trunc i64 %thrice to i32
  br label %latch
latch.pre:
  %x = zext i8 %v to i32
  br label %latch
latch:
  %d = phi i32 [ %t, %arm ], [ %x, %latch.pre ]
  %c.next = add i32 %c, %d
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret i32 %c.next
}

; The value before the last update is no recurrence's result.
; CHECK-LABEL: loop "{{.*}}:before_last#0"
; CHECK: liveout "c" lost
define i32 @before_last(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %c = phi i32 [ 0, %entry ], [ %c.next, %loop ]
  %from = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %from
  %c.next = add i32 %c, %v
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret i32 %c
}

declare i16 @llvm.fshl.i16(i16, i16, i16)
