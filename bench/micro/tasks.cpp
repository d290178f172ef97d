// tasks.cpp - what tasks and their objects cost, beside oneTBB, libgomp and POSIX in the same run
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: bench-tasks [--bar | --metg]
// Prints nanoseconds for each step, minimum and median of ROUNDS rounds. Peers and memlift take
// turns, round by round. --bar: exit code 1 if a minimum is above its bar. --metg: metg.cpp alone.
#include "metg.h"

#include "memlift/sync.h"
#include "memlift/tasks.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <semaphore.h>
#include <string>
#include <thread>
#include <ucontext.h>
#include <vector>

#if defined(MEMLIFT_PEER_TBB)
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#endif

namespace {

constexpr int Rounds = 61; // short ones: some are not interrupted where others use the processors
constexpr int Often = 8000;
constexpr size_t Stack = 65536;

double now() {
  auto time = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}

void check(memlift_status status, const char *what) {
  if (status == MEMLIFT_OK)
    return;
  std::fprintf(stderr, "bench-tasks: %s: %s\n", what, memlift_strerror(status));
  std::exit(2);
}

// One row of the table: what gives the nanoseconds of a step, and the bar.
struct Row {
  std::string name;
  std::function<double()> round;
  double bar; // 0: none
  std::vector<double> figures;
};

struct Context {
  memlift_context *c = nullptr;
  explicit Context(uint32_t units) {
    memlift_context_options options = {};
    options.units = units;
    check(memlift_context_create(&c, &options, sizeof options), "context");
  }
  memlift_task make(memlift_task_function function, size_t stack = 0) const {
    memlift_task task;
    memlift_task_options options = {};
    options.stack = stack;
    check(memlift_task_create(c, &task, function, &options, sizeof options), "task");
    return task;
  }
};

int32_t nothing(const uint64_t *) { return 0; }

// ---- Rows 1 and 2: empty tasks, and chains ---------------------------------------------------

double emptyTasks(uint32_t units) {
  static Context contexts[2] = {Context(0), Context(1)};
  static std::vector<memlift_task> tasks[2];
  constexpr unsigned Count = 512, Turns = 8;
  auto &own = tasks[units];
  while (own.size() < Count)
    own.push_back(contexts[units].make(nothing));
  double begin = now();
  for (unsigned turn = 0; turn < Turns; turn++) {
    for (memlift_task task : own)
      memlift_task_schedule(task, nullptr, 100);
    if (units == 0) { // they run in order
      memlift_task_wait(own.back(), MEMLIFT_FOR_EVER, nullptr);
      continue;
    }
    for (memlift_task task : own)
      memlift_task_wait(task, MEMLIFT_FOR_EVER, nullptr);
  }
  return (now() - begin) / (Count * Turns);
}

memlift_task chain[2];

int32_t link(const uint64_t *args) {
  uint64_t next[4] = {args[0] - 1, 1 - args[1], 0, 0};
  if (args[0])
    memlift_task_schedule(chain[args[1]], next, 100);
  return 0;
}

double chainOfTasks() {
  static Context context(0);
  static memlift_task last = context.make(nothing);
  constexpr uint64_t Steps = 4000;
  if (!chain[0].id)
    chain[0] = context.make(link), chain[1] = context.make(link);
  uint64_t args[4] = {Steps, 1, 0, 0};
  memlift_task_schedule(last, nullptr, 0); // less urgent than the chain
  double begin = now();
  memlift_task_schedule(chain[0], args, 100);
  memlift_task_wait(last, MEMLIFT_FOR_EVER, nullptr);
  return (now() - begin) / Steps;
}

// ---- Rows 3 to 5: switches, one task waited for, semaphores -----------------------------------

constexpr unsigned Yields = 4000;

int32_t yields(const uint64_t *) {
  for (unsigned i = 0; i < Yields; i++)
    memlift_task_yield();
  return 0;
}

// Nanoseconds that a unit takes for two tasks of one priority. The gate holds it until both are
// scheduled, and the unit reads the clock itself.
double bothOf(const Context &context, const memlift_task (&tasks)[2]) {
  static double times[2];
  auto reads = [](const uint64_t *args) {
    times[args[0]] = now();
    return 0;
  };
  memlift_task gate = context.make(
      [](const uint64_t *) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return 0;
      },
      Stack);
  memlift_task clocks[2] = {context.make(reads, Stack), context.make(reads, Stack)};
  memlift_task_schedule(gate, nullptr, 255);
  for (uint64_t i = 0; i < 2; i++) {
    uint64_t args[4] = {i, 0, 0, 0};
    memlift_task_schedule(clocks[i], args, i ? 50 : 200);
    memlift_task_schedule(tasks[i], args, 100);
  }
  memlift_task_wait(clocks[1], MEMLIFT_FOR_EVER, nullptr);
  for (memlift_task task : {gate, clocks[0], clocks[1]})
    memlift_task_destroy(task);
  return times[1] - times[0];
}

