// queue_test.cpp - the ring, the events, and the soft device that reads command bytes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends the doorbell protocol (body, header, doorbell; slots come back only when read), that no
// notification is lost, and that the device is strict: a client's mistake is refused, not guessed.

#include "support.h"

#include "model/soft_device.h"
#include "queue/barriers.h"
#include "queue/ring.h"
#include "queue/wait.h"
#include "engine/remote.h"

#include <atomic>
#include <thread>

namespace {

struct Ring {
  memlift_slot slots[8] = {};
  uint32_t doorbell, returned, taken;
  memlift_ring ring;

  explicit Ring(uint32_t first) : doorbell(first), returned(first), taken(first) {
    ring = {slots, 8, first, &doorbell, &returned};
  }
  const memlift_slot *take(uint32_t *header) {
    const memlift_slot *slot = memlift_ring_take(slots, 8, taken, header);
    if (slot)
      memlift_ring_return(&returned, ++taken);
    return slot;
  }
};

TEST(Queue, CommandsComeOutInOrderAcrossTheWrap) {
  Ring r(0xfffffff0u); // counts wrap at 2^32 on the way
  uint32_t next = 0, expected = 0;
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 1 + round % 8; ++i) {
      memlift_slot *slot = memlift_ring_reserve(&r.ring);
      ASSERT_NE(slot, nullptr);
      slot->bytes[63] = static_cast<unsigned char>(next);
      memlift_ring_publish(&r.ring, ++next);
      ASSERT_EQ(r.doorbell, r.ring.produced);
    }
    uint32_t header;
    while (const memlift_slot *slot = r.take(&header)) {
      ASSERT_EQ(header, expected + 1);
      ASSERT_EQ(slot->bytes[63], static_cast<unsigned char>(expected++));
    }
    ASSERT_EQ(expected, next);
  }
}

TEST(Queue, AFullRingTakesNoMore) {
  Ring r(0);
  for (int i = 0; i < 8; ++i) {
    ASSERT_NE(memlift_ring_reserve(&r.ring), nullptr);
    memlift_ring_publish(&r.ring, 1);
  }
  ASSERT_EQ(memlift_ring_reserve(&r.ring), nullptr);
  uint32_t header;
  ASSERT_NE(r.take(&header), nullptr);
  ASSERT_NE(memlift_ring_reserve(&r.ring), nullptr);
}

// One thread produces, one consumes; a body that is read before it is written shows.
TEST(Queue, BodiesAreSeenWholeByAnotherThread) {
  static Ring r(0);
  constexpr uint32_t total = sanitized ? 20000 : 300000;
  std::atomic<int> wrong{0};
  std::thread device([&wrong] {
    uint32_t header, count = 0;
    while (count < total)
      if (const memlift_slot *slot = memlift_ring_take(r.slots, 8, r.taken, &header)) {
        for (int i = 4; i < 64; ++i)
          wrong += slot->bytes[i] != static_cast<unsigned char>(count + i);
        wrong += header != ++count;
        memlift_ring_return(&r.returned, ++r.taken);
      } else {
        std::this_thread::yield();
      }
  });
  for (uint32_t n = 0; n < total;)
    if (memlift_slot *slot = memlift_ring_reserve(&r.ring)) {
      for (int i = 4; i < 64; ++i)
        slot->bytes[i] = static_cast<unsigned char>(n + i);
      memlift_ring_publish(&r.ring, ++n);
    } else {
      std::this_thread::yield();
    }
  device.join();
  EXPECT_EQ(wrong, 0);
}

// ---- Several producers -----------------------------------------------------------------------

TEST(Queue, WhatWasClaimedFirstIsTakenFirst) {
  Ring r(0xfffffffeu); // over the wrap of the counts
  uint32_t first, second, third, header;
  memlift_slot *one = memlift_ring_claim(&r.ring, &first);
  memlift_slot *two = memlift_ring_claim(&r.ring, &second);
  ASSERT_TRUE(one && two && one != two);
  ASSERT_NE(memlift_ring_claim(&r.ring, &third), nullptr);
  two->bytes[63] = 2;
  memlift_ring_commit(&r.ring, second, 22);
  EXPECT_EQ(r.take(&header), nullptr) << "the one before it is not there yet";
  memlift_ring_commit(&r.ring, third, 33);
  one->bytes[63] = 1;
  memlift_ring_commit(&r.ring, first, 11);
  const memlift_slot *slot = r.take(&header);
  ASSERT_TRUE(slot && slot->bytes[63] == 1 && header == 11);
  slot = r.take(&header);
  ASSERT_TRUE(slot && slot->bytes[63] == 2 && header == 22);
  ASSERT_TRUE(r.take(&header) && header == 33);
  EXPECT_EQ(r.take(&header), nullptr);
}

