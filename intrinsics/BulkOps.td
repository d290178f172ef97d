// BulkOps.td - operations that a loop can become: symbol, parameters, meaning.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a record follow the routine's C prototype, its declaration in memlift/operations.h, its type
// in both compilers, the memory that it is said to access, its place in libmemlift.map, how
// --memlift-verify interprets a call, and docs/reference/operations.md.

// A parameter. Kinds: Dst and Src, memory that is written and that is read; Table, entries that are
// looked up; Poly, a constant struct memlift_crc_poly; Registers, numbers that are read and written;
// Size, size_t; Offset, ptrdiff_t; U8 to U64, unsigned numbers.
class Param<string kind, string name, string type> {
  string Kind = kind;
  string Name = name;
  string Type = type;
}
class SizeNamed<string name> : Param<"Size", name, "size_t ">;
class Offset<string name> : Param<"Offset", name, "ptrdiff_t ">;
class U<int width, string name> : Param<"U" # width, name, "uint" # width # "_t ">;
def Dst : Param<"Dst", "dst", "void *">;
def Src : Param<"Src", "src", "const void *">;
def P : Param<"Src", "p", "const void *">;
def Size : SizeNamed<"n">;
class Table<int width> : Param<"Table", "table", "const uint" # width # "_t *">;
def Poly : Param<"Poly", "poly", "const struct memlift_crc_poly *">;
def Registers : Param<"Registers", "registers", "uint64_t *">;

// Operations that memlift.h and the reference describe together.
class Group<string title, string text> {
  string Title = title;
  string Text = text;
}

class Operation<string symbol, string kind, list<Param> params> {
  string Symbol = symbol;
  // Computation: an enumerator of OpKind in idioms/decide/operations.h, which defines each.
  // With a Dst besides its Src, a sum also copies; with an Offset, there are rows.
  string Kind = kind;
  // Width of an element, and of the value that a Fill repeats; 0 if there is none.
  int ElementBits = 0;
  bit Signed = 0;
  // The bytes of each element are swapped before it is used.
  bit Swapped = 0;
  // Alignment of Dst and Src in bytes.
  int Align = 1;
  // No byte of Dst is one of Src.
  bit Disjoint = 0;
  // Width of the number that is returned; 0 if there is none.
  int ResultBits = 0;
  // Bytes from which a routine tests the program's tables before it uses them, and how many more
  // for each table; 0 if it never does.
  int TestFrom = 0;
  int TestFromEach = 0;
  list<Param> Params = params;
}

// A routine of libmemlift.
class BulkOp<string idiom, string symbol, string kind, list<Param> params>
    : Operation<"memlift_" # symbol, kind, params> {
  // Name of the idiom: fill, copy, move, sum, weighted_sum, inet_checksum ... Where it has one
  // operation, map=IDIOM=SYMBOL names that.
  string Idiom = idiom;
  // Routine of the C library that does the same under runtime=libc; empty if there is none.
  string Libc = "";
  // The routine has a counterpart that begins it and returns at once (memlift/async.h).
  bit Async = 0;
  Group In = ?;
}

// A routine of the C library that returns its first argument.
class LibcOp<string symbol, string kind, list<Param> params> : Operation<symbol, kind, params>;

def Memset : LibcOp<"memset", "Fill", [Dst, U<32, "c">, Size]> { let ElementBits = 8; }
def Memcpy : LibcOp<"memcpy", "Copy", [Dst, Src, Size]> { let Disjoint = 1; }
def Memmove : LibcOp<"memmove", "Move", [Dst, Src, Size]>;

// ---- Copy, move and fill ----

def Copies : Group<"Copies", [{
Copies n bytes from src to dst. The two regions are disjoint, or dst == src.

memlift_copy_a8 and memlift_copy_a64 do the same if dst and src are multiples of 8 or 64; n may be
any number. They are called if that has been proved and unaligned words would trap or be slow. An
engine that takes whole lines only, such as SPARC's DAX, leaves no head to the CPU.
}]>;