double yieldThereAndBack() {
  static Context context(1);
  static memlift_task tasks[2] = {context.make(yields, Stack), context.make(yields, Stack)};
  return bothOf(context, tasks) / Yields;
}

double waitOfOne(uint32_t units) {
  static Context contexts[2] = {Context(0), Context(1)};
  static memlift_task tasks[2] = {contexts[0].make(nothing), contexts[1].make(nothing)};
  std::vector<double> each;
  for (int i = 0; i < 41; i++) {
    if (units)
      std::this_thread::sleep_for(std::chrono::microseconds(300)); // the unit sleeps
    double begin = now();
    memlift_task_schedule(tasks[units], nullptr, 100);
    memlift_task_wait(tasks[units], MEMLIFT_FOR_EVER, nullptr);
    each.push_back(now() - begin);
  }
  std::nth_element(each.begin(), each.begin() + 20, each.end());
  return each[20];
}

memlift_semaphore semaphores[2];
constexpr unsigned HandOvers = 4000;

int32_t handsOver(const uint64_t *args) {
  for (unsigned i = 0; i < HandOvers; i++) {
    memlift_semaphore_acquire(&semaphores[args[0]], MEMLIFT_FOR_EVER);
    memlift_semaphore_release(&semaphores[1 - args[0]], 1);
  }
  return 0;
}

double handOver() {
  static Context context(1);
  static memlift_task tasks[2] = {context.make(handsOver, Stack), context.make(handsOver, Stack)};
  for (int i = 0; i < 2; i++)
    memlift_semaphore_init(context.c, &semaphores[i], i);
  return bothOf(context, tasks) / (2 * HandOvers);
}

double freeSemaphore() {
  static Context context(0);
  static memlift_semaphore s;
  memlift_semaphore_init(context.c, &s, 1);
  double begin = now();
  for (int i = 0; i < Often; i++) {
    memlift_semaphore_acquire(&s, MEMLIFT_FOR_EVER);
    memlift_semaphore_release(&s, 1);
  }
  return (now() - begin) / Often;
}

double freeMutex() {
  static Context context(0);
  static memlift_mutex m;
  memlift_mutex_init(context.c, &m);
  double begin = now();
  for (int i = 0; i < Often; i++) {
    memlift_mutex_lock(&m, MEMLIFT_FOR_EVER);
    memlift_mutex_unlock(&m);
  }
  return (now() - begin) / Often;
}

double pushAndPop(bool twoSteps, size_t entry) {
  static Context context(0);
  static std::vector<uint64_t> memory(MEMLIFT_QUEUE_BYTES(16384, 16) / 8);
  static std::vector<char> data(16384);
  memlift_queue q;
  memlift_queue_init(context.c, &q, memory.data(), entry, 16);
  int count = entry > 1000 ? 2000 : Often;
  double begin = now();
  for (int i = 0; i < count; i++) {
    uint32_t ticket = 0;
    if (!twoSteps) {
      memlift_queue_push(&q, data.data(), 0);
      memlift_queue_pop(&q, data.data(), 0);
      continue;
    }
    memlift_queue_push_begin(&q, data.data(), 0, 0, &ticket);
    memlift_queue_push_end(&q, ticket);
    memlift_queue_pop_begin(&q, data.data(), 0, 0, &ticket);
    memlift_queue_pop_end(&q, ticket);
  }
  return (now() - begin) / count;
}

