/* libspe2.h - the handle of an embedded MPU program, for mars_task_create
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The object that `memlift-mpu-cc --embed=NAME` writes defines `spe_program_handle_t NAME`.
 * Programs pass NAME.elf_image to mars_task_create. SPE contexts and events of libspe2 are not
 * offered.
 */
#ifndef LIBSPE2_H
#define LIBSPE2_H

#include <libspe2-types.h>

#endif
