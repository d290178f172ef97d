// ni_shm_test.cpp - transport "shm": processes, their pages, their deaths
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MEMLIFT_TEST_LONG=1: 10,000 kills and a million messages.
#include "ni_support.h"

#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <poll.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>

namespace {

constexpr uint64_t ms = 1000000, seconds = 1000 * ms;

bool longRun() { return getenv("MEMLIFT_TEST_LONG") != nullptr; }

// A child process that runs `body`, whose result is its exit code.
class Child {
public:
  explicit Child(const std::function<int()> &body) {
    pid = fork();
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      _exit(body());
    }
  }
  ~Child() { kill(); }
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;

  void kill() {
    if (pid > 0) {
      ::kill(pid, SIGKILL);
      wait();
    }
  }
  // How it ended; -1: it has been waited for.
  int wait() {
    int status = -1;
    if (pid > 0)
      waitpid(pid, &status, 0);
    pid = -1;
    return status;
  }
  bool isSleeping() const {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string text((std::istreambuf_iterator<char>(stat)), std::istreambuf_iterator<char>());
    size_t at = text.rfind(") ");
    return at != std::string::npos && text[at + 2] == 'S';
  }

  pid_t pid = -1;
};

class ShmNi : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/dev/shm/memlift-ni-test-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    path = name;
  }
  void TearDown() override {
    for (const std::string &file : files())
      unlink((path + "/" + file).c_str());
    EXPECT_EQ(rmdir(path.c_str()), 0);
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    DIR *directory = opendir(path.c_str());
    while (dirent *entry = directory ? readdir(directory) : nullptr)
      if (entry->d_name[0] != '.')
        names.push_back(entry->d_name);
    if (directory)
      closedir(directory);
    return names;
  }
  memlift_ni_options options(unsigned page = MEMLIFT_NI_ANY_PAGE, uint32_t flags = 0) const {
    memlift_ni_options o = optionsOf("shm", path.c_str());
    o.first_page = page, o.flags = flags;
    return o;
  }
  static memlift_ni_address mailbox(unsigned page) { return memlift_ni_mailbox_at(0, page); }
  // Waits until a message can be sent there, and sends it.
  static memlift_status sendTo(memlift_ni *ni, unsigned page, const std::string &text,
                               uint32_t how = 0, memlift_ni_ticket *ticket = nullptr) {
    memlift_status status = MEMLIFT_NOT_PRESENT;
    for (int i = 0; i < 5000 && status == MEMLIFT_NOT_PRESENT; i++) {
      status = memlift_ni_enqueue(ni, 0, mailbox(page), text.data(), text.size(), how, 10 * seconds,
                                  ticket);
      if (status == MEMLIFT_NOT_PRESENT)
        usleep(1000);
    }
    return status;
  }
  static std::string receive(memlift_ni *ni, uint64_t nanoseconds) {
    char buffer[MEMLIFT_NI_PAYLOAD_MOST];
    size_t size = 0;
    memlift_status status =
        memlift_ni_dequeue(ni, 0, buffer, sizeof buffer, nanoseconds, &size, nullptr);
    return status == MEMLIFT_OK ? std::string(buffer, size) : "";
  }

  std::string path;
};

// ---- Messages --------------------------------------------------------------------------------

