// ni_life_test.cpp - fork, waiting, descriptors, and the transport mmio
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ni_support.h"

#include <memlift/ni_page.h>

#include <atomic>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>

namespace {

constexpr uint64_t milliseconds = 1000000;

// ---- fork ------------------------------------------------------------------------------------

// Looks for its parent's attachment in a child; the exit code says which check failed.
int lookInChild(Ni &a, const memlift_ni_map &map, int fd) {
  char buffer[8];
  size_t size;
  uint32_t id;
  memlift_ni_ticket ticket = {0, 0};
  memlift_ni_address to = {0};
  memlift_ni_counters counters;
  if (memlift_ni_try_enqueue(a, 0, to, "x", 1, 0, nullptr) != MEMLIFT_NOT_PRESENT)
    return 1;
  if (memlift_ni_try_dequeue(a, 0, buffer, 8, &size, nullptr) != MEMLIFT_NOT_PRESENT ||
      memlift_ni_peek(a, 0, &size) != MEMLIFT_NOT_PRESENT)
    return 2;
  if (memlift_ni_status(a, ticket) != MEMLIFT_NOT_PRESENT ||
      memlift_ni_get_protection_id(a, &id) != MEMLIFT_NOT_PRESENT ||
      memlift_ni_own_address(a, 0, &to) != MEMLIFT_NOT_PRESENT)
    return 3;
  if (memlift_ni_count(a, &counters, sizeof counters) != MEMLIFT_OK || counters.sent != 1)
    return 4;
  unsigned char there;
  if (mincore(const_cast<void *>(map.channels), 4096, &there) == 0 || errno != ENOMEM)
    return 5; // the page is mapped
  if (fcntl(fd, F_GETFD) >= 0)
    return 6; // the descriptor is open
  memlift_ni_options options = optionsOf("soft");
  memlift_ni *own = nullptr;
  if (memlift_ni_attach(&options, sizeof options, &own) != MEMLIFT_OK ||
      memlift_ni_own_address(own, 0, &to) != MEMLIFT_OK ||
      memlift_ni_try_enqueue(own, 0, to, "own", 3, 0, nullptr) != MEMLIFT_OK ||
      memlift_ni_try_dequeue(own, 0, buffer, 8, &size, nullptr) != MEMLIFT_OK || size != 3)
    return 7;
  if (memlift_ni_detach(own) != MEMLIFT_OK || memlift_ni_detach(a) != MEMLIFT_OK)
    return 8;
  return 0;
}

TEST_F(SoftNi, AChildHasNothingOfIt) {
  Ni a, b;
  memlift_ni_map map;
  int fd = -1, status = 0;
  ASSERT_EQ(memlift_ni_descriptor(a, 0, &fd), MEMLIFT_OK);
  ASSERT_EQ(memlift_ni_map_page(a, 0, &map), MEMLIFT_OK);
  ASSERT_EQ(a.send(b, "x"), MEMLIFT_OK);
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0)
    _exit(lookInChild(a, map, fd));
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "check " << WEXITSTATUS(status);
  EXPECT_EQ(b.receive(), "x"); // and the parent has all of it
  EXPECT_EQ(a.send(b, "y"), MEMLIFT_OK);
  EXPECT_EQ(b.receive(), "y");
}

// A fork at any time in the life of attachments that other threads make and end.
TEST_F(SoftNi, ForksWhileThreadsAttach) {
  if (sanitized)
    GTEST_SKIP() << "the sanitizers' own locks are not ready for a fork at any time";
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop)
      Ni(0, 2).detach();
  });
  for (int i = 0; i < 100; i++) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      memlift_ni_options options = optionsOf("soft");
      memlift_ni *own = nullptr;
      _exit(memlift_ni_attach(&options, sizeof options, &own) != MEMLIFT_OK);
    }
    int status = 1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  stop = true;
  other.join();
}

// ---- Waiting ---------------------------------------------------------------------------------

class WaitingNi : public SoftNi {
protected:
  void SetUp() override { memlift_ni_soft_configure(nullptr); } // the system's clock
};

TEST_F(WaitingNi, ADequeueEndsWhenItsTimeIsUp) {
  Ni a;
  char buffer[8];
  size_t size;
  uint64_t begin = memlift_now();
  EXPECT_EQ(memlift_ni_dequeue(a, 0, buffer, 8, 20 * milliseconds, &size, nullptr),
            MEMLIFT_TIMED_OUT);
  EXPECT_GE(memlift_now() - begin, 20 * milliseconds);
  EXPECT_LT(memlift_now() - begin, 2000 * milliseconds);
}

