# sources.cmake - the files of libmemlift, for the native and the cross build
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One list for every target: a file for another architecture compiles to nothing.

set(MEMLIFT_RUNTIME_SOURCES
  describe.c
  environment.c
  status.c
  engine/offload.c
  engine/registry.c
  engine/cpu/cpu.c
  engine/soft/soft.c
  kernels/dispatch.c
  kernels/entry.c
  kernels/entry_modsum.c
  kernels/entry_rows.c
  kernels/entry_sums.c
  kernels/generic/copy_generic.c
  kernels/generic/copy_inet_generic.c
  kernels/generic/crc_combine.c
  kernels/generic/crc_generic.c
  kernels/generic/fill_generic.c
  kernels/generic/inet_generic.c
  kernels/generic/ones_generic.c
  kernels/generic/pattern16_generic.c
  kernels/generic/polyhash_generic.c
  kernels/generic/sum_generic.c
  kernels/generic/swap_generic.c
  kernels/generic/swap_sum_generic.c
  kernels/generic/wsum_generic.c
  kernels/generic/xor_generic.c
  kernels/x86/copy_inet_x86.c
  kernels/x86/copy_x86.c
  kernels/x86/cpu_x86.c
  kernels/x86/crc_x86.c
  kernels/x86/fill_x86.c
  kernels/x86/inet_x86.c
  kernels/x86/pair_x86.c
  kernels/x86/sum_x86.c
  kernels/x86/swap_x86.c
  kernels/x86/wsum_x86.c
  kernels/x86/xor_x86.c
  model/soft_decode.c
  model/soft_device.c
  model/soft_transfer.c
  queue/ring.c
  queue/wait.c)
