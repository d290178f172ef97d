// async_support.h - operations that are submitted, with their right results, and many at random
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_TEST_ASYNC_SUPPORT_H
#define MEMLIFT_TEST_ASYNC_SUPPORT_H

#include "engine_support.h"

#include <memlift/async.h>

#include <array>
#include <atomic>
#include <set>
#include <thread>

constexpr size_t Piece = 256 << 10; // bytes of one command, engine/soft/soft.c
const memlift_operation both[] = {MEMLIFT_OPERATION_COPY, MEMLIFT_OPERATION_FILL};

class Async : public SoftEngine {};

constexpr memlift_token noToken = {0};
constexpr uint64_t forever = UINT64_MAX;

inline memlift_submission submissionOf(Operation &op, uint32_t flags = 0) {
  memlift_submission s = {};
  s.operation =
      op.request.operation == MEMLIFT_OPERATION_COPY ? MEMLIFT_SUBMIT_COPY : MEMLIFT_SUBMIT_FILL;
  s.flags = flags;
  s.destination = op.request.destination;
  s.source = op.request.source;
  s.size = op.request.size;
  s.pattern = op.request.pattern;
  s.period = 8;
  return s;
}

inline memlift_token submitted(Operation &op, memlift_token after = noToken, uint32_t flags = 0) {
  memlift_submission s = submissionOf(op, flags);
  memlift_token token = noToken;
  s.after[0] = after;
  EXPECT_EQ(memlift_submit(&s, sizeof s, 1, &token), MEMLIFT_OK);
  EXPECT_NE(token.id, 0u);
  return token;
}

// Makes a copy of an engine the one in use, for a test that changes a member of it.
class InUse {
public:
  explicit InUse(const memlift_engine &engine) : copy(engine), before(memlift_engine_active) {
    __atomic_store_n(&memlift_engine_active, &copy, __ATOMIC_RELEASE);
  }
  ~InUse() { __atomic_store_n(&memlift_engine_active, before, __ATOMIC_RELEASE); }

private:
  memlift_engine copy;
  const memlift_engine *before;
};

// One thread's operations at random: some under way at once, of all kinds, some after others, some
// cancelled, collected in any order and in all ways. Each destination has canaries around it.
class RandomOperations {
public:
  RandomOperations(uint64_t seed, size_t longest) : random(seed), most(longest) {
    for (Slot &slot : slots) {
      slot.source = randomBytes(most + 64, random());
      slot.memory.assign(most + 128, 0xC3);
    }
  }

  // Submits so many; returns how many were wrong, lost or doubled.
  unsigned run(unsigned count) {
    while (submittedCount < count) {
      Slot &slot = slots[random() % slots.size()];
      if (slot.token.id)
        collect(slot);
      else
        submit(slot);
      if (random() % 64 == 0)
        collectAny();
    }
    for (Slot &slot : slots)
      if (slot.token.id)
        collect(slot);
    return bad;
  }

  unsigned submittedCount = 0, completed = 0, cancelled = 0, bad = 0;

private:
  struct Slot {
    Bytes source, memory;
    memlift_token token = noToken;
    memlift_submission s = {};
    size_t skew = 0;
    uint32_t sum = 0;
    uint64_t after = 0; // of this thread
    // after one of another thread, in the end: it may be cancelled at any time
    bool foreign = false;
  };

  void submit(Slot &slot) {
    slot.s = {};
    slot.s.operation = 1 + random() % 3;
    slot.s.flags = random() % 4 ? MEMLIFT_SUBMITTED_ANY_SIZE : 0;
    slot.s.size = random() % 8 ? random() % 2048 : random() % (most + 1);
    slot.skew = random() % 32;
    slot.s.destination = slot.memory.data() + 32 + slot.skew;
    slot.s.source = slot.source.data() + random() % 64;
    slot.s.pattern = random();
    slot.s.period = 1 + random() % 8;
    slot.s.init = random() % 65536;
    slot.s.sum = &slot.sum;
    slot.foreign = random() % 16 == 0;
    slot.after = 0;
    std::fill(slot.memory.begin(), slot.memory.end(), 0xC3);
    if (slot.foreign)
      slot.s.after[0].id = published[random() % published.size()].load();
    if (random() % 4 == 0) {
      const Slot &other = slots[random() % slots.size()];
      slot.s.after[1 + random() % 3].id = slot.after = other.token.id;
      slot.foreign = slot.foreign || (other.token.id && other.foreign);
    }
    memlift_status status = memlift_submit(&slot.s, sizeof slot.s, 1, &slot.token);
    if (status == MEMLIFT_BUSY) { // all tokens in use, by all threads
      slot.token = noToken;
      return;
    }
    bad += status != MEMLIFT_OK;
    ++submittedCount;
    published[random() % published.size()] = slot.token.id;
    if (doomed.count(slot.after))
      doomed.insert(slot.token.id);
  }

