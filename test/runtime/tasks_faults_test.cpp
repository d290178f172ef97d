// tasks_faults_test.cpp - many workloads while units are killed, wake-ups lost, and transfers fail
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each workload uses one thing: stacks, objects, queues, other tasks, functions of the host, the
// local store. Each has to finish once or to end as lost, and none may hang; waits have limits
// where what is waited for may be lost with whoever had it. MEMLIFT_TEST_LONG: a million of them.
#include "tasks_process_support.h"

#include "model/mover_model.h"
#include "tasks/store.h"

#include <iostream>
#include <random>

namespace {
constexpr unsigned Kinds = 10, Tasks = 120, Bytes4K = 4096;

struct alignas(64) Record {
  std::atomic<uint32_t> begun, finished;
  unsigned char data[Bytes4K];
};

struct Room {
  memlift_context *context;
  memlift_mutex mutex;
  memlift_semaphore semaphore;
  memlift_barrier barrier;
  memlift_events events;
  memlift_queue queue;
  uint64_t buffer[MEMLIFT_QUEUE_BYTES(sizeof(uint64_t), 8) / 8];
  std::atomic<uint32_t> inside, wrong, faults;
  unsigned char source[Bytes4K];
  unsigned char bad[512]; // addresses that transfers cannot access
  uint64_t seed;
  Record run[Tasks];
};

enum Work { Brief, Yields, Locks, Permits, Meets, Flags, Pushes, Pops, Calls, Moves };

bool isOneOf(memlift_status status, std::initializer_list<memlift_status> all) {
  return std::find(all.begin(), all.end(), status) != all.end();
}

// Only one is inside, unless the one that was has been lost.
bool lock(Room *r) {
  memlift_status status = memlift_mutex_lock(&r->mutex, 10 * Second);
  if (status == MEMLIFT_LOST)
    r->inside = 0;
  else if (status != MEMLIFT_OK)
    return false;
  bool alone = r->inside++ == 0;
  memlift_task_yield();
  alone = r->inside-- == 1 && alone;
  return alone && memlift_mutex_unlock(&r->mutex) == MEMLIFT_OK;
}

bool meet(Room *r) {
  uint32_t round = 0;
  if (memlift_barrier_notify(&r->barrier, &round) != MEMLIFT_OK)
    return false;
  return isOneOf(memlift_barrier_wait(&r->barrier, round, 2 * Millisecond),
                 {MEMLIFT_OK, MEMLIFT_PENDING});
}

bool call(Room *r, uint64_t number) {
  uint64_t in[6] = {number, reinterpret_cast<uint64_t>(r)}, out[6] = {};
  auto twice = [](const uint64_t *given, uint64_t *result) { result[0] = 2 * given[0]; };
  return memlift_task_call_host(twice, in, out) == MEMLIFT_OK && out[0] == 2 * number;
}

// Creates a task, and waits for it. What is lost with it is this task's to clean up.
bool delegate(Room *r) {
  memlift_task inner = {};
  uint64_t args[4] = {reinterpret_cast<uint64_t>(r)};
  auto body = [](const uint64_t *given) { return given[0] ? 5 : 6; };
  memlift_status status = memlift_task_create(r->context, &inner, body, nullptr, 0);
  if (status == MEMLIFT_LIMIT)
    return true; // tasks that were created by lost ones
  int32_t code = 0;
  bool right = status == MEMLIFT_OK && memlift_task_schedule(inner, args, 120) == MEMLIFT_OK;
  status = memlift_task_wait(inner, MEMLIFT_FOR_EVER, &code);
  right = right && ((status == MEMLIFT_OK && code == 5) || status == MEMLIFT_LOST);
  return memlift_task_destroy(inner) == MEMLIFT_OK && right;
}

// A mover with faults, in the unit's store from its first transfer on.
void installFaults(Room *r) {
  static thread_local mover_model model;
  static thread_local bool installed;
  memlift_store *store = memlift_store_mine();
  if (installed || !store)
    return;
  installed = true;
  mover_model_init(&model, r->seed + static_cast<uint64_t>(getpid()));
  model.reorders = 1;
  model.faults.fail_per_mille = 200, model.faults.lose_per_mille = 50;
  model.faults.busy_per_mille = 50;
  model.faults.bad = r->bad, model.faults.bad_end = r->bad + sizeof r->bad;
  store->mover = &model.mover;
}

bool move(Room *r, Record *run) {
  installFaults(r);
  memlift_dma_fault fault = {};
  auto *local = static_cast<unsigned char *>(memlift_store_alloc(Bytes4K, 64));
  if (!local)
    return true; // on a thread without a store
  memlift_get(local, r->source, Bytes4K, 3);
  memlift_task_yield();
  memlift_status got = memlift_tags_wait(8, 0, MEMLIFT_FOR_EVER, nullptr, &fault);
  size_t right = got == MEMLIFT_FAULT ? fault.bytes : Bytes4K;
  if (!isOneOf(got, {MEMLIFT_OK, MEMLIFT_FAULT}) || memcmp(local, r->source, right) != 0)
    return false;
  r->faults += got == MEMLIFT_FAULT;
  memcpy(local, r->source, Bytes4K);
  memlift_put(run->data, local, Bytes4K, 4);
  if (local[0] % 2)
    return true; // and leaves it under way
  got = memlift_tags_wait(16, 0, MEMLIFT_FOR_EVER, nullptr, &fault);
  right = got == MEMLIFT_FAULT ? fault.bytes : Bytes4K;
  return isOneOf(got, {MEMLIFT_OK, MEMLIFT_FAULT}) && memcmp(run->data, r->source, right) == 0;
}

bool work(Room *r, Record *run, uint64_t kind, uint64_t number) {
  uint64_t value = number;
  uint32_t bits = 0;
  switch (kind) {
  case Yields:
    for (int i = 0; i < 4; i++)
      memlift_task_yield();
    return number % 8 || delegate(r);
  case Locks: return lock(r);
  case Permits:
    return isOneOf(memlift_semaphore_acquire(&r->semaphore, 2 * Millisecond),
                   {MEMLIFT_OK, MEMLIFT_PENDING}) &&
           memlift_semaphore_release(&r->semaphore, 1) == MEMLIFT_OK;
  case Meets: return meet(r);
  case Flags:
    memlift_events_set(&r->events, 1u << number % 8);
    return isOneOf(memlift_events_wait(&r->events, 0xff, number % 2, 2 * Millisecond, &bits),
                   {MEMLIFT_OK, MEMLIFT_PENDING});
  case Pushes:
    return isOneOf(memlift_queue_push(&r->queue, &value, 2 * Millisecond),
                   {MEMLIFT_OK, MEMLIFT_PENDING});
  case Pops:
    return isOneOf(memlift_queue_pop(&r->queue, &value, 2 * Millisecond),
                   {MEMLIFT_OK, MEMLIFT_PENDING}) &&
           isOneOf(memlift_queue_peek(&r->queue, &value, 0), {MEMLIFT_OK, MEMLIFT_BUSY});
  case Calls: return call(r, number);
  case Moves: return move(r, run);
  default: return true;
  }
}

int32_t workload(const uint64_t args[4]) {
  Room *r = reinterpret_cast<Room *>(args[0]);
  Record *run = &r->run[args[1]];
  run->begun++;
  if (!work(r, run, args[2], args[3])) {
    r->wrong |= 1u << args[2];
    return -1;
  }
  run->finished++;
  return static_cast<int32_t>(args[3] & 0xffffff);
}

class Faults : public Processes {
protected:
  void begin(uint32_t kind, uint32_t units, uint64_t seed) {
    memlift_context_options options = {};
    options.kind = kind, options.units = units;
    ASSERT_EQ(memlift_context_create(&context, &options, sizeof options), MEMLIFT_OK);
    random.seed(seed);
    room = shared<Room>();
    room->context = context, room->seed = seed;
    for (unsigned char &byte : room->source)
      byte = static_cast<unsigned char>(random());
    ASSERT_EQ(memlift_mutex_init(context, &room->mutex), MEMLIFT_OK);
    ASSERT_EQ(memlift_semaphore_init(context, &room->semaphore, 2), MEMLIFT_OK);
    ASSERT_EQ(memlift_barrier_init(context, &room->barrier, 3), MEMLIFT_OK);
    ASSERT_EQ(memlift_events_init(context, &room->events, MEMLIFT_EVENTS_AUTO), MEMLIFT_OK);
    ASSERT_EQ(memlift_queue_init(context, &room->queue, room->buffer, sizeof(uint64_t), 8),
              MEMLIFT_OK);
    for (unsigned i = 0; i < Tasks; i++)
      tasks[i] = create(workload, i % Kinds == Brief && i % 3 ? 0 : Stack);
  }