TEST(Queue, OfAFullRingNothingIsClaimed) {
  Ring r(0);
  uint32_t ticket, header;
  for (uint32_t i = 0; i < 8; ++i) {
    ASSERT_NE(memlift_ring_claim(&r.ring, &ticket), nullptr);
    ASSERT_EQ(ticket, i);
    memlift_ring_commit(&r.ring, ticket, 1);
  }
  ASSERT_EQ(memlift_ring_claim(&r.ring, &ticket), nullptr);
  ASSERT_EQ(r.ring.produced, 8u);
  // Taken, but not given back: full as before, and what has been taken is no command any more.
  for (r.taken = 0; r.taken < 8; ++r.taken)
    ASSERT_NE(memlift_ring_take(r.slots, 8, r.taken, &header), nullptr);
  ASSERT_EQ(memlift_ring_take(r.slots, 8, r.taken, &header), nullptr);
  ASSERT_EQ(memlift_ring_claim(&r.ring, &ticket), nullptr);
  memlift_ring_return(&r.returned, 8);
  ASSERT_NE(memlift_ring_claim(&r.ring, &ticket), nullptr);
  ASSERT_EQ(ticket, 8u);
}

// Three threads produce, one takes: each command once, whole, and in the order of who sent it.
TEST(Queue, SeveralProducersLoseAndDoubleNothing) {
  static Ring r(0xffffff00u);
  constexpr uint32_t producers = 3, each = sanitized ? 10000 : 200000;
  std::vector<std::thread> threads;
  for (uint32_t p = 0; p < producers; ++p)
    threads.emplace_back([p] {
      for (uint32_t n = 1; n <= each;) {
        uint32_t ticket;
        memlift_slot *slot = memlift_ring_claim(&r.ring, &ticket);
        if (!slot) {
          std::this_thread::yield();
          continue;
        }
        for (int i = 4; i < 64; ++i)
          slot->bytes[i] = static_cast<unsigned char>(n * 7 + p + i);
        memlift_ring_commit(&r.ring, ticket, p << 24 | n++);
      }
    });
  uint32_t header, last[producers] = {}, wrong = 0;
  for (uint32_t count = 0; count < producers * each;) {
    const memlift_slot *slot = memlift_ring_take(r.slots, 8, r.taken, &header);
    if (!slot) {
      std::this_thread::yield();
      continue;
    }
    uint32_t p = header >> 24, n = header & 0xffffff;
    wrong += p >= producers;
    p %= producers;
    wrong += n != ++last[p];
    for (int i = 4; i < 64; ++i)
      wrong += slot->bytes[i] != static_cast<unsigned char>(n * 7 + p + i);
    memlift_ring_return(&r.returned, ++r.taken);
    ++count;
  }
  for (std::thread &t : threads)
    t.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(memlift_ring_take(r.slots, 8, r.taken, &header), nullptr);
}

// Two threads wake each other in turn. Were a notification lost, an iteration would take the whole
// limit.
TEST(Queue, NoNotificationIsLost) {
  static memlift_event ping, pong;
  ping = pong = {};
  constexpr uint32_t rounds = sanitized ? 3000 : 20000;
  constexpr uint64_t limit = 3000000000u;
  uint64_t begin = memlift_now();
  std::thread other([] {
    for (uint32_t i = 0; i < rounds; ++i) {
      while (memlift_event_read(&ping) == i)
        memlift_event_wait(&ping, i, limit);
      memlift_event_notify(&pong);
    }
  });
  for (uint32_t i = 0; i < rounds; ++i) {
    memlift_event_notify(&ping);
    while (memlift_event_read(&pong) == i)
      memlift_event_wait(&pong, i, limit);
  }
  other.join();
  EXPECT_LT(memlift_now() - begin, limit);
}

