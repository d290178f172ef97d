// dsa_linux_test.cpp - the ways to a DSA through Linux: sysfs, portals and write(2), put on here
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "engine_support.h"

#include "engine/dsa/dsa_linux.h"
#include "model/dsa_model.h"

#include <cerrno>
#include <fcntl.h>
#include <map>

namespace {

constexpr size_t MiB = 1 << 20;
const dsa_transport &door = memlift_dsa_model_transport;

struct Machine {
  std::map<std::string, std::string> files; // of sysfs
  std::string queue = "/dev/dsa/wq1.2";
  int opened = 0, mapped = 0, posts = 0, enqueues = 0, writes = 0, mayMap = 1;
  int failWriteAt = 0, error = 0;
  int node = 0;      // of the processor
  std::string taken; // the queue that was opened last
  std::string reading;
};
Machine machine;
constexpr int File = 100, Device = 4711;
unsigned char page[4096];

int sysOpen(const char *path, int flags) {
  errno = ENOENT;
  auto file = machine.files.find(path);
  if (file != machine.files.end()) {
    EXPECT_EQ(flags, O_RDONLY | O_CLOEXEC);
    machine.reading = file->second;
    return File;
  }
  if (machine.queue != "any" && path != machine.queue)
    return -1;
  if (machine.queue == "any" && std::string(path).rfind("/dev/dsa/", 0) != 0)
    return -1;
  EXPECT_EQ(flags, O_RDWR | O_CLOEXEC);
  ++machine.opened;
  machine.taken = path;
  dsa_limits limits;
  door.open(&limits);
  return Device;
}

int sysClose(int fd) {
  if (fd == Device) {
    EXPECT_EQ(machine.mapped, 0);
    if (--machine.opened == 0)
      door.close();
  }
  return 0;
}

ssize_t sysRead(int fd, void *bytes, size_t size) {
  EXPECT_EQ(fd, File);
  size_t n = machine.reading.copy(static_cast<char *>(bytes), size);
  return static_cast<ssize_t>(n);
}

ssize_t sysWrite(int fd, const void *bytes, size_t size) {
  EXPECT_EQ(fd, Device);
  EXPECT_EQ(size, 64u);
  const unsigned char *descriptor = static_cast<const unsigned char *>(bytes);
  EXPECT_NE(MEMLIFT_GET(descriptor, DSA_DESC, OPCODE), unsigned(MEMLIFT_DSA_DESC_OP_BATCH));
  if (++machine.writes == machine.failWriteAt) {
    errno = machine.error;
    return -1;
  }
  switch (door.submit(descriptor)) {
  case DSA_TAKEN: return 64;
  case DSA_QUEUE_FULL: errno = EAGAIN; return -1;
  default: errno = ENODEV; return -1;
  }
}

void *sysMmap(size_t size, int fd) {
  EXPECT_EQ(size, 4096u);
  EXPECT_EQ(fd, Device);
  machine.mapped += machine.mayMap;
  return machine.mayMap ? page : nullptr;
}

int sysMunmap(void *where, size_t size) {
  EXPECT_EQ(where, page);
  EXPECT_EQ(size, 4096u);
  --machine.mapped;
  return 0;
}

int sysNode() { return machine.node; }

int sysIdentify(int fd, memlift_identity *identity) {
  *identity = {1, 2, 3};
  return fd == Device;
}

void movdir(void *portal, const unsigned char *descriptor) {
  EXPECT_EQ(portal, page);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(descriptor) % 64, 0u);
  ++machine.posts;
  door.submit(descriptor);
}

int enqcmd(void *portal, const unsigned char *descriptor) {
  EXPECT_EQ(portal, page);
  ++machine.enqueues;
  return door.submit(descriptor) == DSA_TAKEN;
}

