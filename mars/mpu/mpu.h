/* mpu.h - what the files of libmemlift_mpu share
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libmemlift_mpu.a is linked into each image of memlift-mpu-cc. Its variables are data of the
 * image: each task has them for itself, and as new in each run.
 */
#ifndef MEMLIFT_MARS_MPU_H
#define MEMLIFT_MARS_MPU_H

#include "../program.h"

extern struct memlift_mpu_program memlift_mpu_program;

#endif
