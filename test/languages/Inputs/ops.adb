--  ops.adb - the five loops in Ada
--  SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package body Ops is
   procedure Copy (To : in out All_Bytes; From : All_Bytes; N : Size) is
   begin
      for I in 0 .. N - 1 loop
         To (I) := From (I);
      end loop;
   end Copy;

   procedure Fill (To : in out All_Bytes; N : Size) is
   begin
      for I in 0 .. N - 1 loop
         To (I) := 7;
      end loop;
   end Fill;

   function Sum (From : All_Words; N : Size) return Unsigned_32 is
      Total : Unsigned_32 := 0;
   begin
      for I in 0 .. N - 1 loop
         Total := Total + From (I);
      end loop;
      return Total;
   end Sum;

   function Inet (From : All_Halves; N : Size) return Unsigned_64 is
      Total : Unsigned_64 := 0;
   begin
      for I in 0 .. N - 1 loop
         Total := Total + Unsigned_64 (From (I));
      end loop;
      return Total;
   end Inet;

   function Crc (From : All_Bytes; N : Size) return Unsigned_32 is
      State : Unsigned_32 := 16#FFFFFFFF#;
   begin
      for I in 0 .. N - 1 loop
         State := State xor Unsigned_32 (From (I));
         for Bit in 1 .. 8 loop
            if (State and 1) /= 0 then
               State := Shift_Right (State, 1) xor 16#EDB88320#;
            else
               State := Shift_Right (State, 1);
            end if;
         end loop;
      end loop;
      return not State;
   end Crc;
end Ops;
