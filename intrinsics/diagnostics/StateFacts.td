// StateFacts.td - facts about sums and checksums that are kept in memory.
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
