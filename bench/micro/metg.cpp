// metg.cpp - the smallest tasks at which half of the time is work: METG(50 %) of Task Bench
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The metric: E. Slaughter et al., "Task Bench", SC 2020, section IV. Efficiency is the work of all
// tasks over the time of all workers; the granularity of a task is the time of the workers over the
// number of tasks. METG(50 %) is the granularity at which the efficiency is one half, between the
// two sizes beside it. Patterns: trivial, where no task depends on another, and stencil, where each
// depends on three of the step before. Two workers: a unit and the thread that waits, or two
// threads of a peer. All systems take turns at each size, and the least time of each counts.
#include "metg.h"

#include "memlift/sync.h"
#include "memlift/tasks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#if defined(MEMLIFT_PEER_TBB)
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#endif

namespace {

constexpr unsigned Width = 16, Steps = 32, Tasks = Width * Steps, Workers = 2;

double now() {
  auto time = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}

// The work of a task: so many multiplications, each of which needs the one before.
__attribute__((noinline)) void work(unsigned size) {
  uint64_t x = 1;
  for (unsigned i = 0; i < size; i++) {
    x *= 3;
    __asm__ volatile("" : "+r"(x));
  }
}

unsigned size; // of the tasks under way

// Many short rounds: where other programs run, some of them still have both cores to themselves. A
// system has some rounds in a row, after a pause in which the threads of the one before, which look
// for work for a while, have gone to sleep.
constexpr int Turn = 20;
int turns() { return size < 512 ? 8 : 2; }

std::atomic<int> missing[Steps][Width];

// Tasks of the step before that a task of a stencil waits for; those at the ends have two.
int needs(unsigned column) { return column == 0 || column + 1 == Width ? 2 : 3; }

void prepare() {
  for (auto &step : missing)
    for (unsigned i = 0; i < Width; i++)
      step[i].store(needs(i), std::memory_order_relaxed);
}

// Does a task of the stencil, and begins those of the next step that have waited for it alone.
template <typename Begin> void stencilTask(unsigned step, unsigned column, Begin begin) {
  work(size);
  if (step + 1 == Steps)
    return;
  for (unsigned i = column ? column - 1 : 0; i < std::min(column + 2, Width); i++)
    if (missing[step + 1][i].fetch_sub(1, std::memory_order_acq_rel) == 1)
      begin(step + 1, i);
}

// ---- memlift ----------------------------------------------------------------------------------

// A column of the stencil has some tasks, so that one may begin before an older one has returned.
constexpr unsigned Turns = 4;
memlift_context *context;
memlift_task own[Turns][Width], batch[512];
std::atomic<unsigned> done;
memlift_semaphore finished;

void check(memlift_status status) {
  if (status == MEMLIFT_OK)
    return;
  std::fprintf(stderr, "bench-tasks: METG: %s\n", memlift_strerror(status));
  std::exit(2);
}

void begin(unsigned step, unsigned column) {
  const uint64_t args[4] = {step, column, 0, 0};
  memlift_status status;
  do
    status = memlift_task_schedule(own[step % Turns][column], args, 100);
  while (status == MEMLIFT_WRONG_STATE); // the one of some steps ago is about to return
  check(status);
}

int32_t stencilBody(const uint64_t *args) {
  stencilTask(static_cast<unsigned>(args[0]), static_cast<unsigned>(args[1]), begin);
  if (args[0] + 1 == Steps && done.fetch_add(1) + 1 == Width)
    check(memlift_semaphore_release(&finished, 1));
  return 0;
}

int32_t trivialBody(const uint64_t *) {
  work(size);
  return 0;
}

void open() {
  memlift_context_options options = {};
  options.units = 1;
  check(memlift_context_create(&context, &options, sizeof options));
  for (auto &turn : own)
    for (memlift_task &task : turn)
      check(memlift_task_create(context, &task, stencilBody, nullptr, 0));
  for (memlift_task &task : batch)
    check(memlift_task_create(context, &task, trivialBody, nullptr, 0));
  check(memlift_semaphore_init(context, &finished, 0));
}

void trivialOwn() {
  for (unsigned n = 0; n < Tasks; n += 512) {
    for (memlift_task task : batch)
      memlift_task_schedule(task, nullptr, 100);
    for (memlift_task task : batch)
      memlift_task_wait(task, MEMLIFT_FOR_EVER, nullptr);
  }
}

void stencilOwn() {
  done = 0;
  for (unsigned i = 0; i < Width; i++)
    begin(0, i);
  check(memlift_semaphore_acquire(&finished, MEMLIFT_FOR_EVER));
}

// ---- Peers ------------------------------------------------------------------------------------

#if defined(MEMLIFT_PEER_TBB)
tbb::task_arena &arena() {
  static tbb::task_arena two(Workers);
  return two;
}

void trivialTbb() {
  arena().execute([] {
    tbb::task_group group;
    for (unsigned n = 0; n < Tasks; n++)
      group.run([] { work(size); });
    group.wait();
  });
}

void beginTbb(tbb::task_group &group, unsigned step, unsigned column) {
  group.run([&group, step, column] {
    stencilTask(step, column, [&](unsigned s, unsigned c) { beginTbb(group, s, c); });
  });
}

void stencilTbb() {
  arena().execute([] {
    tbb::task_group group;
    for (unsigned i = 0; i < Width; i++)
      beginTbb(group, 0, i);
    group.wait();
  });
}
#endif

#if defined(_OPENMP)
void trivialGomp() {
#pragma omp parallel num_threads(Workers)
#pragma omp single
  {
    for (unsigned n = 0; n < Tasks; n++) {
#pragma omp task
      work(size);
    }
#pragma omp taskwait
  }
}

void beginGomp(unsigned step, unsigned column) {
#pragma omp task firstprivate(step, column)
  stencilTask(step, column, beginGomp);
}

void stencilGomp() {
#pragma omp parallel num_threads(Workers)
#pragma omp single
  for (unsigned i = 0; i < Width; i++)
    beginGomp(0, i);
}
#endif

// ---- The metric -------------------------------------------------------------------------------

struct System {
  const char *name;
  std::function<void()> run;
  double before = 0, granularity = 0; // at the size before, and where half is work
  double efficiency = 1;
};

double costOfOne() { // nanoseconds of a multiplication
  double least = 1e9;
  for (int i = 0; i < 20; i++) {
    double begin = now();
    work(100000);
    least = std::min(least, (now() - begin) / 100000);
  }
  return least;
}

// Sizes become smaller. Where the efficiency falls below one half more than once, as other programs
// run, the last time counts.
void measure(System &s, double leastTime, double cost) {
  double granularity = leastTime * Workers / Tasks, efficiency = size * cost / granularity;
  if (efficiency < 0.5 && s.efficiency >= 0.5) {
    double part = (s.efficiency - 0.5) / (s.efficiency - efficiency);
    s.granularity = s.before ? s.before + part * (granularity - s.before) : granularity;
  }
  s.before = granularity, s.efficiency = efficiency;
}

double timeOf(const System &s) {
  prepare();
  double begin = now();
  s.run();
  return now() - begin;
}

void pattern(const char *name, std::vector<System> systems) {
  double cost = costOfOne();
  for (double n = 4096; n >= 16; n /= 1.4) {
    size = static_cast<unsigned>(n);
    std::vector<double> least(systems.size(), 1e18);
    for (int turn = 0; turn < turns(); turn++)
      for (size_t i = 0; i < systems.size(); i++) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        for (int round = 0; round < Turn; round++)
          least[i] = std::min(least[i], timeOf(systems[i]));
      }
    for (size_t i = 0; i < systems.size(); i++)
      measure(systems[i], least[i], cost);
  }
  for (const System &s : systems)
    std::printf("METG(50 %%), %-9s %-19s %9.0f\n", name, s.name, s.granularity);
}

} // namespace

void memliftBenchMetg() {
  open();
  std::vector<System> trivial = {{"memlift", trivialOwn}}, stencil = {{"memlift", stencilOwn}};
#if defined(MEMLIFT_PEER_TBB)
  trivial.push_back({"  oneTBB", trivialTbb}), stencil.push_back({"  oneTBB", stencilTbb});
#endif
#if defined(_OPENMP)
  trivial.push_back({"  libgomp", trivialGomp}), stencil.push_back({"  libgomp", stencilGomp});
#endif
  pattern("trivial", trivial);
  pattern("stencil", stencil);
  // A task of the last step may be about to return.
  while (memlift_context_destroy(context) == MEMLIFT_WRONG_STATE)
    ;
}