TEST_F(ShmNi, CarriesEverySizeAtEveryAlignment) {
  Ni a(options()), b(options());
  ASSERT_EQ(a.status, MEMLIFT_OK);
  std::vector<uint8_t> from(MEMLIFT_NI_PAYLOAD_MOST + 8), to(MEMLIFT_NI_PAYLOAD_MOST + 24);
  for (size_t i = 0; i < from.size(); i++)
    from[i] = uint8_t(i * 7);
  for (size_t size = 1; size <= MEMLIFT_NI_PAYLOAD_MOST; size++) {
    size_t at = size % 8, received = 0;
    std::fill(to.begin(), to.end(), 0xa5);
    ASSERT_EQ(memlift_ni_try_enqueue(a, 0, b.address(), &from[at], size, 0, nullptr), MEMLIFT_OK);
    ASSERT_EQ(memlift_ni_try_dequeue(b, 0, &to[8 + at], size, &received, nullptr), MEMLIFT_OK);
    ASSERT_EQ(received, size);
    ASSERT_EQ(memcmp(&to[8 + at], &from[at], size), 0) << size;
    ASSERT_EQ(to[7 + at], 0xa5);
    ASSERT_EQ(to[8 + at + size], 0xa5);
  }
  EXPECT_EQ(a.send(b, ""), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(a.send(b, std::string(257, 'x')), MEMLIFT_INVALID_ARGUMENT);
}

TEST_F(ShmNi, AcknowledgesWhatHasBeenRead) {
  Ni a(options()), b(options());
  memlift_ni_ticket ticket;
  memlift_ni_address from;
  ASSERT_EQ(a.send(b, "x", 0, &ticket), MEMLIFT_OK);
  EXPECT_EQ(memlift_ni_status(a, ticket), MEMLIFT_PENDING);
  EXPECT_EQ(b.receive(0, &from), "x");
  EXPECT_EQ(from.word, a.address().word);
  EXPECT_EQ(memlift_ni_status(a, ticket), MEMLIFT_OK);
  EXPECT_EQ(b.receive(), "");
}

TEST_F(ShmNi, WithdrawsWhatIsNotReadInTime) {
  for (uint32_t units : {1u, MEMLIFT_NI_TIMEOUT_MOST + 0u}) {
    Ni a(options()), b(options());
    memlift_ni_ticket ticket;
    uint64_t begin = memlift_now();
    ASSERT_EQ(a.send(b, "late", MEMLIFT_NI_TIMEOUT(units), &ticket), MEMLIFT_OK);
    EXPECT_EQ(memlift_ni_wait(a, ticket, forever), MEMLIFT_TIMED_OUT);
    EXPECT_GE(memlift_now() - begin, units * uint64_t(MEMLIFT_NI_TIMEOUT_NS));
    EXPECT_EQ(b.receive(), "");
    ASSERT_EQ(a.send(b, "next"), MEMLIFT_OK);
    EXPECT_EQ(b.receive(), "next");
  }
  Ni a(options()), b(options());
  memlift_ni_ticket ticket;
  ASSERT_EQ(a.send(b, "no limit", 0, &ticket), MEMLIFT_OK);
  EXPECT_EQ(memlift_ni_wait(a, ticket, 20 * ms), MEMLIFT_PENDING);
  EXPECT_EQ(b.receive(), "no limit");
}

// A message that was peeked at and then withdrawn is not taken.
TEST_F(ShmNi, AMessageWithdrawnAfterAPeekIsNotTaken) {
  Ni a(options()), b(options());
  memlift_ni_ticket ticket;
  size_t size = 0;
  ASSERT_EQ(a.send(b, "gone", MEMLIFT_NI_TIMEOUT(1), &ticket), MEMLIFT_OK);
  ASSERT_EQ(memlift_ni_peek(b, 0, &size), MEMLIFT_OK);
  EXPECT_EQ(size, 4u);
  EXPECT_EQ(memlift_ni_wait(a, ticket, forever), MEMLIFT_TIMED_OUT);
  EXPECT_EQ(b.receive(), "");
}

TEST_F(ShmNi, KeepsChainsAcrossReceivers) {
  Ni a(options()), b(options()), c(options());
  memlift_ni_ticket ticket;
  ASSERT_EQ(a.send(b, "1", MEMLIFT_NI_CHAIN), MEMLIFT_OK);
  ASSERT_EQ(a.send(c, "2", MEMLIFT_NI_CHAIN, &ticket), MEMLIFT_OK);
  ASSERT_EQ(a.send(c, "unchained"), MEMLIFT_OK);
  EXPECT_EQ(c.receive(), "unchained"); // the near miss
  EXPECT_EQ(c.receive(), "");
  EXPECT_EQ(memlift_ni_status(a, ticket), MEMLIFT_PENDING);
  EXPECT_EQ(b.receive(), "1");
  EXPECT_EQ(c.receive(), "2");
  EXPECT_EQ(memlift_ni_status(a, ticket), MEMLIFT_OK);
}

TEST_F(ShmNi, CancelsWhatIsChainedToAMessageThatIsGivenUp) {
  Ni a(options()), b(options()), c(options());
  memlift_ni_ticket first, second, third;
  ASSERT_EQ(a.send(b, "1", MEMLIFT_NI_CHAIN | MEMLIFT_NI_TIMEOUT(1), &first), MEMLIFT_OK);
  ASSERT_EQ(a.send(c, "2", MEMLIFT_NI_CHAIN, &second), MEMLIFT_OK);
  EXPECT_EQ(memlift_ni_wait(a, first, forever), MEMLIFT_TIMED_OUT);
  EXPECT_EQ(memlift_ni_status(a, second), MEMLIFT_CANCELLED);
  EXPECT_EQ(c.receive(), "");
  ASSERT_EQ(a.send(c, "3", MEMLIFT_NI_CHAIN, &third), MEMLIFT_OK);
  EXPECT_EQ(c.receive(), "3");
  EXPECT_EQ(memlift_ni_status(a, third), MEMLIFT_OK);
}

TEST_F(ShmNi, SendersTakeTurns) {
  Ni box(options()), greedy(options()), modest(options());
  std::string order;
  for (int i = 0; i < 4; i++)
    ASSERT_EQ(greedy.send(box, "g"), MEMLIFT_OK);
  ASSERT_EQ(modest.send(box, "m"), MEMLIFT_OK);
  for (int i = 0; i < 5; i++) {
    order += box.receive();
    greedy.send(box, "g"); // as soon as there is a channel
  }
  EXPECT_LE(order.find('m'), 1u) << order;
}

TEST_F(ShmNi, AnAddressThatNobodyHasIsNotPresent) {
  Ni a(options(0));
  EXPECT_EQ(memlift_ni_try_enqueue(a, 0, mailbox(5), "x", 1, 0, nullptr), MEMLIFT_NOT_PRESENT);
  EXPECT_EQ(memlift_ni_try_enqueue(a, 0, memlift_ni_mailbox_at(1, 0), "x", 1, 0, nullptr),
            MEMLIFT_NOT_PRESENT);
  EXPECT_EQ(memlift_ni_try_enqueue(a, 0, memlift_ni_address_of(0, 8), "x", 1, 0, nullptr),
            MEMLIFT_NOT_PRESENT);
  memlift_ni_options foreign = options(5);
  foreign.protection_id = 99;
  Ni b(foreign);
  EXPECT_EQ(memlift_ni_try_enqueue(a, 0, mailbox(5), "x", 1, 0, nullptr), MEMLIFT_NOT_PRESENT);
}

TEST_F(ShmNi, ADetachedDestinationHasGone) {
  Ni a(options(0));
  memlift_ni_ticket ticket;
  memlift_ni_ticket early, later;
  {
    Ni b(options(1));
    ASSERT_EQ(a.send(b, "read", 0, &early), MEMLIFT_OK);
    EXPECT_EQ(b.receive(), "read");
    ASSERT_EQ(a.send(b, "unread", 0, &ticket), MEMLIFT_OK);
  }
  EXPECT_EQ(memlift_ni_wait(a, ticket, forever), MEMLIFT_NOT_PRESENT);
  EXPECT_EQ(memlift_ni_status(a, early), MEMLIFT_OK);
  EXPECT_EQ(memlift_ni_try_enqueue(a, 0, mailbox(1), "x", 1, 0, nullptr), MEMLIFT_NOT_PRESENT);
  Ni b(options(1));
  ASSERT_EQ(memlift_ni_try_enqueue(a, 0, mailbox(1), "again", 5, 0, nullptr), MEMLIFT_OK);
  EXPECT_EQ(b.receive(), "again"); // and nothing of what the one before had, read or not
  EXPECT_EQ(b.receive(), "");
  EXPECT_EQ(a.counters().gone, 1u);
  // Nobody looks at the outcomes until the next has been there for a message.
  ASSERT_EQ(a.send(b, "read", 0, &early), MEMLIFT_OK);
  EXPECT_EQ(b.receive(), "read");
  ASSERT_EQ(a.send(b, "unread", 0, &later), MEMLIFT_OK);
  b.detach();
  Ni c(options(1));
  ASSERT_EQ(memlift_ni_try_enqueue(a, 0, mailbox(1), "third", 5, 0, nullptr), MEMLIFT_OK);
  EXPECT_EQ(c.receive(), "third");
  EXPECT_EQ(c.receive(), "");
  EXPECT_EQ(memlift_ni_status(a, early), MEMLIFT_OK);
  EXPECT_EQ(memlift_ni_status(a, later), MEMLIFT_NOT_PRESENT);
}

TEST_F(ShmNi, CarriesMessagesOfAllPagesAndChannels) {
  memlift_ni_options o = options();
  o.pages = MEMLIFT_NI_PAGES;
  Ni all(o);
  ASSERT_EQ(all.status, MEMLIFT_OK);
  EXPECT_EQ(Ni(options()).status, MEMLIFT_BUSY);
  for (unsigned page = 0; page < MEMLIFT_NI_PAGES; page++)
    for (unsigned c = 0; c < MEMLIFT_NI_CHANNELS; c++)
      ASSERT_EQ(all.send(all, std::to_string(page) + "/" + std::to_string(c),
                         MEMLIFT_NI_ON_CHANNEL(c), nullptr, page, (page + c) % MEMLIFT_NI_PAGES),
                MEMLIFT_OK);
  for (unsigned page = 0; page < MEMLIFT_NI_PAGES; page++) {
    std::vector<std::string> got, wanted;
    for (unsigned c = 0; c < MEMLIFT_NI_CHANNELS; c++) {
      got.push_back(all.receive(page));
      wanted.push_back(std::to_string((page + MEMLIFT_NI_PAGES - c) % MEMLIFT_NI_PAGES) + "/" +
                       std::to_string(c));
    }
    std::sort(got.begin(), got.end());
    std::sort(wanted.begin(), wanted.end());
    EXPECT_EQ(got, wanted);
  }
}

// ---- Between processes -----------------------------------------------------------------------

TEST_F(ShmNi, AProcessIsWokenAndAnswers) {
  Child echo([&] {
    memlift_ni_options o = options(1);
    memlift_ni *ni;
    char buffer[64];
    size_t size;
    memlift_ni_address from;
    if (memlift_ni_attach(&o, sizeof o, &ni) != MEMLIFT_OK)
      return 1;
    for (int i = 0; i < 20; i++)
      if (memlift_ni_dequeue(ni, 0, buffer, sizeof buffer, forever, &size, &from) != MEMLIFT_OK ||
          memlift_ni_enqueue(ni, 0, from, buffer, size, 0, forever, nullptr) != MEMLIFT_OK)
        return 2;
    return memlift_ni_flush(ni, 0, 10 * seconds) != MEMLIFT_OK ? 3 : 0;
  });
  Ni a(options(0));
  for (int i = 0; i < 20; i++) {
    if (i % 5 == 4)
      for (int k = 0; k < 2000 && !echo.isSleeping(); k++)
        usleep(1000);
    std::string text = "message " + std::to_string(i);
    ASSERT_EQ(sendTo(a, 1, text), MEMLIFT_OK);
    ASSERT_EQ(receive(a, 10 * seconds), text);
  }
  EXPECT_EQ(echo.wait(), 0);
  EXPECT_GT(a.counters().wakeups, 0u);
}

TEST_F(ShmNi, ThePollersDescriptorBecomesReadable) {
  Ni a(options(0)), b(options(1));
  int fd = -1;
  ASSERT_EQ(memlift_ni_descriptor(b, 0, &fd), MEMLIFT_OK);
  ASSERT_EQ(memlift_ni_arm(b, 0), MEMLIFT_OK);
  pollfd p = {fd, POLLIN, 0};
  EXPECT_EQ(poll(&p, 1, 0), 0);
  Child sender([&] {
    memlift_ni_options o = options(2);
    memlift_ni *ni;
    if (memlift_ni_attach(&o, sizeof o, &ni) != MEMLIFT_OK)
      return 1;
    usleep(20000);
    return sendTo(ni, 1, "wake up") != MEMLIFT_OK || memlift_ni_flush(ni, 0, forever) != MEMLIFT_OK
               ? 3
               : 0;
  });
  EXPECT_EQ(poll(&p, 1, 10000), 1);
  EXPECT_EQ(b.receive(), "wake up");
  EXPECT_EQ(sender.wait(), 0);
  ASSERT_EQ(a.send(b, "disarmed"), MEMLIFT_OK); // no system call for this one
  EXPECT_EQ(a.counters().wakeups, 0u);
  EXPECT_EQ(memlift_ni_arm(b, 0), MEMLIFT_BUSY);
  EXPECT_EQ(poll(&p, 1, 0), 0);
}

// Eight processes, one mailbox: each message once, in the order of its channel.
TEST_F(ShmNi, EightProcessesSendToOneMailbox) {
  constexpr unsigned senders = 8;
  const unsigned each = longRun() ? 125000 : sanitizedCount(5000);
  Ni box(options(0));
  ASSERT_EQ(box.status, MEMLIFT_OK);
  std::vector<std::unique_ptr<Child>> children;
  for (unsigned i = 0; i < senders; i++)
    children.push_back(std::make_unique<Child>([&, i] {
      memlift_ni_options o = options(i + 1, MEMLIFT_NI_RELIABLE);
      memlift_ni *ni;
      if (memlift_ni_attach(&o, sizeof o, &ni) != MEMLIFT_OK)
        return 1;
      for (uint32_t n = 0; n < each; n++) {
        uint32_t letter[8] = {i, n % 4, n};
        if (memlift_ni_enqueue(ni, 0, mailbox(0), letter, sizeof letter,
                               MEMLIFT_NI_ON_CHANNEL(n % 4), forever, nullptr) != MEMLIFT_OK)
          return 2;
      }
      return memlift_ni_flush(ni, 0, 60 * seconds) != MEMLIFT_OK ? 3 : 0;
    }));
  std::vector<std::vector<uint8_t>> times(senders, std::vector<uint8_t>(each));
  int64_t last[senders][4];
  std::fill(&last[0][0], &last[senders][0], -1);
  uint64_t disordered = 0, doubled = 0;
  for (uint64_t k = 0; k < uint64_t(senders) * each; k++) {
    uint32_t letter[8];
    size_t size = 0;
    ASSERT_EQ(memlift_ni_dequeue(box, 0, letter, sizeof letter, 60 * seconds, &size, nullptr),
              MEMLIFT_OK)
        << "after " << k;
    ASSERT_LT(letter[0], senders);
    ASSERT_LT(letter[2], each);
    doubled += times[letter[0]][letter[2]]++ > 0;
    disordered += int64_t(letter[2]) < last[letter[0]][letter[1]];
    last[letter[0]][letter[1]] = letter[2];
  }
  for (auto &child : children)
    EXPECT_EQ(child->wait(), 0);
  EXPECT_EQ(doubled, 0u);
  EXPECT_EQ(disordered, 0u);
  EXPECT_EQ(box.receive(), "");
}

// ---- Pages that are not one's own ------------------------------------------------------------

// Where files of that name are mapped, and how: "r--s".
std::vector<std::pair<void *, std::string>> mappingsOf(const std::string &file) {
  std::vector<std::pair<void *, std::string>> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.size() > file.size() &&
        line.compare(line.size() - file.size(), file.size(), file) == 0)
      found.emplace_back(reinterpret_cast<void *>(strtoull(line.c_str(), nullptr, 16)),
                         line.substr(line.find(' ') + 1, 4));
  return found;
}

