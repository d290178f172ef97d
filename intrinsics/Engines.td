// Engines.td - engines that can carry out an operation: limits, rules and costs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 0 means "no limit" for a limit and "unknown: measured on the machine" for a cost. Costs stated
// here are starting points for models; thresholds are always measured, as 15 us of set-up is worth
// 256 KiB of memset on one machine and 2.5 MiB on another.

class Engine<string name> {
  // What MEMLIFT_ENGINE selects.
  string Name = name;
  // Whether this version of libmemlift drives it.
  bit Implemented = 0;
  bit Fills = 0;
  bit Copies = 0;
  // Bytes of the longest value that a fill repeats; 0 if it does not fill.
  int PatternBytes = 0;
  // Alignment in bytes of the destination and of the source; the length's granule in bytes.
  int DestinationAlign = 1;
  int SourceAlign = 1;
  int LengthMultiple = 1;
  // One command stays within a page.
  bit WithinPage = 0;
  // Takes physical addresses: bare metal, RTOS or a driver.
  bit PhysicalAddresses = 0;
  // Bytes one command can carry.
  int MaxBytes = 0;
  int CommandsInFlight = 0;
  int SetupNanoseconds = 0;
  int MegabytesPerSecond = 0;
  string Source = ?;
}

def EngineCpu : Engine<"cpu"> {
  let Implemented = 1;
  let Fills = 1;
  let Copies = 1;
  let PatternBytes = 8;
  let Source = "ours: the kernels of libmemlift, always present";
}
def EngineSoft : Engine<"soft"> {
  let Implemented = 1;
  let Fills = 1;
  let Copies = 1;
  let PatternBytes = 8;
  let Source = "ours: a device in software behind a real queue; it shows function, not speed";
}
def EngineThreads : Engine<"threads"> {
  let Implemented = 1;
  let Fills = 1;
  let Copies = 1;
  let PatternBytes = 8;
  let MaxBytes = 262144;
  let CommandsInFlight = 64;
  let Source = [{ours: up to 64 helper threads of the process, pinned to CPUs, that reach memory through the
    system (process_vm_writev)}];
}
def EngineDax : Engine<"dax"> {
  let Implemented = 1;
  let Fills = 1;
  let Copies = 1;
  let PatternBytes = 8;
  let DestinationAlign = 64;
  let LengthMultiple = 64;
  let WithinPage = 1;
  let CommandsInFlight = 64;
  let SetupNanoseconds = 15000;
  let MegabytesPerSecond = 69000;
  let Source = [{SPARC M7/T7: Linux Documentation/arch/sparc/oradax/dax-hv-api.txt and
    oracle-dax.rst (copies and fills are Extract of 16-byte elements; there is no public fill); set-up and
    2 GiB in 31 ms: the DAX memset talk; bandwidth derived from those}];
}
def EngineDsa : Engine<"dsa"> {
  let Implemented = 1;
  let Fills = 1;
  let Copies = 1;
  let PatternBytes = 8;
  let Source = [{Intel DSA: /usr/include/linux/idxd.h; sizes and depth are read from the device}];
}
def EnginePdma : Engine<"pdma"> {
  let Implemented = 1;
  let Copies = 1;
  let PhysicalAddresses = 1;
  let CommandsInFlight = 4;
  let Source = [{SiFive PDMA of FU540, FU740 and PolarFire SoC: four channels; registers as modelled
    by qemu-system-riscv64 -M sifive_u}];
}
def EngineZdma : Engine<"zdma"> {
  let Implemented = 1;
  let Fills = 1;
  let Copies = 1;
  let PatternBytes = 16;
  let PhysicalAddresses = 1;
  let CommandsInFlight = 8;
  let Source = [{Xilinx ZynqMP ZDMA: eight channels, write-only mode repeats 16 bytes; registers as
    modelled by qemu-system-aarch64 -M xlnx-zcu102}];
}
