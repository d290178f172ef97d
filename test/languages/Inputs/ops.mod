(* ops.mod - the five loops in Modula-2
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
IMPLEMENTATION MODULE ops;

FROM SYSTEM IMPORT ADDRESS, CARDINAL8, CARDINAL16, CARDINAL32, CARDINAL64, CAST;

TYPE
  Bytes = POINTER TO ARRAY [0..1000000] OF CARDINAL8;
  Halves = POINTER TO ARRAY [0..1000000] OF CARDINAL16;
  Words = POINTER TO ARRAY [0..1000000] OF CARDINAL32;

PROCEDURE lang_copy (to, from: ADDRESS; size: LONGINT);
VAR i: LONGINT; d, s: Bytes;
BEGIN
  d := to; s := from; i := 0;
  WHILE i < size DO
    d^[i] := s^[i];
    INC (i)
  END
END lang_copy;

PROCEDURE lang_fill (to: ADDRESS; size: LONGINT);
VAR i: LONGINT; d: Bytes;
BEGIN
  d := to; i := 0;
  WHILE i < size DO
    d^[i] := 7;
    INC (i)
  END
END lang_fill;

PROCEDURE lang_sum (from: ADDRESS; count: LONGINT): CARDINAL32;
VAR i: LONGINT; s: Words; total: CARDINAL32;
BEGIN
  s := from; total := 0; i := 0;
  WHILE i < count DO
    total := total + s^[i];
    INC (i)
  END;
  RETURN total
END lang_sum;

PROCEDURE lang_inet (from: ADDRESS; count: LONGINT): CARDINAL64;
VAR i: LONGINT; s: Halves; total: CARDINAL64;
BEGIN
  s := from; total := 0; i := 0;
  WHILE i < count DO
    total := total + VAL (CARDINAL64, s^[i]);
    INC (i)
  END;
  RETURN total
END lang_inet;

PROCEDURE lang_crc (from: ADDRESS; size: LONGINT): CARDINAL32;
TYPE Bits = SET OF [0..31];
VAR i: LONGINT; bit: CARDINAL; s: Bytes; state: Bits; number: CARDINAL32; low: BOOLEAN;
BEGIN
  s := from; state := Bits {0..31}; i := 0;
  WHILE i < size DO
    number := VAL (CARDINAL32, s^[i]);
    state := state / CAST (Bits, number);
    bit := 0;
    WHILE bit < 8 DO
      low := 0 IN state;
      number := CAST (CARDINAL32, state) DIV 2;
      state := CAST (Bits, number);
      IF low THEN
        number := 0EDB88320H;
        state := state / CAST (Bits, number)
      END;
      INC (bit)
    END;
    INC (i)
  END;
  RETURN CAST (CARDINAL32, state / Bits {0..31})
END lang_crc;

END ops.