TEST_F(WaitingNi, ThreadsWakeEachOther) {
  Ni a, b;
  std::thread echo([&] {
    char text[8];
    size_t size;
    memlift_ni_address from;
    for (int i = 0; i < 50; i++) {
      ASSERT_EQ(memlift_ni_dequeue(b, 0, text, 8, forever, &size, &from), MEMLIFT_OK);
      if (i % 10 == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(3)); // the other one sleeps, too
      ASSERT_EQ(memlift_ni_enqueue(b, 0, from, text, size, 0, forever, nullptr), MEMLIFT_OK);
    }
  });
  for (int i = 0; i < 50; i++) {
    char got[8];
    size_t size = 0;
    if (i % 10 == 5)
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
    ASSERT_EQ(memlift_ni_enqueue(a, 0, b.address(), &i, sizeof i, 0, forever, nullptr), MEMLIFT_OK);
    ASSERT_EQ(memlift_ni_dequeue(a, 0, got, 8, forever, &size, nullptr), MEMLIFT_OK);
    ASSERT_EQ(memcmp(got, &i, sizeof i), 0);
  }
  echo.join();
}

bool isReadable(int fd, int ms = 0) {
  pollfd p = {fd, POLLIN, 0};
  return poll(&p, 1, ms) == 1;
}

TEST_F(WaitingNi, TheDescriptorIsReadableWhenAMessageComes) {
  Ni a, b;
  int fd = -1, again = -1;
  ASSERT_EQ(memlift_ni_descriptor(b, 0, &fd), MEMLIFT_OK);
  ASSERT_EQ(memlift_ni_descriptor(b, 0, &again), MEMLIFT_OK);
  EXPECT_EQ(fd, again);
  ASSERT_EQ(a.send(b, "not armed"), MEMLIFT_OK);
  EXPECT_FALSE(isReadable(fd));
  EXPECT_EQ(memlift_ni_arm(b, 0), MEMLIFT_BUSY);
  EXPECT_EQ(b.receive(), "not armed");
  EXPECT_EQ(memlift_ni_arm(b, 0), MEMLIFT_OK);
  EXPECT_FALSE(isReadable(fd));
  std::thread sender([&] { EXPECT_EQ(a.send(b, "armed"), MEMLIFT_OK); });
  EXPECT_TRUE(isReadable(fd, 10000));
  sender.join();
  EXPECT_EQ(b.receive(), "armed");
  EXPECT_TRUE(isReadable(fd)); // until it is armed again
  EXPECT_EQ(memlift_ni_arm(b, 0), MEMLIFT_OK);
  EXPECT_FALSE(isReadable(fd));
  EXPECT_EQ(memlift_ni_descriptor(b, 0, nullptr), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_ni_arm(b, 1), MEMLIFT_INVALID_ARGUMENT);
}

// ---- Several things --------------------------------------------------------------------------

memlift_waitable mailbox(Ni &ni) {
  memlift_waitable w = {};
  w.kind = MEMLIFT_WAIT_MAILBOX, w.ni = ni;
  return w;
}
memlift_waitable copyOf(memlift_token token) {
  memlift_waitable w = {};
  w.kind = MEMLIFT_WAIT_TOKEN, w.token = token;
  return w;
}
memlift_waitable message(Ni &ni, memlift_ni_ticket ticket) {
  memlift_waitable w = {};
  w.kind = MEMLIFT_WAIT_MESSAGE, w.ni = ni, w.ticket = ticket;
  return w;
}

TEST_F(WaitingNi, OneWaitIsForMessagesAndCopies) {
  Ni a, b;
  std::vector<char> from(1 << 20, 'x'), to(from.size());
  memlift_token token = {0};
  unsigned which = 9;
  ASSERT_EQ(memlift_submit_copy(to.data(), from.data(), to.size(), token, &token), MEMLIFT_OK);
  std::vector<memlift_waitable> list = {mailbox(b), copyOf(token)};
  EXPECT_EQ(memlift_wait_first(list.data(), sizeof list[0], 2, forever, &which), MEMLIFT_OK);
  EXPECT_EQ(which, 1u);
  EXPECT_EQ(from, to);
  list[1].kind = MEMLIFT_WAIT_NOTHING;
  EXPECT_EQ(memlift_wait_first(list.data(), sizeof list[0], 2, milliseconds, &which),
            MEMLIFT_PENDING);
  memlift_ni_ticket ticket;
  ASSERT_EQ(a.send(b, "x", 0, &ticket), MEMLIFT_OK);
  EXPECT_EQ(memlift_wait_first(list.data(), sizeof list[0], 2, forever, &which), MEMLIFT_OK);
  EXPECT_EQ(which, 0u);
  EXPECT_EQ(b.receive(), "x");
  list[1] = message(a, ticket);
  EXPECT_EQ(memlift_wait_first(list.data(), sizeof list[0], 2, forever, &which), MEMLIFT_OK);
  EXPECT_EQ(which, 1u);
}

