/* vec_undef.h - forgets the vector width before the next one is defined
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#undef V
#undef NAME
#undef TARGET
#undef VECTOR
#undef LOADU
#undef ONCE
#undef LOADN
#undef LOADLAST
#undef FEW
#undef FEW_TWO
#undef FEW_LAST
#undef FEW_LAST_TWO
#undef FIRST_BYTES
#undef STOREN
#undef LOADA
#undef STOREU
#undef STOREA
#undef STREAM
#undef SPLAT64
#undef SPLAT128
#undef SHUFFLE8
#undef SPLAT8
#undef ADD8
#undef SUB8
#undef MIN8
#undef ADD32
#undef ADD64
#undef SUB64
#undef AND
#undef OR
#undef XOR
#undef SRL16
#undef SLL16
#undef SRL32
#undef SLL32
#undef SLL64
#undef SRL64
#undef ROTL64
#undef ROTR64
#undef SAD8
#undef MADD16
#undef MUL32
#undef SUM64
#undef XOR64