  void send(unsigned i, uint64_t number) {
    room->run[i].begun = 0, room->run[i].finished = 0;
    start(tasks[i], {address(room), i, i % Kinds, number});
  }

  // Waits for a workload, and looks at what it says of itself.
  void check(unsigned i, uint64_t number) {
    int32_t code = 0;
    memlift_status status = memlift_task_wait(tasks[i], 60 * Second, &code);
    const Record &run = room->run[i];
    if (status == MEMLIFT_LOST)
      lost++;
    else
      ASSERT_EQ(status, MEMLIFT_OK) << "kind " << i % Kinds;
    ASSERT_LE(run.begun, 1u);
    ASSERT_LE(run.finished, run.begun);
    if (status == MEMLIFT_OK) {
      ASSERT_EQ(code, static_cast<int32_t>(number & 0xffffff)) << "kind " << i % Kinds;
      ASSERT_EQ(run.finished, 1u);
    }
  }

  // Runs so many, up to Tasks at a time.
  void runAll(uint64_t all) {
    for (uint64_t sent = 0; sent < all && !HasFatalFailure(); sent += Tasks) {
      for (unsigned i = 0; i < Tasks; i++)
        send(i, sent + i);
      for (unsigned i = 0; i < Tasks && !HasFatalFailure(); i++)
        check(i, sent + i);
    }
  }