class PlainCopy<string symbol> : BulkOp<"copy", symbol, "Copy", [Dst, Src, Size]> {
  let Disjoint = 1;
  let Async = 1;
  let In = Copies;
}
def Copy : PlainCopy<"copy"> { let Libc = "memcpy"; }
def CopyA8 : PlainCopy<"copy_a8"> { let Align = 8; }
def CopyA64 : PlainCopy<"copy_a64"> { let Align = 64; }

def Moves : Group<"Moves", [{
Copies n bytes from src to dst as if through a third buffer: any overlap is allowed.
}]>;

def Move : BulkOp<"move", "move", "Move", [Dst, Src, Size]> {
  let Libc = "memmove";
  let Async = 1;
  let In = Moves;
}

def StepCopies : Group<"Copies in steps", [{
Copies n bytes from src to dst upwards, in steps: reads step bytes (at the end the remainder),
writes them, then does the next step. Any overlap is allowed. If dst is less than n bytes above src,
bytes that were written are read again, so that with step <= dst - src the first dst - src bytes of
src repeat. A step of 0 is taken as 1.
}]>;

def CopyForward : BulkOp<"move", "copy_forward", "StepCopy", [Dst, Src, SizeNamed<"step">, Size]> {
  let In = StepCopies;
}

def Fills : Group<"Fills", [{
Stores v, in the byte order of the machine, again and again from dst on, n bytes in all. If n is no
multiple of the size of v, the last value is cut off: its first bytes in memory order are stored.

memlift_fill64_a8 and memlift_fill64_a64 do the same if dst is a multiple of 8 or 64; n may be any
number.
}]>;

class PlainFill<int width, string suffix = "">
    : BulkOp<"fill", "fill" # width # suffix, "Fill", [Dst, U<width, "v">, Size]> {
  let ElementBits = width;
  let Async = 1;
  let In = Fills;
}
def Fill8 : PlainFill<8> { let Libc = "memset"; }
def Fill16 : PlainFill<16>;
def Fill32 : PlainFill<32>;
def Fill64 : PlainFill<64>;
def Fill64A8 : PlainFill<64, "_a8"> { let Align = 8; }
def Fill64A64 : PlainFill<64, "_a64"> { let Align = 64; }

def PatternFills : Group<"Fills with a pattern", [{
Byte j of dst becomes (pattern >> 8 * (j % period)) & 0xff, on machines of either byte order. The
period is 1 to 8; 0 is taken as 1, and more than 8 as 8.

memlift_fill_pattern16 has a value of up to 16 bytes: byte j of it is (low >> 8 * j) & 0xff for
j < 8, else (high >> 8 * (j - 8)) & 0xff. Its period is 1 to 16; 0 is taken as 1, and more than 16
as 16.
}]>;

class PatternFill<string symbol, list<Param> value>
    : BulkOp<"fill", symbol, "PatternFill",
             !listconcat([Dst], value, [SizeNamed<"period">, Size])> {
  let In = PatternFills;
}
def FillPattern : PatternFill<"fill_pattern", [U<64, "pattern">]> { let Async = 1; }
def FillPattern16 : PatternFill<"fill_pattern16", [U<64, "low">, U<64, "high">]>;

def Rows : Group<"Rows", [{
Rows of width bytes, one after the other. Row y begins at dst + y * pitch (and at src + y *
src_pitch); pitches may be negative, and rows may overlap. No byte is touched if width or rows is 0.
Each row of memlift_fill_2d begins with the pattern's first byte and is filled as by
memlift_fill_pattern; each row of memlift_move_2d is one memlift_move. For memlift_copy_2d no byte
of any row of dst is one of any row of src.
}]>;

