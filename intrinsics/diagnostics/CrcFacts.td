// CrcFacts.td - facts about cyclic redundancy checks that could not be proved.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def CrcUpperBits : FactFailed<2100> {
  let Text = "bits above the CRC, which the loop shifts out of it, are looked at later";
  let Advice = "mask the register with the CRC's own bits after the loop, or in each step";
  let Why = [{
    A CRC of 16 bits may be computed in an int of 32: the bits that leave the register at the top stay in
    the int until they fall off there. They are no part of the CRC, and the runtime's routine does
    not have them. Where nothing looks at them (a mask or a narrow type behind the loop) the loop is
    replaced; here something does.
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
  let Text = "the contents of a table that is looked up in are not known here";
  let Advice = "make the table a const array with its entries written out in this file";
  let Why = [{
    The loop has the form of a CRC by table. Whether it is one, and of which polynomial, is said by the
    table alone: other functions have the same form. A table that the program fills when it runs, one
    that is an argument, or one that another file defines, cannot be checked while this file is compiled,
    and a routine for the polynomial that is probably meant would be wrong for another one. In a link
    with -flto a table of another file is seen.
  }];
  let Bad = [{
    static uint32_t table[256];    /* filled by make_table() */
    for (i = 0; i < n; i++)
      crc = table[(crc ^ p[i]) & 0xff] ^ (crc >> 8);
  }];
  let Good = [{
    static const uint32_t table[256] = { 0, 0x77073096, /* ... */ };
    for (i = 0; i < n; i++)
      crc = table[(crc ^ p[i]) & 0xff] ^ (crc >> 8);
  }];
}

def CrcPolyVariable : FactFailed<2102> {
  let Text = "the polynomial of the CRC is computed, and not held as a plain value";
  let Advice = "make the polynomial before the loop, and use it as it is in each step";
  let Why = [{
    The loop is the register of a CRC for any polynomial that it is tried with, but which one it is in each
    round could not be proved. A polynomial that is an argument or a variable, used as it is or shifted and
    cut, is fine: a routine takes it. One that changes from step to step, is completed by a constant inside
    the loop, or belongs to a register that the message enters at its other end, is not.
  }];
  let Bad = [{
    uint16_t crc(uint16_t crc, const uint8_t *p, size_t n, uint16_t polynomial) {
      for (size_t i = 0; i < n; i++)
        for (int k = 7; k >= 0; k--) {
          uint16_t out = crc & 0x8000;
          crc = crc << 1 | (p[i] >> k & 1);
          if (out)
            crc ^= polynomial;
        }
      return crc;
    }
  }];
  let Good = [{
    uint16_t crc(uint16_t crc, const uint8_t *p, size_t n, uint16_t polynomial) {
      for (size_t i = 0; i < n; i++) {
        crc ^= p[i] << 8;
        for (int k = 0; k < 8; k++)
          crc = crc & 0x8000 ? crc << 1 ^ polynomial : crc << 1;
      }
      return crc;
    }
  }];
}

def CrcWordsTurned : FactFailed<2103> {
  let Text = "a CRC that takes the bytes of each word from its other end";
  let Advice = "read bytes, or convert the word to the byte order of the CRC: be16toh(), le32toh()";
  let Why = [{
    A register that shifts up takes the most significant byte of a word first. On a little-endian machine that
    is the byte with the highest address: the CRC is one of the bytes in another order than they lie
    in memory. There is no routine for that; mostly it is a program that was written for a big-endian
    machine.
  }];
  let Bad = [{
    for (i = 0; i < n; i++) {
      crc ^= w[i];    /* uint16_t */
      for (k = 0; k < 16; k++)
        crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
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
