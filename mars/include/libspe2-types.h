/* libspe2-types.h - the type of libspe2.h
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef LIBSPE2_TYPES_H
#define LIBSPE2_TYPES_H

typedef struct spe_program_handle {
  unsigned int handle_size; /* sizeof(spe_program_handle_t) */
  void *elf_image;
  void *toe_shadow; /* NULL */
} spe_program_handle_t;

#endif
