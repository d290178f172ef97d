// ops.rs - the five loops in Rust
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#![no_std]

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

fn slice<'a, T>(from: *const T, n: isize) -> &'a [T] {
    unsafe { core::slice::from_raw_parts(from, n as usize) }
}

fn slice_mut<'a, T>(to: *mut T, n: isize) -> &'a mut [T] {
    unsafe { core::slice::from_raw_parts_mut(to, n as usize) }
}

#[no_mangle]
pub extern "C" fn lang_copy(to: *mut u8, from: *const u8, n: isize) {
    for (d, s) in slice_mut(to, n).iter_mut().zip(slice(from, n)) {
        *d = *s;
    }
}

#[no_mangle]
pub extern "C" fn lang_fill(to: *mut u8, n: isize) {
    for d in slice_mut(to, n) {
        *d = 7;
    }
}

#[no_mangle]
pub extern "C" fn lang_sum(from: *const u32, n: isize) -> u32 {
    slice(from, n).iter().fold(0, |sum, word| sum.wrapping_add(*word))
}

#[no_mangle]
pub extern "C" fn lang_inet(from: *const u16, n: isize) -> u64 {
    slice(from, n).iter().map(|word| *word as u64).sum()
}

#[no_mangle]
pub extern "C" fn lang_crc(from: *const u8, n: isize) -> u32 {
    let mut crc = !0u32;
    for octet in slice(from, n) {
        crc ^= *octet as u32;
        for _ in 0..8 {
            crc = if crc & 1 != 0 { crc >> 1 ^ 0xedb88320 } else { crc >> 1 };
        }
    }
    !crc
}
