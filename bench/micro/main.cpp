// main.cpp - registers what the other files define, and runs it with Google Benchmark
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The context of the results holds core_ghz: the clock that a chain of dependent multiplications
// ran at (three cycles each on every x86-64 of the last ten years), as there is no other clock of
// the core in a virtual machine.
#include "bench.h"
#include "naive.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <sys/mman.h>

#define NAIVE_BUILD(tag) extern "C" const naive_loop naive_##tag[];
#include "naive_list.h"
#undef NAIVE_BUILD

namespace bench {
namespace {

struct Build {
  const char *tag;
  const naive_loop *loops;
};

#define NAIVE_BUILD(tag) {#tag, naive_##tag},
const Build builds[] = {
#include "naive_list.h"
    {nullptr, nullptr}};
#undef NAIVE_BUILD

constexpr size_t maxSize = size_t(256) << 20, slack = 8192;

/// Backed by memory before anything is timed; pages as large as the system gives.
unsigned char *buffer(unsigned char first) {
  void *p =
      mmap(nullptr, maxSize + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) {
    std::perror("memlift-bench: error: no memory");
    std::exit(1);
  }
  madvise(p, maxSize + slack, MADV_HUGEPAGE);
  auto *bytes = static_cast<unsigned char *>(p);
  uint32_t x = first;
  for (size_t i = 0; i < maxSize + slack; ++i)
    bytes[i] = static_cast<unsigned char>((x = x * 1664525 + 1013904223) >> 24);
  return bytes;
}

struct Buffers {
  unsigned char *from = buffer(1), *to = buffer(2);
};

const Buffers &buffers() {
  static Buffers both;
  return both;
}

std::vector<Operation> &operations() {
  static std::vector<Operation> list;
  return list;
}

void runSize(benchmark::State &state, Function run, size_t n, size_t align, size_t calls) {
  const Buffers &b = buffers();
  const int batch = n < 4096 ? 64 : 1;
  // Made beforehand: a division for each call would be much of what a short one takes. Both buffers
  // begin at a page, so each destination gets a place of its own in the page: loads wait for stores
  // to the same place in another page, and then only that would be measured.
  unsigned char *to[64];
  for (size_t at = 0; at < 64; ++at)
    to[at] = b.to + at / 2 / align * align + at * 5 % 64 * 64;
  size_t at = 0;
  while (state.KeepRunningBatch(batch * static_cast<int>(calls)))
    for (int i = 0; i < batch; ++i, at = (at + 9 * align) % 64)
      benchmark::DoNotOptimize(run(to[at], b.from + at, n));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(n));
}

struct Packet {
  size_t at, to, n;
};

/// Lengths of 20 to 5,000 bytes as snabbmark draws them: most are short.
std::vector<Packet> packets() {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<Packet> list(1000);
  for (size_t i = 0; i < list.size(); ++i) {
    size_t n = 20 + static_cast<size_t>(std::floor(std::exp(unit(random) * std::log(4980.0))));
    size_t at = i * 5120 % (1 << 19) + random() % 64;
    list[i] = {at, i * 5120 % (1 << 19) + random() % 4096, n};
  }
  return list;
}

void runMix(benchmark::State &state, Function run, size_t align) {
  static const std::vector<Packet> drawn = packets();
  std::vector<Packet> list = drawn;
  for (Packet &p : list)
    p.at = p.at / align * align, p.to = p.to / align * align;
  const Buffers &b = buffers();
  size_t bytes = 0;
  for (const Packet &p : list)
    bytes += p.n;
  for (auto _ : state)
    for (const Packet &p : list)
      benchmark::DoNotOptimize(run(b.to + p.to, b.from + p.at, p.n));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes));
}

/// Returns the fastest round, which other work on the machine slowed least.
double fastest(const std::vector<double> &rounds) {
  return *std::min_element(rounds.begin(), rounds.end());
}

void registerAll() {
  for (const Operation &op : operations())
    for (const Implementation &impl : op.implementations) {
      std::string name = op.name + "/" + impl.name + "/";
      Function run = impl.run;
      size_t align = std::max(op.align, impl.align), calls = op.calls;
      for (size_t n : op.sizes)
        benchmark::RegisterBenchmark((name + std::to_string(n)).c_str(), [=](benchmark::State &s) {
          runSize(s, run, n, align, calls);
        })->ComputeStatistics("fastest", fastest);
      if (op.mix)
        benchmark::RegisterBenchmark((name + "mix").c_str(), [=](benchmark::State &s) {
          runMix(s, run, align);
        })->ComputeStatistics("fastest", fastest);
    }
}

double coreGhz() {
  using Clock = std::chrono::steady_clock;
  constexpr int steps = 300000;
  double best = 0;
  for (int round = 0; round < 50; ++round) {
    uint64_t x = 3;
    auto start = Clock::now();
    for (int i = 0; i < steps; ++i) {
      x *= 0x9e3779b97f4a7c15u;
      benchmark::DoNotOptimize(x);
    }
    double ns = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    best = std::max(best, 3.0 * steps / ns);
  }
  return best;
}

} // namespace

int add(Operation operation) {
  for (const Build *b = builds; b->tag; ++b)
    for (const naive_loop *l = b->loops; l->name; ++l) {
      const std::string loop = l->name;
      const bool deferred = loop == operation.name + "_deferred";
      const char *called = std::strstr(b->tag, "_called");
      if (loop != operation.name && !deferred)
        continue;
      std::string name = deferred ? "deferred " : called ? "called " : "naive ";
      if (called)
        name = (deferred ? "deferred called " : name) +
               std::string(b->tag, static_cast<size_t>(called - b->tag));
      else
        name += b->tag;
      operation.implementations.push_back({name, l->run, l->align});
    }
  operations().push_back(std::move(operation));
  return 0;
}

} // namespace bench

int main(int argc, char **argv) {
  benchmark::AddCustomContext("core_ghz", std::to_string(bench::coreGhz()));
  bench::registerAll();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 2;
  bench::buffers();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