class DsaLinux : public testing::Test {
protected:
  void SetUp() override {
    memlift_dsa_model_reset(&model, testSeed());
    memlift_dsa_model = &model;
    const char *reason;
    if (door.probe(&reason) != MEMLIFT_OK)
      GTEST_SKIP() << reason;
    machine = Machine();
    describe("dedicated");
    calls = {sysOpen, sysClose, sysWrite, sysRead,     sysMmap, sysMunmap, movdir,
             enqcmd,  nullptr,  nullptr,  sysIdentify, nullptr, sysNode};
    memlift_dsa_calls = &calls;
    way = memlift_dsa_linux;
    way.now = door.now; // time is the model's
    way.pause = door.pause;
    memlift_dsa_use(&way);
  }
  void TearDown() override {
    memlift_engine_stop();
    EXPECT_EQ(machine.opened, 0);
    EXPECT_EQ(machine.mapped, 0);
    memlift_dsa_use(nullptr);
    memlift_dsa_calls = nullptr;
    memlift_dsa_model = nullptr;
  }
  static void describe(const char *mode, const std::string &name = "wq1.2") {
    const std::string folder = "/sys/bus/dsa/devices/" + name + "/";
    machine.files[folder + "state"] = "enabled\n";
    machine.files[folder + "type"] = "user\n";
    machine.files[folder + "mode"] = std::string(mode) + "\n";
    machine.files[folder + "size"] = "16\n";
    machine.files[folder + "threshold"] = "8\n";
    machine.files[folder + "max_transfer_size"] = "65536\n";
    machine.files[folder + "max_batch_size"] = "16\n";
  }
  void work() {
    ASSERT_EQ(memlift_engine_start("dsa"), MEMLIFT_OK);
    memlift_engine engine = memlift_engine_dsa;
    engine.shares = 0;
    for (auto operation : {MEMLIFT_OPERATION_COPY, MEMLIFT_OPERATION_FILL}) {
      Counted counted;
      Operation op(operation, 5 * MiB + 5, 7);
      ASSERT_TRUE(op.offload(engine));
      ASSERT_TRUE(op.right());
      EXPECT_EQ(counted.since().cpu_bytes, 0u);
    }
    EXPECT_EQ(model.refused, 0u);
    EXPECT_EQ(model.overflowed, 0u);
  }
  dsa_calls calls;
  dsa_transport way;
  static dsa_model model;
};
dsa_model DsaLinux::model;

TEST_F(DsaLinux, ADedicatedQueueIsPostedTo) {
  model.limits.depth = 16;
  model.dedicated = 1;
  work();
  EXPECT_GT(machine.posts, 0);
  EXPECT_EQ(machine.enqueues + machine.writes, 0);
  EXPECT_GT(model.batches, 0u);
}

TEST_F(DsaLinux, ASharedQueueIsEnqueuedTo) {
  describe("shared");
  model.faults.no_room_at = 3;
  model.faults.no_room_count = 2;
  Counted counted;
  work();
  EXPECT_EQ(counted.since().time_outs, 0u);
  EXPECT_GT(machine.enqueues, 0);
  EXPECT_EQ(machine.posts + machine.writes, 0);
}

TEST_F(DsaLinux, WithoutThePortalItIsWrittenTo) {
  machine.mayMap = 0; // an ordinary user, where INTEL-SA-01084 holds
  work();
  EXPECT_GT(machine.writes, 0);
  EXPECT_EQ(machine.posts, 0);
  EXPECT_EQ(model.batches, 0u);
}

TEST_F(DsaLinux, WithoutTheInstructionItIsWrittenTo) {
  calls.post = nullptr;
  work();
  EXPECT_GT(machine.writes, 0);
  memlift_engine_stop();
  describe("shared");
  calls.enqueue = nullptr;
  work();
  EXPECT_EQ(machine.enqueues, 0);
}