TEST_F(ShmNi, AProcessCannotWriteAnothersPage) {
  Ni b(options(1));
  Child other([&] {
    memlift_ni_options o = options(0);
    memlift_ni *ni;
    if (memlift_ni_attach(&o, sizeof o, &ni) != MEMLIFT_OK || sendTo(ni, 1, "x") != MEMLIFT_OK)
      return 1;
    auto mapped = mappingsOf("/01.page");
    if (mapped.empty() || mapped[0].second != "r--s")
      return 2;
    if (mprotect(mapped[0].first, 4096, PROT_READ | PROT_WRITE) == 0 || errno != EACCES)
      return 3;
    *static_cast<volatile char *>(mapped[0].first) = 1; // ends the process
    return 4;
  });
  int status = other.wait();
  EXPECT_TRUE(WIFSIGNALED(status)) << "check " << WEXITSTATUS(status);
  EXPECT_EQ(b.receive(), "x");
  struct stat is;
  ASSERT_EQ(stat((path + "/01.page").c_str(), &is), 0);
  EXPECT_EQ(is.st_mode & 07777, 0600u);
}

TEST_F(ShmNi, RefusesADirectoryThatOthersMayWriteTo) {
  for (mode_t mode : {0755, 0770, 0701}) {
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
    EXPECT_EQ(Ni(options()).status, MEMLIFT_NOT_PRESENT) << std::oct << mode;
  }
  ASSERT_EQ(chmod(path.c_str(), 0700), 0);
  std::string link = path + "-link";
  ASSERT_EQ(symlink(path.c_str(), link.c_str()), 0);
  EXPECT_EQ(Ni(optionsOf("shm", link.c_str())).status, MEMLIFT_NOT_PRESENT);
  unlink(link.c_str());
  EXPECT_EQ(Ni(optionsOf("shm", "/dev/shm/no-such-directory")).status, MEMLIFT_NOT_PRESENT);
  EXPECT_EQ(Ni(optionsOf("shm", "/dev/null")).status, MEMLIFT_NOT_PRESENT);
  if (geteuid() == 0) {
    ASSERT_EQ(chown(path.c_str(), 1, 1), 0);
    EXPECT_EQ(Ni(options()).status, MEMLIFT_NOT_PRESENT);
    ASSERT_EQ(chown(path.c_str(), 0, 0), 0);
  }
  EXPECT_TRUE(files().empty());
  EXPECT_EQ(Ni(options()).status, MEMLIFT_OK);
}

