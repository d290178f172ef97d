// StateFacts.td - MLF213x: where a checksum is kept, and what its routine needs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def StateInMemory : Note<2130> {
  let Text = "whether the loop reads what it stores its sum in is decided when the program runs";
  let Advice = "sum up in a local variable, and store it once behind the loop; or declare them restrict";
  let Why = [{
    A sum or checksum that is kept in memory, in a context or behind a pointer, is stored in each
    iteration, because the next byte to be read may be one of its own. No compiler can tell for
    pointers to bytes, so two comparisons do: if the bytes that are read are apart from the sum, the
    routine runs and its result is stored once; if not, the loop.
  }];
  let Bad = [{
    void update(struct context *c, const uint8_t *p, size_t n) {
      for (size_t i = 0; i < n; i++)
        c->crc = table[(c->crc ^ p[i]) & 0xff] ^ (c->crc >> 8);
    }
  }];
  let Good = [{
    void update(struct context *c, const uint8_t *p, size_t n) {
      uint32_t crc = c->crc;
      for (size_t i = 0; i < n; i++)
        crc = table[(crc ^ p[i]) & 0xff] ^ (crc >> 8);
      c->crc = crc;
    }
  }];
}

def CrcTablesLarge : FactFailed<2131> {
  let Text = "the tables of the CRC routine are larger than code under -Os may become";
  let Advice = "compile the file with -O2, or map=crc=SYMBOL with a routine of your own";
  let Why = [{
    The routine for CRCs looks up eight tables of 256 entries, which the compiler makes for the
    polynomial: 16 kB. Under -Os and -Oz a CRC that works bit by bit becomes a loop in place with a
    table of 16 entries instead; one that looks up a table of its own stays as it is.
  }];
  let Bad = [{
    /* -Os */
    while (n--)
      crc = table[(crc ^ *p++) & 0xff] ^ (crc >> 8);
  }];
}
