// SumFacts.td - MLF204x: facts about sums, checksums and hashes: what an iteration adds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def NotLinear : FactFailed<2040> {
  let Text = "the value carried between iterations is not a sum of the bytes that the loop reads";
  let Advice = "keep maxima, products of data and table look-ups out of the loop that sums";
  let Why = [{
    In a sum, a weighted sum and a polynomial hash, fixed multiples of the old value and of the
    bytes read are added. Such a step is linear, so a routine that takes many bytes at a time
    gives the same result. A product of two loaded values, a maximum, a comparison or a rotation
    is not linear in the integers.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      sum += p[i] * p[i];
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      sum += p[i];
  }];
}

def NarrowSum : FactFailed<2041> {
  let Text = "a narrow intermediate sum may wrap before it is widened";
  let Advice = "add in the width of the accumulator";
  let Why = [{
    Sums modulo 2^16 and modulo 2^32 differ once a carry is lost. If two values are added in a
    narrow type and widened afterwards, the lost carry is part of the result. No sum of the
    bytes gives the same.
  }];
  let Bad = [{
    sum += (uint8_t)(p[i] + q);   /* wraps at 256, q unknown */
  }];
  let Good = [{
    sum += p[i] + q;
  }];
}

def WeightsIrregular : FactFailed<2042> {
  let Text = "the bytes are added with factors that belong to no known sum";
  let Advice = "add every word of the region, with the same factor";
  let Why = [{
    The sum is linear, but its factors belong to none of the known sums. One known sum adds
    words of 1, 2, 4 or 8 bytes in either byte order, all with one factor. The others are sums
    of sums (Adler, Fletcher) and polynomial hashes.
  }];
  let Bad = [{
    for (i = 0; i < n; i += 2)
      sum += p[i] + 3 * p[i + 1];
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      sum += p[i];
  }];
}

def NotACrc : FactFailed<2043> {
  let Text = "the loop mixes bits linearly, but is not a CRC of any polynomial";
  let Advice = "compare the shifts, the masks and the byte order with the CRC that is meant";
  let Why = [{
    Every step of the loop is an exclusive-or of shifted state and data, so it is one matrix
    over GF(2). A CRC's matrix is that of a shift register with one polynomial, which takes the
    bytes in address order. The matrix of this loop is another one. It may be an exclusive-or of
    all words, a parity, a CRC of bits in another order, or a CRC with a mistake.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      crc = table[(crc ^ p[i]) & 0xff] ^ (crc >> 7);    /* 8 is meant */
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      crc = table[(crc ^ p[i]) & 0xff] ^ (crc >> 8);
  }];
}

def TableNotLinear : FactFailed<2044> {
  let Text = "a lookup table is not that of a CRC: its entries are not linear";
  let Advice = "make the table constant, and check the entry that is named";
  let Why = [{
    In the table of a CRC, each entry is the exclusive-or of the entries at the single bits of
    its index. All entries are checked, because one wrong entry makes another function.
    Substitution tables of ciphers look alike and are not linear at all. A table that is filled
    when the program runs cannot be checked.
  }];
  let Bad = [{
    static const uint32_t table[256] = { 0, 0x77073096, /* ..., the last one mistyped */ };
  }];
  let Good = [{
    static const uint32_t table[256] = { 0, 0x77073096, /* ..., as computed */ };
  }];
}

def InetRange : FactFailed<2045> {
  let Text = "the start value of a ones' complement sum may have more than 16 bits";
  let Advice = "fold the start value to 16 bits first, or start from 0 and add it afterwards";
  let Why = [{
    A sum that is folded in every step stays within 16 bits if it starts there. From a larger
    start value, the first iterations give other numbers than the folded sum, equal only modulo
    65535. Code that uses the number itself would see the difference.
  }];
  let Bad = [{
    uint32_t sum = start;              /* any 32-bit value */
    for (i = 0; i < n; i++) {
      sum += p[i];
      sum = (sum & 0xffff) + (sum >> 16);
    }
  }];
  let Good = [{
    uint32_t sum = (uint16_t)start;
    for (i = 0; i < n; i++) {
      sum += p[i];
      sum = (sum & 0xffff) + (sum >> 16);
    }
  }];
}
