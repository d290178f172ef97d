/* dax_decode.h - a DAX control block as fields, and what Extract makes of its input
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Written from dax-hv-api.txt, not from the encoder: what the two agree on is what the document
 * says. Strict: reserved bits, unused fields and types, alignment.
 */
#ifndef MEMLIFT_DAX_DECODE_H
#define MEMLIFT_DAX_DECODE_H

#include "../engine/dax/dax_spec.h"

#include <stddef.h>

struct dax_command {
  uint32_t opcode, serial;
  uint32_t format;       /* MEMLIFT_DAX_CCB_IN_* */
  uint32_t element_bits; /* width of an input element */
  uint32_t bit_offset;   /* of the first */
  uint32_t has_runs, run_bits, run_offset, run_less_one;
  uint32_t output_bytes; /* of one output element */
  uint32_t pad_left;
  uint64_t elements; /* of the input */
  uint64_t primary, secondary, output;
  int has_primary, has_secondary, has_output; /* is it an address? */
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* OK: the block will be run, or completes with a decode error (memlift_dax_valid). */
uint32_t memlift_dax_decode(const unsigned char *block, struct dax_command *command);

/* 0: the block completes with ERROR_DECODE. What only the device looks at. */
int memlift_dax_valid(const unsigned char *block, const struct dax_command *command);

/* Bytes that the input takes, from the addresses on. */
uint64_t memlift_dax_primary_bytes(const struct dax_command *command);
uint64_t memlift_dax_secondary_bytes(const struct dax_command *command);

/* Progress of an extraction. */
struct dax_extraction {
  uint64_t element; /* input elements taken */
  uint64_t output;  /* bytes made of them */
  uint32_t left;    /* repetitions of the last one that are still to be made */
  unsigned char value[DAX_ELEMENT];
};

/* Makes up to `room` more bytes of output, a multiple of 16. Fewer: the input has ended, or cannot
 * be read (*unreadable). */
size_t memlift_dax_extract(const struct dax_command *command, struct dax_extraction *e,
                           unsigned char *to, size_t room, int *unreadable);

/* Bytes of output in all; the run lengths are read. 0: they cannot be. */
uint64_t memlift_dax_output_bytes(const struct dax_command *command);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
