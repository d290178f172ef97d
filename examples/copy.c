/* copy.c - copies, byte by byte and struct by struct; nothing says that the two do not overlap.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "ops.h"

void copy_bytes(uint8_t *to, const uint8_t *from, size_t size) {
  for (size_t i = 0; i < size; i++)
    to[i] = from[i];
}

void copy_packets(struct packet *to, const struct packet *from, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = from[i];
}

/* Moves the rest of a packet down over its header, in place. */
void drop_header(uint8_t *packet, size_t size, size_t header) {
  for (size_t i = 0; i + header < size; i++)
    packet[i] = packet[i + header];
}
