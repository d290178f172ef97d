// dax_linux_test.cpp - the way through /dev/oradax: a driver in place of the system calls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver here reads and writes what Linux's oradax.c does: blocks at an offset that is the
// number of a completion area, commands of 4 bytes, results of 16, in SPARC's byte order; and as
// there, what was not taken whole has to be read before anything else is taken. The driver
// calls the model.

#include "dax_support.h"

#include "engine/dax/dax_linux.h"

#include <cerrno>
#include <fcntl.h>

namespace {

struct Driver {
  int opened = 0, mapped = 0, calls = 0, fail_at = 0, error = 0, wrong = 0;
  int kill_error = 0; // of every kill
  int closed = -1, stolen = 0;
  std::string only = "/dev/oradax1";
  bool must_read[2] = {};
  unsigned char result[16];
};
Driver driver;
const dax_transport &door = memlift_dax_model_transport;

// Does this call fail, as asked for?
bool fails() {
  if (++driver.calls != driver.fail_at)
    return false;
  errno = driver.error;
  return true;
}

constexpr int First = 4711; // file of the first open, the second is one more
int indexOf(int fd) {
  EXPECT_TRUE(fd == First || fd == First + 1);
  return fd - First;
}

int drvOpen(const char *path, int flags, ...) {
  EXPECT_EQ(flags, O_RDWR | O_CLOEXEC);
  errno = ENOENT;
  if (path != driver.only)
    return -1;
  if (driver.opened == 0)
    door.open();
  return First + driver.opened++;
}

int drvClose(int fd) {
  indexOf(fd);
  EXPECT_EQ(driver.mapped, 0); // a mapping would hold the file open
  if (--driver.opened == 0)
    door.close();
  return 0;
}

ssize_t drvPwrite(int fd, const void *bytes, size_t size, off_t area) {
  unsigned count = static_cast<unsigned>(size / 64), first = static_cast<unsigned>(area);
  driver.wrong += driver.must_read[indexOf(fd)] || size == 0 || size % 64 || size > 15 * 64;
  driver.wrong += first + count > 128;
  if (fails())
    return -1;
  uint32_t why = 0;
  unsigned taken = door.submit(static_cast<const unsigned char *>(bytes), count,
                               first + 128 * static_cast<unsigned>(indexOf(fd)), &why);
  if (taken == 0 && why == DAX_GONE) {
    errno = ENODEV;
    return -1;
  }
  driver.must_read[indexOf(fd)] = taken != count;
  memset(driver.result, 0, sizeof driver.result);
  driver.result[11] = static_cast<unsigned char>(why); // a 32-bit word at 8, big-endian
  return static_cast<ssize_t>(taken) * 64;
}

int answered(dax_answer answer) {
  errno = answer == DAX_ASK_AGAIN ? EAGAIN : answer == DAX_NOT_YOURS ? EUSERS : ENODEV;
  return answer == DAX_ANSWERED ? 4 : -1;
}

ssize_t drvWrite(int fd, const void *bytes, size_t size) {
  const unsigned char *b = static_cast<const unsigned char *>(bytes);
  driver.wrong += driver.must_read[indexOf(fd)] || size != 4 || b[0] != 0 || b[1] > 2;
  if (fails())
    return -1;
  if (b[1] == 0 && driver.kill_error) {
    errno = driver.kill_error;
    return -1;
  }
  unsigned offset = b[2] * 256u + b[3];
  driver.wrong += offset % 128 != 0 || offset >= 16384;
  memset(driver.result, 0, sizeof driver.result);
  uint32_t value = 0;
  if (b[1] == 2)
    return 4; // dequeue has no result
  unsigned area = offset / 128 + 128 * static_cast<unsigned>(indexOf(fd));
  int done = answered(b[1] == 0 ? door.kill(area, &value) : door.info(area, &value));
  driver.result[1] = static_cast<unsigned char>(value); // a 16-bit word at 0, big-endian
  driver.must_read[indexOf(fd)] = done == 4;
  return done;
}

ssize_t drvRead(int fd, void *bytes, size_t size) {
  driver.wrong += size != 16 || !driver.must_read[indexOf(fd)];
  driver.must_read[indexOf(fd)] = false; // even if it fails
  if (fails())
    return -1;
  memcpy(bytes, driver.result, sizeof driver.result);
  return 16;
}

// First a place for all, then each device's areas there: the model's own. In the end zeros.
void *drvMmap(void *where, size_t size, int protection, int flags, int fd, off_t offset) {
  EXPECT_EQ(offset, 0);
  if (fd < 0 && protection == PROT_READ) {
    EXPECT_EQ(where, DaxTest::model.areas[0]);
    EXPECT_EQ(size, 2 * 16384u);
    EXPECT_EQ(flags, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED);
    --driver.mapped;
    return where;
  }
  if (fails())
    return MAP_FAILED;
  if (fd < 0) {
    EXPECT_EQ(size, 2 * 16384u);
    EXPECT_EQ(protection, PROT_NONE);
    ++driver.mapped;
    return DaxTest::model.areas[0];
  }
  EXPECT_EQ(size, 16384u);
  EXPECT_EQ(protection, PROT_READ);
  EXPECT_EQ(flags, MAP_SHARED | MAP_FIXED);
  EXPECT_EQ(where, DaxTest::model.areas[128 * indexOf(fd)]);
  return where;
}

int drvMunmap(void *, size_t) {
  ADD_FAILURE() << "a thread may be watching an area";
  return -1;
}

// Whoever closes the files of the device gives their numbers another meaning.
int drvIdentify(int fd, memlift_identity *identity) {
  *identity = {1, uint64_t(driver.stolen), 3};
  return fd != driver.closed;
}

const dax_calls calls = {drvOpen, drvClose,  drvPwrite, drvWrite,    drvRead,
                         drvMmap, drvMunmap, nullptr,   drvIdentify, nullptr};

class DaxLinux : public DaxTest {
protected:
  void SetUp() override {
    DaxTest::SetUp();
    system = memlift_dax_calls;
    memlift_dax_calls = &calls;
    driver = Driver();
    way = memlift_dax_linux;
    way.now = door.now; // time is the model's
    way.pause = door.pause;
    way.rest = door.rest;
    memlift_dax_use(&way);
  }
  void TearDown() override {
    DaxTest::TearDown();
    EXPECT_EQ(driver.opened, 0);
    EXPECT_EQ(driver.mapped, 0);
    EXPECT_EQ(driver.wrong, 0);
    memlift_dax_calls = system;
  }
  const dax_calls *system = nullptr;
  dax_transport way;
};

constexpr size_t MiB = 1 << 20;

TEST_F(DaxLinux, NoDeviceIsSaid) {
  driver.only = "";
  EXPECT_EQ(memlift_engine_start("dax"), MEMLIFT_NOT_PRESENT);
  const char *reason = "";
  EXPECT_EQ(memlift_engine_dax.probe(&reason), MEMLIFT_NOT_PRESENT);
  EXPECT_STREQ(reason, "no /dev/oradax1 and no /dev/oradax2");
}

TEST_F(DaxLinux, EitherDeviceWorks) {
  for (const char *path : {"/dev/oradax1", "/dev/oradax2"}) {
    driver.only = path;
    start();
    for (auto operation : {MEMLIFT_OPERATION_COPY, MEMLIFT_OPERATION_FILL}) {
      Counted counted;
      Operation op(operation, 3 * MiB + 5, 7);
      ASSERT_TRUE(op.offload(alone()));
      ASSERT_TRUE(op.right());
      EXPECT_GT(counted.since().engine_bytes, MiB);
      EXPECT_EQ(counted.since().faults, 0u);
    }
  }
}

TEST_F(DaxLinux, WhatWasAcceptedIsSaidAndWhy) {
  dax_faults faults = {};
  faults.accept_at = 1;
  faults.accept_most = 2;
  start(faults);
  Bytes memory(64 * 1024);
  alignas(64) unsigned char blocks[4][64];
  uintptr_t to = (reinterpret_cast<uintptr_t>(memory.data()) + 63) & ~uintptr_t(63);
  for (unsigned i = 0; i < 4; ++i)
    memlift_dax_put_copy(blocks[i], to + i * 1024, to + 8192, 1024);
  uint32_t why = 99;
  EXPECT_EQ(memlift_dax_linux.submit(blocks[0], 4, 5, &why), 2u);
  EXPECT_EQ(why, unsigned(MEMLIFT_DAX_EXEC_WOULD_BLOCK));
  EXPECT_EQ(memlift_dax_linux.submit(blocks[2], 2, 7, &why), 2u);
  uint32_t state = 99, action = 99;
  EXPECT_EQ(memlift_dax_linux.info(8, &state), DAX_ANSWERED);
  EXPECT_EQ(state, unsigned(MEMLIFT_DAX_INFO_QUEUED));
  EXPECT_EQ(memlift_dax_linux.kill(8, &action), DAX_ANSWERED);
  EXPECT_EQ(action, unsigned(MEMLIFT_DAX_KILLED_DEQUEUED));
  later();
  EXPECT_EQ(memlift_dax_linux.kill(7, &action), DAX_ANSWERED);
  EXPECT_EQ(action, unsigned(MEMLIFT_DAX_KILLED_COMPLETED));
}

TEST_F(DaxLinux, AMappingThatFailsClosesTheDevices) {
  for (int call : {1, 2, 3}) {
    driver = Driver();
    driver.fail_at = call;
    driver.error = EAGAIN;
    EXPECT_EQ(memlift_engine_start("dax"), MEMLIFT_NO_RESOURCES);
    EXPECT_EQ(driver.opened, 0);
    EXPECT_EQ(driver.mapped, 0);
  }
}

// Each call in turn fails in each way: the bytes are right, and the driver's protocol is kept.
TEST_F(DaxLinux, AnyCallMayFail) {
  dax_faults faults = {};
  faults.accept_at = 2; // so that there is something to read
  faults.accept_most = 1;
  faults.lose_at = 3; // and to kill
  for (int error : {EAGAIN, EINVAL, EIO, ENODEV, EINTR, EUSERS})
    for (int call = 2; call < 30; ++call) {
      ASSERT_EQ(driver.wrong, 0) << strerror(error) << " before call " << call;
      driver = Driver();
      start(faults);
      driver.calls = 0;
      driver.fail_at = call - 1;
      driver.error = error;
      Operation op(MEMLIFT_OPERATION_COPY, MiB, 5);
      ASSERT_TRUE(op.offload(alone()));
      later();
      ASSERT_TRUE(op.right()) << strerror(error) << " at call " << call;
      memlift_engine_stop();
    }
}

// EUSERS is not the end of a device, as EIO is: it is closed to keep the promise of an abort, and
// used on.
TEST_F(DaxLinux, ADeviceOfAnotherThreadIsNotGone) {
  for (int error : {EUSERS, EIO}) {
    dax_faults faults = {};
    faults.lose_at = 1;
    start(faults);
    uint32_t value = 0;
    driver.calls = 0, driver.fail_at = 1, driver.error = error;
    EXPECT_EQ(memlift_dax_linux.info(0, &value), error == EUSERS ? DAX_NOT_YOURS : DAX_NO_DEVICE);
    driver.calls = 0;
    EXPECT_EQ(memlift_dax_linux.kill(0, &value), error == EUSERS ? DAX_NOT_YOURS : DAX_NO_DEVICE);
    alignas(64) unsigned char block[64] = {};
    driver.calls = 0;
    EXPECT_EQ(memlift_dax_linux.submit(block, 1, 0, &value), 0u);
    EXPECT_EQ(value, error == EUSERS ? unsigned(MEMLIFT_DAX_EXEC_WRONG_THREAD) : DAX_GONE);
    driver.kill_error = error;
    Operation op(MEMLIFT_OPERATION_COPY, 256 * 1024, 5);
    EXPECT_TRUE(op.offload(alone()));
    EXPECT_TRUE(op.right());
    driver.kill_error = 0;
    Operation next(MEMLIFT_OPERATION_COPY, 256 * 1024, 5);
    EXPECT_EQ(next.offload(alone()), error == EUSERS) << strerror(error);
  }
}

TEST_F(DaxLinux, RandomOperationsUnderRandomFaults) {
  dax_faults faults = {};
  faults.per_mille = 30;
  start(faults);
  std::mt19937_64 random(testSeed());
  for (int i = 0; i < (sanitized ? 100 : 500); ++i) {
    memlift_dax_assume_pages(DAX_LARGEST_PAGE);
    Operation op(random() % 2 ? MEMLIFT_OPERATION_COPY : MEMLIFT_OPERATION_FILL,
                 1024 + random() % 300000, random() % 30);
    ASSERT_TRUE(op.offload(memlift_engine_dax));
    ASSERT_TRUE(op.right()) << "round " << i << ", MEMLIFT_TEST_SEED=" << testSeed();
  }
}

} // namespace
