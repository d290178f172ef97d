// Formats.td - hardware words, bit by bit: what is written to a device and read back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words are put together by shifts, in the byte order stated. No C bit-field is ever used: their
// layout is the compiler's choice.

class Field<string name, int offset, int bytes, int high, int low, string meaning> {
  string Name = name;
  // Byte offset of the word in the format, and its size.
  int Offset = offset;
  int Bytes = bytes;
  // Bits of the word, the lowest being 0.
  int High = high;
  int Low = low;
  string Meaning = meaning;
}
class Word<string name, int offset, int bytes, string meaning>
    : Field<name, offset, bytes, !sub(!mul(bytes, 8), 1), 0, meaning>;

class Value<string name, int value, string meaning> {
  string Name = name;
  int Number = value;
  string Meaning = meaning;
}

class Format<string prefix, string endian, int bytes> {
  // Prefix of constants: MEMLIFT_<Prefix>_<field>_OFFSET and so on.
  string Prefix = prefix;
  string Endian = endian;
  // Size and alignment in bytes; for a register block its extent.
  int Bytes = bytes;
  int Align = bytes;
  string Title = ?;
  string Source = ?;
  // 1: code uses it, so constants are generated.
  bit Constants = 0;
  // 1: users' code needs them at compile time, so the constants are in ni_words.h instead, a
  // header of libmemlift.
  bit Public = 0;
  list<Field> Fields = [];
  list<Value> Values = [];
}

include "formats/Soft.td"
include "formats/Dax.td"
include "formats/Dsa.td"
include "formats/Soc.td"
include "formats/Ni.td"
include "formats/NiControl.td"
include "formats/Template.td"