  // After the faults: all that there is does its work, and nobody is lost.
  void allWorks() {
    uint64_t value = 0, before = lost;
    memlift_status status = memlift_mutex_lock(&room->mutex, 10 * Second);
    ASSERT_TRUE(isOneOf(status, {MEMLIFT_OK, MEMLIFT_LOST})) << status;
    room->inside = 0;
    ASSERT_EQ(memlift_mutex_unlock(&room->mutex), MEMLIFT_OK);
    while (memlift_queue_pop(&room->queue, &value, 0) == MEMLIFT_OK)
      ;
    for (uint64_t i = 0; i < 8; i++)
      ASSERT_EQ(memlift_queue_push(&room->queue, &i, 0), MEMLIFT_OK) << "a place was lost";
    ASSERT_EQ(memlift_queue_push(&room->queue, &value, 0), MEMLIFT_BUSY);
    for (uint64_t i = 0; i < 8; i++) {
      ASSERT_EQ(memlift_queue_pop(&room->queue, &value, 0), MEMLIFT_OK);
      ASSERT_EQ(value, i);
    }
    ASSERT_EQ(memlift_semaphore_release(&room->semaphore, 1), MEMLIFT_OK);
    ASSERT_EQ(memlift_semaphore_acquire(&room->semaphore, Second), MEMLIFT_OK);
    runAll(Tasks);
    EXPECT_EQ(lost, before);
    EXPECT_EQ(room->wrong, 0u) << "bits are kinds of work";
  }

  // Destroys what lost tasks have created: their numbers are gone with them.
  void destroyOrphans() {
    for (unsigned i = 0; i < MEMLIFT_TASKS; i++) {
      memlift_task task = memlift_task_of(context, &context->slot[i]);
      bool mine = std::any_of(created.begin(), created.end(),
                              [&](memlift_task own) { return own.id == task.id; });
      if (!mine)
        memlift_task_destroy(task);
    }
  }

  // Until the end of the scope: what happens to the units, from a thread of its own.
  class Trouble {
  public:
    Trouble(memlift_context *c, uint64_t seed, bool kills)
        : thread([this, c, seed, kills] { make(c, seed, kills); }) {}
    ~Trouble() {
      over = true;
      thread.join();
    }

  private:
    void make(memlift_context *c, uint64_t seed, bool kills) {
      std::mt19937_64 random(seed);
      while (!over) {
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
        unsigned what = random() % 100, unit = static_cast<unsigned>(random() % c->units);
        pid_t process = memlift_keeper_process(c, unit);
        if (kills && what < 60 && process > 0)
          signalTo(process, SIGKILL);
        else if (what < 90)
          memlift_ring_bell(c, static_cast<unsigned>(random() % MEMLIFT_PARKERS));
        else if (what == 99) // taken by somebody who never rings
          __atomic_fetch_and(&c->idle[random() % 2], ~(uint64_t(1) << random() % 64),
                             __ATOMIC_SEQ_CST);
      }
    }
    std::atomic<bool> over{false};
    std::thread thread;
  };

  uint64_t many(uint64_t normally) const {
    return std::getenv("MEMLIFT_TEST_LONG") ? 500000 : slow ? normally / 5 : normally;
  }

  std::mt19937_64 random;
  Room *room = nullptr;
  memlift_task tasks[Tasks] = {};
  uint64_t lost = 0;
};
} // namespace

TEST_F(Faults, EachWorkloadOfThreadsFinishesOnce) {
  begin(MEMLIFT_UNITS_THREADS, 3, testSeed());
  {
    Trouble trouble(context, testSeed(), false);
    runAll(many(5000));
  }
  EXPECT_EQ(lost, 0u);
  allWorks();
  EXPECT_GT(room->faults, 0u);
}

#if !defined(__SANITIZE_THREAD__) // which knows nothing of what other processes do to the memory
TEST_F(Faults, EachWorkloadOfProcessesFinishesOnceOrIsLost) {
  begin(MEMLIFT_UNITS_PROCESSES, 3, testSeed());
  {
    Trouble trouble(context, testSeed(), true);
    runAll(many(5000));
  }
  EXPECT_GT(lost, 0u) << "seed " << testSeed();
  EXPECT_GE(counters().lost_tasks, lost);
  allWorks();
  EXPECT_GT(room->faults, 0u);
  destroyOrphans();
  std::cout << lost << " of " << many(5000) << " workloads were lost, with "
            << counters().lost_units << " units\n";
}
#endif
