--  ops.ads - the five loops in Ada
--  SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
with Interfaces; use Interfaces;
with Interfaces.C;

package Ops is
   subtype Size is Interfaces.C.ptrdiff_t;
   use type Size;
   type Bytes is array (Size range <>) of aliased Unsigned_8;
   type Halves is array (Size range <>) of aliased Unsigned_16;
   type Words is array (Size range <>) of aliased Unsigned_32;
   subtype All_Bytes is Bytes (0 .. Size'Last - 1);
   subtype All_Halves is Halves (0 .. 2 ** 60);
   subtype All_Words is Words (0 .. 2 ** 60);

   procedure Copy (To : in out All_Bytes; From : All_Bytes; N : Size)
     with Export, Convention => C, External_Name => "lang_copy";
   procedure Fill (To : in out All_Bytes; N : Size)
     with Export, Convention => C, External_Name => "lang_fill";
   function Sum (From : All_Words; N : Size) return Unsigned_32
     with Export, Convention => C, External_Name => "lang_sum";
   function Inet (From : All_Halves; N : Size) return Unsigned_64
     with Export, Convention => C, External_Name => "lang_inet";
   function Crc (From : All_Bytes; N : Size) return Unsigned_32
     with Export, Convention => C, External_Name => "lang_crc";
end Ops;
