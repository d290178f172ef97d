// UserAccess.td - loads and stores that may fault, and their entries in the kernel's table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a function with memlift("user") each access of a loop is one of these instructions with the
// label 771. Its entry tells a fault handler where to go on.

class UserAccess<string arch> {
  // Architecture, as the first part of a target triple.
  string Arch = arch;
  // Instructions for 1, 2, 4 and 8 bytes. A load fills its register with zeros. {v} is the value's
  // register, {v:M} the same with the operand modifier M of both compilers, {a} the address's
  // register, {o} an offset in bytes.
  list<string> Loads = [];
  list<string> Stores = [];
  // Lines that add the entry; {fixup} is where a fault leads.
  list<string> Entry = [];
  // Bytes of an entry: the instruction's address and the fixup's, each 32 bits and relative to its
  // own place, come first.
  int EntryBytes = 12;
  string Source = ?;
}

def UserRiscv64 : UserAccess<"riscv64"> {
  let Loads = ["lbu {v}, {o}({a})", "lhu {v}, {o}({a})", "lwu {v}, {o}({a})", "ld {v}, {o}({a})"];
  let Stores = ["sb {v}, {o}({a})", "sh {v}, {o}({a})", "sw {v}, {o}({a})", "sd {v}, {o}({a})"];
  let Entry = [".pushsection __ex_table, \"a\"", ".balign 4", ".long 771b - .", ".long {fixup} - .",
    ".short 1", ".short 0", ".popsection"];
  let Source = [{Linux arch/riscv/include/asm/asm-extable.h: __ASM_EXTABLE_RAW, EX_TYPE_FIXUP is
    1; the handler is ex_handler_fixup() of arch/riscv/mm/extable.c}];
}

// The 32 bits after the two offsets hold the type, here EX_TYPE_DEFAULT.
def UserX86 : UserAccess<"x86_64"> {
  let Loads = ["movzbl {o}({a}), {v:k}", "movzwl {o}({a}), {v:k}", "movl {o}({a}), {v:k}",
    "movq {o}({a}), {v:q}"];
  let Stores = ["movb {v:b}, {o}({a})", "movw {v:w}, {o}({a})", "movl {v:k}, {o}({a})",
    "movq {v:q}, {o}({a})"];
  let Entry = [".pushsection __ex_table, \"a\"", ".balign 4", ".long 771b - .", ".long {fixup} - .",
    ".long 1", ".popsection"];
  let Source = [{Linux arch/x86/include/asm/asm.h: _ASM_EXTABLE_TYPE; EX_TYPE_DEFAULT is 1 in
    asm/extable_fixup_types.h}];
}

// EX_TYPE_FIXUP is in Linux 5.16 to 6.1 and some later ones; it has the layout of riscv.
def UserAArch64 : UserAccess<"aarch64"> {
  let Loads = ["ldrb {v:w}, [{a}, #{o}]", "ldrh {v:w}, [{a}, #{o}]", "ldr {v:w}, [{a}, #{o}]",
    "ldr {v:x}, [{a}, #{o}]"];
  let Stores = ["strb {v:w}, [{a}, #{o}]", "strh {v:w}, [{a}, #{o}]", "str {v:w}, [{a}, #{o}]",
    "str {v:x}, [{a}, #{o}]"];
  let Entry = [".pushsection __ex_table, \"a\"", ".balign 4", ".long 771b - .", ".long {fixup} - .",
    ".short 1", ".short 0", ".popsection"];
  let Source = [{Linux arch/arm64/include/asm/asm-extable.h: __ASM_EXTABLE_RAW, EX_TYPE_FIXUP is
    1; the handler is ex_handler_fixup() of arch/arm64/mm/extable.c}];
}
