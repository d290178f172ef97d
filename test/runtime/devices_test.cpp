// devices_test.cpp - open files of devices: closed by the program, inherited by children
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends engine/devices.h: nothing is written into, nor closed, what has got a device's number
// since; the engine is given up, once, and says so. A child holds no file and no page of its
// parent's devices, so that closing them in the parent is what the driver takes for the end; it is
// told that it has no engine, and may start its own. The devices are real files here: the write end
// of a pipe, whose other end tells when the last of its descriptors has gone.
#include "engine_support.h"

#include "engine/dax/dax.h"
#include "engine/dax/dax_linux.h"
#include "engine/devices.h"
#include "engine/dsa/dsa_linux.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace {

constexpr size_t MiB = 1 << 20;

// ---- Two devices of files -----------------------------------------------------------------------

struct Door {
  std::vector<int> ends; // to be read from, of every open
  std::vector<int> files;
  int writes = 0;
  void *page = nullptr;
  bool portal = false;
};
Door door;

int openPipe() {
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  door.ends.push_back(ends[0]);
  return ends[1];
}

// Is there no descriptor of the open with that index any more, in any process? The driver drains
// then.
bool isReleased(size_t index) {
  char byte;
  return read(door.ends.at(index), &byte, 1) == 0;
}

int raised(int fd) {
  int high = memlift_device_raise(fd);
  door.files.push_back(high);
  return high;
}

int dontFork(void *where, size_t size) { return madvise(where, size, MADV_DONTFORK); }

ssize_t count(int fd, const void *bytes, size_t size) {
  struct stat is;
  ++door.writes;
  if (fstat(fd, &is) == 0 && !S_ISFIFO(is.st_mode)) // it is the program's, and is spoiled
    return write(fd, bytes, size);
  return static_cast<ssize_t>(size);
}

int dsaOpen(const char *path, int) {
  static const std::pair<const char *, const char *> attributes[] = {
      {"/state", "enabled\n"},
      {"/type", "user\n"},
      {"/mode", "dedicated\n"},
      {"/size", "16\n"},
      {"/max_transfer_size", "2097152\n"},
      {"/max_batch_size", "1\n"}};
  std::string name = path;
  if (name == "/dev/dsa/wq0.0")
    return openPipe();
  if (name.find("wq0.0") != std::string::npos)
    for (auto &a : attributes)
      if (name.find(a.first) != std::string::npos) {
        int ends[2];
        EXPECT_EQ(pipe(ends), 0);
        EXPECT_GT(write(ends[1], a.second, strlen(a.second)), 0);
        close(ends[1]);
        return ends[0];
      }
  errno = ENOENT;
  return -1;
}

void *dsaMap(size_t size, int) {
  door.page = door.portal
                  ? mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                  : nullptr;
  return door.page;
}

// Completes at once, and does nothing: the bytes do not matter here.
void post(void *, const unsigned char *) { ++door.writes; }

const dsa_calls dsaCalls = {dsaOpen, close,   count,  read,    dsaMap,   munmap, post,
                            nullptr, nullptr, raised, nullptr, dontFork, nullptr};

int daxOpen(const char *path, int, ...) {
  errno = ENOENT;
  return std::string(path) == "/dev/oradax1" ? openPipe() : -1;
}
ssize_t daxWriteAt(int fd, const void *bytes, size_t size, off_t) {
  count(fd, bytes, size);
  errno = EINVAL;
  return -1;
}
void *daxMap(void *where, size_t size, int, int flags, int fd, off_t) {
  const int fixed = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE);
  void *memory =
      mmap(where, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0);
  if (fd >= 0)
    door.page = memory;
  return memory;
}
const dax_calls daxCalls = {daxOpen, close,  daxWriteAt, count,   read,
                            daxMap,  munmap, raised,     nullptr, dontFork};

class Devices : public testing::Test {
protected:
  void SetUp() override {
    door = Door();
    daxBefore = memlift_dax_calls;
    memlift_dsa_calls = &dsaCalls;
    memlift_dax_calls = &daxCalls;
  }
  void TearDown() override {
    memlift_engine_stop();
    memlift_dsa_calls = nullptr;
    memlift_dax_calls = daxBefore;
    for (int end : door.ends)
      close(end);
  }
  const dax_calls *daxBefore = nullptr;
};

