/* vector_riscv64.h - how the RV64 kernels write vector instructions, with any compiler
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * GCC 12 does not know the vectors, its assembler does. So they are inline assembly, of any vector
 * length: vsetvli says how much an iteration does. A compiler that does not know them never keeps
 * anything in them; one that does (clang, GCC 13, with -march=rv64gcv) is told what is used. The
 * calling convention saves none of them.
 *
 * Elements are loaded as bytes and then taken as words: loads of words that are not aligned to
 * their size may trap.
 */
#ifndef MEMLIFT_VECTOR_RISCV64_H
#define MEMLIFT_VECTOR_RISCV64_H

#define VECTORS ".option push\n.option arch, +v\n"
#define VECTORS_END ".option pop\n"

#if defined(__riscv_vector)
#define VECTORS_CLOBBERED                                                                          \
  , "vl", "vtype", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11",       \
      "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24",   \
      "v25", "v26", "v27", "v28", "v29", "v30", "v31"
#else
#define VECTORS_CLOBBERED
#endif

#endif
