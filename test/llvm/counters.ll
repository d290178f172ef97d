; counters.ll - counters that an exclusive or subtracts, that cannot wrap, and that tests bound
; RUN: %each %opt -passes=memlift-print -disable-output %s 2>&1 | %filecheck %s %end
; LLVM 18 and 19 count the loops by eights as if they did not wrap.
; RUN: %each if [ $v -ge 20 ]; then %opt -passes=memlift-print -disable-output %s 2>&1 | \
; RUN:   %filecheck --check-prefix=WRAP %s; fi %end

target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; d[i] = s[7 - i], as LLVM 18 has it.
; CHECK-LABEL: loop "{{.*}}:turned#0"
; CHECK: load s + 7 step [-1]
define void @turned(ptr noalias %d, ptr noalias %s) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %back = xor i64 %i, 7
  %from = getelementptr i8, ptr %s, i64 %back
  %v = load i8, ptr %from
  %to = getelementptr i8, ptr %d, i64 %i
  store i8 %v, ptr %to
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 8
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; Beyond 7 it changes the order within each 8 bytes.
; CHECK-LABEL: loop "{{.*}}:sixteen#0"
; CHECK-NOT: load s + 7 step [-1]
define void @sixteen(ptr noalias %d, ptr noalias %s) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %back = xor i64 %i, 7
  %from = getelementptr i8, ptr %s, i64 %back
  %v = load i8, ptr %from
  %to = getelementptr i8, ptr %d, i64 %i
  store i8 %v, ptr %to
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 16
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; 6 is no mask of low bits.
; CHECK-LABEL: loop "{{.*}}:holes#0"
; CHECK-NOT: load s + 6 step [-1]
define void @holes(ptr noalias %d, ptr noalias %s) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %back = xor i64 %i, 6
  %from = getelementptr i8, ptr %s, i64 %back
  %v = load i8, ptr %from
  %to = getelementptr i8, ptr %d, i64 %i
  store i8 %v, ptr %to
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 4
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; for (i = 0; i + 8 <= n; i += 8): i would wrap after all of the address space only.
; CHECK-LABEL: loop "{{.*}}:by_eights#0"
; WRAP-LABEL: loop "{{.*}}:by_eights#0"
; WRAP-NOT: assume
define void @by_eights(ptr noalias %d, i64 noundef %n) {
entry:
  %any = icmp ult i64 %n, 8
  br i1 %any, label %exit, label %loop
loop:
  %next = phi i64 [ %more, %loop ], [ 8, %entry ]
  %i = phi i64 [ %next, %loop ], [ 0, %entry ]
  %to = getelementptr i8, ptr %d, i64 %i
  store i64 0, ptr %to, align 1
  %more = add i64 %next, 8
  %again = icmp ule i64 %more, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; From a start that may be near the end, it may wrap at once.
; WRAP-LABEL: loop "{{.*}}:from_anywhere#0"
; WRAP: assume MLF{{[0-9]+}} (ule %n -9)
define void @from_anywhere(ptr noalias %d, i64 noundef %first, i64 noundef %n) {
entry:
  %end = add i64 %first, 8
  %any = icmp ugt i64 %end, %n
  br i1 %any, label %exit, label %loop
loop:
  %next = phi i64 [ %more, %loop ], [ %end, %entry ]
  %i = phi i64 [ %next, %loop ], [ %first, %entry ]
  %to = getelementptr i8, ptr %d, i64 %i
  store i64 0, ptr %to, align 1
  %more = add i64 %next, 8
  %again = icmp ule i64 %more, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; It walks over an eighth of the address space only.
; WRAP-LABEL: loop "{{.*}}:one_place#0"
; WRAP: assume MLF{{[0-9]+}} (ule %n -9)
define void @one_place(ptr noalias %d, i64 noundef %n) {
entry:
  %any = icmp ult i64 %n, 8
  br i1 %any, label %exit, label %loop
loop:
  %next = phi i64 [ %more, %loop ], [ 8, %entry ]
  %i = phi i64 [ %on, %loop ], [ 0, %entry ]
  %to = getelementptr i8, ptr %d, i64 %i
  store i8 0, ptr %to
  %on = add i64 %i, 1
  %more = add i64 %next, 8
  %again = icmp ule i64 %more, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; It walks over nothing where the condition is false.
; WRAP-LABEL: loop "{{.*}}:perhaps#0"
; WRAP: assume MLF{{[0-9]+}} (ule %n -9)
define void @perhaps(ptr noalias %d, i64 noundef %n, i1 noundef %writes) {
entry:
  %any = icmp ult i64 %n, 8
  br i1 %any, label %exit, label %loop
loop:
  %next = phi i64 [ %more, %latch ], [ 8, %entry ]
  %i = phi i64 [ %next, %latch ], [ 0, %entry ]
  br i1 %writes, label %write, label %latch
write:
  %to = getelementptr i8, ptr %d, i64 %i
  store i64 0, ptr %to, align 1
  br label %latch
latch:
  %more = add i64 %next, 8
  %again = icmp ule i64 %more, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; while (n >= 8) n -= 8; leaves at most 7 for the loop after it.
; CHECK-LABEL: loop "{{.*}}:rest#0"
; CHECK: dim trip {{.*}} max 7
define void @rest(ptr noalias %d, i64 noundef %n) {
entry:
  %long = icmp ugt i64 %n, 7
  br i1 %long, label %eights, label %check
eights:
  %left = phi i64 [ %less, %eights ], [ %n, %entry ]
  call void asm sideeffect "", ""()
  %less = add i64 %left, -8
  %more = icmp ugt i64 %less, 7
  br i1 %more, label %eights, label %check
check:
  %few = phi i64 [ %n, %entry ], [ %less, %eights ]
  %none = icmp eq i64 %few, 0
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i64 [ 0, %check ], [ %next, %loop ]
  %to = getelementptr i8, ptr %d, i64 %i
  store i8 7, ptr %to
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %few
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; The same of a signed number: at most 7, and perhaps negative before the test.
; CHECK-LABEL: loop "{{.*}}:signed_rest#0"
; CHECK: dim trip {{.*}} max {{[34]}} 
define i32 @signed_rest(ptr %p, i32 noundef %n) {
entry:
  %long = icmp sgt i32 %n, 7
  br i1 %long, label %eights, label %check
eights:
  %left = phi i32 [ %less, %eights ], [ %n, %entry ]
  call void asm sideeffect "", ""()
  %less = add nsw i32 %left, -8
  %more = icmp sgt i32 %less, 7
  br i1 %more, label %eights, label %check
check:
  %few = phi i32 [ %n, %entry ], [ %less, %eights ]
  %some = icmp sgt i32 %few, 1
  br i1 %some, label %loop, label %exit
loop:
  %at = phi ptr [ %p, %check ], [ %next, %loop ]
  %rest = phi i32 [ %few, %check ], [ %fewer, %loop ]
  %s = phi i32 [ 0, %check ], [ %sum, %loop ]
  %v = load i16, ptr %at, align 2
  %w = zext i16 %v to i32
  %sum = add i32 %s, %w
  %next = getelementptr i8, ptr %at, i64 2
  %fewer = add nsw i32 %rest, -2
  %again = icmp sgt i32 %rest, 3
  br i1 %again, label %loop, label %exit
exit:
  %r = phi i32 [ 0, %check ], [ %sum, %loop ]
  ret i32 %r
}

; Entered without that test it may have more.
; CHECK-LABEL: loop "{{.*}}:rest_of_any#0"
; CHECK: dim trip %few nonzero
define void @rest_of_any(ptr noalias %d, i64 %n, i1 %long) {
entry:
  br i1 %long, label %eights, label %check
eights:
  %left = phi i64 [ %less, %eights ], [ %n, %entry ]
  call void asm sideeffect "", ""()
  %less = add i64 %left, -8
  %more = icmp ugt i64 %less, 7
  br i1 %more, label %eights, label %check
check:
  %few = phi i64 [ %n, %entry ], [ %less, %eights ]
  %none = icmp eq i64 %few, 0
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i64 [ 0, %check ], [ %next, %loop ]
  %to = getelementptr i8, ptr %d, i64 %i
  store i8 7, ptr %to
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %few
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
