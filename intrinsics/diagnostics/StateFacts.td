// StateFacts.td - MLF213x: the memory of a checksum, and the tables that its routine needs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def StateInMemory : Note<2130> {
  let Text = "a run-time check decides whether the loop reads the memory that holds its sum";
  let Advice =
    "sum up in a local variable, and store it once after the loop; or declare the pointers "
    "restrict";
  let Why = [{
    A sum or checksum in memory is stored in each iteration, because the next byte that is read
    may be one of its own. For pointers to bytes no compiler can rule that out, so two
    comparisons before the loop do. If the bytes read do not overlap the sum, the routine runs
    and its result is stored once. Otherwise the loop runs.
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
  let Text = "the tables of the CRC routine are too large for code under -Os";
  let Advice = "compile the file with -O2, or map=crc=SYMBOL with a routine of your own";
  let Why = [{
    The routine for CRCs looks up eight tables of 256 entries, which the compiler makes for the
    polynomial: 16 kB. Under -Os and -Oz a CRC that works bit by bit becomes a loop with a table
    of 16 entries instead. A CRC that looks up a table of its own stays as it is.
  }];
  let Bad = [{
    /* -Os */
    while (n--)
      crc = table[(crc ^ *p++) & 0xff] ^ (crc >> 8);
  }];
  let Good = [{
    /* -O2 */
    while (n--)
      crc = table[(crc ^ *p++) & 0xff] ^ (crc >> 8);
  }];
}
