; quotients.ll - counters that are divided by the size of an element, and those that are not
;
; LLVM 18 cannot read "inbounds nuw", and needs no such word for its analysis.
; RUN: %each if [ $v = 18 ]; then sed 's/inbounds nuw/inbounds/' %s; else cat %s; fi | \
; RUN:   %opt -passes=memlift-print -disable-output 2>&1 | %filecheck %s %end

target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; From zero on, in an object: no test is needed.
; CHECK-LABEL: loop "{{.*}}:from_zero#0"
; CHECK-NOT: assume
; CHECK: dim trip
; CHECK-NOT: assume
; CHECK: store p + 0 step [4]
define void @from_zero(ptr %p, i64 %n) {
entry:
  %first = ptrtoint ptr %p to i64
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  store i32 7, ptr %q, align 4
  %next = getelementptr inbounds nuw i8, ptr %q, i64 4
  %at = ptrtoint ptr %next to i64
  %bytes = sub i64 %at, %first
  %count = ashr exact i64 %bytes, 2
  %again = icmp slt i64 %count, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; From anywhere, and compared without a sign: the bound has to be below half of what there is.
; CHECK-LABEL: loop "{{.*}}:from_anywhere#0"
; CHECK: assume MLF{{[0-9]+}} (ule %n 2305843009213693951)
define void @from_anywhere(ptr %p, i64 %first, i64 %n) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  store i32 7, ptr %q, align 4
  %next = getelementptr inbounds nuw i8, ptr %q, i64 4
  %at = ptrtoint ptr %next to i64
  %bytes = sub i64 %at, %first
  %count = ashr exact i64 %bytes, 2
  %again = icmp ult i64 %count, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; The low bits, by twos: they may turn over at the last but one.
; CHECK-LABEL: loop "{{.*}}:low_bits_by_twos#0"
; CHECK: assume MLF{{[0-9]+}} (ule %n 254:8)
define void @low_bits_by_twos(ptr %p, i8 %n) {
entry:
  %first = ptrtoint ptr %p to i64
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  store i32 7, ptr %q, align 4
  %behind = getelementptr inbounds nuw i8, ptr %q, i64 4
  store i32 7, ptr %behind, align 4
  %next = getelementptr inbounds nuw i8, ptr %q, i64 8
  %at = ptrtoint ptr %next to i64
  %bytes = sub i64 %at, %first
  %count = lshr exact i64 %bytes, 2
  %part = trunc i64 %count to i8
  %again = icmp ult i8 %part, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; Near misses: a rest may be lost; four is no multiple of twelve; the count goes away from its
; bound; more bits than are right.
; CHECK-LABEL: loop "{{.*}}:with_a_rest#0"
; CHECK: obstacle MLF2010
define void @with_a_rest(ptr %p, i64 %n) {
entry:
  %first = ptrtoint ptr %p to i64
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  store i32 7, ptr %q, align 4
  %next = getelementptr inbounds nuw i8, ptr %q, i64 4
  %at = ptrtoint ptr %next to i64
  %bytes = sub i64 %at, %first
  %count = ashr i64 %bytes, 2
  %again = icmp slt i64 %count, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: loop "{{.*}}:no_multiple#0"
; CHECK: obstacle MLF2010
define void @no_multiple(ptr %p, i64 %n) {
entry:
  %first = ptrtoint ptr %p to i64
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  store i32 7, ptr %q, align 4
  %next = getelementptr inbounds nuw i8, ptr %q, i64 4
  %at = ptrtoint ptr %next to i64
  %bytes = sub i64 %at, %first
  %count = sdiv exact i64 %bytes, 12
  %again = icmp slt i64 %count, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: loop "{{.*}}:away#0"
; CHECK: obstacle MLF2010
define void @away(ptr %p, i64 %n) {
entry:
  %first = ptrtoint ptr %p to i64
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  store i32 7, ptr %q, align 4
  %next = getelementptr inbounds nuw i8, ptr %q, i64 4
  %at = ptrtoint ptr %next to i64
  %bytes = sub i64 %at, %first
  %count = ashr exact i64 %bytes, 2
  %again = icmp sgt i64 %count, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: loop "{{.*}}:too_many_bits#0"
; CHECK: obstacle MLF2010
define void @too_many_bits(ptr %p, i63 %n) {
entry:
  %first = ptrtoint ptr %p to i64
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  store i32 7, ptr %q, align 4
  %next = getelementptr inbounds nuw i8, ptr %q, i64 4
  %at = ptrtoint ptr %next to i64
  %bytes = sub i64 %at, %first
  %count = ashr exact i64 %bytes, 2
  %part = trunc i64 %count to i63
  %again = icmp slt i63 %part, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}
