// BulkOps.td - operations that a loop can become: symbol, prototype, meaning.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All sizes are in bytes and may be 0; the pointers are not touched then. All operations are
// async-signal-safe, allocate nothing and keep errno.

class BulkOp<string idiom, string symbol> {
  // Name of the idiom: fill, copy, move, sum, weighted_sum, inet_checksum ... Where it has one
  // operation, map=IDIOM=SYMBOL names that.
  string Idiom = idiom;
  // Symbol in libmemlift.
  string Symbol = symbol;
  string Prototype = ?;
  // Bytes of the value that is repeated; 0 if there is none, or if it is an argument.
  int ValueBytes = 0;
  // Routine of the C library that does the same under runtime=libc; empty if there is none.
  string Libc = "";
  string Meaning = ?;
}

def Copy : BulkOp<"copy", "memlift_copy"> {
  let Prototype = "void memlift_copy(void *restrict dst, const void *restrict src, size_t n)";
  let Libc = "memcpy";
  let Meaning = [{copies n bytes; the regions are disjoint, or dst == src}];
}

def Move : BulkOp<"move", "memlift_move"> {
  let Prototype = "void memlift_move(void *dst, const void *src, size_t n)";
  let Libc = "memmove";
  let Meaning = [{copies n bytes as if through a buffer; the regions may overlap in any way}];
}

def CopyForward : BulkOp<"move", "memlift_copy_forward"> {
  let Prototype = [{void memlift_copy_forward(void *dst, const void *src, size_t step, size_t n)}];
  let Meaning = [{copies n bytes upwards in steps of so many, each read whole before it is written
    and written before the next is read; with dst less than n bytes above src the first bytes
    repeat}];
}

def CopyA8 : BulkOp<"copy", "memlift_copy_a8"> {
  let Prototype = "void memlift_copy_a8(void *restrict dst, const void *restrict src, size_t n)";
  let Meaning = [{memlift_copy, where dst and src are multiples of 8}];
}

def CopyA64 : BulkOp<"copy", "memlift_copy_a64"> {
  let Prototype = "void memlift_copy_a64(void *restrict dst, const void *restrict src, size_t n)";
  let Meaning = [{memlift_copy, where dst and src are multiples of 64: whole lines, so that neither
    the CPU nor an engine that takes whole ones has a part of one in front}];
}

def Fill8 : BulkOp<"fill", "memlift_fill8"> {
  let Prototype = "void memlift_fill8(void *dst, uint8_t v, size_t n)";
  let ValueBytes = 1;
  let Libc = "memset";
  let Meaning = [{stores v in each of n bytes}];
}

class WideFill<int width> : BulkOp<"fill", "memlift_fill" # width> {
  let Prototype = "void memlift_fill" # width # "(void *dst, uint" # width # "_t v, size_t n)";
  let ValueBytes = !srl(width, 3);
  let Meaning = [{stores v again and again from dst, in the byte order of the machine, n bytes in
    all; dst may have any alignment; the last value is cut off if n is no multiple of its size}];
}
def Fill16 : WideFill<16>;
def Fill32 : WideFill<32>;
def Fill64 : WideFill<64>;

def Fill64A8 : BulkOp<"fill", "memlift_fill64_a8"> {
  let Prototype = "void memlift_fill64_a8(void *dst, uint64_t v, size_t n)";
  let ValueBytes = 8;
  let Meaning = [{memlift_fill64, where dst is a multiple of 8}];
}

def Fill64A64 : BulkOp<"fill", "memlift_fill64_a64"> {
  let Prototype = "void memlift_fill64_a64(void *dst, uint64_t v, size_t n)";
  let ValueBytes = 8;
  let Meaning = [{memlift_fill64, where dst is a multiple of 64}];
}

def FillPattern : BulkOp<"fill", "memlift_fill_pattern"> {
  let Prototype = [{void memlift_fill_pattern(void *dst, uint64_t pattern, size_t period,
    size_t n)}];
  let Meaning = [{repeats the period low bytes of pattern, 1 to 8, lowest first:
    byte j becomes (pattern >> 8 * (j % period)) & 0xff on every machine}];
}

def FillPattern16 : BulkOp<"fill", "memlift_fill_pattern16"> {
  let Prototype = [{void memlift_fill_pattern16(void *dst, uint64_t low, uint64_t high,
    size_t period, size_t n)}];
  let Meaning = [{the same with a value of 1 to 16 bytes: its first 8 in low, lowest first, the
    others in high}];
}