double copies(size_t size) { // what push and pop move, by itself
  static std::vector<char> from(16384), to(16384 * 16);
  double begin = now();
  for (int i = 0; i < 2000; i++) {
    memlift_copy(to.data() + static_cast<size_t>(i % 16) * size, from.data(), size);
    memlift_copy(from.data(), to.data() + static_cast<size_t>(i % 16) * size, size);
  }
  return (now() - begin) / 2000;
}

// Nanoseconds of one compare and exchange of a line that the core has: the rows above are made of
// them.
double compareAndExchange() {
  static uint64_t word;
  double begin = now();
  word = 0;
  for (uint64_t i = 0; i < static_cast<uint64_t>(Often); i++) {
    uint64_t seen = i;
    __atomic_compare_exchange_n(&word, &seen, i + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  }
  return (now() - begin) / Often;
}

// ---- Peers ------------------------------------------------------------------------------------

double posixSemaphore() {
  sem_t s;
  sem_init(&s, 0, 1);
  double begin = now();
  for (int i = 0; i < Often; i++)
    sem_wait(&s), sem_post(&s);
  return (now() - begin) / Often;
}

double posixPingPong() {
  sem_t there, back;
  sem_init(&there, 0, 0), sem_init(&back, 0, 0);
  std::thread other([&] {
    for (int i = 0; i < 200; i++)
      sem_wait(&there), sem_post(&back);
  });
  double begin = now();
  for (int i = 0; i < 200; i++)
    sem_post(&there), sem_wait(&back);
  double figure = (now() - begin) / 200;
  other.join();
  return figure;
}

ucontext_t here, there;

double swapContexts() {
  static std::vector<char> stack(Stack);
  getcontext(&there);
  there.uc_stack.ss_sp = stack.data(), there.uc_stack.ss_size = stack.size();
  makecontext(
      &there,
      [] {
        for (;;)
          swapcontext(&there, &here);
      },
      0);
  double begin = now();
  for (int i = 0; i < 2000; i++)
    swapcontext(&here, &there);
  return (now() - begin) / 2000;
}

#if defined(MEMLIFT_PEER_TBB)
double tbbEmpty(int workers) {
  tbb::task_arena arena(workers);
  return arena.execute([] {
    tbb::task_group group;
    double begin = now();
    for (int i = 0; i < Often; i++)
      group.run([] {});
    group.wait();
    return (now() - begin) / Often;
  });
}

double tbbChain() {
  tbb::task_arena arena(1);
  return arena.execute([] {
    using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
    tbb::flow::graph graph;
    std::vector<Node> nodes;
    for (int i = 0; i < 1000; i++)
      nodes.emplace_back(graph, [](const tbb::flow::continue_msg &) {});
    for (size_t i = 0; i + 1 < nodes.size(); i++)
      tbb::flow::make_edge(nodes[i], nodes[i + 1]);
    double begin = now();
    for (int turn = 0; turn < 8; turn++) {
      nodes[0].try_put(tbb::flow::continue_msg());
      graph.wait_for_all();
    }
    return (now() - begin) / 8000;
  });
}

double tbbOne() {
  tbb::task_arena arena(1);
  return arena.execute([] {
    tbb::task_group group;
    double begin = now();
    for (int i = 0; i < Often / 2; i++)
      group.run_and_wait([] {});
    for (int i = 0; i < Often / 2; i++) {
      group.run([] {});
      group.wait();
    }
    return (now() - begin) / Often;
  });
}
#endif

#if defined(_OPENMP)
double gompEmpty(int threads) {
  double figure = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    double begin = now();
    for (int i = 0; i < Often; i++) {
#pragma omp task
      __asm__ volatile(""); // an empty task is left out
    }
#pragma omp taskwait
    figure = (now() - begin) / Often;
  }
  return figure;
}

