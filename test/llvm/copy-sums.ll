; copy-sums.ll - sums beside a copy, sums behind a guard, additions with overflow
; RUN: %each %opt -passes=memlift -verify-each -S %s | %filecheck %s %end

target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Disjoint regions: one call does both where it is worth one, and says what it reads and writes.
; CHECK-LABEL: define i32 @fused
; CHECK: %[[SUM:.*]] = call i32 @memlift_copy_inet_sum(ptr {{.*}}writeonly{{.*}} %d, ptr {{.*}}readonly{{.*}} %s, i64 %{{.*}}, i32 %{{.*}}) #[[COPY:[0-9]+]]
; CHECK: phi i32 [ %{{.*}}, %exit.memlift.kept ], [ %[[SUM]], %memlift.run ]
define i32 @fused(ptr noalias %d, ptr noalias %s, i64 %n, i16 %start) {
entry:
  %wide = zext i16 %start to i32
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ %wide, %entry ], [ %folded, %loop ]
  %from = getelementptr i16, ptr %s, i64 %i
  %v = load i16, ptr %from, align 2
  %to = getelementptr i16, ptr %d, i64 %i
  store i16 %v, ptr %to, align 2
  %w = zext i16 %v to i32
  %t = add i32 %sum, %w
  %low = and i32 %t, 65535
  %high = lshr i32 %t, 16
  %folded = add i32 %low, %high
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  %last = phi i32 [ %folded, %loop ]
  ret i32 %last
}

; The words themselves: likewise.
; CHECK-LABEL: define i64 @whole
; CHECK: %[[SUM:.*]] = call i64 @memlift_copy_sum_u16(ptr {{.*}}writeonly{{.*}} %d, ptr {{.*}}readonly{{.*}} %s, i64 %{{.*}})
; CHECK: phi i64 [ %{{.*}}, %exit.memlift.kept ], [ %[[SUM]], %memlift.run ]
define i64 @whole(ptr noalias %d, ptr noalias %s, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %t, %loop ]
  %from = getelementptr i16, ptr %s, i64 %i
  %v = load i16, ptr %from, align 2
  %to = getelementptr i16, ptr %d, i64 %i
  store i16 %v, ptr %to, align 2
  %w = zext i16 %v to i64
  %t = add i64 %sum, %w
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  %last = phi i64 [ %t, %loop ]
  ret i64 %last
}

; They may overlap: the sum comes first, both behind the guard.
; CHECK-LABEL: define i32 @moved
; CHECK: br i1 %{{.*}}, label %memlift.run, label %memlift.loop
; CHECK: memlift.run:
; CHECK-NEXT: %[[SUM:.*]] = call i64 @memlift_sum_u8(ptr {{.*}}readonly{{.*}} %s, i64
; CHECK: call void @memlift_move(ptr {{.*}}%d, ptr {{.*}}%s, i64
; CHECK: br label %exit
; CHECK: exit:
; CHECK-NEXT: phi i32 [ %{{.*}}, %{{.*}}memlift.kept ], [ %{{.*}}, %memlift.run ]
define i32 @moved(ptr %d, ptr %s, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %t, %loop ]
  %from = getelementptr i8, ptr %s, i64 %i
  %v = load i8, ptr %from
  %to = getelementptr i8, ptr %d, i64 %i
  store i8 %v, ptr %to
  %w = zext i8 %v to i32
  %t = add i32 %sum, %w
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  %last = phi i32 [ %t, %loop ]
  ret i32 %last
}

; A start value that is tested: the loop stays for the rest.
; CHECK-LABEL: define i32 @start
; CHECK: icmp ule i64 %{{.*}}, 65535
; CHECK: br i1 %{{.*}}, label %memlift.run, label %memlift.loop
; CHECK: call i32 @memlift_inet_sum(
; CHECK: load i16
define i32 @start(ptr %s, i64 %n, i32 %from) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ %from, %entry ], [ %folded, %loop ]
  %at = getelementptr i16, ptr %s, i64 %i
  %v = load i16, ptr %at, align 2
  %w = zext i16 %v to i32
  %t = add i32 %sum, %w
  %low = and i32 %t, 65535
  %high = lshr i32 %t, 16
  %folded = add i32 %low, %high
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  %last = phi i32 [ %folded, %loop ]
  ret i32 %last
}

; An addition that tells its carry; of the last round's words nothing is claimed.
; CHECK-LABEL: define i64 @overflow
; CHECK: call i64 @memlift_ones_sum_u64(ptr {{.*}}%s, i64 %{{.*}}, i64 %{{.*}})
define i64 @overflow(ptr %s, i64 %n, i64 %from) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ %from, %entry ], [ %around, %loop ]
  %at = getelementptr i64, ptr %s, i64 %i
  %v = load i64, ptr %at, align 8
  %both = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %sum, i64 %v)
  %t = extractvalue { i64, i1 } %both, 0
  %carry = extractvalue { i64, i1 } %both, 1
  %one = zext i1 %carry to i64
  %around = add i64 %t, %one
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  %last = phi i64 [ %around, %loop ]
  ret i64 %last
}

; CHECK-LABEL: define i32 @waiting
; CHECK: call i32 @memlift_ones_sum_u32(ptr {{.*}}%s, i64 %{{.*}}, i32 0)
; CHECK: call i64 @memlift_sum_u32(ptr {{[a-z() ]*}}readonly{{[a-z() ]*}} %{{[0-9]+}}, i64
define i32 @waiting(ptr %s, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %t, %loop ]
  %c = phi i32 [ 0, %entry ], [ %carry, %loop ]
  %at = getelementptr i32, ptr %s, i64 %i
  %v = load i32, ptr %at, align 4
  %u = add i32 %sum, %c
  %t = add i32 %u, %v
  %less = icmp ugt i32 %v, %t
  %carry = zext i1 %less to i32
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  %last = phi i32 [ %t, %loop ]
  %lastc = phi i32 [ %carry, %loop ]
  %r = add i32 %last, %lastc
  ret i32 %r
}

declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)

; CHECK: attributes #[[COPY]] = {{.*}}memory(argmem: readwrite)
