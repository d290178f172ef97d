/* crc_undef.h - forgets one width of the vectors for CRCs before the next one is defined
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#undef V
#undef NAME
#undef TARGET
#undef VECTOR
#undef LOADU
#undef STOREU
#undef AND
#undef SRL64
#undef LOW64
#undef SPLAT64
#undef XOR
#undef XOR3
#undef SHUFFLE8
#undef CLMUL
#undef LANES
#undef FIRST_LANE
#undef BY_VECTOR
#undef BY_TWO_VECTORS
#undef BY_THREE_VECTORS
#undef BY_FOUR_VECTORS