TEST_F(WaitingNi, AWaitTellsWhatFailed) {
  Ni a, b;
  memlift_ni_ticket ticket;
  unsigned which = 9;
  memlift_ni_model_kill(memlift_ni_soft_model(nullptr), 1);
  ASSERT_EQ(a.send(b, "x", MEMLIFT_NI_TIMEOUT(1), &ticket), MEMLIFT_OK);
  std::vector<memlift_waitable> list = {memlift_waitable(), mailbox(b), message(a, ticket)};
  EXPECT_EQ(memlift_wait_first(list.data(), sizeof list[0], 3, forever, &which), MEMLIFT_TIMED_OUT);
  EXPECT_EQ(which, 2u);
  EXPECT_EQ(memlift_wait_first(list.data(), sizeof list[0], 1, forever, &which), MEMLIFT_COLLECTED);
  list[0].kind = 17;
  EXPECT_EQ(memlift_wait_first(list.data(), sizeof list[0], 1, forever, &which),
            MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_wait_first(list.data(), sizeof list[0], 0, forever, &which),
            MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_wait_first(nullptr, sizeof list[0], 1, forever, &which),
            MEMLIFT_INVALID_ARGUMENT);
}

TEST_F(WaitingNi, AWaitForSeveralThingsSleepsAndSeesThreads) {
  Ni a, b, c;
  unsigned which = 9;
  std::thread sender([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(a.send(c, "x"), MEMLIFT_OK);
  });
  std::vector<memlift_waitable> list = {mailbox(b), mailbox(c)};
  EXPECT_EQ(memlift_wait_first(list.data(), sizeof list[0], 2, forever, &which), MEMLIFT_OK);
  EXPECT_EQ(which, 1u);
  sender.join();
}

// ---- mmio ------------------------------------------------------------------------------------

