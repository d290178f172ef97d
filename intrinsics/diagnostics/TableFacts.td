// TableFacts.td - MLF2123 to 2128: CRCs by tables that the program fills, and in several registers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def CrcTableTested : Note<2123> {
  let Text = "a routine tests at run time whether the table is that of a CRC";
  let Advice = "make the table a const array, if its entries are known when this is compiled";
  let Why = [{
    The loop looks bytes up in a table as a CRC does, and nobody knows what is in the table before
    the program runs. So a routine gets the table. Eight of the entries tell a polynomial. The
    routine compares all 256 entries with those of that polynomial, and folds the bytes if they are
    equal. Otherwise it looks each byte up, as the loop does. For few bytes the loop itself runs. A
    const array needs no test, and helps short messages, too.

    A loop may look up several bytes at once, in as many tables, one after the other in memory. The
    routine tests all of them, which takes longer: 4 KiB pay for messages of 1 KiB, 16 KiB for 2,560
    bytes.

    Another thread must not write the table during the loop, as in C anyway.
  }];
  let Bad = [{
    static uint32_t table[256];    /* filled by make_table() */
    while (n--)
      crc = table[(crc ^ *p++) & 0xff] ^ (crc >> 8);
  }];
  let Good = [{
    static const uint32_t table[256] = { 0, 0x77073096, /* ... */ };
    while (n--)
      crc = table[(crc ^ *p++) & 0xff] ^ (crc >> 8);
  }];
}

def CrcTableForm : FactFailed<2124> {
  let Text = "a table that the program fills is not used in the way of a CRC";
  let Advice = "take the index from one byte of the register, and shift the register by 8 bits";
  let Why = [{
    A loop that carries a number looks something up in each iteration, in a table whose contents are
    not known here. In a CRC, the index is one byte of the number, exclusive-ored with the byte that
    is read. The rest of the number is shifted by eight bits. For such loops a routine tests the
    table at run time. The remark says which of the two is not so. Hashes such as PJW and tables of classes of characters
    have such loops, too, and no faster form.
  }];
  let Bad = [{
    while (n--)
      crc = table[(crc ^ *p++) & 0xff] ^ (crc >> 4);
  }];
  let Good = [{
    while (n--)
      crc = table[(crc ^ *p++) & 0xff] ^ (crc >> 8);
  }];
}

def CrcTableUntested : FactFailed<2125> {
  let Text = "no routine for this processor tests the table";
  let Advice = "make the table a const array with its entries written out in this file";
  let Why = [{
    The loop looks bytes up in a table as a CRC does. Nobody knows what is in the table before the
    program runs. On x86-64 a routine tests the table each time, and is then many times faster than
    the loop. For other processors there is only the loop itself.
  }];
  let Bad = [{
    static uint32_t table[256];    /* filled by make_table() */
    while (n--)
      crc = table[(crc ^ *p++) & 0xff] ^ (crc >> 8);
  }];
  let Good = [{
    static const uint32_t table[256] = { 0, 0x77073096, /* ... */ };
    while (n--)
      crc = table[(crc ^ *p++) & 0xff] ^ (crc >> 8);
  }];
}

def TableStepwise : FactFailed<2126> {
  let Text = "a table is filled step by step, as the faster code would be larger";
  let Advice = "nothing, or -O2 for the function that fills the table";
  let Why = [{
    Each entry of the table is a linear function over GF(2) of its index. So one exclusive-or of
    other entries could make it (MLF1030). Under -Os the loop stays, as it is a tenth of that
    code.
  }];
  let Bad = [{
    __attribute__((optimize("Os"))) void make_table(void) {
      for (int i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
          c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
        table[i] = c;
      }
    }
  }];
}

def CrcStartTested : Note<2127> {
  let Text = "a run-time check that the register's start value has no bits above the register";
  let Advice = "cut the start value to the register before the loop: crc &= 0xffffff";
  let Why = [{
    The register is shorter than its type, and the loop sets its highest bit by `|`, as CRCs of
    Bluetooth do. If the start value had bits above the register, they would be shifted down, and the
    bit might be set already. So the start value is tested before the loop. The original loop runs
    where it has such bits.
  }];
  let Bad = [{
    uint32_t crc24(uint32_t crc, const uint8_t *p, size_t n) {
      for (size_t i = 0; i < n; i++) {
        uint8_t byte = p[i];
        for (int k = 0; k < 8; k++, byte >>= 1) {
          int out = (crc ^ byte) & 1;
          crc >>= 1;
          if (out)
            crc = (crc | 1 << 23) ^ 0x5a6000;
        }
      }
      return crc;
    }
  }];
  let Good = [{
    uint32_t crc24(uint32_t crc, const uint8_t *p, size_t n) {
      crc &= 0xffffff;
      /* ... */
  }];
}

def CrcLanesKept : FactFailed<2128> {
  let Text = "no routine for this processor folds registers of a CRC side by side";
  let Advice = "nothing; or make one CRC of it, in a simple loop, which becomes a call";
  let Why = [{
    The loop computes a CRC in several registers, as zlib's braids do, so that their look-ups need not
    wait for each other. On x86-64 a routine folds all of them at once, by products without carries.
    For other processors there is only the loop itself. A simple loop over the bytes becomes a call on
    each of them.
  }];
  let Bad = [{
    for (; rounds; rounds--, words += 2) {
      a = advance16(a ^ words[0]);    /* the register after this word and a word of 0 */
      b = advance16(b ^ words[1]);
    }
  }];
  let Good = [{
    while (n--)
      crc = table[(crc ^ *p++) & 0xff] ^ (crc >> 8);
  }];
}
