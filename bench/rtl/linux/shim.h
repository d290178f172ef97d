// shim.h - the little of Linux's headers that its copies, fills and checksums need
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers that they include are empty files (linux.py). The kernel runs in machine mode, so
// access to user memory is a bit of mstatus; faults are not looked up.
#define CONFIG_64BIT 1

#ifdef __ASSEMBLER__

#define ENTRY(name)                                                                                \
  .globl name;                                                                                     \
  .balign 4;                                                                                       \
  name:
#define WEAK(name)                                                                                 \
  .weak name;                                                                                      \
  name:
#define END(name) .size name, .- name
#define ENDPROC END
#define SYM_FUNC_START ENTRY
#define SYM_FUNC_START_WEAK WEAK
#define SYM_FUNC_END END
#define EXPORT_SYMBOL(name)
#define REG_L ld
#define REG_S sd
#define SZREG 8
#define SR_SUM 0x40000
#define CSR_STATUS mstatus
// clang-format off
.macro _asm_extable from, to
.endm
// clang-format on

#else

typedef unsigned char __u8;
typedef unsigned int u32, __u32, __be32, __wsum;
typedef unsigned long long u64;
typedef unsigned short __sum16;
#define __force
#define __LITTLE_ENDIAN 1234
#define EXPORT_SYMBOL(name)
__sum16 ip_compute_csum(const void *buff, int len);

#endif
