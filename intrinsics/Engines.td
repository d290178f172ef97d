// Engines.td - engines that can carry out an operation: limits, rules and costs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 0 means "no limit" for a limit and "unknown: measured on the machine" for a cost. Costs stated
// here are starting points for models; thresholds are always measured, as 15 us of set-up is worth
// 256 KiB of memset on one machine and 2.5 MiB on another.

class Engine<string name> {
  // Name that MEMLIFT_ENGINE selects; libmemlift has it as memlift_engine_NAME.
  string Name = name;
  bit Fills = 0;
  bit Copies = 0;
  // Bytes of the longest value that a fill repeats; 0 if it does not fill.
  int PatternBytes = 0;
  // Pieces start and end at multiples of it in the destination, a power of two; bytes. The CPU does
  // what lies before and after.
  int Granule = 1;
  // One command stays within a page.
  bit WithinPage = 0;
  // Takes physical addresses: bare metal, RTOS or a driver.
  bit PhysicalAddresses = 0;
  // Operations smaller than this stay on the CPU, until memlift-info --calibrate has measured it.
  int MinBytes = 0;
  // Bytes that one piece can have, a multiple of 8, so that fills keep their phase.
  int MaxBytes = 0;
  // Pieces under way at once.
  int InFlight = 0;
  int SetupNanoseconds = 0;
  int MegabytesPerSecond = 0;
  string Source = ?;
}

def EngineCpu : Engine<"cpu"> {
  let Fills = 1;
  let Copies = 1;
  let PatternBytes = 8;
  let MinBytes = 1;
  let InFlight = 1;
  let Source = "ours: the kernels of libmemlift, always present";
}
def EngineSoft : Engine<"soft"> {
  let Fills = 1;
  let Copies = 1;
  let PatternBytes = 8;
  let MinBytes = 262144;
  let MaxBytes = 262144;
  let InFlight = 16;
  let Source = "ours: a device in software behind a real queue; it shows function, not speed";
}
def EngineThreads : Engine<"threads"> {
  let Fills = 1;
  let Copies = 1;
  let PatternBytes = 8;
  let Granule = 4096;
  let MinBytes = 1048576;
  let MaxBytes = 262144;
  let InFlight = 64;
  let Source = [{ours: up to 64 helper threads of the process, pinned to CPUs, that reach memory through the
    system (process_vm_writev)}];
}
def EngineDax : Engine<"dax"> {
  let Fills = 1;
  let Copies = 1;
  let PatternBytes = 8;
  let WithinPage = 1;
  let Granule = 64;
  let MinBytes = 191488;
  let MaxBytes = 268435456;
  let InFlight = 256;
  let SetupNanoseconds = 15000;
  let MegabytesPerSecond = 69000;
  let Source = [{SPARC M7/T7: Linux Documentation/arch/sparc/oradax/dax-hv-api.txt and
    oracle-dax.rst (copies and fills are Extract of 16-byte elements; there is no public fill); set-up and
    2 GiB in 31 ms: the DAX memset talk; bandwidth derived from those}];
}
def EngineDsa : Engine<"dsa"> {
  let Fills = 1;
  let Copies = 1;
  let PatternBytes = 8;
  let Granule = 64;
  let MinBytes = 65536;
  let MaxBytes = 1073741824;
  let InFlight = 64;
  let Source = [{Intel DSA: /usr/include/linux/idxd.h; sizes and depth are read from the device}];
}
def EnginePdma : Engine<"pdma"> {
  let Copies = 1;
  let PhysicalAddresses = 1;
  let Granule = 64;
  let MinBytes = 4096;
  let MaxBytes = 1073741824;
  let InFlight = 4;
  let Source = [{SiFive PDMA of FU540, FU740 and PolarFire SoC: four channels; registers as modelled
    by qemu-system-riscv64 -M sifive_u}];
}
def EngineZdma : Engine<"zdma"> {
  let Fills = 1;
  let Copies = 1;
  let PatternBytes = 16;
  let PhysicalAddresses = 1;
  let Granule = 64;
  let MinBytes = 4096;
  let MaxBytes = 536870912;
  let InFlight = 8;
  let Source = [{Xilinx ZynqMP ZDMA: eight channels, write-only mode repeats 16 bytes; registers as
    modelled by qemu-system-aarch64 -M xlnx-zcu102}];
}