std::string engineInUse() {
  memlift_description d;
  EXPECT_EQ(memlift_describe(&d, sizeof d), MEMLIFT_OK);
  EXPECT_EQ(d.engine_min == SIZE_MAX, std::string(d.engine) == "cpu");
  return d.engine;
}

void copySomething() {
  Bytes from = randomBytes(MiB, 1), to(MiB);
  memlift_copy(to.data(), from.data(), MiB);
  EXPECT_EQ(from, to);
}

// Runs in a child; its nonzero result is told.
template <typename Body> void inChild(Body body) {
  pid_t child = fork();
  if (child == 0)
    _exit(body());
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// ---- Programs that close numbers ----------------------------------------------------------------

TEST_F(Devices, NumbersAreHighAndNotForOtherPrograms) {
  rlimit limit;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  for (const char *engine : {"dsa", "dax"}) {
    ASSERT_EQ(memlift_engine_start(engine), MEMLIFT_OK);
    ASSERT_FALSE(door.files.empty());
    for (int file : door.files) {
      EXPECT_GE(file, static_cast<int>(std::min<rlim_t>(limit.rlim_cur / 8 * 7, 4000)));
      EXPECT_TRUE(fcntl(file, F_GETFD) & FD_CLOEXEC);
    }
    memlift_engine_stop();
    for (int file : door.files)
      EXPECT_EQ(fcntl(file, F_GETFD), -1); // and that was all of them
    door.files.clear();
  }
  for (size_t i = 0; i < door.ends.size(); ++i)
    EXPECT_TRUE(isReleased(i)) << i;
}

// Tries a file of another filesystem, and one that differs from the device by its inode alone.
void expectLeftAlone(const char *engine, int own) {
  SCOPED_TRACE(engine);
  ASSERT_EQ(memlift_engine_start(engine), MEMLIFT_OK);
  EXPECT_EQ(engineInUse(), engine);
  for (int file : door.files)
    ASSERT_EQ(dup2(own, file), file); // closes the device's, and takes the number
  Counted counted;
  for (int i = 0; i < 3; ++i)
    copySomething();
  EXPECT_EQ(counted.since().lost, 1u);
  EXPECT_EQ(counted.since().busy, 1u); // and is not asked again
  EXPECT_EQ(counted.since().operations, 1u);
  EXPECT_EQ(engineInUse(), "cpu");
  EXPECT_EQ(memlift_engine_stop(), MEMLIFT_OK);
  struct stat is;
  for (int file : door.files) {
    EXPECT_EQ(fstat(file, &is), 0) << "closed";
    EXPECT_EQ(is.st_size, 0) << "written to";
    close(file);
  }
  close(own);
  EXPECT_EQ(door.writes, 0);
  door.files.clear();
  EXPECT_EQ(memlift_engine_start(engine), MEMLIFT_OK); // anew
  EXPECT_EQ(engineInUse(), engine);
  memlift_engine_stop();
  door.files.clear();
}

TEST_F(Devices, AFileThatGetsTheNumberIsLeftAlone) {
  for (const char *engine : {"dsa", "dax"}) {
    int own = static_cast<int>(syscall(SYS_memfd_create, "own", MFD_CLOEXEC));
    ASSERT_GE(own, 0);
    expectLeftAlone(engine, own);
    expectLeftAlone(engine, openPipe());
  }
}

TEST_F(Devices, AClosedNumberIsNotUsed) {
  for (const char *engine : {"dsa", "dax"}) {
    SCOPED_TRACE(engine);
    ASSERT_EQ(memlift_engine_start(engine), MEMLIFT_OK);
    for (int file : door.files)
      close(file);
    Counted counted;
    copySomething();
    copySomething();
    EXPECT_EQ(counted.since().lost, 1u);
    EXPECT_EQ(door.writes, 0);
    EXPECT_EQ(memlift_engine_stop(), MEMLIFT_OK);
    door.files.clear();
  }
}

// ---- Children -----------------------------------------------------------------------------------

// Returns whether the device's page is mapped in this process. A child may have zeros in its place.
bool isMapped(void *page) {
  unsigned char present;
  return mincore(page, 4096, &present) == 0 && *static_cast<unsigned char *>(page) == 0x5a;
}

TEST_F(Devices, AChildHoldsNothingOfItsParentsDevices) {
  for (const char *engine : {"dsa", "dax"}) {
    SCOPED_TRACE(engine);
    door.portal = true;
    size_t first = door.ends.size();
    ASSERT_EQ(memlift_engine_start(engine), MEMLIFT_OK);
    ASSERT_NE(door.page, nullptr);
    *static_cast<unsigned char *>(door.page) = 0x5a;
    int go[2];
    ASSERT_EQ(pipe(go), 0);
    pid_t child = fork();
    if (child == 0) { // a worker of a server: it stays
      char byte;
      bool held = isMapped(door.page);
      for (int file : door.files)
        held |= fcntl(file, F_GETFD) != -1;
      close(go[1]);
      _exit(read(go[0], &byte, 1) != 0 || held);
    }
    close(go[0]);
    EXPECT_TRUE(isMapped(door.page));
    EXPECT_FALSE(isReleased(door.ends.size() - 1)); // the first one was to look whether it opens
    EXPECT_EQ(memlift_engine_stop(), MEMLIFT_OK);
    for (size_t i = first; i < door.ends.size(); ++i)
      EXPECT_TRUE(isReleased(i)) << i;
    close(go[1]);
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    door.files.clear();
  }
}

TEST_F(Devices, AChildIsToldThatItHasNoEngineAndMayStartItsOwn) {
  for (const char *engine : {"dsa", "soft", "threads"}) {
    memlift_status status = memlift_engine_start(engine);
    if (status == MEMLIFT_NOT_PRESENT)
      continue; // two CPUs, or a system that refuses process_vm_writev
    ASSERT_EQ(status, MEMLIFT_OK);
    // The engine's threads have begun once they have done something. While one begins it may hold
    // a lock of AddressSanitizer's allocator, which GCC 12's leaves locked in a child.
    if (std::string(engine) != "dsa")
      copySomething();
    inChild([&] {
      Counted counted;
      copySomething();
      if (engineInUse() != "cpu" || counted.since().operations || counted.since().busy)
        return 1;
      if (memlift_engine_start(engine) != MEMLIFT_OK || engineInUse() != engine)
        return 2;
      if (std::string(engine) == "dsa")
        return memlift_engine_stop() != MEMLIFT_OK || !isReleased(door.ends.size() - 1) ? 3 : 0;
      copySomething();
      return counted.since().engine_bytes == 0 ? 4 : memlift_engine_stop() != MEMLIFT_OK ? 5 : 0;
    });
    EXPECT_EQ(engineInUse(), engine); // the parent's is as it was
  }
}

// The parent closes while a child has not come to its handler yet: closing waits for it.
int slowly; // milliseconds that a child takes to let go
bool dies;
TEST_F(Devices, WaitsForAChildToLetGo) {
  ASSERT_TRUE(memlift_devices_watch([] { // before the device's own
    if (dies)
      _exit(0);
    usleep(static_cast<useconds_t>(slowly) * 1000);
  }));
  slowly = 0;
  ASSERT_EQ(memlift_engine_start("dsa"), MEMLIFT_OK);
  slowly = 30;
  pid_t child = fork();
  if (child == 0)
    _exit(pause());
  EXPECT_EQ(memlift_engine_stop(), MEMLIFT_OK);
  EXPECT_TRUE(isReleased(door.ends.size() - 1));
  slowly = 0;
  signalTo(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

// A child that died on its way is missed once, for a fifth of a second.
TEST_F(Devices, AChildThatDiedIsWaitedForOnce) {
  ASSERT_TRUE(memlift_devices_watch([] {
    if (dies)
      _exit(0);
  }));
  ASSERT_EQ(memlift_engine_start("dsa"), MEMLIFT_OK);
  dies = true;
  pid_t child = fork();
  if (child == 0)
    _exit(1);
  dies = false;
  waitpid(child, nullptr, 0);
  memlift_devices_settle();
  EXPECT_EQ(memlift_engine_stop(), MEMLIFT_OK);
  EXPECT_TRUE(isReleased(door.ends.size() - 1));
}

} // namespace
