// tasks_loss_test.cpp - units that are processes, and are killed or end
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tasks_process_support.h"

#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>

namespace {
uint64_t nowNs() {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() /
                               std::chrono::nanoseconds(1));
}

// The clock of leases goes on when a test says so: a loaded machine keeps units waiting.
std::atomic<uint64_t> leaseClock{Second};

// A keeper that is told when to look, and what time it is.
class KeeperSettings : public Processes {
protected:
  ~KeeperSettings() override { // the context is gone
    memlift_keeper_round_ms = round, memlift_keeper_clock = clock;
  }
  int round = memlift_keeper_round_ms;
  uint64_t (*clock)() = memlift_keeper_clock;
};
} // namespace

// By an event: this keeper never looks by itself. How long it takes is a property, and no test.
TEST_F(KeeperSettings, AKilledUnitIsNoticedAndReplaced) {
  memlift_keeper_round_ms = -1;
  open(1);
  memlift_task task = create([](const uint64_t *) {
    for (;;)
      pause();
    return 0;
  });
  memlift_task other = create([](const uint64_t *) { return 4; });
  uint64_t least = UINT64_MAX;
  for (int round = 0; round < 10; round++) {
    start(task);
    pid_t unit = unitThatRuns(task);
    uint64_t since = nowNs();
    ASSERT_EQ(signalTo(unit, SIGKILL), 0);
    int32_t code = 0;
    ASSERT_EQ(memlift_task_wait(task, 100 * Second, &code), MEMLIFT_LOST);
    least = std::min(least, nowNs() - since);
    EXPECT_EQ(code, MEMLIFT_LOST);
    EXPECT_EQ(run(other), 4) << "another unit has taken its place";
  }
  RecordProperty("noticed_us", static_cast<int>(least / 1000));
  unsigned lost = 0;
  EXPECT_EQ(memlift_context_check(context, &lost), MEMLIFT_OK);
  EXPECT_EQ(lost, 10u);
  EXPECT_EQ(counters().lost_tasks, 10u);
  EXPECT_EQ(counters().lost_units, 10u);
}

TEST_F(Processes, TasksBeginAnewIfThatIsWanted) {
  open(1);
  auto *runs = shared<std::atomic<uint32_t>>();
  auto body = [](const uint64_t args[4]) {
    auto *count = reinterpret_cast<std::atomic<uint32_t> *>(args[0]);
    if (++*count < args[1])
      raise(SIGKILL);
    return static_cast<int32_t>(*count);
  };
  for (size_t stack : {size_t(0), Stack}) {
    memlift_task task = create(body, stack, 0, MEMLIFT_LOSS_RESTART);
    *runs = 0;
    EXPECT_EQ(run(task, {address(runs), 5}), 5);
    *runs = 0;
    start(task, {address(runs), 1000});
    EXPECT_EQ(memlift_task_wait(task, 100 * Second, nullptr), MEMLIFT_LOST);
    EXPECT_EQ(*runs, 17u) << "16 times";
    *runs = 0;
    EXPECT_EQ(run(task, {address(runs), 3}), 3);
  }
}

// Fences and faults of tags stand beside the stack, which is shared, and the store is not.
TEST_F(Processes, ATaskThatBeginsAnewHasNothingInTheStore) {
  open(1);
  auto *runs = shared<std::atomic<uint32_t>>();
  memlift_task task = create(
      [](const uint64_t args[4]) {
        const memlift_store_user *user = memlift_user_of(memlift_parker_self()->task);
        int32_t before = static_cast<int32_t>(user->fenced | user->left);
        char *local = static_cast<char *>(memlift_store_alloc(64, 64));
        if (!local || memlift_get(local, reinterpret_cast<char *>(args[0]), 4, 5) != MEMLIFT_OK ||
            memlift_tag_fence(5) != MEMLIFT_OK)
          return -1;
        if (++*reinterpret_cast<std::atomic<uint32_t> *>(args[0]) == 1)
          raise(user->fenced && user->left ? SIGKILL : SIGABRT);
        return before;
      },
      Stack, 0, MEMLIFT_LOSS_RESTART);
  EXPECT_EQ(run(task, {address(runs)}), 0);
  EXPECT_EQ(*runs, 2u);
}

TEST_F(Processes, ABadAddressAndAStackOverflowCostOneTask) {
  open(1);
  memlift_task bad = create(
      [](const uint64_t args[4]) {
        *reinterpret_cast<volatile int *>(args[0]) = 1;
        return 0;
      },
      Stack);
  start(bad, {16});
  EXPECT_EQ(memlift_task_wait(bad, 20 * Second, nullptr), MEMLIFT_LOST);
  memlift_task neighbour = create([](const uint64_t *) { return memlift_task_yield() + 8; }, Stack);
  memlift_task deep = create(
      [](const uint64_t args[4]) {
        volatile char here[4096];
        for (volatile char *p = here;; p -= 512) // down, page by page
          *p = static_cast<char>(args[0]);
        return 0;
      },
      Stack);
  start(deep);
  EXPECT_EQ(memlift_task_wait(deep, 20 * Second, nullptr), MEMLIFT_LOST);
  EXPECT_EQ(run(neighbour), 8);
}