TEST(Queue, AWaitEndsAtItsLimit) {
  memlift_event event = {};
  uint64_t begin = memlift_now();
  memlift_event_wait(&event, 0, 20000000);
  uint64_t waited = memlift_now() - begin;
  EXPECT_GE(waited, 15000000u);
  EXPECT_EQ(event.armed, 0u);
  memlift_event_wait(&event, 1, 10000000000u); // not the count seen: returns at once
  EXPECT_LT(memlift_now() - begin, 5000000000u);
}

TEST(Queue, BarriersOfThisArchitectureExecute) {
  memlift_barrier_to_device();
  memlift_barrier_from_device();
  memlift_barrier_flush_stream();
  memlift_barrier_arm();
  memlift_barrier_relax();
}

// ---- The device, stepped by hand -----------------------------------------------------------

class Device : public testing::Test {
protected:
  void SetUp() override {
    const char *reason;
    if (!memlift_remote_is_available(&reason))
      GTEST_SKIP() << reason;
    device.reset(new soft_device());
    ring = {slots, 4, 0, &registers.doorbell, &registers.returned};
    device->registers = &registers;
    device->slots = slots;
    device->depth = 4;
    device->completions = records[0];
    device->completions_size = sizeof records;
  }

  // A copy of 1000 bytes that is right in every bit; tests spoil it.
  void prepare() {
    memset(command, 0, sizeof command);
    memset(records, 0, sizeof records);
    from = randomBytes(1000, 1), to.assign(1000, 0);
    SOFT_PUT(command, SOFT_CMD, OPCODE, MEMLIFT_SOFT_CMD_OP_COPY);
    SOFT_PUT(command, SOFT_CMD, SEQUENCE, 0x12345678);
    SOFT_PUT(command, SOFT_CMD, DESTINATION, reinterpret_cast<uintptr_t>(to.data()));
    SOFT_PUT(command, SOFT_CMD, SOURCE, reinterpret_cast<uintptr_t>(from.data()));
    SOFT_PUT(command, SOFT_CMD, LENGTH, from.size());
    SOFT_PUT(command, SOFT_CMD, COMPLETION, reinterpret_cast<uintptr_t>(records[1]));
  }

  // Status that the device answers, PENDING when it says nothing.
  unsigned run() {
    memlift_slot *slot = memlift_ring_reserve(&ring);
    memcpy(slot->bytes + 4, command + 4, 60);
    memlift_ring_publish(&ring, soft_header(static_cast<uint32_t>(soft_get(command, 4))));
    EXPECT_EQ(memlift_soft_step(device.get()), 1);
    EXPECT_EQ(memlift_soft_step(device.get()), 0);
    return records[1][MEMLIFT_SOFT_COMP_STATUS_OFFSET];
  }

  soft_registers registers = {};
  memlift_slot slots[4] = {};
  alignas(32) unsigned char records[2][MEMLIFT_SOFT_COMP_SIZE] = {};
  std::unique_ptr<soft_device> device;
  memlift_ring ring;
  unsigned char command[64];
  Bytes from, to;
};

TEST_F(Device, ObeysARightCommand) {
  prepare();
  ASSERT_EQ(run(), unsigned(MEMLIFT_SOFT_COMP_STATUS_OK));
  EXPECT_EQ(to, from);
  EXPECT_EQ(SOFT_GET(records[1], SOFT_COMP, SEQUENCE), 0x12345678u);
  EXPECT_EQ(SOFT_GET(records[1], SOFT_COMP, BYTES), 1000u);
  for (unsigned char byte : records[0])
    EXPECT_EQ(byte, 0);
}

TEST_F(Device, FillRepeatsTheBytesOfTheField) {
  prepare();
  SOFT_PUT(command, SOFT_CMD, OPCODE, MEMLIFT_SOFT_CMD_OP_FILL);
  SOFT_PUT(command, SOFT_CMD, SOURCE, 0x0807060504030201u);
  ASSERT_EQ(run(), unsigned(MEMLIFT_SOFT_COMP_STATUS_OK));
  for (size_t j = 0; j < to.size(); ++j)
    ASSERT_EQ(to[j], 1 + j % 8);
}