class RowOp<string idiom, string symbol, string kind, list<Param> params>
    : BulkOp<idiom, symbol, kind, !listconcat(params, [SizeNamed<"width">, SizeNamed<"rows">])> {
  let In = Rows;
}
defvar Pitches = [Dst, Offset<"dst_pitch">, Src, Offset<"src_pitch">];
def Fill2d : RowOp<"fill", "fill_2d", "PatternFill",
                   [Dst, Offset<"pitch">, U<64, "pattern">, SizeNamed<"period">]>;
def Copy2d : RowOp<"copy", "copy_2d", "Copy", Pitches> { let Disjoint = 1; }
def Move2d : RowOp<"move", "move_2d", "Move", Pitches>;

def SwapCopies : Group<"Copies that swap bytes", [{
Copies the whole words of 2, 4 or 8 bytes in n bytes, the bytes of each in reverse order, as if
through a third buffer: any overlap is allowed, and dst == src swaps the bytes of the words in
place. Bytes after the last whole word are left alone.
}]>;

class SwapCopy<int width>
    : BulkOp<"copy_swap", "copy_swap" # width, "SwapCopy", [Dst, Src, Size]> {
  let ElementBits = width;
  let Swapped = 1;
  let In = SwapCopies;
}
def CopySwap16 : SwapCopy<16>;
def CopySwap32 : SwapCopy<32>;
def CopySwap64 : SwapCopy<64>;

def ReverseCopies : Group<"Copies that reverse", [{
Copies the whole words in n bytes in reverse order: the last word of src becomes the first of dst.
The bytes of a word keep their order. The two regions are disjoint. If n is no multiple of the size
of a word, the bytes after the last whole word of src are not read, and those of dst left alone.
}]>;

class ReverseCopy<int width>
    : BulkOp<"copy_reverse", "copy_reverse" # width, "ReverseCopy", [Dst, Src, Size]> {
  let ElementBits = width;
  let Disjoint = 1;
  let In = ReverseCopies;
}
def CopyReverse8 : ReverseCopy<8>;
def CopyReverse16 : ReverseCopy<16>;
def CopyReverse32 : ReverseCopy<32>;
def CopyReverse64 : ReverseCopy<64>;

// ---- Sums, hashes and checksums ----

// An operation whose result depends on the words in n bytes. The symbol ends in their type:
// u or s, swap_ before it if the bytes of words are swapped, and their width.
class Reduction<string idiom, string stem, string kind, int width, list<Param> more, bit isSigned,
                bit swapped>
    : BulkOp<idiom, stem # "_" # !if(swapped, "swap_", "") # !if(isSigned, "s", "u") # width, kind,
             !listconcat([P, Size], more)> {
  let ElementBits = width;
  let Signed = isSigned;
  let Swapped = swapped;
  let ResultBits = 64;
}

def Sums : Group<"Sums", [{
Sum of the words in n bytes from p, exact modulo 2^64. Words are in the byte order of the machine,
at any alignment. Bytes after the last whole word are ignored, and not read.
}]>;
def SwapSums : Group<"Sums of swapped words", [{
Sum of words whose bytes are swapped first, before a word is sign- or zero-extended and added. Else
as memlift_sum_u16 and its like.
}]>;

class Sum<int width, bit isSigned = 0, bit swapped = 0>
    : Reduction<"sum", "sum", "Sum", width, [], isSigned, swapped> {
  let In = !if(swapped, SwapSums, Sums);
}
def SumU8 : Sum<8>;
def SumS8 : Sum<8, 1>;
def SumU16 : Sum<16>;
def SumS16 : Sum<16, 1>;
def SumU32 : Sum<32>;
def SumS32 : Sum<32, 1>;
def SumU64 : Sum<64>;
def SumSwapU16 : Sum<16, 0, 1>;
def SumSwapS16 : Sum<16, 1, 1>;
def SumSwapU32 : Sum<32, 0, 1>;
def SumSwapS32 : Sum<32, 1, 1>;
def SumSwapU64 : Sum<64, 0, 1>;

