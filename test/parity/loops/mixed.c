// mixed.c - hashes and rotating sums: named, and kept as there is no other way than byte after byte
#include "parity.h"

PARITY(fnv1a, "hash kept MLF2121")
u32 fnv1a(const u8 *p, size_t n) {
  u32 h = 2166136261u;
  for (size_t i = 0; i < n; i++) {
    h ^= p[i];
    h *= 16777619u;
  }
  return h;
}

PARITY(fnv1_64, "hash kept MLF2121")
u64 fnv1_64(const u8 *p, const u8 *end) {
  u64 h = 14695981039346656037u;
  while (p != end) {
    h *= 1099511628211u;
    h ^= *p++;
  }
  return h;
}

// Bernstein's second one: xor in the place of the addition.
PARITY(djb2_xor, "hash kept MLF2121")
u32 djb2_xor(const u8 *p, size_t n) {
  u32 h = 5381;
  while (n--)
    h = (h << 5) + h ^ *p++;
  return h;
}

// Jenkins, one at a time.
PARITY(one_at_a_time, "hash kept MLF2121")
u32 one_at_a_time(const u8 *p, size_t n) {
  u32 h = 0;
  for (size_t i = 0; i < n; i++) {
    h += p[i];
    h += h << 10;
    h ^= h >> 6;
  }
  h += h << 3;
  h ^= h >> 11;
  return h + (h << 15);
}

// The hash of ELF's symbol tables, for a name of known length.
PARITY(elf_hash, "hash kept MLF2121")
u32 elf_hash(const u8 *name, size_t n) {
  u32 h = 0;
  for (size_t i = 0; i < n; i++) {
    h = (h << 4) + name[i];
    u32 g = h & 0xf0000000;
    h ^= g >> 24;
    h &= ~g;
  }
  return h;
}

// BSD's sum, in 16 bits and in an int.
PARITY(bsd_rotating, "sum kept MLF2122")
u16 bsd_rotating(const u8 *p, size_t n) {
  u16 sum = 0;
  for (size_t i = 0; i < n; i++)
    sum = (u16)((sum >> 1 | sum << 15) + p[i]);
  return sum;
}

PARITY(bsd_rotating_int, "sum kept MLF2122")
int bsd_rotating_int(const u8 *p, size_t n) {
  int sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum = (sum >> 1) + ((sum & 1) << 15);
    sum += p[i];
    sum &= 0xffff;
  }
  return sum;
}

PARITY(rotated_32, "sum kept MLF2122")
u32 rotated_32(const u8 *p, size_t n) {
  u32 sum = 0;
  while (n--)
    sum = (sum << 1 | sum >> 31) + *p++;
  return sum;
}

PARITY(rotated_after, "sum kept MLF2122")
u32 rotated_after(const u8 *p, size_t n) {
  u32 sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += p[i];
    sum = sum << 1 | sum >> 31;
  }
  return sum;
}

// Bytes gathered in a word are no hash.
PARITY(gathered, "crc kept MLF2043")
u64 gathered(const u8 *p, size_t n) {
  u64 word = 0;
  for (size_t i = 0; i < n; i++)
    word = word << 8 | p[i];
  return word;
}

PARITY(rs_hash, "hash kept MLF2160")
u32 rs_hash(const char *s, unsigned length) {
  u32 a = 63689, hash = 0;
  for (unsigned i = 0; i < length; s++, i++) {
    hash = hash * a + (u8)*s;
    a *= 378551;
  }
  return hash;
}

PARITY(elf_if, "hash kept MLF2121")
u32 elf_if(const u8 *s, size_t n) {
  u32 h = 0;
  for (size_t i = 0; i < n; i++) {
    h = (h << 4) + s[i];
    u32 high = h & 0xf0000000;
    if (high)
      h ^= high >> 24;
    h &= ~high;
  }
  return h;
}

// Up to a zero byte: how many there are is not known, either.
PARITY(fnv_of_a_string, "hash kept MLF2010 MLF2121")
u32 fnv_of_a_string(const u8 *s) {
  u32 h = 2166136261u;
  while (*s) {
    h ^= *s++;
    h *= 16777619u;
  }
  return h;
}

PARITY(elf_of_a_string, "hash kept MLF2010 MLF2121")
u32 elf_of_a_string(const u8 *s) {
  u32 h = 0;
  while (*s) {
    h = (h << 4) + *s++;
    u32 high = h & 0xf0000000;
    if (high)
      h ^= high >> 24;
    h &= ~high;
  }
  return h;
}
