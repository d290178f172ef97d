// tasks_store_test.cpp - the local stores of units, and what tasks leave in them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "store_support.h"
#include "tasks_support.h"

#include <atomic>
#include <memlift/stream.h>
#include <memlift/sync.h>

#include <thread>

namespace {
// A model that moves the bytes of a unit's store from now on. Tasks of that unit use it, one at a
// time.
class UnitModel {
public:
  UnitModel() { mover_model_init(&model, testSeed()); }
  // Called by a task.
  void install() {
    memlift_store *store = memlift_store_find();
    ASSERT_NE(store, nullptr);
    before = store->mover;
    store->mover = &model.mover;
  }
  void remove() {
    memlift_store_find()->mover = before;
    EXPECT_EQ(model.violations, 0u) << model.violation;
    EXPECT_EQ(model.under_way, 0u);
  }
  mover_model model;

private:
  memlift_mover *before = nullptr;
};

class TasksStore : public Tasks {
protected:
  // A context with units that have stores of that size.
  void openWith(uint32_t units, size_t store, uint32_t flags = 0) {
    memlift_context_options options = {};
    options.units = units, options.store = store, options.flags = flags;
    ASSERT_EQ(memlift_context_create(&context, &options, sizeof options), MEMLIFT_OK);
  }
  // Runs a lambda on unit 0, and waits for its end.
  void onUnit(std::function<void()> body, size_t stack = 0) {
    memlift_task task = make(
        [body] {
          body();
          return 1;
        },
        stack, 1);
    EXPECT_EQ(schedule(task), MEMLIFT_OK);
    EXPECT_EQ(codeOf(task), 1);
  }
  static size_t left() { return memlift_store_left(); }
};
} // namespace

TEST_F(TasksStore, IsThereOfTheSizeAskedForOrNotAtAll) {
  for (size_t size : {size_t(0), size_t(4096), size_t(1) << 20}) {
    openWith(2, size);
    for (unsigned unit = 0; unit < 2; unit++)
      EXPECT_EQ(codeOf(start(
                    [size] {
                      size_t all = size ? size : MEMLIFT_UNIT_STORE;
                      return left() == all && memlift_store_alloc(all, 64) && left() == 0;
                    },
                    0, 100, uint64_t(1) << unit)),
                1);
    TearDown();
  }
  openWith(1, 4096, MEMLIFT_CONTEXT_NO_STORE);
  onUnit([] {
    EXPECT_EQ(memlift_store_alloc(64, 64), nullptr);
    EXPECT_EQ(memlift_get(nullptr, nullptr, 0, 1), MEMLIFT_NOT_PRESENT);
  });
  EXPECT_EQ(memlift_store_alloc(64, 64), nullptr) << "the host's thread has none";
}

TEST_F(TasksStore, ThatHasNoMemoryIsRefused) {
  memlift_context_options options = {};
  options.units = 1, options.store = SIZE_MAX / 2;
  EXPECT_EQ(memlift_context_create(&context, &options, sizeof options), MEMLIFT_NO_RESOURCES);
  context = nullptr;
}

TEST_F(TasksStore, MovesBytesOfTasks) {
  open(2);
  Bytes from = randomBytes(50000, 1), to(50000);
  for (size_t stack : {size_t(0), Stack})
    for (unsigned unit = 0; unit < 2; unit++) {
      std::fill(to.begin(), to.end(), 0);
      EXPECT_EQ(
          codeOf(start(
              [&] {
                void *local = memlift_store_alloc(from.size(), 64);
                if (!local)
                  return 0;
                EXPECT_EQ(memlift_get(local, from.data(), from.size(), 3), MEMLIFT_OK);
                EXPECT_EQ(memlift_tags_wait(8, 0, MEMLIFT_FOR_EVER, nullptr, nullptr), MEMLIFT_OK);
                EXPECT_EQ(memlift_put(to.data(), local, to.size(), 3), MEMLIFT_OK);
                EXPECT_EQ(memlift_tags_wait(8, 0, MEMLIFT_FOR_EVER, nullptr, nullptr), MEMLIFT_OK);
                return 1;
              },
              stack, 100, uint64_t(1) << unit)),
          1);
      EXPECT_EQ(to, from);
    }
}

// 10,000 tasks that free nothing, of which any eight would fill the store.
TEST_F(TasksStore, LeftoversAreFreedAtTheEndOfATask) {
  openWith(1, 65536);
  unsigned rounds = sanitized ? 500 : 2500;
  std::atomic<unsigned> got{0};
  auto leave = [&got] {
    for (int i = 0; i < 8; i++)
      got += memlift_store_alloc(1000, 64) != nullptr;
    if (memlift_task_unit() % 2 == 0)
      memlift_task_exit(7);
    return 7;
  };
  memlift_task tasks[4];
  for (unsigned i = 0; i < 4; i++)
    tasks[i] = make(leave, i % 2 ? Stack : 0, 1);
  for (unsigned round = 0; round < rounds; round++) {
    for (memlift_task task : tasks)
      ASSERT_EQ(schedule(task), MEMLIFT_OK);
    for (memlift_task task : tasks)
      ASSERT_EQ(codeOf(task), 7);
  }
  EXPECT_EQ(got, 4 * 8 * rounds);
  onUnit([] { EXPECT_EQ(left(), 65536u); });
}