TEST_F(ShmNi, FollowsNoLinkInItsDirectory) {
  std::string target = path + "-target", link = path + "/00.page";
  std::ofstream(target) << "precious";
  ASSERT_EQ(symlink(target.c_str(), link.c_str()), 0);
  EXPECT_EQ(Ni(options(0)).status, MEMLIFT_NOT_PRESENT);
  std::string text;
  std::ifstream(target) >> text;
  EXPECT_EQ(text, "precious");
  unlink(target.c_str());
}

TEST_F(ShmNi, LeavesNoFiles) {
  {
    Ni a(options()), b(options());
    int fd;
    ASSERT_EQ(memlift_ni_descriptor(a, 0, &fd), MEMLIFT_OK);
    EXPECT_EQ(files().size(), 5u);
  }
  EXPECT_TRUE(files().empty());
}

TEST_F(ShmNi, HasAPlaceOfItsOwn) {
  Ni a(optionsOf("shm")), b(optionsOf("shm"));
  ASSERT_EQ(a.status, MEMLIFT_OK);
  ASSERT_EQ(a.send(b, "x"), MEMLIFT_OK);
  EXPECT_EQ(b.receive(), "x");
}

// ---- fork, exec, death -----------------------------------------------------------------------

TEST_F(ShmNi, AChildHasNothingOfIt) {
  Ni a(options(0)), b(options(1));
  ASSERT_EQ(a.send(b, "x"), MEMLIFT_OK);
  Child child([&] {
    size_t size;
    if (!mappingsOf("/00.page").empty() || !mappingsOf("/01.bell").empty())
      return 1;
    for (int fd = 3; fd < 100; fd++) {
      char link[64], target[256];
      snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
      ssize_t n = readlink(link, target, sizeof target - 1);
      if (n > 0 && std::string(target, size_t(n)).find(path) != std::string::npos)
        return 2;
    }
    if (memlift_ni_peek(b, 0, &size) != MEMLIFT_NOT_PRESENT)
      return 3;
    memlift_ni_options own = options(2);
    memlift_ni *ni;
    if (memlift_ni_attach(&own, sizeof own, &ni) != MEMLIFT_OK)
      return 4;
    return sendTo(ni, 1, "from the child") == MEMLIFT_OK ? 0 : 5;
  });
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(b.receive(), "x");
  EXPECT_EQ(receive(b, 10 * seconds), "from the child");
}