TEST_F(Device, NopCompletes) {
  prepare();
  SOFT_PUT(command, SOFT_CMD, OPCODE, MEMLIFT_SOFT_CMD_OP_NOP);
  EXPECT_EQ(run(), unsigned(MEMLIFT_SOFT_COMP_STATUS_BAD_COMMAND)); // with operands
  prepare();
  SOFT_PUT(command, SOFT_CMD, OPCODE, MEMLIFT_SOFT_CMD_OP_NOP);
  SOFT_PUT(command, SOFT_CMD, DESTINATION, 0);
  SOFT_PUT(command, SOFT_CMD, SOURCE, 0);
  SOFT_PUT(command, SOFT_CMD, LENGTH, 0);
  EXPECT_EQ(run(), unsigned(MEMLIFT_SOFT_COMP_STATUS_OK));
}

TEST_F(Device, RefusesEveryReservedBit) {
  std::vector<unsigned> reserved;
  for (unsigned bit = 8; bit < 32; ++bit)
    reserved.push_back(bit);
  for (unsigned bit = 40 * 8; bit < 64 * 8; ++bit)
    reserved.push_back(bit);
  for (unsigned bit : reserved) {
    prepare();
    command[bit / 8] |= static_cast<unsigned char>(1u << (bit % 8));
    ASSERT_EQ(run(), unsigned(MEMLIFT_SOFT_COMP_STATUS_BAD_COMMAND)) << "bit " << bit;
    ASSERT_EQ(to, Bytes(1000, 0)) << "bit " << bit;
  }
}

TEST_F(Device, RefusesWhatMakesNoSense) {
  for (unsigned opcode = MEMLIFT_SOFT_CMD_OP_NOP + 1; opcode < 256; ++opcode) {
    prepare();
    command[0] = static_cast<unsigned char>(opcode);
    ASSERT_EQ(run(), unsigned(MEMLIFT_SOFT_COMP_STATUS_BAD_COMMAND)) << opcode;
  }
  prepare();
  SOFT_PUT(command, SOFT_CMD, LENGTH, 0);
  EXPECT_EQ(run(), unsigned(MEMLIFT_SOFT_COMP_STATUS_BAD_COMMAND));
  prepare();
  SOFT_PUT(command, SOFT_CMD, DESTINATION, UINT64_MAX - 998); // wraps by one byte
  EXPECT_EQ(run(), unsigned(MEMLIFT_SOFT_COMP_STATUS_BAD_COMMAND));
  prepare();
  SOFT_PUT(command, SOFT_CMD, SOURCE, reinterpret_cast<uintptr_t>(to.data()) + 999);
  EXPECT_EQ(run(), unsigned(MEMLIFT_SOFT_COMP_STATUS_BAD_COMMAND)); // overlaps by one byte
}

TEST_F(Device, DropsACommandWhoseCompletionLiesElsewhere) {
  unsigned char elsewhere[64] = {};
  uintptr_t in = reinterpret_cast<uintptr_t>(records[0]);
  for (uintptr_t address : {uintptr_t(0), in + 1, in + 16, in - 32, in + sizeof records,
                            reinterpret_cast<uintptr_t>(elsewhere + 31) & ~uintptr_t(31)}) {
    prepare();
    SOFT_PUT(command, SOFT_CMD, COMPLETION, address);
    uint32_t before = device->dropped;
    EXPECT_EQ(run(), unsigned(MEMLIFT_SOFT_COMP_STATUS_PENDING));
    EXPECT_EQ(device->dropped, before + 1) << address - in;
    EXPECT_EQ(to, Bytes(1000, 0));
  }
}

