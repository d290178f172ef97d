// ni_shm_test.cpp - transport "shm": messages between processes, and pages that are not one's own
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MEMLIFT_TEST_LONG=1: a million messages.
#include "ni_shm_support.h"

namespace {

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

// A reliable message is given up after the time that all of its repetitions would take.
TEST_F(ShmNi, WithdrawsAReliableMessageAfterTheTimeOfItsRepetitions) {
  struct {
    unsigned timeout, retries;
    uint64_t units;
  } const cases[] = {{0, 1, MEMLIFT_NI_RETRY_UNITS * (1 + 2)},
                     {1, 3, 1 + 2 + 4 + 8},
                     {200, 2, 200 + 2 * MEMLIFT_NI_TIMEOUT_MOST}};
  Ni b(options());
  for (const auto &one : cases) {
    memlift_ni_options o = options(MEMLIFT_NI_ANY_PAGE, MEMLIFT_NI_RELIABLE);
    o.retries = one.retries;
    Ni a(o);
    memlift_ni_ticket ticket;
    uint64_t begin = memlift_now();
    ASSERT_EQ(a.send(b, "late", MEMLIFT_NI_TIMEOUT(one.timeout), &ticket), MEMLIFT_OK);
    EXPECT_EQ(memlift_ni_wait(a, ticket, 10 * seconds), MEMLIFT_TIMED_OUT);
    EXPECT_GE(memlift_now() - begin, one.units * MEMLIFT_NI_TIMEOUT_NS);
    EXPECT_EQ(b.receive(), "");
  }
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
    signal(SIGSEGV, SIG_DFL);                           // sanitizers have a handler
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
  std::string link = path + "/link";
  ASSERT_EQ(symlink(path.c_str(), link.c_str()), 0);
  EXPECT_EQ(Ni(optionsOf("shm", link.c_str())).status, MEMLIFT_NOT_PRESENT);
  unlink(link.c_str());
  EXPECT_EQ(Ni(optionsOf("shm", (path + "-none").c_str())).status, MEMLIFT_NOT_PRESENT);
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
  std::string target = path + "/target", link = path + "/00.page";
  std::ofstream(target) << "precious";
  ASSERT_EQ(symlink(target.c_str(), link.c_str()), 0);
  EXPECT_EQ(Ni(options(0)).status, MEMLIFT_NOT_PRESENT);
  std::string text;
  std::ifstream(target) >> text;
  EXPECT_EQ(text, "precious");
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

} // namespace
