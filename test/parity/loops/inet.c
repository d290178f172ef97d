// inet.c - the Internet checksum's main loops as network stacks write them
//
// Every function takes data, its length in bytes and a start value, so that
// test/e2e/inet.test can run each of them plain and lowered. Alignment is the
// caller's: words are read through types that may lie anywhere.
#include "parity.h"

typedef u16 __attribute__((aligned(1), may_alias)) w16;
typedef int16_t __attribute__((aligned(1), may_alias)) s16;
typedef u32 __attribute__((aligned(1), may_alias)) w32;

static inline u16 swap16(u16 x) { return (u16)(x << 8 | x >> 8); }
static inline u16 folded(u32 sum) {
  sum = (sum & 0xffff) + (sum >> 16);
  return (u16)(sum + (sum >> 16));
}

// RFC 1071: a signed long, a counter that goes down by two, the odd byte apart.
PARITY(rfc, "sum lowered")
u64 rfc(const void *data, size_t len, u64 start) {
  const w16 *addr = data;
  long count = (long)len, sum = (long)start;
  while (count > 1) {
    sum += *addr++;
    count -= 2;
  }
  if (count > 0)
    sum += *(const u8 *)addr;
  while (sum >> 16 & 0xffff)
    sum = (sum & 0xffff) + (sum >> 16);
  return (u16)~sum;
}

// ping, traceroute, iproute: int arithmetic, and the odd byte through a union.
PARITY(ping, "sum lowered")
u64 ping(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  int left = (int)len, sum = (int)start;
  u16 answer = 0;
  while (left > 1) {
    sum += *w++;
    left -= 2;
  }
  if (left == 1) {
    *(u8 *)&answer = *(const u8 *)w;
    sum += answer;
  }
  sum = (sum >> 16) + (sum & 0xffff);
  sum += sum >> 16;
  return (u16)~sum;
}

// The BSDs and tcpdump: sixteen words a round while they last, then four, then
// one, all with one counter that runs below zero and is put right: one call.
PARITY(bsd, "sum lowered")
u64 bsd(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  int mlen = (int)len, sum = (int)start;
  while ((mlen -= 32) >= 0) {
    sum += w[0]; sum += w[1]; sum += w[2]; sum += w[3];
    sum += w[4]; sum += w[5]; sum += w[6]; sum += w[7];
    sum += w[8]; sum += w[9]; sum += w[10]; sum += w[11];
    sum += w[12]; sum += w[13]; sum += w[14]; sum += w[15];
    w += 16;
  }
  mlen += 32;
  while ((mlen -= 8) >= 0) {
    sum += w[0]; sum += w[1]; sum += w[2]; sum += w[3];
    w += 4;
  }
  mlen += 8;
  while ((mlen -= 2) >= 0)
    sum += *w++;
  return folded((u32)sum);
}

// uIP and Contiki: byte pairs in network order, 16 bits with an end-around carry.
PARITY(uip, "inet_checksum lowered")
u64 uip(const void *data, size_t len, u64 start) {
  const u8 *p = data, *last = p + len - 1;
  u16 sum = (u16)start;
  while (p < last) {
    u16 t = (u16)((p[0] << 8) + p[1]);
    sum += t;
    if (sum < t)
      sum++;
    p += 2;
  }
  return sum;
}

// lwIP's first algorithm: one byte after the other into a 16-bit word.
PARITY(lwip_bytes, "sum lowered")
u64 lwip_bytes(const void *data, size_t len, u64 start) {
  const u8 *octet = data;
  u32 acc = (u32)start;
  while (len > 1) {
    u16 src = (u16)(*octet << 8);
    octet++;
    src |= *octet;
    octet++;
    acc += src;
    len -= 2;
  }
  return folded(acc);
}

// lwIP's second: 16-bit words behind an odd first byte, an int counter.
PARITY(lwip_words, "sum lowered")
u64 lwip_words(const void *data, size_t length, u64 start) {
  const u8 *pb = data;
  u16 t = 0;
  u32 sum = (u32)start;
  int len = (int)length, odd = (int)((uintptr_t)pb & 1);
  if (odd && len > 0) {
    ((u8 *)&t)[1] = *pb++;
    len--;
  }
  const w16 *ps = (const void *)pb;
  while (len > 1) {
    sum += *ps++;
    len -= 2;
  }
  if (len > 0)
    ((u8 *)&t)[0] = *(const u8 *)ps;
  sum += t;
  return odd ? swap16(folded(sum)) : folded(sum);
}

// DPDK: up to an end pointer, each word by a memcpy of two bytes.
PARITY(dpdk, "sum lowered")
u64 dpdk(const void *data, size_t len, u64 start) {
  const u8 *buf = data, *end = buf + len / 2 * 2;
  u32 sum = (u32)start;
  for (; buf != end; buf += sizeof(u16)) {
    u16 v;
    __builtin_memcpy(&v, buf, sizeof v);
    sum += v;
  }
  return sum;
}

