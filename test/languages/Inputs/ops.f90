! ops.f90 - the five loops in Fortran; integers have a sign, which changes no bit of these results
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module ops
  use iso_c_binding
  implicit none
contains
  subroutine lang_copy(to, from, n) bind(c)
    integer(c_ptrdiff_t), value :: n
    integer(c_int8_t), intent(out) :: to(n)
    integer(c_int8_t), intent(in) :: from(n)
    integer(c_ptrdiff_t) :: i
    do i = 1, n
      to(i) = from(i)
    end do
  end subroutine

  subroutine lang_fill(to, n) bind(c)
    integer(c_ptrdiff_t), value :: n
    integer(c_int8_t), intent(out) :: to(n)
    to(:) = 7_c_int8_t
  end subroutine

  function lang_sum(from, n) bind(c) result(total)
    integer(c_ptrdiff_t), value :: n
    integer(c_int32_t), intent(in) :: from(n)
    integer(c_int32_t) :: total
    integer(c_ptrdiff_t) :: i
    total = 0
    do i = 1, n
      total = total + from(i)
    end do
  end function

  function lang_inet(from, n) bind(c) result(total)
    integer(c_ptrdiff_t), value :: n
    integer(c_int16_t), intent(in) :: from(n)
    integer(c_int64_t) :: total
    integer(c_ptrdiff_t) :: i
    total = 0
    do i = 1, n
      total = total + iand(int(from(i), c_int64_t), 65535_c_int64_t)
    end do
  end function

  function lang_crc(from, n) bind(c) result(crc)
    integer(c_ptrdiff_t), value :: n
    integer(c_int8_t), intent(in) :: from(n)
    integer(c_int32_t) :: crc
    integer(c_ptrdiff_t) :: i
    integer :: bit
    crc = -1
    do i = 1, n
      crc = ieor(crc, iand(int(from(i), c_int32_t), 255))
      do bit = 1, 8
        if (btest(crc, 0)) then
          crc = ieor(shiftr(crc, 1), -306674912)
        else
          crc = shiftr(crc, 1)
        end if
      end do
    end do
    crc = not(crc)
  end function
end module