// A get that its task does not wait for must not write to what the next task has there.
TEST_F(TasksStore, TransfersOfATaskAreOverBeforeTheNextHasItsBytes) {
  for (size_t stack : {size_t(0), Stack}) {
    openWith(1, 65536);
    UnitModel mover;
    Bytes from = randomBytes(4096, 2), to(4096);
    onUnit([&] { mover.install(); });
    memlift_task reader = make(
        [&] {
          memlift_get(memlift_store_alloc(4096, 64), from.data(), 4096, 1);
          return static_cast<int32_t>(mover.model.under_way);
        },
        stack, 1);
    memlift_task writer = make(
        [&] {
          void *local = memlift_store_alloc(4096, 64);
          memcpy(local, from.data(), 4096);
          memlift_put(to.data(), local, 4096, 1);
          return static_cast<int32_t>(mover.model.under_way);
        },
        stack, 1);
    memlift_task next = make(
        [&] {
          unsigned char *local = static_cast<unsigned char *>(memlift_store_alloc(4096, 64));
          memset(local, 1, 4096);
          mover_model_use(&mover.model, local, 4096, 1);
          mover_model_compute(&mover.model, 1000000);
          for (unsigned i = 0; i < 4096; i++)
            if (local[i] != 1)
              return 2;
          return static_cast<int32_t>(mover.model.under_way);
        },
        0, 1);
    for (memlift_task first : {reader, writer}) {
      ASSERT_EQ(schedule(first), MEMLIFT_OK);
      EXPECT_EQ(codeOf(first), 1) << "it was under way";
      ASSERT_EQ(schedule(next), MEMLIFT_OK);
      EXPECT_EQ(codeOf(next), 0);
    }
    EXPECT_EQ(to, from) << "a put is completed, too";
    mover.model.faults.lose_at = mover.model.started + 1;
    std::fill(to.begin(), to.end(), 0);
    ASSERT_EQ(schedule(writer), MEMLIFT_OK);
    EXPECT_EQ(codeOf(writer), 1);
    EXPECT_EQ(to, from) << "also one that is lost";
    EXPECT_EQ(mover.model.lost, 1u);
    onUnit([&] { mover.remove(); });
    TearDown();
  }
}

// Tasks with stacks take turns on one unit: pieces, tags, fences and faults of each are its own.
TEST_F(TasksStore, TasksThatTakeTurnsKeepWhatTheyHave) {
  openWith(1, 65536);
  UnitModel mover;
  unsigned char bad[512] = {};
  Bytes from = randomBytes(8192, 3);
  mover.model.faults.bad = bad, mover.model.faults.bad_end = bad + sizeof bad;
  onUnit([&] { mover.install(); });
  void *pieces[3] = {};
  unsigned begun = 0; // on one unit
  memlift_task tasks[3];
  for (unsigned i = 0; i < 3; i++)
    tasks[i] = make(
        [&, i] {
          unsigned char *local = static_cast<unsigned char *>(memlift_store_alloc(8192, 64));
          pieces[i] = local;
          for (begun++; begun < 3;) // whoever schedules the others may be late
            memlift_task_yield();
          int32_t wrong = 0;
          for (int turn = 0; turn < 20; turn++) {
            memlift_dma_fault fault = {};
            if (i == 0) { // the one that meets bad addresses
              memlift_get(local, bad, sizeof bad, 5);
              memlift_task_yield();
              wrong += memlift_tags_wait(32, 0, MEMLIFT_FOR_EVER, nullptr, &fault) != MEMLIFT_FAULT;
              wrong += fault.address != bad;
            } else {
              memlift_get(local, from.data(), 4096, 5);
              memlift_tag_fence(5);
              memlift_task_yield();
              memlift_get(local + 4096, from.data() + 4096, 4096, 5);
              memlift_task_yield();
              wrong += memlift_tags_wait(32, 0, MEMLIFT_FOR_EVER, nullptr, &fault) != MEMLIFT_OK;
              wrong += memcmp(local, from.data(), 8192) != 0;
              memset(local, 0, 8192);
            }
            memlift_task_yield();
          }
          return wrong;
        },
        Stack, 1);
  memlift_task brief = make(
      [] {
        void *p = memlift_store_alloc(10000, 64);
        return p && memlift_store_release() == MEMLIFT_OK && memlift_store_alloc(10000, 64) ? 1 : 0;
      },
      0, 1);
  for (memlift_task task : tasks)
    ASSERT_EQ(schedule(task), MEMLIFT_OK);
  for (int i = 0; i < 20; i++) { // ends, and so frees, between the turns of the others
    ASSERT_EQ(schedule(brief, 200), MEMLIFT_OK);
    EXPECT_EQ(codeOf(brief), 1);
  }
  for (memlift_task task : tasks)
    EXPECT_EQ(codeOf(task), 0);
  EXPECT_NE(pieces[0], pieces[1]);
  EXPECT_NE(pieces[1], pieces[2]);
  onUnit([&] {
    EXPECT_EQ(left(), 65536u);
    mover.remove();
  });
}