def LowSums : Group<"Sums modulo 2^32", [{
Sum of the 32-bit words in n bytes modulo 2^32, which takes less than the exact one. Words as for
memlift_sum_u16.
}]>;
def SumLowU32 : Reduction<"sum", "sum_low", "LowSum", 32, [], 0, 0> {
  let ResultBits = 32;
  let In = LowSums;
}

def WeightedSums : Group<"Weighted sums", [{
Sum of (m - i) * w[i] over the m words w[0] to w[m - 1] in n bytes, exact modulo 2^64: what
"a += w[i], b += a" adds to b if a begins at 0 (Adler-32, Fletcher). Words as for memlift_sum_u16.
}]>;

class WeightedSum<int width, bit isSigned = 0>
    : Reduction<"weighted_sum", "wsum", "WeightedSum", width, [], isSigned, 0> {
  let In = WeightedSums;
}
def WsumU8 : WeightedSum<8>;
def WsumU16 : WeightedSum<16>;
def WsumU32 : WeightedSum<32>;
def WsumS8 : WeightedSum<8, 1>;
def WsumU64 : WeightedSum<64>;

def XorFolds : Group<"Exclusive-or", [{
Exclusive-or of the words in n bytes. Words as for memlift_sum_u16.
}]>;

class XorFold<int width> : Reduction<"xor_fold", "xor", "XorFold", width, [], 0, 0> {
  let In = XorFolds;
}
def XorU8 : XorFold<8>;
def XorU16 : XorFold<16>;
def XorU32 : XorFold<32>;
def XorU64 : XorFold<64>;

def ModularSums : Group<"Sums modulo m", [{
Two sums that are reduced modulo m at each word w of n bytes, as Adler-32 and Fletcher do:
a = (a + w) mod m; b = (b + a) mod m. Both are in start and in the result: a in the low 32 bits, b
in the high 32 bits. m is 2 to 2^32. If there is no whole word the result is start; else a and b are
0 to m - 1, however large they begin. how is 0 or a sum of MEMLIFT_MODSUM_FOLD,
MEMLIFT_MODSUM_FIRST and MEMLIFT_MODSUM_BEFORE. Words as for memlift_sum_u16.
}]>;

class ModularSum<int width, bit swapped = 0>
    : Reduction<"modular_sum", "modsum", "ModularSum", width,
                [U<64, "start">, U<64, "m">, U<32, "how">], 0, swapped> {
  let In = ModularSums;
}
def ModsumU8 : ModularSum<8>;
def ModsumU16 : ModularSum<16>;
def ModsumU32 : ModularSum<32>;
def ModsumSwapU16 : ModularSum<16, 1>;
def ModsumSwapU32 : ModularSum<32, 1>;

def Polyhashes : Group<"Polynomial hashes", [{
h after "h = h * k + w" for each word w in n bytes, modulo 2^64. Words as for memlift_sum_u16.
}]>;

class Polyhash<int width, bit isSigned = 0>
    : Reduction<"polyhash", "polyhash", "Polyhash", width, [U<64, "h">, U<64, "k">], isSigned, 0> {
  let In = Polyhashes;
}
def PolyhashU8 : Polyhash<8>;
def PolyhashS8 : Polyhash<8, 1>;
def PolyhashU16 : Polyhash<16>;
def PolyhashU32 : Polyhash<32>;
def PolyhashU64 : Polyhash<64>;

def InetSums : Group<"Internet checksums", [{
Ones' complement sum (RFC 1071) of init and the 16-bit words in n bytes, in the byte order of the
machine, an odd last byte followed by a zero byte. It is not inverted. The result is 0 if init and
every byte are 0, else the number of 1 to 0xffff that is congruent modulo 0xffff. init may be the
result for the bytes before p, as long as their number was even.
}]>;

def InetSum
    : BulkOp<"inet_checksum", "inet_sum", "OnesSum", [P, Size, U<32, "init">]> {
  let ElementBits = 16;
  let ResultBits = 32;
  let In = InetSums;
}