// A child that lives on does not keep the pages of its parent.
TEST_F(ShmNi, AChildKeepsNoPageOfAParentThatDies) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  Child parent([&] {
    memlift_ni_options o = options(3);
    memlift_ni *ni;
    if (memlift_ni_attach(&o, sizeof o, &ni) != MEMLIFT_OK)
      return 1;
    pid_t grandchild = fork();
    if (grandchild == 0) {
      char ready = 'r';
      if (write(ends[1], &ready, 1) != 1)
        _exit(1);
      sleep(20);
      _exit(0);
    }
    if (write(ends[1], &grandchild, sizeof grandchild) < 0)
      return 2;
    pause();
    return 3;
  });
  char bytes[1 + sizeof(pid_t)];
  for (size_t n = 0; n < sizeof bytes;) {
    ssize_t got = read(ends[0], bytes + n, sizeof bytes - n);
    ASSERT_GT(got, 0);
    n += size_t(got);
  }
  EXPECT_EQ(Ni(options(3)).status, MEMLIFT_BUSY);
  parent.kill();
  EXPECT_EQ(Ni(options(3)).status, MEMLIFT_OK);
  pid_t grandchild;
  memcpy(&grandchild, bytes[0] == 'r' ? bytes + 1 : bytes, sizeof grandchild);
  kill(grandchild, SIGKILL);
  close(ends[0]), close(ends[1]);
}

