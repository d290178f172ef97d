; scopes.ll - an alias scope that is declared in the loop holds for one iteration only
; RUN: %each %opt -passes=memlift-print -disable-output %s 2>&1 | %filecheck %s %end

target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"

declare void @llvm.experimental.noalias.scope.decl(metadata)

; As after inlining f(d + i, s + i) with restrict parameters: d and s may be one
; array, a byte apart.
; CHECK-LABEL: loop "{{.*}}:inside#0"
; CHECK-NOT: alias
; CHECK: memlift_copy_forward
define void @inside(ptr %d, ptr %s, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  %from = getelementptr i32, ptr %s, i64 %i
  %v = load i32, ptr %from, align 4, !alias.scope !2
  %to = getelementptr i32, ptr %d, i64 %i
  store i32 %v, ptr %to, align 4, !noalias !2
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; The whole loop was inlined: the scope holds for all iterations.
; CHECK-LABEL: loop "{{.*}}:outside#0"
; CHECK: alias 0 1 none "restrict"
; CHECK: ; lowered
define void @outside(ptr %d, ptr %s, i64 %n) {
entry:
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr i32, ptr %s, i64 %i
  %v = load i32, ptr %from, align 4, !alias.scope !2
  %to = getelementptr i32, ptr %d, i64 %i
  store i32 %v, ptr %to, align 4, !noalias !2
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

!0 = distinct !{!0, !"function"}
!1 = distinct !{!1, !0, !"argument"}
!2 = !{!1}