  // An operation that comes after a cancelled one never begins.
  void doom(uint64_t id) {
    size_t before;
    doomed.insert(id);
    do {
      before = doomed.size();
      for (Slot &slot : slots)
        if (slot.token.id && doomed.count(slot.after))
          doomed.insert(slot.token.id);
    } while (doomed.size() != before);
  }

  // asked: it was this one that we wanted cancelled.
  void collected(Slot &slot, memlift_status status, bool asked) {
    memlift_token token = slot.token;
    slot.token = noToken;
    if (status == MEMLIFT_CANCELLED) {
      if (!asked)
        bad += (!doomed.count(token.id) && !slot.foreign) || !untouched(slot);
      ++cancelled;
      doom(token.id);
    } else {
      bad += status != MEMLIFT_OK || doomed.count(token.id) || !right(slot);
      ++completed;
    }
    bad += memlift_try_wait(token) != MEMLIFT_COLLECTED;
  }

  void collect(Slot &slot) {
    unsigned way = random() % 16;
    memlift_status status;
    if (way == 0) {
      collected(slot, memlift_cancel(slot.token), true);
      return;
    }
    if (way < 6)
      while ((status = memlift_try_wait(slot.token)) == MEMLIFT_PENDING)
        std::this_thread::yield();
    else if (way < 8)
      while ((status = memlift_wait(slot.token, random() % 100000)) == MEMLIFT_PENDING) {
      }
    else
      status = memlift_wait(slot.token, forever);
    collected(slot, status, false);
  }

  void collectAny() {
    memlift_token tokens[Slots];
    unsigned which = Slots;
    for (unsigned i = 0; i < Slots; ++i)
      tokens[i] = slots[i].token;
    memlift_status status = memlift_wait_any(tokens, Slots, forever, &which);
    if (status != MEMLIFT_COLLECTED)
      collected(slots[which], status, false);
  }

  static bool untouched(const Slot &slot) {
    return std::all_of(slot.memory.begin(), slot.memory.end(),
                       [](unsigned char byte) { return byte == 0xC3; });
  }
  static bool right(const Slot &slot) {
    const memlift_submission &s = slot.s;
    const unsigned char *from = static_cast<const unsigned char *>(s.source);
    Bytes expected(slot.memory.size(), 0xC3);
    if (s.operation == MEMLIFT_SUBMIT_FILL)
      writePattern(&expected[32 + slot.skew], s.size, s.pattern, s.period);
    else if (s.size != 0)
      memcpy(&expected[32 + slot.skew], from, s.size);
    return slot.memory == expected && (s.operation != MEMLIFT_SUBMIT_COPY_INET_SUM ||
                                       slot.sum == memlift_inet_sum(from, s.size, s.init));
  }

  static constexpr unsigned Slots = 24;
  std::mt19937_64 random;
  size_t most;
  std::array<Slot, Slots> slots;
  std::set<uint64_t> doomed;

  // Tokens of all threads, collected or not.
  inline static std::array<std::atomic<uint64_t>, 16> published{};
};

// Many threads of them; returns how many operations were wrong, lost or doubled.
inline unsigned randomThreads(unsigned threads, unsigned operations, size_t longest) {
  std::atomic<unsigned> bad{0}, submitted{0}, ended{0};
  std::vector<std::thread> running;
  Counted counted;
  for (unsigned t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      RandomOperations some(testSeed() + t, longest);
      bad += some.run(operations);
      submitted += some.submittedCount;
      ended += some.completed + some.cancelled;
    });
  for (std::thread &thread : running)
    thread.join();
  EXPECT_EQ(submitted, ended);
  EXPECT_EQ(counted.since().submitted, submitted);
  EXPECT_EQ(counted.since().collected, submitted);
  return bad;
}

#endif