// What tasks had locked, waited for, and taken when their unit was killed.
TEST_F(Processes, ObjectsGoOnWhenAUnitIsLost) {
  open(2);
  struct Room {
    memlift_mutex mutex;
    memlift_semaphore semaphore;
    memlift_queue queue;
    memlift_barrier barrier;
    uint64_t buffer[64];
    std::atomic<uint32_t> at;
  };
  Room *r = shared<Room>();
  ASSERT_EQ(memlift_semaphore_init(context, &r->semaphore, 0), MEMLIFT_OK);
  ASSERT_EQ(memlift_mutex_init(context, &r->mutex), MEMLIFT_OK);
  ASSERT_EQ(memlift_barrier_init(context, &r->barrier, 2), MEMLIFT_OK);
  ASSERT_EQ(memlift_queue_init(context, &r->queue, r->buffer, 8, 4), MEMLIFT_OK);
  auto inRoom = [&](memlift_task_function f, uint64_t units) {
    memlift_task task = create(f, Stack, units);
    start(task, {address(r)});
    return task;
  };
  memlift_task waits = inRoom(
      [](const uint64_t a[4]) {
        Room *room = reinterpret_cast<Room *>(a[0]);
        room->at++;
        return static_cast<int32_t>(memlift_semaphore_acquire(&room->semaphore, MEMLIFT_FOR_EVER));
      },
      1);
  memlift_task holder = inRoom(
      [](const uint64_t a[4]) {
        Room *room = reinterpret_cast<Room *>(a[0]);
        uint64_t value = 9;
        uint32_t ticket = 0;
        memlift_mutex_lock(&room->mutex, MEMLIFT_FOR_EVER);
        memlift_queue_push_begin(&room->queue, &value, 0, 0, &ticket);
        room->at++;
        for (;;)
          pause();
        return 0;
      },
      1);
  while (r->at < 2)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  memlift_task survivor = inRoom(
      [](const uint64_t a[4]) {
        Room *room = reinterpret_cast<Room *>(a[0]);
        room->at++;
        return static_cast<int32_t>(memlift_mutex_lock(&room->mutex, MEMLIFT_FOR_EVER));
      },
      2);
  while (r->at < 3)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  uint64_t value = 5;
  ASSERT_EQ(memlift_queue_push(&r->queue, &value, 0), MEMLIFT_OK);
  ASSERT_EQ(memlift_queue_pop(&r->queue, &value, 0), MEMLIFT_BUSY) << "the first is not complete";
  ASSERT_EQ(signalTo(unitThatRuns(holder), SIGKILL), 0);
  EXPECT_EQ(codeOf(survivor), MEMLIFT_LOST) << "of the mutex";
  EXPECT_EQ(memlift_task_wait(holder, 100 * Second, nullptr), MEMLIFT_LOST);
  EXPECT_EQ(memlift_task_wait(waits, 100 * Second, nullptr), MEMLIFT_LOST) << "its stack is there";
  EXPECT_EQ(memlift_queue_pop(&r->queue, &value, 100 * Second), MEMLIFT_OK);
  EXPECT_EQ(value, 5u);
  ASSERT_EQ(memlift_semaphore_release(&r->semaphore, 1), MEMLIFT_OK);
  EXPECT_EQ(memlift_semaphore_acquire(&r->semaphore, 0), MEMLIFT_OK) << "nobody waits any more";
  EXPECT_EQ(memlift_mutex_lock(&r->mutex, 100 * Second), MEMLIFT_LOST)
      << "and the survivor has ended with it";
  EXPECT_EQ(memlift_mutex_unlock(&r->mutex), MEMLIFT_OK);
  EXPECT_GE(counters().lost_locks, 2u);
}

TEST_F(KeeperSettings, AUnitThatIsSilentForTooLongIsLost) {
  memlift_keeper_clock = [] { return leaseClock.load(); };
  memlift_context_options options = {};
  options.kind = MEMLIFT_UNITS_PROCESSES, options.units = 2;
  options.lease_ns = 100 * Millisecond;
  ASSERT_EQ(memlift_context_create(&context, &options, sizeof options), MEMLIFT_OK);
  auto *runs = shared<std::atomic<uint32_t>>();
  memlift_task silent = create([](const uint64_t args[4]) {
    ++*reinterpret_cast<std::atomic<uint32_t> *>(args[1]);
    if (args[0])
      raise(SIGSTOP);
    for (;;)
      pause();
    return 0;
  });
  memlift_task brief = create([](const uint64_t *) { return 1; });
  auto lostAfter = [&](uint64_t ns) {
    unsigned lost = 0;
    leaseClock += ns;
    EXPECT_EQ(memlift_context_check(context, &lost), MEMLIFT_OK); // the keeper looks
    return lost;
  };
  auto hasWork = [&] {
    return __atomic_load_n(&context->parker[0].task, __ATOMIC_SEQ_CST) ||
           __atomic_load_n(&context->parker[1].task, __ATOMIC_SEQ_CST);
  };
  for (unsigned stops : {0, 1}) {
    start(silent, {stops, address(runs)});
    while (*runs == stops)
      std::this_thread::yield();
    EXPECT_EQ(lostAfter(0), stops) << "the lease begins";
    EXPECT_EQ(lostAfter(options.lease_ns - 1), stops);
    EXPECT_EQ(lostAfter(1), stops + 1);
    EXPECT_EQ(memlift_task_wait(silent, 100 * Second, nullptr), MEMLIFT_LOST);
  }
  for (int i = 0; i < 20; i++) {
    EXPECT_EQ(run(brief), 1);
    while (hasWork()) // until the unit has noticed that its task has ended
      std::this_thread::yield();
    EXPECT_EQ(lostAfter(10 * options.lease_ns), 2u) << "units without work may sleep";
  }
}

