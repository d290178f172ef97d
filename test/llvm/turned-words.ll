; turned-words.ll - counters that LLVM 18 has subtracted by an exclusive or before loops are unrolled
; RUN: %each %opt -passes='default<O2>' -disable-output %s -pass-remarks=memlift \
; RUN:   -pass-remarks-missed=memlift -pass-remarks-analysis=memlift 2>&1 | %filecheck %s %end

target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; d[i] = s[3 - i]: straight code.
; CHECK: remark: {{.*}} [MLF3005]
define void @apart(ptr noalias %d, ptr noalias %s) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %short = trunc i64 %i to i32
  %back = xor i32 %short, 3
  %wide = zext i32 %back to i64
  %from = getelementptr inbounds i8, ptr %s, i64 %wide
  %v = load i8, ptr %from, align 1
  %to = getelementptr inbounds i8, ptr %d, i64 %i
  store i8 %v, ptr %to, align 1
  %next = add nuw nsw i64 %i, 1
  %again = icmp ne i64 %next, 4
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; d[i] = s[15 - i]: a call for 16 bytes is no faster.
; CHECK: remark: {{.*}}copy_reverse loop kept: {{.*}} [MLF3004]
define void @sixteen(ptr noalias %d, ptr noalias %s) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %short = trunc i64 %i to i32
  %back = xor i32 %short, 15
  %wide = zext i32 %back to i64
  %from = getelementptr inbounds i8, ptr %s, i64 %wide
  %v = load i8, ptr %from, align 1
  %to = getelementptr inbounds i8, ptr %d, i64 %i
  store i8 %v, ptr %to, align 1
  %next = add nuw nsw i64 %i, 1
  %again = icmp ne i64 %next, 16
  br i1 %again, label %loop, label %exit
exit:
  ret void
}
