// crc-any.c - cyclic redundancy checks of polynomials that the program computes
//
// An argument, a member of a struct, a value made before the loop. The other files
// named crc-* have polynomials that are constants.
#include "parity.h"

struct engine {
  u32 poly, state;
};

PARITY(any_polynomial, "crc lowered")
u32 any_polynomial(u32 crc, const u8 *p, size_t n, u32 polynomial) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = crc & 1 ? (crc >> 1) ^ polynomial : crc >> 1;
  }
  return crc;
}

PARITY(any_polynomial_masked, "crc lowered")
u16 any_polynomial_masked(u16 crc, const u8 *p, size_t n, u16 polynomial) {
  while (n--) {
    crc ^= (u16)(*p++ << 8);
    for (int k = 0; k < 8; k++)
      crc = (u16)((crc << 1) ^ (-(crc >> 15) & polynomial));
  }
  return crc;
}

PARITY(any_if, "crc lowered")
u32 any_if(u32 crc, const u8 *p, size_t n, u32 polynomial) {
  while (n--) {
    crc ^= *p++;
    for (u8 k = 0; k < 8; k++) {
      u32 lsb = crc & 1;
      crc >>= 1;
      if (lsb)
        crc ^= polynomial;
    }
  }
  return crc;
}

PARITY(any_times_bit, "crc lowered")
u32 any_times_bit(u32 crc, const u8 *p, size_t n, u32 polynomial) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = (crc >> 1) ^ (crc & 1) * polynomial;
  }
  return ~crc;
}

PARITY(any_from_the_top, "crc lowered")
u32 any_from_the_top(u32 crc, const u8 *p, size_t n, u32 polynomial) {
  for (size_t i = 0; i < n; i++) {
    crc ^= (u32)p[i] << 24;
    for (int k = 8; k > 0; k--)
      crc = crc & 0x80000000u ? crc << 1 ^ polynomial : crc << 1;
  }
  return crc;
}

PARITY(any_8, "crc lowered")
u8 any_8(u8 crc, const u8 *p, size_t n, u8 polynomial) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++) {
      if (crc & 0x80)
        crc = (u8)(crc << 1 ^ polynomial);
      else
        crc <<= 1;
    }
  }
  return crc;
}

PARITY(any_64, "crc lowered")
u64 any_64(u64 crc, const u8 *p, size_t n, u64 polynomial) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = crc & 1 ? crc >> 1 ^ polynomial : crc >> 1;
  }
  return crc;
}

PARITY(any_message_bits, "crc lowered")
u16 any_message_bits(u16 crc, const u8 *p, size_t n, u16 polynomial) {
  while (n--) {
    u8 byte = *p++;
    for (int k = 0; k < 8; k++) {
      u16 mix = (crc ^ byte) & 1;
      crc >>= 1;
      if (mix)
        crc ^= polynomial;
      byte >>= 1;
    }
  }
  return crc;
}

// The polynomial may have more bits than the register: they are cut off.
PARITY(any_24_in_32, "crc lowered")
u32 any_24_in_32(u32 crc, const u8 *p, size_t n, u32 polynomial) {
  crc &= 0xffffff;
  while (n--) {
    crc ^= (u32)*p++ << 16;
    for (int k = 0; k < 8; k++) {
      crc <<= 1;
      if (crc & 0x1000000)
        crc ^= polynomial;
    }
    crc &= 0xffffff;
  }
  return crc;
}

PARITY(any_16_cut_after, "crc lowered")
u32 any_16_cut_after(u32 crc, const u8 *p, size_t n, u32 polynomial) {
  for (size_t i = 0; i < n; i++) {
    crc ^= (u32)p[i] << 8;
    for (int k = 0; k < 8; k++)
      crc = crc & 0x8000 ? crc << 1 ^ polynomial : crc << 1;
  }
  return crc & 0xffff;
}

PARITY(any_high_aligned, "crc lowered")
u32 any_high_aligned(u32 crc, const u8 *p, size_t n, u32 polynomial) {
  polynomial <<= 16;
  crc <<= 16;
  while (n--) {
    crc ^= (u32)*p++ << 24;
    for (int k = 0; k < 8; k++)
      crc = crc & 0x80000000u ? crc << 1 ^ polynomial : crc << 1;
  }
  return crc >> 16;
}

PARITY(any_of_words, "crc lowered")
u32 any_of_words(u32 crc, const u16 *p, size_t n, u32 polynomial) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 16; k++)
      crc = crc & 1 ? crc >> 1 ^ polynomial : crc >> 1;
  }
  return crc;
}

PARITY(any_of_a_struct, "crc lowered")
u32 any_of_a_struct(const struct engine *e, const u8 *p, size_t n) {
  u32 crc = e->state;
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = crc >> 1 ^ (e->poly & -(crc & 1));
  }
  return crc;
}

PARITY(any_turned, "crc lowered")
u32 any_turned(u32 crc, const u8 *p, size_t n, u32 polynomial) {
  for (size_t i = 0; i < n; i++) {
    u8 byte = p[i];
    for (int k = 0; k < 8; k++) {
      u32 out = crc >> 31 ^ (byte & 1);
      crc = crc << 1 ^ (out ? polynomial : 0);
      byte >>= 1;
    }
  }
  return crc;
}