TEST_F(ShmNi, AnExecEndsIt) {
  Child child([&] {
    memlift_ni_options o = options(3);
    memlift_ni *ni;
    if (memlift_ni_attach(&o, sizeof o, &ni) != MEMLIFT_OK ||
        mkdir((path + "/attached").c_str(), 0700) != 0)
      return 1;
    execl("/bin/sleep", "sleep", "20", nullptr);
    return 2;
  });
  memlift_status status = MEMLIFT_BUSY;
  for (int i = 0; i < 5000 && status != MEMLIFT_OK; i++) {
    if (access((path + "/attached").c_str(), F_OK) == 0) {
      Ni next(options(3));
      status = next.status;
      if (status == MEMLIFT_OK) {
        EXPECT_EQ(next.counters().taken_over, 1u);
      }
    }
    usleep(1000);
  }
  EXPECT_EQ(status, MEMLIFT_OK);
  EXPECT_EQ(rmdir((path + "/attached").c_str()), 0);
}

TEST_F(ShmNi, TheNextOwnerReadsWhatADeadOneHadNotPopped) {
  Ni a(options(0));
  memlift_ni_ticket ticket;
  Child reader([&] {
    memlift_ni_options o = options(1);
    memlift_ni *ni;
    size_t size = 0;
    if (memlift_ni_attach(&o, sizeof o, &ni) != MEMLIFT_OK || receive(ni, forever) != "first")
      return 1;
    while (size == 0)
      memlift_ni_peek(ni, 0, &size); // reads the second, and dies before it pops it
    raise(SIGKILL);
    return 2;
  });
  ASSERT_EQ(sendTo(a, 1, "first"), MEMLIFT_OK);
  ASSERT_EQ(sendTo(a, 1, "second", 0, &ticket), MEMLIFT_OK);
  EXPECT_TRUE(WIFSIGNALED(reader.wait()));
  Ni next(options(1));
  ASSERT_EQ(next.status, MEMLIFT_OK);
  EXPECT_EQ(next.counters().taken_over, 1u);
  EXPECT_EQ(next.receive(), "second");
  EXPECT_EQ(next.receive(), "");
  EXPECT_EQ(next.counters().redelivered, 1u);
  EXPECT_EQ(memlift_ni_wait(a, ticket, forever), MEMLIFT_OK);
  ASSERT_EQ(a.send(next, "third"), MEMLIFT_OK);
  EXPECT_EQ(next.receive(), "third");
  EXPECT_EQ(next.counters().redelivered, 1u);
}

