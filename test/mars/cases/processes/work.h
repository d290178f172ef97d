// work.h - what the host asks of the task
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
enum work { WHERE, ADDS, COUNTS, RUNS, DIES, LOOPS, KILLS };
