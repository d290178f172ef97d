// ni_kill_test.cpp - processes are killed at random moments, and the others go on
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MEMLIFT_TEST_LONG=1: 10,000 kills. MEMLIFT_TEST_SEED repeats the moments, not the schedule.
#include "ni_support.h"

#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <random>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace {

constexpr uint64_t seconds = 1000000000;

struct Letter {
  uint64_t life, number, check;
  uint64_t filling;
};

Letter letter(uint64_t life, uint64_t number) {
  return {life, number, life * 1000003 ^ number, ~number};
}
bool isWhole(const Letter &l) {
  return l.check == (l.life * 1000003 ^ l.number) && l.filling == ~l.number;
}

class KilledNi : public testing::Test {
protected:
  void SetUp() override {
    path = temporaryDirectory();
    const char *text = getenv("MEMLIFT_TEST_SEED");
    seed = text ? strtoull(text, nullptr, 0) : 30;
    random.seed(seed);
  }
  void TearDown() override {
    std::string command = "rm -rf " + path;
    EXPECT_EQ(system(command.c_str()), 0);
  }
  memlift_ni_options options(unsigned page) const {
    memlift_ni_options o = optionsOf("shm", path.c_str());
    o.first_page = page;
    return o;
  }
  static unsigned kills() { return getenv("MEMLIFT_TEST_LONG") ? 5000 : sanitizedCount(100); }

  pid_t start(void (*body)(memlift_ni *, uint64_t life), unsigned page, uint64_t life) {
    pid_t pid = fork();
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      memlift_ni_options o = options(page);
      memlift_ni *ni = nullptr;
      if (memlift_ni_attach(&o, sizeof o, &ni) == MEMLIFT_OK)
        body(ni, life);
      _exit(1);
    }
    return pid;
  }
  // Life of a process at most, in microseconds: a sanitized one takes longer to begin.
  static constexpr unsigned lifeAtMost = slow ? 40000 : 4000;

  // Kills a process a little later than the work that `meanwhile` does in that time.
  template <typename Work> void killWithin(pid_t pid, unsigned most, Work meanwhile) {
    uint64_t until = memlift_now() + random() % (most * 1000);
    do
      meanwhile();
    while (memlift_now() < until);
    int status = 0;
    ASSERT_EQ(signalTo(pid, SIGKILL), 0);
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it had ended by itself";
  }

  std::string path;
  uint64_t seed = 0;
  std::mt19937_64 random;
};

// Sends letters without end.
void sendLetters(memlift_ni *ni, uint64_t life) {
  for (uint64_t n = 0;; n++) {
    Letter l = letter(life, n);
    uint32_t how = MEMLIFT_NI_ON_CHANNEL(n % MEMLIFT_NI_CHANNELS) | (n % 3 ? MEMLIFT_NI_CHAIN : 0);
    if (memlift_ni_enqueue(ni, 0, memlift_ni_mailbox_at(0, 0), &l, sizeof l, how, UINT64_MAX,
                           nullptr) != MEMLIFT_OK)
      return;
  }
}

// The mailbox's owner lives; senders do not. What it reads is whole, once, and in order.
TEST_F(KilledNi, AReaderGoesOnWhenSendersAreKilled) {
  SCOPED_TRACE("MEMLIFT_TEST_SEED=" + std::to_string(seed));
  Ni box(options(0));
  ASSERT_EQ(box.status, MEMLIFT_OK);
  uint64_t newest = 0, received = 0, torn = 0, withdrawn = 0, disordered = 0;
  int64_t last[MEMLIFT_NI_CHANNELS];
  for (uint64_t life = 1; life <= kills(); life++) {
    pid_t sender = start(sendLetters, 1, life);
    ASSERT_GT(sender, 0);
    killWithin(sender, lifeAtMost, [&] {
      Letter l;
      size_t size = 0;
      if (memlift_ni_dequeue(box, 0, &l, sizeof l, 100000, &size, nullptr) != MEMLIFT_OK)
        return;
      received++;
      torn += size != sizeof l || !isWhole(l);
      withdrawn += l.life < newest; // a later owner of the page has taken them back
      if (l.life != newest)
        std::fill(last, last + MEMLIFT_NI_CHANNELS, -1);
      newest = l.life;
      disordered += int64_t(l.number) <= last[l.number % MEMLIFT_NI_CHANNELS];
      last[l.number % MEMLIFT_NI_CHANNELS] = int64_t(l.number);
    });
    ASSERT_FALSE(HasFatalFailure());
  }
  EXPECT_EQ(torn, 0u);
  EXPECT_EQ(withdrawn, 0u);
  EXPECT_EQ(disordered, 0u);
  EXPECT_GT(received, kills());
  // And the page of the dead is there for the next.
  Ni next(options(1));
  ASSERT_EQ(next.status, MEMLIFT_OK);
  while (!box.receive().empty())
    ;
  ASSERT_EQ(next.send(box, "alive"), MEMLIFT_OK);
  EXPECT_EQ(box.receive(), "alive");
}

// Reads letters without end, and sends one back now and then.
void readLetters(memlift_ni *ni, uint64_t life) {
  for (uint64_t n = 0;; n++) {
    Letter l;
    size_t size = 0;
    memlift_ni_address from;
    if (memlift_ni_dequeue(ni, 0, &l, sizeof l, UINT64_MAX, &size, &from) != MEMLIFT_OK)
      return;
    if (!isWhole(l) || size != sizeof l)
      _exit(7);
    l = letter(life, n);
    memlift_ni_try_enqueue(ni, 0, from, &l, sizeof l, MEMLIFT_NI_TIMEOUT(1), nullptr);
  }
}

// The sender lives; readers do not. Every message has an outcome in the end, and none hangs.
TEST_F(KilledNi, ASenderGoesOnWhenReadersAreKilled) {
  SCOPED_TRACE("MEMLIFT_TEST_SEED=" + std::to_string(seed));
  Ni a(options(1));
  ASSERT_EQ(a.status, MEMLIFT_OK);
  uint64_t sent = 0, torn = 0;
  for (uint64_t life = 1; life <= kills(); life++) {
    pid_t reader = start(readLetters, 0, life);
    ASSERT_GT(reader, 0);
    killWithin(reader, lifeAtMost, [&] {
      Letter l = letter(0, sent);
      memlift_status status = memlift_ni_enqueue(a, 0, memlift_ni_mailbox_at(0, 0), &l, sizeof l,
                                                 sent % 3 ? MEMLIFT_NI_CHAIN : 0, 100000, nullptr);
      sent += status == MEMLIFT_OK;
      size_t size = 0;
      if (memlift_ni_try_dequeue(a, 0, &l, sizeof l, &size, nullptr) == MEMLIFT_OK)
        torn += size != sizeof l || !isWhole(l);
    });
    ASSERT_FALSE(HasFatalFailure());
  }
  EXPECT_EQ(memlift_ni_flush(a, 0, 10 * seconds), MEMLIFT_OK);
  memlift_ni_counters c = a.counters();
  EXPECT_EQ(torn, 0u);
  EXPECT_EQ(c.sent, sent);
  EXPECT_EQ(c.acknowledged + c.gone + c.timed_out + c.cancelled, sent);
  EXPECT_GT(c.acknowledged, kills());
}

} // namespace
