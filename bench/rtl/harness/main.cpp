// main.cpp - runs a program on a core in simulation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core.h"
#include "slave.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace rtl;

static const char help[] =
    R"(Usage: simulator [OPTION]... PROGRAM

Runs an ELF64 program for RISC-V, linked at 0x80000000, in machine mode until it writes its exit
status to the device. What it prints goes to the standard output.

  --memory-read=N, --memory-write=N    latencies of memory in cycles (default 1): from an address to
                                       its first data, from the last data to the acknowledgement
  --device-read=N, --device-write=N    those of the device
  --log=FILE                           writes each access of the device with its cycle there
  --cycles=N                           gives up after so many cycles (default 50000000)
  --help                               prints this

Exit status: the program's; 2 bad usage; 124 no exit in time.
)";

namespace {

struct Settings {
  unsigned long memoryRead = 1, memoryWrite = 1, deviceRead = 1, deviceWrite = 1;
  unsigned long cycles = 50000000;
  const char *log = nullptr, *program = nullptr;
};

[[noreturn]] void badUsage(const char *what, const char *which) {
  std::fprintf(stderr, "simulator: error: %s '%s'; --help lists what there is\n", what, which);
  std::exit(2);
}

/// True if `argument` is NAME=NUMBER.
bool numberOf(const char *argument, const char *name, unsigned long &value) {
  size_t n = std::strlen(name);
  if (std::strncmp(argument, name, n))
    return false;
  char *end = nullptr;
  value = std::strtoul(argument + n, &end, 10);
  if (!value || *end)
    badUsage("no number above 0 in", argument);
  return true;
}

Settings parse(int argc, char **argv) {
  Settings s;
  for (int i = 1; i < argc; ++i) {
    const char *a = argv[i];
    if (!std::strcmp(a, "--help")) {
      std::fputs(help, stdout);
      std::exit(0);
    }
    if (numberOf(a, "--memory-read=", s.memoryRead) ||
        numberOf(a, "--memory-write=", s.memoryWrite) ||
        numberOf(a, "--device-read=", s.deviceRead) ||
        numberOf(a, "--device-write=", s.deviceWrite) || numberOf(a, "--cycles=", s.cycles))
      continue;
    if (!std::strncmp(a, "--log=", 6))
      s.log = a + 6;
    else if (a[0] == '-')
      badUsage("unknown option", a);
    else if (s.program)
      badUsage("a second program", a);
    else
      s.program = a;
  }
  if (!s.program)
    badUsage("no program in", "the command line");
  return s;
}

/// The device: a way out, a way to print, and a page of registers; see target/io.h.
struct Console {
  static constexpr uint64_t Exit = 0, Put = 8, Registers = 0x1000, RegisterBytes = 0x1000;
  bool done = false;
  int status = 0;
  FILE *log = nullptr;
  std::vector<uint64_t> registers = std::vector<uint64_t>(RegisterBytes / 8);

  uint64_t read(uint64_t addr, uint64_t cycle) {
    uint64_t at = addr - DeviceBase - Registers;
    uint64_t data = at < RegisterBytes ? registers[at / 8] : 0;
    note("read", addr, data, 0xff, cycle);
    return data;
  }
  void write(uint64_t addr, uint64_t data, uint8_t strobe, uint64_t cycle) {
    uint64_t at = addr - DeviceBase;
    if (at == Exit) {
      done = true;
      status = int(data & 0xff);
    } else if (at == Put) {
      std::putchar(int(data & 0xff));
    } else if (at - Registers < RegisterBytes) {
      uint64_t mask = 0;
      for (unsigned i = 0; i < 8; ++i)
        mask |= strobe >> i & 1 ? uint64_t(0xff) << (8 * i) : 0;
      uint64_t &r = registers[(at - Registers) / 8];
      r = (r & ~mask) | (data & mask);
    }
    note("write", addr, data, strobe, cycle);
  }
  void note(const char *what, uint64_t addr, uint64_t data, uint8_t strobe, uint64_t cycle) {
    if (log)
      std::fprintf(log, "%" PRIu64 " %s 0x%" PRIx64 " 0x%016" PRIx64 " 0x%02x\n", cycle, what, addr,
                   data, strobe);
  }
};

} // namespace

/// One cycle: the slaves see what the core asked before the edge.
static void cycle(Core &core, std::vector<Slave> &slaves, uint64_t number) {
  Request asked[Core::MostBuses];
  Response answers[Core::MostBuses];
  core.requests(asked);
  core.rise();
  for (size_t i = 0; i < slaves.size(); ++i)
    answers[i] = slaves[i].step(asked[i], number);
  core.fall(answers);
}

int main(int argc, char **argv) {
  Settings s = parse(argc, argv);
  Console console;
  if (s.log && !(console.log = std::fopen(s.log, "w")))
    badUsage("cannot write", s.log);
  Memory memory({[&](uint64_t addr, uint64_t at) { return console.read(addr, at); },
                 [&](uint64_t addr, uint64_t data, uint8_t strobe, uint64_t at) {
                   console.write(addr, data, strobe, at);
                 }});
  std::string error;
  if (!memory.load(s.program, error))
    badUsage("cannot run it:", error.c_str());
  std::unique_ptr<Core> core = makeCore();
  std::vector<Slave> slaves(core->buses(),
                            Slave(memory, {unsigned(s.memoryRead), unsigned(s.memoryWrite)},
                                  {unsigned(s.deviceRead), unsigned(s.deviceWrite)}));
  constexpr uint64_t ResetCycles = 20;
  Response quiet[Core::MostBuses];
  core->reset(true);
  core->fall(quiet);
  for (uint64_t i = 0; i < ResetCycles; ++i) {
    core->rise();
    core->fall(quiet);
  }
  core->reset(false);
  core->fall(quiet);
  for (uint64_t i = 0; !console.done; ++i) {
    if (i == s.cycles) {
      std::fflush(stdout);
      std::fprintf(stderr, "simulator: error: no exit after %lu cycles\n", s.cycles);
      return 124;
    }
    cycle(*core, slaves, i);
  }
  if (console.log)
    std::fclose(console.log);
  return console.status;
}
