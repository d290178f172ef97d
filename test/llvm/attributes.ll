; attributes.ll - calls carry what the optimiser knew of the loop
; RUN: %each %opt -passes=memlift -S %s | %filecheck %s %end
; A fill of memory that nobody reads afterwards is deleted, as the loop of stores is.
; RUN: %each %opt -passes=memlift,dse -S %s | %filecheck --check-prefix=DSE %s %end
; A load from elsewhere is known not to change.
; RUN: %each %opt -passes=memlift,gvn -S %s | %filecheck --check-prefix=GVN %s %end

target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") "alloc-family"="malloc"
declare void @free(ptr allocptr nocapture) allockind("free") "alloc-family"="malloc"

; CHECK-LABEL: @clear_and_free
; CHECK: call void @memlift_fill32({{.*}}) #[[FILL:[0-9]+]]
; DSE-LABEL: @clear_and_free
; DSE-NOT: memlift_fill32
; DSE: ret void
define void @clear_and_free(i64 %n, i32 %v) {
entry:
  %bytes = shl i64 %n, 2
  %p = call ptr @malloc(i64 %bytes)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 %v, ptr %at, align 4
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  call void @free(ptr %p)
  ret void
}

; CHECK-LABEL: @elsewhere
; CHECK: call void @memlift_copy({{.*}}noalias{{.*}}%d, {{.*}}noalias{{.*}}%s,{{.*}}#[[COPY:[0-9]+]]
; GVN-LABEL: @elsewhere
; GVN: load i32, ptr %other
; GVN-NOT: load
; GVN: ret i32
define i32 @elsewhere(ptr noalias %d, ptr noalias %s, ptr noalias %other, i64 %n) {
entry:
  %a = load i32, ptr %other
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
  %b = load i32, ptr %other
  %r = add i32 %a, %b
  ret i32 %r
}

; Constant sizes say how much may be read and written.
; CHECK-LABEL: @page
; CHECK: call void @memlift_fill64(ptr {{.*}}writeonly align 8 {{.*}}dereferenceable(4096) %p
define void @page(ptr %p, i64 %v) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i64, ptr %p, i64 %i
  store i64 %v, ptr %at, align 8
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, 512
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; A sum only reads, so it is done once for two loops over the same bytes.
; CHECK-LABEL: @sum_twice
; CHECK: call i64 @memlift_sum_u32(ptr {{.*}}readonly{{.*}} dereferenceable(4096) %p,
; CHECK-SAME: i64 4096) #[[SUM:[0-9]+]]
; CHECK: call i64 @memlift_sum_u32(
; GVN-LABEL: @sum_twice
; GVN: call i64 @memlift_sum_u32(
; GVN-NOT: memlift_sum_u32
; GVN: ret i64
define i64 @sum_twice(ptr %p) {
entry:
  br label %first
first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %a = phi i64 [ 0, %entry ], [ %a.next, %first ]
  %at = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %at, align 4
  %x = zext i32 %v to i64
  %a.next = add i64 %a, %x
  %i.next = add nuw i64 %i, 1
  %i.again = icmp ne i64 %i.next, 1024
  br i1 %i.again, label %first, label %between
between:
  br label %second
second:
  %j = phi i64 [ 0, %between ], [ %j.next, %second ]
  %b = phi i64 [ 0, %between ], [ %b.next, %second ]
  %from = getelementptr i32, ptr %p, i64 %j
  %w = load i32, ptr %from, align 4
  %y = zext i32 %w to i64
  %b.next = add i64 %b, %y
  %j.next = add nuw i64 %j, 1
  %j.again = icmp ne i64 %j.next, 1024
  br i1 %j.again, label %second, label %exit
exit:
  %r = mul i64 %a.next, %b.next
  ret i64 %r
}

; CHECK-DAG: #[[FILL]] = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
; CHECK-DAG: #[[COPY]] = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
; CHECK-DAG: #[[SUM]] = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