// A host that is killed, that returns from main, or that executes another program: no process is
// left. How long the last one took is a property, and no test.
TEST_F(Processes, NothingIsLeftOfAHostThatEnds) {
  for (int how = 0; how < 3; how++) {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    pid_t host = fork();
    if (host == 0) {
      close(ends[0]);
      memlift_context_options options = {};
      options.kind = MEMLIFT_UNITS_PROCESSES, options.units = 3;
      memlift_task task = {};
      if (memlift_context_create(&context, &options, sizeof options) != MEMLIFT_OK ||
          memlift_task_create(
              context, &task, [](const uint64_t *) { return pause(); }, nullptr, 0) != MEMLIFT_OK)
        _exit(1);
      memlift_task_schedule(task, nullptr, 1);
      unitThatRuns(task);
      pid_t own[3];
      for (unsigned i = 0; i < 3; i++)
        own[i] = processOf(i);
      if (write(ends[1], own, sizeof own) != sizeof own)
        _exit(2);
      if (how == 1)
        _exit(0);
      if (how == 2)
        execl("/bin/sleep", "sleep", "2", nullptr);
      for (;;)
        pause();
    }
    close(ends[1]);
    pid_t units[3] = {};
    ASSERT_EQ(read(ends[0], units, sizeof units), static_cast<ssize_t>(sizeof units));
    if (how == 0) {
      ASSERT_EQ(signalTo(host, SIGKILL), 0);
    }
    uint64_t since = nowNs();
    for (pid_t unit : units) {
      while (!isGone(unit) && nowNs() - since < 100 * Second)
        usleep(1000);
      EXPECT_TRUE(isGone(unit)) << unit;
      if (!isGone(unit))
        signalTo(unit, SIGKILL);
    }
    RecordProperty("gone_us_" + std::to_string(how), static_cast<int>((nowNs() - since) / 1000));
    // They had the other end, too.
    pollfd end = {ends[0], POLLIN, 0};
    EXPECT_EQ(poll(&end, 1, 100000), 1);
    if (how == 2)
      signalTo(host, SIGKILL);
    close(ends[0]);
    EXPECT_EQ(waitpid(host, nullptr, 0), host);
  }
}

TEST_F(Processes, UnitsOutliveTheThreadThatCreatedTheContext) {
  std::thread([this] { open(1); }).join();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  memlift_task task = create([](const uint64_t *) { return 3; });
  EXPECT_EQ(run(task), 3);
  EXPECT_EQ(counters().lost_units, 0u);
}

TEST_F(Processes, AnyThreadMayAskForTheProcesses) {
  open(2);
  std::atomic<bool> done{false};
  std::thread other([&] {
    while (!done)
      for (unsigned unit = 0; unit < 2; unit++)
        EXPECT_GE(memlift_keeper_process(context, unit), 0);
  });
  for (unsigned i = 0; i < 10; i++) {
    ASSERT_EQ(signalTo(processOf(i % 2), SIGKILL), 0);
    while (counters().lost_units <= i)
      EXPECT_EQ(memlift_context_check(context, nullptr), MEMLIFT_OK);
  }
  done = true;
  other.join();
}

TEST_F(Processes, AUnitIsKnownBeforeItRunsATask) {
  open(1);
  memlift_task task = create([](const uint64_t *) { return pause(); });
  for (int i = 0; i < 20; i++) {
    start(task);
    pid_t unit = unitThatRuns(task);
    ASSERT_EQ(pids(), std::vector<pid_t>{unit});
    ASSERT_EQ(signalTo(unit, SIGKILL), 0);
    EXPECT_EQ(memlift_task_wait(task, 100 * Second, nullptr), MEMLIFT_LOST);
  }
}

TEST_F(Processes, AProgramThatReapsThemDoesNoHarm) {
  open(1);
  memlift_task task = create([](const uint64_t *) { return raise(SIGKILL); });
  for (int i = 0; i < 5; i++) {
    start(task);
    EXPECT_EQ(memlift_task_wait(task, 100 * Second, nullptr), MEMLIFT_LOST);
    while (waitpid(-1, nullptr, WNOHANG) > 0)
      ;
  }
  signal(SIGCHLD, SIG_IGN);
  start(task);
  EXPECT_EQ(memlift_task_wait(task, 100 * Second, nullptr), MEMLIFT_LOST);
  signal(SIGCHLD, SIG_DFL);
}