// A device in software whose pages are a file, and which a thread plays.
class MmioNi : public testing::Test {
protected:
  void SetUp() override {
    fd = memfd_create("memlift-ni-test", MFD_CLOEXEC);
    ASSERT_GE(fd, 0);
    ASSERT_EQ(ftruncate(fd, MEMLIFT_NI_SIZE), 0);
    pages = mmap(nullptr, MEMLIFT_NI_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ASSERT_NE(pages, MAP_FAILED);
    model = memlift_ni_model_new(nullptr, pages);
    ASSERT_NE(model, nullptr);
    ASSERT_EQ(memlift_ni_model_open(model, 0, MEMLIFT_NI_PAGES, 1), 0);
    device = std::thread([this] {
      while (!stop) {
        memlift_ni_model_step(model);
        std::this_thread::yield();
      }
    });
  }
  void TearDown() override {
    stop = true;
    device.join();
    memlift_ni_model_free(model);
    munmap(pages, MEMLIFT_NI_SIZE);
    close(fd);
  }
  memlift_ni_options options(unsigned page) const {
    memlift_ni_options o = optionsOf("mmio");
    o.flags = MEMLIFT_NI_SOFTWARE_DEVICE | MEMLIFT_NI_RELIABLE;
    o.first_page = page, o.incarnation = 1;
    return o;
  }
  static void exchange(Ni &a, Ni &b) {
    ASSERT_EQ(a.status, MEMLIFT_OK);
    ASSERT_EQ(b.status, MEMLIFT_OK);
    for (unsigned i = 1; i <= MEMLIFT_NI_PAYLOAD_MOST; i++) {
      std::string text(i, char('a' + i % 26));
      char got[MEMLIFT_NI_PAYLOAD_MOST];
      size_t size = 0;
      memlift_ni_address from;
      ASSERT_EQ(
          memlift_ni_enqueue(a, 0, b.address(), text.data(), i, MEMLIFT_NI_CHAIN, forever, nullptr),
          MEMLIFT_OK);
      ASSERT_EQ(memlift_ni_dequeue(b, 0, got, sizeof got, forever, &size, &from), MEMLIFT_OK);
      ASSERT_EQ(std::string(got, size), text);
      ASSERT_EQ(from.word, a.address().word);
    }
    EXPECT_EQ(memlift_ni_flush(a, 0, forever), MEMLIFT_OK);
    EXPECT_EQ(a.counters().acknowledged, uint64_t(MEMLIFT_NI_PAYLOAD_MOST));
  }

  int fd = -1;
  void *pages = nullptr;
  ni_model *model = nullptr;
  std::atomic<bool> stop{false};
  std::thread device;
};

TEST_F(MmioNi, ThreadPlaysADeviceAtAnAddress) {
  memlift_ni_options first = options(0), second = options(7);
  first.base = second.base = pages;
  Ni a(first), b(second);
  exchange(a, b);
}

TEST_F(MmioNi, ThreadPlaysADeviceInAFile) {
  memlift_ni_options first = options(63), second = options(7);
  std::string path = "/proc/self/fd/" + std::to_string(fd);
  first.fd = fd;
  second.where = path.c_str();
  Ni a(first), b(second);
  exchange(a, b);
  int unused = 0;
  EXPECT_EQ(memlift_ni_descriptor(a, 0, &unused), MEMLIFT_NOT_PRESENT);
  EXPECT_EQ(memlift_ni_arm(a, 0), MEMLIFT_NOT_PRESENT);
}

// Software that plays the device takes its time: the state of before is not that of this message.
TEST(SoftwareDeviceNi, AMessageIsPendingUntilItsDoorbellIsTaken) {
  ni_model *model = memlift_ni_model_new(nullptr, nullptr);
  ASSERT_NE(model, nullptr);
  ASSERT_EQ(memlift_ni_model_open(model, 0, 2, 1), 0);
  memlift_ni_options o = optionsOf("mmio");
  o.flags = MEMLIFT_NI_SOFTWARE_DEVICE, o.channels = 1;
  o.base = memlift_ni_model_pages(model);
  o.first_page = 0;
  Ni a(o);
  o.first_page = 1;
  Ni b(o);
  for (int i = 0; i < 3; i++) {
    memlift_ni_ticket ticket;
    size_t size = 0;
    ASSERT_EQ(a.send(b, "x", 0, &ticket), MEMLIFT_OK);
    EXPECT_EQ(memlift_ni_status(a, ticket), MEMLIFT_PENDING);
    EXPECT_EQ(a.send(b, "y"), MEMLIFT_BUSY);
    memlift_ni_model_step(model);
    EXPECT_EQ(memlift_ni_status(a, ticket), MEMLIFT_OK);
    EXPECT_EQ(b.receive(), "x");
    EXPECT_EQ(memlift_ni_peek(b, 0, &size), MEMLIFT_OK);
    EXPECT_EQ(size, 0u); // the device has not taken the pop yet
    memlift_ni_model_step(model);
  }
  a.detach(), b.detach();
  memlift_ni_model_free(model);
}

// The caller counts the owners of a page where no driver does, and a receiver is told.
TEST(SoftwareDeviceNi, AnOwnerSaysWhichOneItIs) {
  ni_model *model = memlift_ni_model_new(nullptr, nullptr);
  ASSERT_NE(model, nullptr);
  ASSERT_EQ(memlift_ni_model_open(model, 0, 2, 1), 0);
  memlift_ni_options o = optionsOf("mmio");
  o.flags = MEMLIFT_NI_SOFTWARE_DEVICE | MEMLIFT_NI_RELIABLE;
  o.base = memlift_ni_model_pages(model);
  o.first_page = 0;
  EXPECT_EQ(Ni(o).status, MEMLIFT_INVALID_ARGUMENT); // nobody tells
  o.incarnation = 2048 + 7;
  Ni a(o);
  ASSERT_EQ(a.status, MEMLIFT_OK);
  o.flags = MEMLIFT_NI_SOFTWARE_DEVICE, o.incarnation = 0, o.first_page = 1;
  Ni plain(o);
  ASSERT_EQ(plain.status, MEMLIFT_OK);
  memlift_ni_map map;
  ASSERT_EQ(memlift_ni_map_page(plain, 0, &map), MEMLIFT_OK);
  ASSERT_EQ(a.send(plain, "x"), MEMLIFT_OK);
  memlift_ni_model_step(model);
  uint64_t word = memlift_ni_get(map.mailbox, MEMLIFT_NI_MAILBOX_INCARNATION_OFFSET);
  EXPECT_EQ(MEMLIFT_NI_FIELD(NI_MAILBOX, INCARNATION, word), 7u);
  a.detach(), plain.detach();
  memlift_ni_model_free(model);
}

TEST_F(MmioNi, ThreadSaysWhatIsNotThere) {
  memlift_ni_options o = options(0);
  EXPECT_EQ(Ni(o).status, MEMLIFT_INVALID_ARGUMENT); // neither address nor file
  o.where = "/dev/no-such-interface";
  EXPECT_EQ(Ni(o).status, MEMLIFT_NOT_PRESENT);
  o.where = "/dev/null"; // a file without pages
  EXPECT_EQ(Ni(o).status, MEMLIFT_NOT_PRESENT);
  o.where = nullptr, o.fd = fd, o.incarnation = 0; // a file without a driver that counts
  EXPECT_EQ(Ni(o).status, MEMLIFT_INVALID_ARGUMENT);
}

} // namespace
