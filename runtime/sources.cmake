# sources.cmake - the files of libmemlift, for the native and the cross build
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One list for every target: a file for another architecture compiles to nothing.

set(MEMLIFT_RUNTIME_SOURCES
  environment.c
  status.c
  kernels/dispatch.c
  kernels/entry.c
  kernels/generic/copy_generic.c
  kernels/generic/fill_generic.c
  kernels/x86/copy_x86.c
  kernels/x86/cpu_x86.c
  kernels/x86/fill_x86.c)