TEST_F(ShmNi, ASenderLearnsOfADeath) {
  Ni a(options(0));
  memlift_ni_ticket ticket;
  Child reader([&] {
    memlift_ni_options o = options(1);
    memlift_ni *ni;
    return memlift_ni_attach(&o, sizeof o, &ni) == MEMLIFT_OK ? pause() : 1;
  });
  ASSERT_EQ(sendTo(a, 1, "unread", 0, &ticket), MEMLIFT_OK);
  EXPECT_EQ(memlift_ni_wait(a, ticket, 30 * ms), MEMLIFT_PENDING);
  reader.kill();
  uint64_t begin = memlift_now();
  EXPECT_EQ(memlift_ni_wait(a, ticket, 30 * seconds), MEMLIFT_NOT_PRESENT);
  EXPECT_LT(memlift_now() - begin, 10 * seconds);
  Ni next(options(1)); // which does not get what the sender was told has gone
  EXPECT_EQ(next.receive(), "");
}

TEST_F(ShmNi, ADeadSendersMessagesAreReadUntilItsPageIsTaken) {
  Ni box(options(0));
  auto sendAndDie = [&] {
    Child sender([&] {
      memlift_ni_options o = options(1);
      memlift_ni *ni;
      if (memlift_ni_attach(&o, sizeof o, &ni) != MEMLIFT_OK || sendTo(ni, 0, "1") != MEMLIFT_OK)
        return 1;
      sendTo(ni, 0, "2", MEMLIFT_NI_CHAIN);
      raise(SIGKILL);
      return 2;
    });
    EXPECT_TRUE(WIFSIGNALED(sender.wait()));
  };
  sendAndDie();
  EXPECT_EQ(box.receive(), "1");
  EXPECT_EQ(box.receive(), "2"); // its chain holds nobody up
  sendAndDie();
  Ni next(options(1)); // withdraws them
  EXPECT_EQ(box.receive(), "");
  ASSERT_EQ(next.send(box, "3", MEMLIFT_NI_CHAIN), MEMLIFT_OK);
  EXPECT_EQ(box.receive(), "3");
}

// A chain that waits for a receiver that never reads, whose sender dies: others are not held up.
TEST_F(ShmNi, AChainThatADeadSenderLeftHoldsNobodyUp) {
  Ni never(options(0)), box(options(1)), other(options(3));
  Child sender([&] {
    memlift_ni_options o = options(2);
    memlift_ni *ni;
    if (memlift_ni_attach(&o, sizeof o, &ni) != MEMLIFT_OK || sendTo(ni, 0, "1") != MEMLIFT_OK)
      return 1;
    sendTo(ni, 1, "2", MEMLIFT_NI_CHAIN);
    raise(SIGKILL);
    return 2;
  });
  EXPECT_TRUE(WIFSIGNALED(sender.wait()));
  EXPECT_EQ(box.receive(), "");
  ASSERT_EQ(other.send(box, "other"), MEMLIFT_OK);
  EXPECT_EQ(box.receive(), "other");
  Ni next(options(2));
  ASSERT_EQ(next.send(box, "next", MEMLIFT_NI_CHAIN), MEMLIFT_OK);
  EXPECT_EQ(box.receive(), "next");
}

} // namespace
