; unseen.ll - loops of functions that are not read get their remark, too
; RUN: %each %opt -passes=memlift -disable-output %s -pass-remarks-missed=memlift \
; RUN:   -pass-remarks-analysis=memlift 2>&1 | %filecheck --check-prefix=FUNCLET %s %end
; RUN: %each sed 's/x86_64-pc-windows-msvc/nvptx64-nvidia-cuda/; s/personality.*{/{/' %s \
; RUN:   | %opt -passes=memlift -disable-output -pass-remarks-missed=memlift \
; RUN:   -pass-remarks-analysis=memlift 2>&1 | %filecheck --check-prefix=GPU %s %end
; RUN: %each sed 's/x86_64-pc-windows-msvc/aarch64-unknown-linux-gnu/; s/personality.*{/"memlift-stream-store"="64" {/; s/e-m:w/e-p:64:64:64:32/' %s \
; RUN:   | %opt -passes=memlift -disable-output -pass-remarks-missed=memlift \
; RUN:   -pass-remarks-analysis=memlift 2>&1 | %filecheck --check-prefix=NARROW %s %end
; Nothing is said where nobody listens, and of loops that store nothing.
; RUN: %each %opt -passes=memlift -disable-output %s 2>&1 | count 0 %end
; FUNCLET: [MLF2195]
; FUNCLET-NOT: [MLF2195]
; GPU: [MLF2195]
; NARROW: [MLF2195]
target datalayout = "e-m:w-i64:64-n8:16:32:64-S128"
target triple = "x86_64-pc-windows-msvc"

declare i32 @__CxxFrameHandler3(...)

define void @fill(ptr %p, i64 %n) personality ptr @__CxxFrameHandler3 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 0, ptr %to, align 4
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

define void @waits(ptr %p) personality ptr @__CxxFrameHandler3 {
entry:
  br label %loop
loop:
  %v = load volatile i32, ptr %p
  %again = icmp ne i32 %v, 0
  br i1 %again, label %loop, label %exit
exit:
  ret void
}
