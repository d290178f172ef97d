// ops.d - the five loops in D, over pointers: slices check each index
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module ops;

extern (C):
nothrow @nogc:

void lang_copy(ubyte* to, const(ubyte)* from, ptrdiff_t size)
{
    for (ptrdiff_t i = 0; i < size; i++)
        to[i] = from[i];
}

void lang_fill(ubyte* to, ptrdiff_t size)
{
    foreach (ref octet; to[0 .. size])
        octet = 7;
}

uint lang_sum(const(uint)* from, ptrdiff_t count)
{
    uint sum = 0;
    foreach (word; from[0 .. count])
        sum += word;
    return sum;
}

ulong lang_inet(const(ushort)* from, ptrdiff_t count)
{
    ulong sum = 0;
    foreach (word; from[0 .. count])
        sum += word;
    return sum;
}

uint lang_crc(const(ubyte)* from, ptrdiff_t size)
{
    uint crc = 0xffffffff;
    foreach (octet; from[0 .. size])
    {
        crc ^= octet;
        foreach (bit; 0 .. 8)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    return ~crc;
}
