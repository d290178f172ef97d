; idempotent.ll - a second run, or a second copy of the plugin, changes and says nothing
; RUN: rm -rf %t && mkdir -p %t && cd %t
; RUN: printf '/ModuleID/d\ns/ *; preds.*//\n' > names
; RUN: %each %opt -passes=memlift -S %s -o once.ll && sed -f names once.ll > once.$v \
; RUN:   && %opt -passes=memlift -S once.ll -o twice.ll -memlift-remarks=remarks.$v.yaml \
; RUN:   && sed -f names twice.ll | cmp - once.$v && not test -s remarks.$v.yaml %end
; RUN: %each cp %theplugin copy.so \
; RUN:   && %opt -load-pass-plugin=./copy.so -passes=memlift,memlift -S %s -o two.ll \
; RUN:   && sed -f names two.ll | cmp - once.$v %end

target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @copy(ptr %d, ptr %s, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr i32, ptr %s, i64 %i
  %v = load i32, ptr %from, align 4
  %to = getelementptr i32, ptr %d, i64 %i
  store i32 %v, ptr %to, align 4
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

define void @kept(ptr %d, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %o = shl i64 %i, 1
  %to = getelementptr i32, ptr %d, i64 %o
  store i32 1, ptr %to, align 4
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @small(ptr %d) {
  call void @llvm.memset.p0.i64(ptr %d, i8 0, i64 8, i1 false)
  ret void
}

define i32 @summed(ptr %s, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %from = getelementptr i32, ptr %s, i64 %i
  %v = load i32, ptr %from, align 4
  %more = add i32 %sum, %v
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret i32 %more
}

define i32 @largest(ptr %s, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %best = phi i32 [ 0, %entry ], [ %more, %loop ]
  %from = getelementptr i32, ptr %s, i64 %i
  %v = load i32, ptr %from, align 4
  %above = icmp ugt i32 %v, %best
  %more = select i1 %above, i32 %v, i32 %best
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret i32 %more
}
