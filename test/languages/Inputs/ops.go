// ops.go - the five loops in Go, over slices; each function is called by its symbol
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package main

import (
	"os"
	"unsafe"
)

//extern harness_main
func harness() int32

func main() {
	os.Exit(int(harness()))
}

func Copy(to, from *byte, n int) {
	d := unsafe.Slice(to, n)
	s := unsafe.Slice(from, n)
	for i := range s {
		d[i] = s[i]
	}
}

func Fill(to *byte, n int) {
	d := unsafe.Slice(to, n)
	for i := range d {
		d[i] = 7
	}
}

func Sum(from *uint32, n int) uint32 {
	var total uint32
	for _, word := range unsafe.Slice(from, n) {
		total += word
	}
	return total
}

func Inet(from *uint16, n int) uint64 {
	var total uint64
	for _, word := range unsafe.Slice(from, n) {
		total += uint64(word)
	}
	return total
}

func Crc(from *byte, n int) uint32 {
	crc := ^uint32(0)
	for _, octet := range unsafe.Slice(from, n) {
		crc ^= uint32(octet)
		for bit := 0; bit < 8; bit++ {
			if crc&1 != 0 {
				crc = crc>>1 ^ 0xedb88320
			} else {
				crc >>= 1
			}
		}
	}
	return ^crc
}
