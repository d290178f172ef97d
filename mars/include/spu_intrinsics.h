/* spu_intrinsics.h - the intrinsics of SPUs that mean something here, and a word on the others
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * SPU instructions and vector types are not offered: a use of such a type is an error that says so,
 * and an intrinsic is a function that the linker does not find.
 */
#ifndef SPU_INTRINSICS_H
#define SPU_INTRINSICS_H

#include <stdint.h>

#define MEMLIFT_NO_SPU_VECTORS                                                                     \
  _Pragma("GCC error \"memlift has no SPU vector types: see docs/user/mars.md\"") int

#if !defined(__cplusplus) && !defined(vector) /* which is a name of C++ */
#define vector _Pragma("GCC error \"memlift has no SPU vector types: see docs/user/mars.md\"")
#endif
#define qword MEMLIFT_NO_SPU_VECTORS
#define vec_uchar16 MEMLIFT_NO_SPU_VECTORS
#define vec_char16 MEMLIFT_NO_SPU_VECTORS
#define vec_ushort8 MEMLIFT_NO_SPU_VECTORS
#define vec_short8 MEMLIFT_NO_SPU_VECTORS
#define vec_uint4 MEMLIFT_NO_SPU_VECTORS
#define vec_int4 MEMLIFT_NO_SPU_VECTORS
#define vec_ullong2 MEMLIFT_NO_SPU_VECTORS
#define vec_llong2 MEMLIFT_NO_SPU_VECTORS
#define vec_float4 MEMLIFT_NO_SPU_VECTORS
#define vec_double2 MEMLIFT_NO_SPU_VECTORS

/* Order accesses of the local store and transfers, which the library does already. */
#define spu_sync() __sync_synchronize()
#define spu_dsync() __sync_synchronize()
#define spu_sync_c() __sync_synchronize()

#endif
