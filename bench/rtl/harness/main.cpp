// main.cpp - runs a program on a core in simulation, or two programs on two cores
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace rtl;

static const char help[] =
    R"(Usage: simulator [OPTION]... PROGRAM [SECOND]

Runs an ELF64 program for RISC-V, linked at 0x80000000, in machine mode until it writes its exit
status to the device. What it prints goes to the standard output. With SECOND, that runs on another
core, cycle by cycle beside the first, and their network interfaces are connected.

  --memory-read=N, --memory-write=N    latencies of memory in cycles (default 1): from an address to
                                       its first data, from the last data to the acknowledgement
  --far-read=N, --far-write=N          those of memory from 0x80800000 on (default: as the rest)
  --direct                             the DMA engine goes to that memory by a port of its own
  --device-read=N, --device-write=N    those of the device
  --link=N                             cycles that the two network interfaces are apart (default 0)
  --log=FILE                           writes each access of the device with its cycle there; of two
                                       cores, to FILE.0 and FILE.1
  --cycles=N                           gives up after so many cycles (default 50000000)
  --help                               prints this

Exit status: the program's, of two the first one that is not 0; 2 bad usage; 124 no exit in time.
)";

namespace {

struct Settings {
  unsigned long memoryRead = 1, memoryWrite = 1, farRead = 0, farWrite = 0, deviceRead = 1,
                deviceWrite = 1;
  unsigned long cycles = 50000000, link = 0;
  bool direct = false;
  const char *log = nullptr, *program = nullptr, *second = nullptr;
};

[[noreturn]] void badUsage(const char *what, const char *which) {
  std::fprintf(stderr, "simulator: error: %s '%s'; --help lists what there is\n", what, which);
  std::exit(2);
}

/// True if `argument` is NAME=NUMBER, with a number that is not below `least`.
bool numberOf(const char *argument, const char *name, unsigned long &value,
              unsigned long least = 1) {
  size_t n = std::strlen(name);
  if (std::strncmp(argument, name, n))
    return false;
  char *end = nullptr;
  value = std::strtoul(argument + n, &end, 10);
  if (value < least || end == argument + n || *end)
    badUsage("no number, or one that is too small, in", argument);
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
        numberOf(a, "--memory-write=", s.memoryWrite) || numberOf(a, "--far-read=", s.farRead) ||
        numberOf(a, "--far-write=", s.farWrite) || numberOf(a, "--device-read=", s.deviceRead) ||
        numberOf(a, "--device-write=", s.deviceWrite) || numberOf(a, "--cycles=", s.cycles))
      continue;
    if (numberOf(a, "--link=", s.link, 0))
      continue;
    if (!std::strcmp(a, "--direct"))
      s.direct = true;
    else if (!std::strncmp(a, "--log=", 6))
      s.log = a + 6;
    else if (a[0] == '-')
      badUsage("unknown option", a);
    else if (s.second)
      badUsage("a third program", a);
    else if (s.program)
      s.second = a;
    else
      s.program = a;
  }
  if (!s.program)
    badUsage("no program in", "the command line");
  return s;
}

} // namespace

/// The file that an option names, followed by "." and the node's number where there are two.
static FILE *openLog(const Settings &s, unsigned node) {
  if (!s.log)
    return nullptr;
  std::string name = s.log;
  if (s.second)
    name += "." + std::to_string(node);
  FILE *log = std::fopen(name.c_str(), "w");
  if (!log)
    badUsage("cannot write", name.c_str());
  return log;
}

int main(int argc, char **argv) {
  Settings s = parse(argc, argv);
  Timing timing{{unsigned(s.memoryRead), unsigned(s.memoryWrite)},
                {unsigned(s.farRead ? s.farRead : s.memoryRead),
                 unsigned(s.farWrite ? s.farWrite : s.memoryWrite)},
                {unsigned(s.deviceRead), unsigned(s.deviceWrite)},
                s.direct,
                unsigned(s.link)};
  std::vector<std::unique_ptr<Node>> nodes;
  for (const char *program : {s.program, s.second ? s.second : nullptr}) {
    if (!program)
      break;
    unsigned number = unsigned(nodes.size());
    nodes.push_back(std::make_unique<Node>(number, timing, openLog(s, number)));
    std::string error;
    if (!nodes.back()->load(program, error))
      badUsage("cannot run it:", error.c_str());
    nodes.back()->reset();
  }
  for (size_t i = 0; i < nodes.size(); ++i)
    nodes[i]->connect(*nodes[nodes.size() - 1 - i]);
  for (uint64_t i = 0; i < s.cycles; ++i) {
    bool all = true;
    for (auto &node : nodes) {
      node->cycle(i);
      all &= node->done();
      if (node->done() && node->status())
        return node->status();
    }
    if (all)
      return 0;
  }
  std::fflush(stdout);
  std::fprintf(stderr, "simulator: error: no exit after %lu cycles\n", s.cycles);
  return 124;
}