TEST_F(TasksStore, BelongsToTheUnit) {
  open(1);
  for (size_t stack : {size_t(0), Stack})
    onUnit(
        [] {
          memlift_local_store *other = new memlift_local_store;
          alignas(64) static unsigned char memory[4096];
          EXPECT_EQ(memlift_store_bind(other, memory, sizeof memory, 0), MEMLIFT_BUSY);
          EXPECT_EQ(memlift_store_unbind(), MEMLIFT_WRONG_SIDE);
          delete other;
          EXPECT_NE(memlift_store_alloc(64, 64), nullptr);
        },
        stack);
}

// A loop over blocks that is left for good is closed for those who come after it; one that a task
// has blocked in is not closed by the end of another.
TEST_F(TasksStore, ALoopThatATaskLeavesIsClosed) {
  openWith(1, 65536);
  UnitModel mover;
  Bytes from = randomBytes(60000, 4);
  onUnit([&] { mover.install(); });
  // Sums all bytes, or leaves in the first block.
  auto sum = [&from](bool leaves, bool yields) {
    memlift_stream stream;
    memlift_stream_plan plan = {1, 16, 0};
    memlift_stream_access access = {};
    access.base = from.data(), access.step = 1, access.bytes = 1;
    access.how = MEMLIFT_STREAM_IN;
    memlift_stream_shift shift = {};
    int32_t total = 0, blocks = 0;
    const unsigned char *p = from.data();
    memlift_stream_begin(&stream, &plan, &access, from.size());
    for (uint64_t n; (n = memlift_stream_next(&stream, &shift)) != 0; blocks++) {
      for (uint64_t i = 0; i < n; i++)
        total += *reinterpret_cast<const unsigned char *>(reinterpret_cast<intptr_t>(p + i) +
                                                          shift.delta);
      p += n;
      if (leaves)
        memlift_task_exit(shift.delta != 0);
      if (yields)
        memlift_task_yield();
    }
    memlift_stream_end(&stream);
    return blocks > 2 ? total : -1;
  };
  int32_t total = 0;
  for (unsigned char byte : from)
    total += byte;
  for (size_t stack : {size_t(0), Stack}) {
    memlift_task leaver = make([&] { return sum(true, false); }, stack, 1);
    memlift_task worker = make([&] { return sum(false, false); }, stack, 1);
    for (int i = 0; i < 3; i++) {
      ASSERT_EQ(schedule(leaver), MEMLIFT_OK);
      EXPECT_EQ(codeOf(leaver), 1) << "its first block was local";
      ASSERT_EQ(schedule(worker), MEMLIFT_OK);
      EXPECT_EQ(codeOf(worker), total);
    }
  }
  memlift_task slow = make([&] { return sum(false, true); }, Stack, 1);
  memlift_task other = make(
      [] {
        void *p = memlift_store_alloc(64, 64); // while nobody is in a loop
        memlift_task_yield();
        return p && memlift_store_alloc(64, 64) == nullptr ? 1 : 0;
      },
      Stack, 1);
  std::atomic<bool> go{false};
  memlift_task gate = make(
      [&go] {
        while (!go)
          std::this_thread::yield();
        return 0;
      },
      Stack, 1);
  ASSERT_EQ(schedule(gate, 200), MEMLIFT_OK);
  ASSERT_EQ(schedule(other, 100), MEMLIFT_OK);
  ASSERT_EQ(schedule(slow, 100), MEMLIFT_OK);
  go = true;
  codeOf(gate);
  EXPECT_EQ(codeOf(other), 1);
  EXPECT_EQ(codeOf(slow), total);
  onUnit([&] {
    EXPECT_EQ(left(), 65536u);
    mover.remove();
  });
}

// A waiting host thread that has a store lends it to the tasks that it runs, and loses nothing.
TEST_F(TasksStore, OfAHostThreadIsLentToTasks) {
  open(0);
  memlift_task task = make([] {
    void *p = memlift_store_alloc(3000, 64);
    return p ? 2 : 1;
  });
  ASSERT_EQ(schedule(task), MEMLIFT_OK);
  EXPECT_EQ(codeOf(task), 1) << "it has none";
  BoundStore store(8192);
  void *mine = memlift_store_alloc(1024, 64);
  for (int i = 0; i < 10; i++) {
    ASSERT_EQ(schedule(task), MEMLIFT_OK);
    EXPECT_EQ(codeOf(task), 2);
    EXPECT_EQ(memlift_store_left(), 7168u) << "what it left is freed, and what this has is not";
  }
  memlift_store_free(mine);
  EXPECT_EQ(memlift_store_left(), 8192u);
}
