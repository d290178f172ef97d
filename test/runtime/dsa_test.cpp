// dsa_test.cpp - the DSA engine gives the same bytes, whatever the device does; and the DSA model
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contract 6 for the DSA. For every fault that dsa_faults can inject there is a test here
// that fails when its handling is taken out: mutate_engines.py takes it out, and looks.

#include "dsa_support.h"

#include "engine/populate.h"

#include <atomic>
#include <csignal>
#include <sys/wait.h>
#include <thread>

namespace {

constexpr size_t KiB = 1024, MiB = 1024 * KiB;
const memlift_operation both[] = {MEMLIFT_OPERATION_COPY, MEMLIFT_OPERATION_FILL};

class Dsa : public DsaTest {};

bool populates() {
  int there = 0;
  return memlift_populate_write(&there, sizeof there);
}

TEST_F(Dsa, SameBytesAtEverySizeAndSkew) {
  for (unsigned batches : {0u, 16u}) {
    model.limits.max_batch = batches;
    model.limits.max_bytes = 64 * KiB; // several for one share
    start();
    for (auto operation : both)
      for (size_t size : {size_t(64), size_t(127), 4 * KiB, 64 * KiB + 1, 300 * KiB + 13, MiB,
                          3 * MiB + 777, 20 * MiB + 1})
        for (size_t skew : {0, 3, 13, 29}) {
          if (sanitized && size > 4 * MiB)
            continue;
          Counted counted;
          Operation op(operation, size, skew);
          size_t body = bodyOf(op);
          ASSERT_EQ(op.offload(alone()), body != 0);
          if (body == 0)
            continue;
          ASSERT_TRUE(op.right()) << operation << ", " << size << ", " << skew;
          EXPECT_EQ(counted.since().engine_bytes, body);
          EXPECT_EQ(counted.since().cpu_bytes, 0u);
        }
    EXPECT_EQ(model.refused, 0u);
    EXPECT_EQ(model.overflowed, 0u);
    EXPECT_EQ(model.batches > 0, batches > 0);
  }
}

TEST_F(Dsa, SmallLimitsOfTheQueueAreKept) {
  model.limits.max_bytes = 4096 + 13;
  model.limits.depth = 3;
  model.limits.max_batch = 2;
  start();
  model.dedicated = 1; // what there is no room for is lost
  memlift_engine engine = alone();
  engine.min_batch = 64;
  for (auto operation : both) {
    Operation op(operation, 700 * KiB, 5);
    ASSERT_TRUE(op.offload(engine));
    ASSERT_TRUE(op.right());
  }
  EXPECT_EQ(model.refused, 0u);
  EXPECT_EQ(model.overflowed, 0u);
}

TEST_F(Dsa, EntryPointsUseItFromItsLimitOn) {
  start();
  Bytes from = randomBytes(2 * MiB, 1), to(2 * MiB);
  Counted counted;
  memlift_copy(to.data(), from.data(), to.size());
  EXPECT_EQ(to, from);
  EXPECT_GT(counted.since().engine_bytes, 0u);
}

TEST_F(Dsa, NoRoomIsTriedAgain) {
  for (uint32_t at : {1u, 3u}) {
    dsa_faults faults = {};
    faults.no_room_at = at;
    faults.no_room_count = 4;
    start(faults);
    Counted counted;
    Operation op(MEMLIFT_OPERATION_COPY, 2 * MiB, 1);
    ASSERT_TRUE(op.offload(alone()));
    ASSERT_TRUE(op.right());
    EXPECT_EQ(counted.since().engine_bytes, bodyOf(op));
  }
}

TEST_F(Dsa, NoRoomForEverIsTheCpus) {
  for (uint32_t at : {1u, 2u}) {
    dsa_faults faults = {};
    faults.no_room_at = at;
    faults.no_room_count = UINT32_MAX;
    start(faults);
    Operation op(MEMLIFT_OPERATION_COPY, 2 * MiB, 1);
    ASSERT_TRUE(op.offload(alone()));
    ASSERT_TRUE(op.right());
    EXPECT_LT(model.submissions, 1000u);
  }
}

TEST_F(Dsa, ADroppedDescriptorIsTimedOut) {
  for (auto operation : both)
    for (unsigned batches : {0u, 16u}) {
      dsa_faults faults = {};
      faults.drop_at = 2;
      model.limits.max_batch = batches;
      start(faults);
      Counted counted;
      Operation op(operation, MiB, 5);
      ASSERT_TRUE(op.offload(alone()));
      ASSERT_TRUE(op.right());
      EXPECT_GT(counted.since().time_outs, 0u);
      Counted next;
      Operation again(operation, MiB, 5);
      ASSERT_TRUE(again.offload(alone()));
      ASSERT_TRUE(again.right());
      EXPECT_EQ(next.since().cpu_bytes, 0u); // opened again, and used again
    }
}

// ---- Page faults -----------------------------------------------------------------------------

TEST_F(Dsa, APageFaultIsResumedWhereItHappened) {
  for (auto operation : both)
    for (uint64_t byte : {uint64_t(0), uint64_t(1), uint64_t(4096), uint64_t(65535)})
      for (uint32_t at : {1u, 4u}) {
        dsa_faults faults = {};
        faults.fault_at = at;
        faults.fault_byte = byte;
        start(faults);
        Counted counted;
        Operation op(operation, 512 * KiB, 5);
        ASSERT_TRUE(op.offload(alone()));
        ASSERT_TRUE(op.right()) << "descriptor " << at << ", byte " << byte;
        if (populates()) {
          EXPECT_EQ(counted.since().engine_bytes, bodyOf(op));
        }
      }
}

TEST_F(Dsa, EndlessPageFaultsAreTheCpus) {
  dsa_faults faults = {};
  faults.fault_at = 1;
  faults.fault_count = UINT32_MAX;
  faults.fault_byte = 7;
  start(faults);
  Operation op(MEMLIFT_OPERATION_FILL, 300 * KiB, 5);
  ASSERT_TRUE(op.offload(alone()));
  ASSERT_TRUE(op.right());
  EXPECT_LT(model.descriptors, 100u);
}

// Untouched pages: the model finds some of them missing, the bytes are right all the same.
TEST_F(Dsa, FreshMemoryIsFilledAndCopied) {
  start();
  Guarded to(4 * MiB), from(4 * MiB);
  memlift_engine engine = alone();
  memlift_request copy = {MEMLIFT_OPERATION_COPY, to.begin(), from.begin(), 0, 4 * MiB};
  memset(to.begin(), 1, 4096);
  ASSERT_TRUE(memlift_offload(&engine, &copy));
  for (size_t i = 0; i < 4 * MiB; ++i)
    ASSERT_EQ(to.begin()[i], 0);
}

// Memory that is taken away under the device: neither a signal while the engine is taken, nor a
// byte lost.
TEST_F(Dsa, AMissingPageIsTheCpusToMeet) {
  start();
  Guarded memory(2 * MiB + 4096);
  Bytes data = randomBytes(2 * MiB + 4096, 3);
  pid_t child = fork();
  if (child == 0) {
    static unsigned char *end;
    static const unsigned char *expected;
    end = memory.end() - 4096, expected = data.data();
    struct sigaction act = {};
    act.sa_handler = [](int) { // the engine is free, and all before the page may be there
      _exit(memlift_session_acquire(&memlift_engine_dsa) == MEMLIFT_BUSY ? 1
            : memcmp(end - 2 * MiB, expected, MiB) != 0                  ? 2
                                                                         : 42);
    };
    sigaction(SIGSEGV, &act, nullptr);
    memlift_dsa_model_reset(&model, 1);
    if (memlift_engine_start("dsa") != MEMLIFT_OK)
      _exit(3);
    TakesAway engine(memlift_engine_dsa, end, 4096);
    memlift_request request = {MEMLIFT_OPERATION_COPY, memory.begin(), data.data(), 0,
                               2 * MiB + 4096};
    memlift_offload(&engine.copy, &request);
    _exit(4);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

// ---- Answers that are no success -------------------------------------------------------------

TEST_F(Dsa, AnyOtherStatusIsTheCpus) {
  for (unsigned status = 2; status < 256; ++status) {
    if ((status & DSA_STATUS_MASK) == MEMLIFT_DSA_COMP_STATUS_PAGE_FAULT)
      continue; // with no bytes: resumed
    dsa_faults faults = {};
    faults.status_at = 2;
    faults.status = status;
    start(faults);
    Operation op(MEMLIFT_OPERATION_FILL, 256 * KiB, 0);
    ASSERT_TRUE(op.offload(alone()));
    ASSERT_TRUE(op.right()) << status;
  }
}

TEST_F(Dsa, MoreBytesThanAskedForAreNotBelieved) {
  dsa_faults faults = {};
  faults.too_many_at = 2;
  start(faults);
  Counted counted;
  Operation op(MEMLIFT_OPERATION_FILL, MiB, 0);
  ASSERT_TRUE(op.offload(alone()));
  ASSERT_TRUE(op.right());
  EXPECT_EQ(counted.since().faults, 1u);
  EXPECT_EQ(counted.since().time_outs, 0u);
  EXPECT_EQ(counted.since().engine_bytes + counted.since().cpu_bytes, bodyOf(op));
}

TEST_F(Dsa, ABatchThatIsNotRunIsTheCpus) {
  for (uint32_t status : {MEMLIFT_DSA_COMP_STATUS_BATCH_FAULT, MEMLIFT_DSA_COMP_STATUS_BAD_COUNT,
                          MEMLIFT_DSA_COMP_STATUS_OK, MEMLIFT_DSA_COMP_STATUS_BATCH_FAILED})
    for (uint32_t at : {1u, 2u}) {
      dsa_faults faults = {};
      faults.batch_at = at;
      faults.batch_status = status;
      start(faults);
      memlift_engine engine = alone();
      engine.min_batch = 256 * KiB;
      engine.max_bytes = 32 * KiB; // eight descriptors a batch
      Counted counted;
      Operation op(MEMLIFT_OPERATION_COPY, 2 * MiB, 3);
      ASSERT_TRUE(op.offload(engine));
      ASSERT_TRUE(op.right()) << status << " " << at;
      EXPECT_EQ(counted.since().time_outs, 0u); // known at once
      EXPECT_GT(model.batches, at - 1);
    }
}

// The record comes, and the bytes are spoiled, long after the client has given up waiting.
TEST_F(Dsa, ALateDescriptorNeverWritesAfterTheReturn) {
  for (auto operation : both) {
    dsa_faults faults = {};
    faults.late_at = 2;
    faults.late_ns = 5000000000u;
    start(faults);
    Counted counted;
    Operation op(operation, MiB, 5);
    ASSERT_TRUE(op.offload(alone()));
    later();
    ASSERT_TRUE(op.right());
    EXPECT_GT(counted.since().time_outs, 0u);
  }
}

TEST_F(Dsa, ADeviceThatGoesCostsNoData) {
  for (uint32_t at : {1u, 2u, 4u}) {
    dsa_faults faults = {};
    faults.remove_at = at;
    start(faults);
    Operation op(MEMLIFT_OPERATION_COPY, 8 * MiB, 5);
    ASSERT_TRUE(op.offload(alone()));
    later();
    ASSERT_TRUE(op.right()) << at;
  }
}

// ---- Who may use it ----------------------------------------------------------------------------

TEST_F(Dsa, AChildUsesTheCpu) {
  start();
  expectChildOnCpu();
}

// As Linux's driver, which answers EPERM; neither a copy nor a fill of the child's comes that far.
TEST_F(Dsa, AQueueIsOneProcesss) {
  start();
  pid_t child = fork();
  if (child == 0) {
    alignas(64) unsigned char descriptor[64] = {};
    Bytes from = randomBytes(MiB, 1), to(MiB);
    memlift_copy(to.data(), from.data(), MiB);
    memlift_fill8(to.data(), 1, MiB);
    bool asked =
        model.strangers != 0 || memlift_session_acquire(&memlift_engine_dsa) != MEMLIFT_NOT_PRESENT;
    _exit(asked || memlift_dsa_model_transport.submit(descriptor) != DSA_GONE || model.gone);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// Eight threads, random operations, random faults: no wrong byte.
TEST_F(Dsa, ManyThreadsUnderRandomFaults) {
  const bool all = getenv("MEMLIFT_TEST_LONG") != nullptr;
  const int rounds = all ? 125000 : sanitized ? 100 : 1000;
  dsa_faults faults = {};
  faults.per_mille = 20;
  start(faults);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  Counted counted;
  for (unsigned t = 0; t < 8; ++t)
    threads.emplace_back([t, rounds, &wrong] {
      std::mt19937_64 random(testSeed() + t);
      const size_t largest = 256 * KiB;
      Bytes source = randomBytes(largest + 128, testSeed() + t), memory(largest + 256);
      Bytes expected(memory);
      for (int i = 0; i < rounds; ++i) {
        size_t size = 1 + random() % largest, to = 64 + random() % 64, from = random() % 128;
        uint64_t pattern = random();
        if (random() % 2) {
          memlift_copy(memory.data() + to, source.data() + from, size);
          std::copy_n(source.begin() + static_cast<long>(from), size,
                      expected.begin() + static_cast<long>(to));
        } else {
          memlift_fill_pattern(memory.data() + to, pattern, 8, size);
          writePattern(&expected[to], size, pattern);
        }
        wrong += memory != expected;
      }
    });
  for (auto &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0) << "MEMLIFT_TEST_SEED=" << testSeed();
  EXPECT_GT(counted.since().engine_bytes, 0u);
}

// ---- The model ---------------------------------------------------------------------------------

class DsaModel : public Dsa {
protected:
  void SetUp() override {
    Dsa::SetUp();
    dsa_limits limits;
    memlift_dsa_model_transport.open(&limits);
  }
  void prepare() {
    from = randomBytes(1000, 1), to.assign(1000, 0);
    memset(record, 0, sizeof record);
    memset(descriptor, 0, sizeof descriptor);
    MEMLIFT_PUT(descriptor, DSA_DESC, FLAGS, 0xc);
    MEMLIFT_PUT(descriptor, DSA_DESC, OPCODE, 3);
    MEMLIFT_PUT(descriptor, DSA_DESC, COMPLETION, reinterpret_cast<uintptr_t>(record));
    MEMLIFT_PUT(descriptor, DSA_DESC, SOURCE, reinterpret_cast<uintptr_t>(from.data()));
    MEMLIFT_PUT(descriptor, DSA_DESC, DESTINATION, reinterpret_cast<uintptr_t>(to.data()));
    MEMLIFT_PUT(descriptor, DSA_DESC, SIZE, 1000);
  }
  unsigned run() {
    EXPECT_EQ(memlift_dsa_model_transport.submit(descriptor), DSA_TAKEN);
    later();
    return record[0];
  }
  alignas(64) unsigned char descriptor[64];
  alignas(64) unsigned char record[32];
  Bytes from, to;
};

TEST_F(DsaModel, ObeysARightDescriptor) {
  prepare();
  ASSERT_EQ(run(), unsigned(MEMLIFT_DSA_COMP_STATUS_OK));
  EXPECT_EQ(to, from);
  prepare();
  MEMLIFT_PUT(descriptor, DSA_DESC, OPCODE, 4);
  MEMLIFT_PUT(descriptor, DSA_DESC, SOURCE, 0x0807060504030201u);
  ASSERT_EQ(run(), unsigned(MEMLIFT_DSA_COMP_STATUS_OK));
  for (size_t j = 0; j < to.size(); ++j)
    ASSERT_EQ(to[j], 1 + j % 8);
}

TEST_F(DsaModel, RefusesEveryReservedBitAndFlag) {
  for (unsigned bit = 0; bit < 512; ++bit) {
    bool address = bit >= 64 && bit < 288; // completion, source, destination, size
    bool opcode = bit >= 56 && bit < 64, asked = bit == 34 || bit == 35;
    if (address || opcode || asked)
      continue;
    prepare();
    descriptor[bit / 8] |= static_cast<unsigned char>(1u << bit % 8);
    ASSERT_EQ(run(), bit >= 32 && bit < 56 ? unsigned(MEMLIFT_DSA_COMP_STATUS_BAD_FLAGS)
                                           : unsigned(MEMLIFT_DSA_COMP_STATUS_RESERVED))
        << bit;
    ASSERT_EQ(to, Bytes(1000, 0)) << bit;
  }
}

TEST_F(DsaModel, RefusesWhatMakesNoSense) {
  for (unsigned opcode : {2u, 5u, 9u, 0x10u, 0x11u, 0x20u, 0xffu}) {
    prepare();
    MEMLIFT_PUT(descriptor, DSA_DESC, OPCODE, opcode);
    EXPECT_EQ(run(), unsigned(MEMLIFT_DSA_COMP_STATUS_BAD_OPCODE)) << opcode;
  }
  prepare();
  MEMLIFT_PUT(descriptor, DSA_DESC, SIZE, 0);
  EXPECT_EQ(run(), unsigned(MEMLIFT_DSA_COMP_STATUS_BAD_SIZE));
  prepare();
  MEMLIFT_PUT(descriptor, DSA_DESC, SIZE, model.limits.max_bytes + 1);
  EXPECT_EQ(run(), unsigned(MEMLIFT_DSA_COMP_STATUS_BAD_SIZE));
  prepare();
  MEMLIFT_PUT(descriptor, DSA_DESC, SOURCE, reinterpret_cast<uintptr_t>(to.data()) + 999);
  EXPECT_EQ(run(), unsigned(MEMLIFT_DSA_COMP_STATUS_OVERLAP));
  for (unsigned count : {0u, 1u, 17u}) {
    prepare();
    MEMLIFT_PUT(descriptor, DSA_DESC, OPCODE, 1);
    MEMLIFT_PUT(descriptor, DSA_DESC, SOURCE, 64);
    MEMLIFT_PUT(descriptor, DSA_DESC, SIZE, count);
    EXPECT_EQ(run(), unsigned(MEMLIFT_DSA_COMP_STATUS_BAD_COUNT)) << count;
  }
  prepare();
  MEMLIFT_PUT(descriptor, DSA_DESC, OPCODE, 1);
  MEMLIFT_PUT(descriptor, DSA_DESC, SOURCE, 32);
  MEMLIFT_PUT(descriptor, DSA_DESC, SIZE, 2);
  EXPECT_EQ(run(), unsigned(MEMLIFT_DSA_COMP_STATUS_LIST_ALIGN));
}

TEST_F(DsaModel, SaysExactlyHowFarItCame) {
  Guarded memory(8192);
  prepare();
  MEMLIFT_PUT(descriptor, DSA_DESC, DESTINATION, reinterpret_cast<uintptr_t>(memory.end() - 600));
  ASSERT_EQ(run(), unsigned(MEMLIFT_DSA_COMP_STATUS_PAGE_FAULT | MEMLIFT_DSA_COMP_STATUS_WRITE));
  uint64_t bytes = MEMLIFT_GET(record, DSA_COMP, BYTES);
  EXPECT_LE(bytes, 600u);
  EXPECT_EQ(memcmp(memory.end() - 600, from.data(), bytes), 0);
  prepare();
  MEMLIFT_PUT(descriptor, DSA_DESC, SOURCE, reinterpret_cast<uintptr_t>(memory.end() - 600));
  EXPECT_EQ(run(), unsigned(MEMLIFT_DSA_COMP_STATUS_PAGE_FAULT));
}

} // namespace