// Rows: row y starts y * pitch bytes behind the first one, for a pitch of either sign; rows go one
// after the other, so they may overlap.

def Fill2d : BulkOp<"fill", "memlift_fill_2d"> {
  let Prototype = [{void memlift_fill_2d(void *dst, ptrdiff_t pitch, uint64_t pattern,
    size_t period, size_t width, size_t rows)}];
  let Meaning = [{memlift_fill_pattern of width bytes in each of so many rows}];
}

def Copy2d : BulkOp<"copy", "memlift_copy_2d"> {
  let Prototype = [{void memlift_copy_2d(void *restrict dst, ptrdiff_t dst_pitch,
    const void *restrict src, ptrdiff_t src_pitch, size_t width, size_t rows)}];
  let Meaning = [{copies width bytes in each of so many rows; no byte of dst's rows is one of
    src's}];
}

def Move2d : BulkOp<"move", "memlift_move_2d"> {
  let Prototype = [{void memlift_move_2d(void *dst, ptrdiff_t dst_pitch, const void *src,
    ptrdiff_t src_pitch, size_t width, size_t rows)}];
  let Meaning = [{memlift_move of width bytes in each of so many rows}];
}

class CopySwap<int width> : BulkOp<"copy_swap", "memlift_copy_swap" # width> {
  let Prototype = "void memlift_copy_swap" # width # "(void *dst, const void *src, size_t n)";
  let Meaning = "copies the " # width # [{-bit words in n bytes, each with its bytes in reverse
    order, as if through a buffer; bytes after the last whole word are left alone}];
}
def CopySwap16 : CopySwap<16>;
def CopySwap32 : CopySwap<32>;
def CopySwap64 : CopySwap<64>;

// Sums. Results are exact modulo 2^64; words are in the byte order of the machine, at any
// alignment; bytes after the last whole word are ignored.

class Sum<string type, string words> : BulkOp<"sum", "memlift_sum_" # type> {
  let Prototype = "uint64_t memlift_sum_" # type # "(const void *p, size_t n)";
  let Meaning = "the sum of the " # words # " in n bytes, modulo 2^64";
}
def SumU8 : Sum<"u8", "bytes">;
def SumS8 : Sum<"s8", "signed bytes">;
def SumU16 : Sum<"u16", "16-bit words">;
def SumS16 : Sum<"s16", "signed 16-bit words">;
def SumU32 : Sum<"u32", "32-bit words">;
def SumS32 : Sum<"s32", "signed 32-bit words">;
def SumU64 : Sum<"u64", "64-bit words">;
def SumSwapU16 : Sum<"swap_u16", "16-bit words, byte-swapped,">;
def SumSwapS16 : Sum<"swap_s16", "signed 16-bit words, byte-swapped,">;
def SumSwapU32 : Sum<"swap_u32", "32-bit words, byte-swapped,">;
def SumSwapS32 : Sum<"swap_s32", "signed 32-bit words, byte-swapped,">;
def SumSwapU64 : Sum<"swap_u64", "64-bit words, byte-swapped,">;

class WeightedSum<string type, string words>
    : BulkOp<"weighted_sum", "memlift_wsum_" # type> {
  let Prototype = "uint64_t memlift_wsum_" # type # "(const void *p, size_t n)";
  let Meaning = "the sum of (m - i) * w[i] over the m " # words #
    " w[0] to w[m - 1] in n bytes, modulo 2^64: the second sum of Adler-32 and Fletcher";
}
def WsumU8 : WeightedSum<"u8", "bytes">;
def WsumU16 : WeightedSum<"u16", "16-bit words">;
def WsumU32 : WeightedSum<"u32", "32-bit words">;
def WsumS8 : WeightedSum<"s8", "signed bytes">;
def WsumU64 : WeightedSum<"u64", "64-bit words">;

class XorFold<string type, string words> : BulkOp<"xor_fold", "memlift_xor_" # type> {
  let Prototype = "uint64_t memlift_xor_" # type # "(const void *p, size_t n)";
  let Meaning = "the exclusive-or of the " # words # " in n bytes";
}
def XorU8 : XorFold<"u8", "bytes">;
def XorU16 : XorFold<"u16", "16-bit words">;
def XorU32 : XorFold<"u32", "32-bit words">;
def XorU64 : XorFold<"u64", "64-bit words">;