// DPDK's older one: four words a round while there are eight bytes.
PARITY(dpdk_four, "sum lowered")
u64 dpdk_four(const void *data, size_t len, u64 start) {
  const w16 *p = data;
  u32 sum = (u32)start;
  while (len >= sizeof(*p) * 4) {
    sum += p[0];
    sum += p[1];
    sum += p[2];
    sum += p[3];
    len -= sizeof(*p) * 4;
    p += 4;
  }
  while (len >= 2) {
    sum += *p++;
    len -= 2;
  }
  return sum;
}

// RIOT: an index in words, byte pairs through a 16-bit cast.
PARITY(riot, "sum lowered")
u64 riot(const void *data, size_t length, u64 start) {
  const u8 *buf = data;
  u16 len = (u16)length;
  u32 csum = (u32)start;
  for (unsigned i = 0; i < (unsigned)(len >> 1); buf += 2, i++)
    csum += (u16)(*buf << 8) + *(buf + 1);
  if (len & 1)
    csum += (u16)(*buf << 8);
  return csum;
}

// Others: an index in bytes that goes by two, ...
PARITY(by_twos, "sum lowered")
u64 by_twos(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 sum = (u32)start;
  for (size_t i = 0; i + 1 < len; i += 2)
    sum += (u32)p[i] << 8 | p[i + 1];
  return sum;
}

// ... ntohs() of each word, with a fold at the end, ...
PARITY(ntohs_words, "sum lowered")
u64 ntohs_words(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u64 sum = start;
  for (size_t i = 0; i < len / 2; i++)
    sum += swap16(w[i]);
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

// ... or a fold in each round, ...
PARITY(ntohs_folded, "inet_checksum lowered")
u64 ntohs_folded(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 sum = (u16)start;
  for (size_t i = 0; i < len / 2; i++) {
    sum += swap16(w[i]);
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return sum;
}

// ... 32-bit words into 64 bits, folded later, ...
PARITY(halves, "sum lowered")
u64 halves(const void *data, size_t len, u64 start) {
  const w32 *w = data;
  u64 sum = start;
  for (size_t n = len / 4; n; n--)
    sum += *w++;
  sum = (sum >> 32) + (sum & 0xffffffff);
  sum = (sum >> 16) + (sum & 0xffff);
  return sum;
}

// ... the two halves of 32-bit words, ...
PARITY(both_halves, "sum lowered")
u64 both_halves(const void *data, size_t len, u64 start) {
  const w32 *w = data;
  u32 sum = (u32)start;
  for (size_t i = 0; i < len / 4; i++)
    sum += (w[i] & 0xffff) + (w[i] >> 16);
  return sum;
}

// ... two accumulators, ...
PARITY(two_chains, "sum lowered")
u64 two_chains(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 a = (u32)start, b = 0;
  for (size_t i = 0; i + 1 < len / 2; i += 2) {
    a += w[i];
    b += w[i + 1];
  }
  return folded(a) + folded(b);
}

// ... signed words, as an old header declares them.
PARITY(signed_words, "sum lowered")
u64 signed_words(const void *data, size_t len, u64 start) {
  const s16 *w = data;
  long sum = (long)start;
  for (size_t i = 0; i < len / 2; i++)
    sum += w[i];
  return (u64)sum;
}

// Zephyr: two partial sums a round of four words, an index beside a count.
PARITY(zephyr, "sum lowered")
PARITY_BUT(zephyr, "clang-23", "sum lowered + sum kept MLF3004",
           "the rest of three words is still a loop")
u64 zephyr(const void *data, size_t len, u64 start) {
  const w32 *p = data;
  u64 sum = start;
  size_t i = 0, pending = len;
  while (pending >= sizeof(u32) * 4) {
    u64 sum_a = p[i], sum_b = p[i + 1];
    pending -= sizeof(u32) * 4;
    sum_a += p[i + 2];
    sum_b += p[i + 3];
    i += 4;
    sum += sum_a;
    sum += sum_b;
  }
  while (pending >= sizeof(u32)) {
    pending -= sizeof(u32);
    sum = sum + p[i++];
  }
  return sum;
}

// Several segments, each a loop of its own inside another.
struct segment {
  const void *at;
  size_t len;
};
PARITY(segments, "sum lowered")
u64 segments(const void *data, size_t len, u64 start) {
  struct segment list[3] = {{data, len / 3}, {data, len / 4}, {data, len / 2}};
  __asm__("" : "+m"(list));
  u32 sum = (u32)start;
  for (unsigned k = 0; k < 1 + len % 3; k++) {
    const w16 *w = list[k].at;
    for (size_t n = list[k].len; n >= 2; n -= 2)
      sum += *w++;
  }
  return folded(sum);
}
