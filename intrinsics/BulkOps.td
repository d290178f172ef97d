// BulkOps.td - operations that a loop can become: symbol, prototype, meaning.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All sizes are in bytes and may be 0; the pointers are not touched then. All operations are
// async-signal-safe, allocate nothing and keep errno.

class BulkOp<string idiom, string symbol> {
  // Name of the idiom in remarks: fill, copy or move.
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

def FillPattern : BulkOp<"fill", "memlift_fill_pattern"> {
  let Prototype = [{void memlift_fill_pattern(void *dst, uint64_t pattern, size_t period,
    size_t n)}];
  let Meaning = [{repeats the period low bytes of pattern, 1 to 8, lowest first:
    byte j becomes (pattern >> 8 * (j % period)) & 0xff on every machine}];
}