class ModularSum<string type, string words>
    : BulkOp<"modular_sum", "memlift_modsum_" # type> {
  let Prototype = "uint64_t memlift_modsum_" # type #
    "(const void *p, size_t n, uint64_t start, uint64_t m, uint32_t how)";
  let Meaning = "a = (a + w) mod m; b = (b + a) mod m; for each of the " # words #
    " w in n bytes, with a in the low and b in the high 32 bits of start and of the result; how: "
    # "see memlift.h";
}
def ModsumU8 : ModularSum<"u8", "bytes">;
def ModsumU16 : ModularSum<"u16", "16-bit words">;
def ModsumU32 : ModularSum<"u32", "32-bit words">;
def ModsumSwapU16 : ModularSum<"swap_u16", "16-bit words, byte-swapped,">;
def ModsumSwapU32 : ModularSum<"swap_u32", "32-bit words, byte-swapped,">;

class Polyhash<string type, string words> : BulkOp<"polyhash", "memlift_polyhash_" # type> {
  let Prototype = "uint64_t memlift_polyhash_" # type #
    "(const void *p, size_t n, uint64_t h, uint64_t k)";
  let Meaning = "h after h = h * k + x for each of the " # words #
    " in n bytes, modulo 2^64";
}
def PolyhashU8 : Polyhash<"u8", "bytes">;
def PolyhashS8 : Polyhash<"s8", "signed bytes">;
def PolyhashU16 : Polyhash<"u16", "whole 16-bit words">;
def PolyhashU32 : Polyhash<"u32", "whole 32-bit words">;
def PolyhashU64 : Polyhash<"u64", "whole 64-bit words">;

// Internet checksums. The result is 0 only if init and every byte are, else 1 to 0xffff.

def InetSum : BulkOp<"inet_checksum", "memlift_inet_sum"> {
  let Prototype = "uint32_t memlift_inet_sum(const void *p, size_t n, uint32_t init)";
  let Meaning = [{the ones' complement sum of init and the 16-bit words in n bytes, in the byte
    order of the machine, an odd last byte followed by a zero byte; folded to 16 bits, not
    inverted}];
}

// Ones' complement sums of wider words: modulo 2^w - 1, of which 2^16 - 1 is a factor.
class OnesSum<int width> : BulkOp<"ones_sum", "memlift_ones_sum_u" # width> {
  let Prototype = "uint" # width # "_t memlift_ones_sum_u" # width #
    "(const void *p, size_t n, uint" # width # "_t init)";
  let Meaning = "init plus the " # width # "-bit words in n bytes, in the byte order of the " #
    "machine, each carry out of the top added at the bottom; bytes after the last whole word " #
    "are ignored";
}
def OnesSumU32 : OnesSum<32>;
def OnesSumU64 : OnesSum<64>;

def CopyInetSum : BulkOp<"copy_inet_checksum", "memlift_copy_inet_sum"> {
  let Prototype = [{uint32_t memlift_copy_inet_sum(void *restrict dst, const void *restrict src,
    size_t n, uint32_t init)}];
  let Meaning = [{copies n bytes between disjoint regions and returns what memlift_inet_sum does}];
}

def CopySumU16 : BulkOp<"copy_sum", "memlift_copy_sum_u16"> {
  let Prototype = [{uint64_t memlift_copy_sum_u16(void *restrict dst, const void *restrict src,
    size_t n)}];
  let Meaning = [{copies n bytes between disjoint regions and returns what memlift_sum_u16 does}];
}

def Crc : BulkOp<"crc", "memlift_crc"> {
  let Prototype = [{uint64_t memlift_crc(uint64_t state, const void *p, size_t n,
    const struct memlift_crc_poly *poly)}];
  let Meaning = [{the register of a CRC of any polynomial of 8 to 64 bits, either direction, after
    n bytes, as the loop with a byte table holds it; nothing is inverted before or after}];
}

def CrcAny : BulkOp<"crc", "memlift_crc_any"> {
  let Prototype = [{uint64_t memlift_crc_any(uint64_t state, const void *p, size_t n, uint64_t poly,
    uint32_t width, uint32_t reflected)}];
  let Meaning = [{the same of a polynomial that is known when the program runs only}];
}