def OnesSums : Group<"Ones' complement sums", [{
init plus the 32- or 64-bit words in n bytes, in the byte order of the machine, each carry out of
the top added at the bottom: the sum modulo 2^32 - 1 or 2^64 - 1, which is 0 only if init and all
words are. Bytes after the last whole word are ignored.
}]>;

class OnesSum<int width> : Reduction<"ones_sum", "ones_sum", "OnesSum", width,
                                     [U<width, "init">], 0, 0> {
  let ResultBits = width;
  let In = OnesSums;
}
def OnesSumU32 : OnesSum<32>;
def OnesSumU64 : OnesSum<64>;

def CopyingSums : Group<"Copies with a sum", [{
memlift_copy(dst, src, n) and memlift_inet_sum(src, n, init), or memlift_sum_u16(src, n), in one
pass.
}]>;

class CopyingSum<string idiom, string symbol, string kind, list<Param> more>
    : BulkOp<idiom, symbol, kind, !listconcat([Dst, Src, Size], more)> {
  let ElementBits = 16;
  let Disjoint = 1;
  let In = CopyingSums;
}
def CopyInetSum
    : CopyingSum<"copy_inet_checksum", "copy_inet_sum", "OnesSum", [U<32, "init">]> {
  let ResultBits = 32;
}
def CopySumU16 : CopyingSum<"copy_sum", "copy_sum_u16", "Sum", []> { let ResultBits = 64; }

include "CrcOps.td"

// ---- Searches and comparisons ----

def Searches : Group<"Searches", [{
Index of the first byte of n from p that is looked for, or n if none is: one that is c
(memlift_find_u8), one that is not c (memlift_find_not_u8), or one that is a byte of set, which holds
four of them, the same one repeatedly where there are fewer (memlift_find_any_u8).
memlift_find_last_u8 goes downwards from the last byte: it returns how many bytes follow the last
one that is c, or n if none is.

Bytes are taken to be read one after the other up to the one that is found: n may be more than the
object has if one of its bytes is looked for, and SIZE_MAX if nobody knows it. Other bytes are read
too, in aligned blocks that hold a byte of these, or in a page of 4 KiB with one, so nothing is read
that could raise a signal.
}]>;

class Search<string symbol, list<Param> params>
    : BulkOp<"search", symbol, "Search", params> {
  let ElementBits = 8;
  let ResultBits = 64;
  let In = Searches;
}
def FindU8 : Search<"find_u8", [P, Size, U<8, "c">]> { let Libc = "memchr"; }
def FindNotU8 : Search<"find_not_u8", [P, Size, U<8, "c">]>;
def FindAnyU8 : Search<"find_any_u8", [P, Size, U<32, "set">]>;
def FindLastU8 : Search<"find_last_u8", [P, Size, U<8, "c">]>;

def Counts : Group<"Counts", [{
Number of bytes that are c, of n from p. No other byte is read.
}]>;

def CountU8 : BulkOp<"sum", "count_u8", "Count", [P, Size, U<8, "c">]> {
  let ElementBits = 8;
  let ResultBits = 64;
  let In = Counts;
}

def Comparisons : Group<"Comparisons", [{
Index of the first byte of n that differs between p and q, or n if none does. memlift_mismatch_or_u8
ends at a byte of p that is c, too, and does not read the byte of q beside it then.

Bytes are taken to be read one after the other, as for memlift_find_u8: both regions may end after
the first difference.
}]>;

def Q : Param<"Src", "q", "const void *">;
class Comparison<string symbol, list<Param> more>
    : BulkOp<"compare", symbol, "Compare", !listconcat([P, Q, Size], more)> {
  let ElementBits = 8;
  let ResultBits = 64;
  let In = Comparisons;
}
def MismatchU8 : Comparison<"mismatch_u8", []>;
def MismatchOrU8 : Comparison<"mismatch_or_u8", [U<8, "c">]>;
