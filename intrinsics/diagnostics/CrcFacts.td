// CrcFacts.td - facts about cyclic redundancy checks that could not be proved.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def CrcUpperBits : FactFailed<2100> {
  let Text = "bits that the loop shifts out of the CRC at its top are used after the loop";
  let Advice = "mask the register with the CRC's own bits after the loop, or in each step";
  let Why = [{
    A CRC of 16 bits may be computed in an int of 32 bits. The bits that leave the CRC at the
    top stay in the int until they are shifted out of it. They are no part of the CRC, and the
    runtime's routine does not compute them. If nothing uses them, the loop is replaced: a mask
    or a narrow type after the loop cuts them off. Here something uses them.
  }];
  let Bad = [{
    unsigned crc16(unsigned crc, const uint8_t *p, size_t n) {
      for (size_t i = 0; i < n; i++) {
        crc ^= p[i] << 8;
        for (int k = 0; k < 8; k++)
          crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
      }
      return crc;
    }
  }];
  let Good = [{
    uint16_t crc16(unsigned crc, const uint8_t *p, size_t n) {
      for (size_t i = 0; i < n; i++) {
        crc ^= p[i] << 8;
        for (int k = 0; k < 8; k++)
          crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
      }
      return (uint16_t)crc;
    }
  }];
}

def CrcTableUnknown : FactFailed<2101> {
  let Text = "the contents of a lookup table are not known here";
  let Advice = "make the table a const array with its entries written out in this file";
  let Why = [{
    The loop has the form of a CRC by table, but other functions have the same form. Only the
    entries of the table show whether it is a CRC, and of which polynomial. A table that the
    program fills cannot be checked at compile time, nor one that is an argument or from another
    file. A routine tests such a table at run time if the loop looks up one entry for each byte
    (MLF2123). It tests several tables of 32 or 64 bits that lie one after the other, too. It
    does not test tables of nibbles. In a link with -flto, a table of another file is visible.
  }];
  let Bad = [{
    static uint32_t one[256], two[256];    /* filled by make_tables() */
    for (i = 0; i + 1 < n; i += 2)
      crc = two[(crc ^ p[i]) & 0xff] ^ one[(crc >> 8 ^ p[i + 1]) & 0xff] ^ (crc >> 16);
  }];
  let Good = [{
    static uint32_t table[2][256];         /* filled by make_tables() */
    for (i = 0; i + 1 < n; i += 2)
      crc = table[1][(crc ^ p[i]) & 0xff] ^ table[0][(crc >> 8 ^ p[i + 1]) & 0xff] ^ (crc >> 16);
  }];
}

def CrcPolyVariable : FactFailed<2102> {
  let Text = "the polynomial of the CRC could not be proved to be one plain value";
  let Advice = "compute the polynomial before the loop, and use it unchanged in each step";
  let Why = [{
    The loop behaves as the register of a CRC for every polynomial that was tried. The
    polynomial of each iteration could not be proved. An argument or a variable is fine, used as
    it is or shifted and cut: a routine takes it. A constant that is mixed in beside it in each
    iteration is not. Neither is a polynomial that is put together from many pieces inside the
    loop, nor one whose register takes the message at its other end.
  }];
  let Bad = [{
    uint32_t crc(uint32_t crc, const uint8_t *p, size_t n, uint32_t polynomial) {
      for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        for (int k = 0; k < 8; k++)
          crc = ~(crc & 1 ? crc >> 1 ^ polynomial : crc >> 1);
      }
      return crc;
    }
  }];
  let Good = [{
    uint32_t crc(uint32_t crc, const uint8_t *p, size_t n, uint32_t polynomial) {
      for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        for (int k = 0; k < 8; k++)
          crc = crc & 1 ? crc >> 1 ^ polynomial : crc >> 1;
      }
      return ~crc;
    }
  }];
}

def CrcWordsTurned : FactFailed<2103> {
  let Text = "the CRC takes the bytes of each word in reverse order";
  let Advice = "read bytes, or convert the word to the byte order of the CRC: be16toh(), le32toh()";
  let Why = [{
    A register that shifts up takes the most significant byte of a word first. On a
    little-endian machine that is the byte with the highest address. So the CRC takes the bytes
    in another order than memory has them. There is a routine for that, memlift_crc_words, for a
    constant polynomial and a register in one variable. Mostly such a
    program was written for a big-endian machine.
  }];
  let Bad = [{
    for (i = 0; i < n; i++) {
      crc ^= w[i];    /* uint16_t */
      for (k = 0; k < 16; k++)
        crc = crc & 0x8000 ? crc << 1 ^ polynomial : crc << 1;
    }
  }];
  let Good = [{
    for (i = 0; i < n; i++) {
      crc ^= be16toh(w[i]);
      for (k = 0; k < 16; k++)
        crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
    }
  }];
}