TEST_F(Device, SaysExactlyHowFarItCame) {
  Guarded memory(8192);
  const size_t n = 5000, reachable = 4500;
  Bytes data = randomBytes(n, 3);
  prepare();
  uintptr_t near_end = reinterpret_cast<uintptr_t>(memory.end() - reachable);
  SOFT_PUT(command, SOFT_CMD, DESTINATION, near_end);
  SOFT_PUT(command, SOFT_CMD, SOURCE, reinterpret_cast<uintptr_t>(data.data()));
  SOFT_PUT(command, SOFT_CMD, LENGTH, n);
  ASSERT_EQ(run(), unsigned(MEMLIFT_SOFT_COMP_STATUS_FAULT));
  uint64_t bytes = SOFT_GET(records[1], SOFT_COMP, BYTES);
  EXPECT_LE(bytes, reachable);
  EXPECT_EQ(memcmp(memory.end() - reachable, data.data(), bytes), 0);
  EXPECT_EQ(SOFT_GET(records[1], SOFT_COMP, FAULT), near_end + bytes);

  prepare(); // and a source that ends too early
  to.assign(n, 0);
  memcpy(memory.end() - reachable, data.data(), reachable);
  SOFT_PUT(command, SOFT_CMD, DESTINATION, reinterpret_cast<uintptr_t>(to.data()));
  SOFT_PUT(command, SOFT_CMD, SOURCE, near_end);
  SOFT_PUT(command, SOFT_CMD, LENGTH, n);
  ASSERT_EQ(run(), unsigned(MEMLIFT_SOFT_COMP_STATUS_FAULT));
  bytes = SOFT_GET(records[1], SOFT_COMP, BYTES);
  EXPECT_EQ(memcmp(to.data(), data.data(), bytes), 0);
}

TEST_F(Device, AbortDropsWhatWasPublished) {
  prepare();
  memlift_slot *slot = memlift_ring_reserve(&ring);
  memcpy(slot->bytes + 4, command + 4, 60);
  memlift_ring_publish(&ring, soft_header(MEMLIFT_SOFT_CMD_OP_COPY));
  registers.abort = 1;
  EXPECT_EQ(memlift_soft_step(device.get()), 1);
  EXPECT_EQ(registers.aborted, 1u);
  EXPECT_EQ(registers.returned, registers.doorbell);
  EXPECT_EQ(memlift_soft_step(device.get()), 0);
  EXPECT_EQ(to, Bytes(1000, 0));
}

// Clients without a lock between them: each has a record of its own, and sees its own bytes.
TEST_F(Device, SeveralClientsShareOneRing) {
  constexpr unsigned clients = 3, each = sanitized ? 100 : 2000;
  alignas(32) static unsigned char own[clients][MEMLIFT_SOFT_COMP_SIZE];
  device->completions = own[0];
  device->completions_size = sizeof own;
  std::thread runs([this] { memlift_soft_run(device.get()); });
  std::atomic<unsigned> wrong{0};
  auto send = [this](const Bytes &source, Bytes &target, unsigned char *record, uint32_t number) {
    uint32_t ticket, seen;
    memlift_slot *slot;
    while (!(slot = memlift_ring_claim(&ring, &ticket)))
      std::this_thread::yield();
    memset(slot->bytes + 4, 0, 60);
    soft_head_store(record, MEMLIFT_SOFT_COMP_STATUS_PENDING, number);
    SOFT_PUT(slot->bytes, SOFT_CMD, SEQUENCE, number);
    SOFT_PUT(slot->bytes, SOFT_CMD, DESTINATION, reinterpret_cast<uintptr_t>(target.data()));
    SOFT_PUT(slot->bytes, SOFT_CMD, SOURCE, reinterpret_cast<uintptr_t>(source.data()));
    SOFT_PUT(slot->bytes, SOFT_CMD, LENGTH, source.size());
    SOFT_PUT(slot->bytes, SOFT_CMD, COMPLETION, reinterpret_cast<uintptr_t>(record));
    memlift_ring_commit(&ring, ticket, soft_header(MEMLIFT_SOFT_CMD_OP_COPY));
    memlift_event_notify(&registers.bell);
    for (;;) {
      uint32_t count = memlift_event_read(&registers.completed);
      uint8_t status = soft_head_load(record, &seen);
      if (status != MEMLIFT_SOFT_COMP_STATUS_PENDING)
        return status == MEMLIFT_SOFT_COMP_STATUS_OK && seen == number;
      memlift_event_wait(&registers.completed, count, 1000000000u);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned c = 0; c < clients; ++c)
    threads.emplace_back([&, c] {
      for (unsigned i = 0; i < each; ++i) {
        Bytes source = randomBytes(100 + i % 50, c * each + i), target(source.size(), 0);
        wrong += !send(source, target, own[c], c << 16 | i) || target != source;
      }
    });
  for (std::thread &t : threads)
    t.join();
  __atomic_store_n(&registers.stop, 1, __ATOMIC_RELEASE);
  memlift_event_notify(&registers.bell);
  runs.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(registers.returned, clients * each);
}

} // namespace
