/* ops.h - what the naive programs do; one file an operation, so that none is inlined.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Every function is the loop that a newcomer would write: no restrict, no builtin, no unrolling.
 * Sizes are in bytes unless a name says otherwise; pointers have the alignment of their type, no
 * more.
 */
#ifndef EXAMPLES_OPS_H
#define EXAMPLES_OPS_H

#include <stddef.h>
#include <stdint.h>

/* A packet descriptor as a driver would keep it: 32 bytes, copied as a whole. */
struct packet {
  uint64_t address;
  uint32_t length;
  uint32_t flags;
  uint64_t timestamp;
  uint64_t cookie;
};

/* copy.c */
void copy_bytes(uint8_t *to, const uint8_t *from, size_t size);
void copy_packets(struct packet *to, const struct packet *from, size_t count);
void drop_header(uint8_t *packet, size_t size, size_t header);

/* fill.c */
void clear_bytes(uint8_t *to, size_t size);
void fill_words(uint32_t *to, uint32_t value, size_t count);

/* checksum.c: of the bytes as 16-bit words in network order (RFC 1071), an odd last byte padded. */
uint16_t internet_checksum(const uint8_t *from, size_t size);

/* crc.c: CRC-32 as Ethernet and zip have it. */
uint32_t crc32(const uint8_t *from, size_t size);

#endif