// Made in the loop of what does not change there.
PARITY(any_completed, "crc lowered")
u32 any_completed(u32 crc, const u8 *p, size_t n, u32 polynomial) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = crc & 1 ? crc >> 1 ^ (polynomial << 3 ^ polynomial) : crc >> 1;
  }
  return crc;
}

PARITY(any_with_a_one, "crc lowered")
u32 any_with_a_one(u32 crc, const u8 *p, size_t n, u32 polynomial) {
  for (size_t i = 0; i < n; i++) {
    crc ^= (u32)p[i] << 24;
    for (int k = 0; k < 8; k++)
      crc = crc << 1 ^ (crc >> 31 ? polynomial | 1 : 0);
  }
  return crc;
}

// --- a flag that chooses between two registers ---

PARITY(any_by_flag, "crc lowered")
u8 any_by_flag(u8 crc, const u8 *p, size_t n, u8 polynomial, u8 reversed) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (size_t k = 0; k < 8; k++) {
      if (reversed & 1) {
        if (crc & 1)
          crc = (crc >> 1) ^ polynomial;
        else
          crc >>= 1;
      } else {
        if (crc & 0x80)
          crc = (u8)(crc << 1) ^ polynomial;
        else
          crc <<= 1;
      }
    }
  }
  return crc;
}

PARITY(any_by_flag_outside, "crc lowered")
u32 any_by_flag_outside(u32 crc, const u8 *p, size_t n, u32 polynomial, int reversed) {
  for (size_t i = 0; i < n; i++) {
    if (reversed) {
      crc ^= p[i];
      for (int k = 0; k < 8; k++)
        crc = crc & 1 ? crc >> 1 ^ polynomial : crc >> 1;
    } else {
      crc ^= (u32)p[i] << 24;
      for (int k = 0; k < 8; k++)
        crc = crc >> 31 ? crc << 1 ^ polynomial : crc << 1;
    }
  }
  return crc;
}

// Two constants: which one, is known when the program runs.
PARITY(any_of_two_constants, "crc lowered")
u32 any_of_two_constants(u32 crc, const u8 *p, size_t n, u32 castagnoli) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = crc & 1 ? crc >> 1 ^ (castagnoli & 1 ? 0x82f63b78u : 0xedb88320u) : crc >> 1;
  }
  return crc;
}

// --- near misses ---

// Without the flag it asks for the bit below the top one.
PARITY(any_by_flag_wrong_bit, "crc kept MLF2043")
u8 any_by_flag_wrong_bit(u8 crc, const u8 *p, size_t n, u8 polynomial, u8 reversed) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (size_t k = 0; k < 8; k++) {
      if (reversed & 1) {
        if (crc & 1)
          crc = (crc >> 1) ^ polynomial;
        else
          crc >>= 1;
      } else {
        if (crc & 0x40)
          crc = (u8)(crc << 1) ^ polynomial;
        else
          crc <<= 1;
      }
    }
  }
  return crc;
}


PARITY(any_seven_steps, "crc kept MLF2043")
u32 any_seven_steps(u32 crc, const u8 *p, size_t n, u32 polynomial) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 7; k++)
      crc = crc & 1 ? (crc >> 1) ^ polynomial : crc >> 1;
  }
  return crc;
}

// Another polynomial in every other step.
PARITY(any_two, "crc kept MLF2043")
u32 any_two(u32 crc, const u8 *p, size_t n, u32 polynomial, u32 other) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 4; k++) {
      crc = crc & 1 ? crc >> 1 ^ polynomial : crc >> 1;
      crc = crc & 1 ? crc >> 1 ^ other : crc >> 1;
    }
  }
  return crc;
}

// Not the same in every round.
PARITY(any_that_moves, "untouched")
u32 any_that_moves(u32 crc, const u8 *p, size_t n, u32 polynomial) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = crc & 1 ? crc >> 1 ^ polynomial : crc >> 1;
    polynomial = polynomial << 1 | polynomial >> 31;
  }
  return crc;
}

// Bits above the register are not shifted in, but shown.
PARITY(any_upper_bits_shown, "crc kept MLF2100")
u32 any_upper_bits_shown(u32 crc, const u8 *p, size_t n, u32 polynomial) {
  for (size_t i = 0; i < n; i++) {
    crc ^= (u32)p[i] << 8;
    for (int k = 0; k < 8; k++)
      crc = crc & 0x8000 ? crc << 1 ^ polynomial : crc << 1;
  }
  return crc;
}

// The message comes in at the other end: a register only if x^0 is in the polynomial.
PARITY(any_late, "crc kept MLF2043")
u16 any_late(u16 crc, const u8 *p, size_t n, u16 polynomial) {
  for (size_t i = 0; i < n; i++)
    for (int k = 7; k >= 0; k--) {
      u16 out = crc & 0x8000;
      crc = (u16)(crc << 1 | (p[i] >> k & 1));
      if (out)
        crc ^= polynomial;
    }
  return crc;
}