double gompChain(int threads) {
  double figure = 0;
  int chained = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    double begin = now();
    for (int i = 0; i < Often; i++) {
#pragma omp task depend(inout : chained)
      chained++;
    }
#pragma omp taskwait
    figure = (now() - begin) / Often;
  }
  return figure;
}
#endif

std::vector<Row> rows() {
  std::vector<Row> all;
  auto add = [&](const char *name, double bar, std::function<double()> round) {
    all.push_back({name, std::move(round), bar, {}});
  };
  add("compare and exchange, alone", 0, [] { return compareAndExchange(); });
  add("empty task, no unit", 25, [] { return emptyTasks(0); });
#if defined(MEMLIFT_PEER_TBB)
  add("  oneTBB task_group, 1 thread", 0, [] { return tbbEmpty(1); });
#endif
#if defined(_OPENMP)
  add("  libgomp task, 1 thread", 0, [] { return gompEmpty(1); });
#endif
  add("empty task, 1 unit and the host", 0, [] { return emptyTasks(1); });
#if defined(MEMLIFT_PEER_TBB)
  add("  oneTBB task_group, 2 threads", 0, [] { return tbbEmpty(2); });
#endif
#if defined(_OPENMP)
  add("  libgomp task, 2 threads", 0, [] { return gompEmpty(2); });
#endif
  add("chain, a step", 25, [] { return chainOfTasks(); });
#if defined(MEMLIFT_PEER_TBB)
  add("  oneTBB flow graph, 1 thread", 0, [] { return tbbChain(); });
#endif
#if defined(_OPENMP)
  add("  libgomp depend(inout), 1 thread", 0, [] { return gompChain(1); });
  add("  libgomp depend(inout), 2 threads", 0, [] { return gompChain(2); });
#endif
  add("yield, there and back", 30, [] { return yieldThereAndBack(); });
  add("  swapcontext, there and back", 0, [] { return swapContexts(); });
  add("schedule and wait of one, no unit", 150, [] { return waitOfOne(0); });
  add("schedule and wait of one, unit asleep", 0, [] { return waitOfOne(1); });
#if defined(MEMLIFT_PEER_TBB)
  add("  oneTBB run and wait", 0, [] { return tbbOne(); });
#endif
  add("  sem_post and sem_wait of two threads", 0, [] { return posixPingPong(); });
  add("semaphore, free", 10, [] { return freeSemaphore(); });
  add("  sem_wait and sem_post", 0, [] { return posixSemaphore(); });
  add("mutex, free", 0, [] { return freeMutex(); });
  add("semaphore, hand-over of two tasks", 80, [] { return handOver(); });
  add("queue, push and pop of 64 B", 30, [] { return pushAndPop(false, 64); });
  add("queue, 64 B in two steps", 0, [] { return pushAndPop(true, 64); });
  add("queue, 16 KiB in two steps", 0, [] { return pushAndPop(true, 16384); });
  add("  memlift_copy there and back, 16 KiB", 0, [] { return copies(16384); });
  return all;
}

} // namespace

int main(int argc, char **argv) {
  bool bars = argc > 1 && !std::strcmp(argv[1], "--bar");
  if (argc > 1 && !std::strcmp(argv[1], "--metg")) {
    memliftBenchMetg();
    return 0;
  }
  std::vector<Row> all = rows();
  int missed = 0;
  for (int round = 0; round < Rounds; round++)
    for (Row &row : all)
      row.figures.push_back(row.round());
  double unit = *std::min_element(all[0].figures.begin(), all[0].figures.end());
  std::printf("%-42s %9s %9s %6s %6s\n", "ns", "minimum", "median", "CAS", "bar");
  for (Row &row : all) {
    std::sort(row.figures.begin(), row.figures.end());
    double least = row.figures.front();
    std::printf("%-42s %9.1f %9.1f %6.1f", row.name.c_str(), least, row.figures[Rounds / 2],
                least / unit);
    if (row.bar > 0)
      std::printf(" %6.0f%s", row.bar, least > row.bar ? " missed" : "");
    std::printf("\n");
    missed += row.bar > 0 && least > row.bar;
  }
  return bars && missed ? 1 : 0;
}
