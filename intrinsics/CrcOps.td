// CrcOps.td - operations that CRCs can become, part of BulkOps.td.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def Crcs : Group<"CRCs", [{
The register of the CRC after n bytes from p, from the register state; nothing is inverted before or
after. For each byte, as the usual loop does it:
  reflected:  c = table[0][(c ^ byte) & 0xff] ^ (c >> 8)
  otherwise:  c = table[0][((c >> (width - 8)) ^ byte) & 0xff] ^ (c << 8), cut to width bits
Bits of state above the width are 0. *poly is only read: any number of threads may share it.

memlift_crc_any takes a polynomial that is known only when the program runs. width, reflected and
poly are the members of struct memlift_crc_poly; values out of range are taken as by
memlift_crc_init. Constants and tables are made in each call, as far as n is worth it: for many
messages of one polynomial keep a struct memlift_crc_poly instead.

memlift_crc_words takes the bytes of each word of `word` bytes, 2, 4 or 8, from the last to the
first. A rest of n that is no word is left out. If `word` is 0, all n bytes are one word.
}]>;

class CrcOp<string idiom, string symbol, list<Param> more>
    : BulkOp<idiom, symbol, "Crc", !listconcat([U<64, "state">, P, Size], more)> {
  let ElementBits = 8;
  let ResultBits = 64;
  let In = Crcs;
}
def Crc : CrcOp<"crc", "crc", [Poly]>;
def CrcAny : CrcOp<"crc", "crc_any", [U<64, "poly">, U<32, "width">, U<32, "reflected">]>;
def CrcWords : CrcOp<"crc", "crc_words", [U<32, "word">, Poly]>;

def LaneCrcs : Group<"CRCs in lanes", [{
`lanes` registers side by side, as zlib's braids have them. The bytes are words of eight, and register
k takes every lanes-th of them, from word k on. For each of its words, a register becomes that of
memlift_crc after the eight bytes of the word, and then as many bytes of 0 as the other words of the
round have. Bytes beyond the last whole round, of 8 * lanes, are left out. lanes is 1 to 16.

The registers are read from registers[0] to registers[lanes - 1], and written there; no byte of them
is one of the n bytes. registers[0] is returned, too. Bits of them above the width are 0.
}]>;

def CrcLanes : BulkOp<"crc", "crc_lanes", "LaneCrc",
    [Registers, P, Size, U<32, "lanes">, Poly]> {
  let ElementBits = 64;
  let ResultBits = 64;
  let In = LaneCrcs;
}

def TableCrcs : Group<"CRCs by the program's table", [{
The register after n bytes from p, from the register state, by a table that may hold anything. For
each byte, as the usual loop does it:
  reflected:  c = table[(c ^ byte) & 0xff] ^ (c >> 8)
  otherwise:  c = table[((c >> (width - 8)) ^ byte) & 0xff] ^ (c << 8)
Entry and register are cut to width bits, 8 to 64. The table has 256 entries.

From some length on the table is read whole, and where it is the table of a CRC, the bytes are
folded instead of looked up. An entry that no byte looks up is read only if it lies in a page of 4
KiB with one that was looked up in this call. Another thread must not write the table meanwhile:
each entry is then read at some time during the call, and not again for each byte.
}]>;

// At 60 bytes the test and folding take as long as the loop, 110 ns on a Zen 4. What is gained from
// TestFrom on is more than a test in vain costs, and the last table that failed is not tested again
// below 64 times as many bytes (kernels/crc_form.h).
class TableCrcOp<int width> : BulkOp<"crc", "crc_table_u" # width, "TableCrc",
    [U<64, "state">, P, Size, Table<width>, U<32, "width">, U<32, "reflected">]> {
  let ElementBits = width;
  let ResultBits = 64;
  let TestFrom = 80;
  let In = TableCrcs;
}
def CrcTableU8 : TableCrcOp<8>;
def CrcTableU16 : TableCrcOp<16>;
def CrcTableU32 : TableCrcOp<32>;
def CrcTableU64 : TableCrcOp<64>;

def SliceCrcs : Group<"CRCs by several tables of the program", [{
The register after n bytes from p, from the register state, by `slices` tables of 256 entries, one
after the other, which may hold anything. So many bytes are looked up at once, the last one in the
first table. Byte k of them is exclusive-ored with byte k of the register, as far as it has one:
  next = table[256 * (slices - 1 - k) + (byte k of c ^ byte k)], exclusive-ored for each k
  reflected:  c = next ^ (c >> 8 * slices)       the lowest byte of c is byte 0
  otherwise:  c = next ^ (c << 8 * slices)       the highest byte of c is byte 0
What is shifted out is gone. slices is 1 to 16; bytes beyond the last multiple of it are left out.

From some length on the tables are tested, as in CRCs by the program's table, whose notes hold.
}]>;

// The test and folding take as long as the loop takes for 300 bytes by four tables of 32 bits, 750 by
// eight of 16, and 1,300 by eight of 64. What is gained from TestFrom on is about as much as a test
// in vain costs.
class SliceCrcOp<int width> : BulkOp<"crc", "crc_slices_u" # width, "SliceCrc",
    [U<64, "state">, P, Size, Table<width>, U<32, "slices">, U<32, "reflected">]> {
  let ElementBits = width;
  let ResultBits = 64;
  let TestFrom = 512;
  let TestFromEach = !mul(4, width);
  let In = SliceCrcs;
}
def CrcSlicesU16 : SliceCrcOp<16> { let TestFromEach = 96; }
def CrcSlicesU32 : SliceCrcOp<32>;
def CrcSlicesU64 : SliceCrcOp<64>;
