// io.h - what a program on a simulated core may use: the device, and the count of cycles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_RTL_IO_H
#define MEMLIFT_RTL_IO_H

#include <stddef.h>
#include <stdint.h>

// Words of 64 bits. Registers keep what is written; the simulator can log each access.
#define DEVICE 0x40000000ul
#define DEVICE_EXIT (*(volatile uint64_t *)DEVICE)
#define DEVICE_PUT (*(volatile uint64_t *)(DEVICE + 8))
#define DEVICE_NODE (*(volatile uint64_t *)(DEVICE + 16)) // 0, or 1 of the second core
#define DEVICE_REGISTERS ((volatile uint64_t *)(DEVICE + 0x1000))

typedef uint64_t function(uintptr_t, uintptr_t, uintptr_t);
// A channel of the network interface, where CVA6 lets stores overtake each other.
#define DEVICE_WINDOW ((volatile uint64_t *)0x40200000ul)

/// Cycles from the call of f(a, b, c) to its return, those of calling included; what it
/// returned goes to *result unless that is null. Stores may still be on their way.
uint64_t timed(function *f, uintptr_t a, uintptr_t b, uintptr_t c, uint64_t *result); // start.S

void put(const char *text);
void put_number(uint64_t n);

#endif
