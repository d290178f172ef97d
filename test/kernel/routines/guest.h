// guest.h - what the programs of the guest share in which the kernel routines of examples/linux run
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEST_KERNEL_ROUTINES_GUEST_H
#define TEST_KERNEL_ROUTINES_GUEST_H

/// Tries copies that fault; counts of Linux's own assembler may be too small if `exact` is 0.
/// Returns the number of wrong results, each of them printed.
int try_faults(int exact);

/// Runs iperf3 between this guest and another: words of the kernel's command line, see link.c.
int run_link(char **words);

#endif