TEST_F(DsaLinux, AWriteThatFailsCostsNoData) {
  machine.mayMap = 0;
  for (int error : {EAGAIN, EINTR, ENODEV, EIO, EPERM})
    for (int at = 1; at < 20; ++at) {
      machine.writes = 0;
      machine.failWriteAt = at;
      machine.error = error;
      ASSERT_EQ(memlift_engine_start("dsa"), MEMLIFT_OK);
      memlift_engine engine = memlift_engine_dsa;
      engine.shares = 0;
      Counted counted;
      Operation op(MEMLIFT_OPERATION_COPY, MiB, 7);
      ASSERT_TRUE(op.offload(engine));
      ASSERT_TRUE(op.right()) << strerror(error) << " at write " << at;
      EXPECT_EQ(counted.since().time_outs, 0u);
      if (error == EAGAIN || error == EINTR) {
        EXPECT_EQ(counted.since().cpu_bytes, 0u) << "at write " << at;
      }
      memlift_engine_stop();
    }
}

TEST_F(DsaLinux, OnlyAQueueThatMayBeUsedIsTaken) {
  const std::string folder = "/sys/bus/dsa/devices/wq1.2/";
  const char *reason = "";
  for (auto [file, value] : {std::pair("state", "disabled\n"), std::pair("type", "kernel\n"),
                             std::pair("max_transfer_size", "0\n"), std::pair("size", "")}) {
    describe("dedicated");
    machine.files[folder + file] = value;
    EXPECT_EQ(memlift_engine_dsa.probe(&reason), MEMLIFT_NOT_PRESENT) << file;
    EXPECT_STREQ(reason, "no enabled work queue of type user in /sys/bus/dsa/devices");
  }
  describe("dedicated");
  machine.queue = "";
  EXPECT_EQ(memlift_engine_start("dsa"), MEMLIFT_NOT_PRESENT);
  EXPECT_EQ(memlift_engine_dsa.probe(&reason), MEMLIFT_NOT_PRESENT);
  EXPECT_STREQ(reason, "no work queue of /dev/dsa may be opened by this user");
}

// Devices are numbered with other accelerators, and with those of all sockets.
TEST_F(DsaLinux, AnyNumberIsFound) {
  for (const char *name : {"wq16.0", "wq63.7", "wq255.3"}) {
    machine = Machine();
    machine.queue = "any";
    describe("dedicated", name);
    ASSERT_EQ(memlift_engine_start("dsa"), MEMLIFT_OK) << name;
    EXPECT_EQ(machine.taken, std::string("/dev/dsa/") + name);
    memlift_engine_stop();
  }
}

TEST_F(DsaLinux, TheNearQueueIsTakenFirst) {
  const std::string folder = "/sys/bus/dsa/devices/";
  for (int node : {0, 1, 2, 7, -1}) {
    machine = Machine();
    machine.queue = "any";
    machine.node = node;
    describe("dedicated", "wq0.0");
    describe("dedicated", "wq2.1");
    describe("dedicated", "wq20.0");
    machine.files[folder + "dsa0/numa_node"] = "0\n";
    machine.files[folder + "dsa2/numa_node"] = "1\n";
    machine.files[folder + "dsa20/numa_node"] = "2\n";
    ASSERT_EQ(memlift_engine_start("dsa"), MEMLIFT_OK);
    const char *wanted = node == 1 ? "wq2.1" : node == 2 ? "wq20.0" : "wq0.0"; // else any
    EXPECT_EQ(machine.taken, std::string("/dev/dsa/") + wanted) << node;
    memlift_engine_stop();
  }
  machine.node = 2; // near, but not for this user
  machine.queue = "/dev/dsa/wq2.1";
  ASSERT_EQ(memlift_engine_start("dsa"), MEMLIFT_OK);
  EXPECT_EQ(machine.taken, "/dev/dsa/wq2.1");
  memlift_engine_stop();
  machine.files[folder + "dsa0/numa_node"] = "-1\n"; // one that is not told
  machine.queue = "any";
  ASSERT_EQ(memlift_engine_start("dsa"), MEMLIFT_OK);
  EXPECT_EQ(machine.taken, "/dev/dsa/wq0.0");
}

} // namespace
