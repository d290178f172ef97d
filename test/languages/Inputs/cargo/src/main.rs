// main.rs - adds the bytes of a file, or of its own program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
fn copy(to: &mut [u8], from: &[u8]) {
    for (d, s) in to.iter_mut().zip(from) {
        *d = *s;
    }
}

fn sum(from: &[u8]) -> u64 {
    from.iter().map(|octet| *octet as u64).sum()
}

fn main() {
    let data: Vec<u8> = (0..100_000u32).map(|i| (i * 7 >> 3) as u8).collect();
    let mut twin = vec![0; data.len()];
    copy(&mut twin, &data);
    println!("{}", sum(&twin));
}
