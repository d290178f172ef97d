// metg.h - the table of METG(50 %) of bench-tasks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_BENCH_METG_H
#define MEMLIFT_BENCH_METG_H

// Prints a line for each pattern and system: nanoseconds.
void memliftBenchMetg();

#endif
