// queue_test.cpp - the ring, the events, and the soft device that reads command bytes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends the doorbell protocol (body, header, doorbell; slots come back only when read), that no
// notification is lost, and that the device is strict: a client's mistake is refused, not guessed.

#include "support.h"

#include "engine/reach.h"
#include "model/soft_device.h"
#include "queue/barriers.h"
#include "queue/ring.h"
#include "queue/wait.h"

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
    const memlift_slot *slot = memlift_ring_take(slots, 8, &doorbell, taken, header);
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
      memlift_ring_publish(&r.ring, next++);
    }
    uint32_t header;
    while (const memlift_slot *slot = r.take(&header)) {
      ASSERT_EQ(header, expected);
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
      if (const memlift_slot *slot = memlift_ring_take(r.slots, 8, &r.doorbell, r.taken, &header)) {
        for (int i = 4; i < 64; ++i)
          wrong += slot->bytes[i] != static_cast<unsigned char>(count + i);
        wrong += header != count++;
        memlift_ring_return(&r.returned, ++r.taken);
      } else {
        std::this_thread::yield();
      }
  });
  for (uint32_t n = 0; n < total;)
    if (memlift_slot *slot = memlift_ring_reserve(&r.ring)) {
      for (int i = 4; i < 64; ++i)
        slot->bytes[i] = static_cast<unsigned char>(n + i);
      memlift_ring_publish(&r.ring, n++);
    } else {
      std::this_thread::yield();
    }
  device.join();
  EXPECT_EQ(wrong, 0);
}

// Two threads wake each other in turn. Were a notification lost, a turn would take the whole limit.
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
    if (!memlift_reaches(&reason))
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
    EXPECT_EQ(soft_step(device.get()), 1);
    EXPECT_EQ(soft_step(device.get()), 0);
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
  for (unsigned opcode = 3; opcode < 256; ++opcode) {
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
  EXPECT_EQ(soft_step(device.get()), 1);
  EXPECT_EQ(registers.aborted, 1u);
  EXPECT_EQ(registers.returned, registers.doorbell);
  EXPECT_EQ(soft_step(device.get()), 0);
  EXPECT_EQ(to, Bytes(1000, 0));
}

} // namespace
