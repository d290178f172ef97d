// ni_reliable_test.cpp - exactly once, in order, through a network that loses, doubles and delays
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MEMLIFT_TEST_LONG=1: the million messages that the bar is stated for. MEMLIFT_TEST_SEED repeats a
// run.
#include "ni_support.h"

#include <memlift/ni_page.h>

#include <array>
#include <cstdlib>
#include <map>
#include <thread>

namespace {

uint64_t seedOf(uint64_t otherwise) {
  const char *text = getenv("MEMLIFT_TEST_SEED");
  return text ? strtoull(text, nullptr, 0) : otherwise;
}

class ReliableNi : public SoftNi {};

// ---- Single faults ---------------------------------------------------------------------------

// Drops every packet or acknowledgement until it is told otherwise.
ni_faults always(unsigned ni_faults::*what) {
  ni_faults f = {};
  f.*what = 10000;
  return f;
}
const ni_faults noFaults = {};

TEST_F(ReliableNi, RepeatsALostPacket) {
  Ni a(MEMLIFT_NI_RELIABLE), b(MEMLIFT_NI_RELIABLE);
  memlift_ni_ticket ticket;
  faults(always(&ni_faults::drop));
  ASSERT_EQ(a.send(b, "x", 0, &ticket), MEMLIFT_OK);
  pass(MEMLIFT_NI_RETRY_UNITS * MEMLIFT_NI_TIMEOUT_NS); // what 0 stands for
  faults(noFaults);
  EXPECT_EQ(memlift_ni_status(a, ticket), MEMLIFT_PENDING);
  EXPECT_EQ(outcomeOf(a, ticket), MEMLIFT_OK);
  EXPECT_EQ(b.receive(), "x");
  EXPECT_EQ(b.receive(), "");
  EXPECT_EQ(a.counters().repeated, 1u);
}

TEST_F(ReliableNi, ALostAcknowledgementMakesNoDuplicate) {
  Ni a(MEMLIFT_NI_RELIABLE), b(MEMLIFT_NI_RELIABLE);
  memlift_ni_ticket ticket;
  faults(always(&ni_faults::drop_ack));
  ASSERT_EQ(a.send(b, "x", MEMLIFT_NI_TIMEOUT(1), &ticket), MEMLIFT_OK);
  EXPECT_EQ(b.receive(), "x");
  pass(MEMLIFT_NI_TIMEOUT_NS);
  faults(noFaults);
  EXPECT_EQ(outcomeOf(a, ticket), MEMLIFT_OK);
  EXPECT_EQ(b.receive(), "");
  EXPECT_EQ(b.counters().duplicates, 1u);
  EXPECT_EQ(a.counters().timed_out, 0u);
}

// A request that is lost, while its sender waits for the answer.
TEST_F(ReliableNi, RepeatsWhileItWaitsForAMessage) {
  configure(ni_settings());
  Ni a(MEMLIFT_NI_RELIABLE), b;
  char text[8];
  size_t size = 0;
  faults(always(&ni_faults::drop));
  ASSERT_EQ(a.send(b, "x", MEMLIFT_NI_TIMEOUT(50)), MEMLIFT_OK);
  faults(noFaults);
  EXPECT_EQ(memlift_ni_dequeue(a, 0, text, 8, 20000000, &size, nullptr), MEMLIFT_TIMED_OUT);
  EXPECT_EQ(b.receive(), "x");
  EXPECT_GE(a.counters().repeated, 1u);
}

// The near miss: a plain sender is told of a time-out, though the message has arrived.
TEST_F(ReliableNi, APlainSenderLearnsOfALostAcknowledgement) {
  Ni a, b;
  memlift_ni_ticket ticket;
  faults(always(&ni_faults::drop_ack));
  ASSERT_EQ(a.send(b, "x", MEMLIFT_NI_TIMEOUT(1), &ticket), MEMLIFT_OK);
  EXPECT_EQ(outcomeOf(a, ticket), MEMLIFT_TIMED_OUT);
  EXPECT_EQ(b.receive(), "x");
  EXPECT_EQ(a.counters().repeated, 0u);
}

TEST_F(ReliableNi, DropsWhatTheNetworkHasDoubled) {
  Ni a(MEMLIFT_NI_RELIABLE), b;
  faults(always(&ni_faults::duplicate));
  for (int i = 0; i < 50; i++) {
    ASSERT_EQ(memlift_ni_enqueue(a, 0, b.address(), &i, sizeof i, 0, forever, nullptr), MEMLIFT_OK);
    pass(100);
    EXPECT_EQ(b.receive(), std::string(reinterpret_cast<char *>(&i), sizeof i));
    EXPECT_EQ(b.receive(), "");
  }
  EXPECT_EQ(b.counters().duplicates, 50u);
}

// A copy that comes a long time after its message, and after many others.
TEST_F(ReliableNi, DropsALateDuplicate) {
  Ni a(MEMLIFT_NI_RELIABLE), b;
  ni_faults late = always(&ni_faults::duplicate);
  late.late_ns = 10000000, late.seed = 3;
  faults(late);
  ASSERT_EQ(a.send(b, "first"), MEMLIFT_OK);
  faults(noFaults);
  EXPECT_EQ(b.receive(), "first");
  for (int i = 0; i < 200; i++) {
    ASSERT_EQ(memlift_ni_enqueue(a, 0, b.address(), "x", 1, 0, forever, nullptr), MEMLIFT_OK);
    ASSERT_EQ(b.receive(), "x");
  }
  EXPECT_EQ(b.counters().duplicates, 0u);
  pass(10000000);
  EXPECT_EQ(b.receive(), "");
  EXPECT_EQ(b.counters().duplicates, 1u);
}

TEST_F(ReliableNi, WaitsUntilAFullMailboxIsRead) {
  Ni a(MEMLIFT_NI_RELIABLE), b;
  for (unsigned i = 0; i < MEMLIFT_NI_SHARE; i++)
    ASSERT_EQ(a.send(b, std::to_string(i)), MEMLIFT_OK);
  EXPECT_EQ(flush(a), MEMLIFT_OK);
  memlift_ni_ticket ticket;
  ASSERT_EQ(a.send(b, "more", 0, &ticket), MEMLIFT_OK);
  EXPECT_EQ(a.send(b, "too much"), MEMLIFT_BUSY); // no credit, and one that asks already
  for (int i = 0; i < 5; i++) {
    pass(MEMLIFT_NI_TIMEOUT_MOST * uint64_t(MEMLIFT_NI_TIMEOUT_NS));
    EXPECT_EQ(memlift_ni_status(a, ticket), MEMLIFT_PENDING);
  }
  EXPECT_EQ(happened().full, 6u);
  EXPECT_EQ(b.receive(), "0");
  EXPECT_EQ(outcomeOf(a, ticket), MEMLIFT_OK);
  for (unsigned i = 1; i < MEMLIFT_NI_SHARE; i++)
    EXPECT_EQ(b.receive(), std::to_string(i));
  EXPECT_EQ(b.receive(), "more");
}

// A message that is given up leaves a gap in the numbers, which holds nobody up.
TEST_F(ReliableNi, GoesOnAfterAMessageThatIsGivenUp) {
  memlift_ni_options options = optionsOf("soft");
  options.flags = MEMLIFT_NI_RELIABLE, options.retries = 2;
  Ni a(options), b;
  memlift_ni_ticket lost;
  for (unsigned i = 0; i < 3 * MEMLIFT_NI_WINDOW; i++) {
    faults(always(&ni_faults::drop));
    ASSERT_EQ(a.send(b, "lost", MEMLIFT_NI_TIMEOUT(1), &lost), MEMLIFT_OK);
    ASSERT_EQ(outcomeOf(a, lost), MEMLIFT_TIMED_OUT);
    faults(noFaults);
    ASSERT_EQ(a.send(b, std::to_string(i)), MEMLIFT_OK);
    ASSERT_EQ(b.receive(), std::to_string(i));
    ASSERT_EQ(flush(a), MEMLIFT_OK);
  }
  EXPECT_EQ(a.counters().repeated, 2 * a.counters().timed_out);
}

// One message is on the way for long, while the other channels go on to the end of the window.
TEST_F(ReliableNi, SendsNoFurtherThanTheWindow) {
  configure(virtualTime(1000));
  memlift_ni_options options = optionsOf("soft");
  options.flags = MEMLIFT_NI_RELIABLE;
  Ni a(options), b;
  memlift_ni_ticket first;
  faults(always(&ni_faults::drop));
  ASSERT_EQ(a.send(b, "0", MEMLIFT_NI_TIMEOUT(MEMLIFT_NI_TIMEOUT_MOST), &first), MEMLIFT_OK);
  pass(100);
  faults(noFaults);
  for (unsigned i = 1; i < MEMLIFT_NI_WINDOW; i++) {
    std::string text = std::to_string(i);
    while (a.send(b, text) != MEMLIFT_OK)
      pass(100);
    for (std::string got; got != text; got = b.receive())
      pass(100);
  }
  for (int i = 0; i < 50; i++, pass(1000))
    ASSERT_EQ(a.send(b, "beyond"), MEMLIFT_BUSY);
  EXPECT_EQ(outcomeOf(a, first), MEMLIFT_OK);
  EXPECT_EQ(b.receive(), "0");
  EXPECT_EQ(a.send(b, "beyond"), MEMLIFT_OK);
}

// Numbers of 16 bits come round.
TEST_F(ReliableNi, GoesOnBeyondTheLastNumber) {
  Ni a(MEMLIFT_NI_RELIABLE), b;
  for (unsigned i = 0; i < 66000; i++) {
    ASSERT_EQ(memlift_ni_enqueue(a, 0, b.address(), &i, sizeof i, 0, forever, nullptr), MEMLIFT_OK);
    ASSERT_EQ(b.receive(), std::string(reinterpret_cast<char *>(&i), sizeof i));
  }
  EXPECT_EQ(b.counters().duplicates, 0u);
}

TEST_F(ReliableNi, ANewOwnerOfAPageBeginsAnew) {
  Ni box;
  for (int i = 0; i < 10; i++) {
    Ni a(MEMLIFT_NI_RELIABLE); // page 1 each time
    ASSERT_EQ(a.address().word, uint64_t(MEMLIFT_NI_PAGE_BYTES));
    for (int j = 0; j <= i; j++) {
      ASSERT_EQ(a.send(box, std::to_string(10 * i + j)), MEMLIFT_OK);
      ASSERT_EQ(box.receive(), std::to_string(10 * i + j));
    }
  }
  EXPECT_EQ(box.counters().stale + box.counters().duplicates, 0u);
}

TEST_F(ReliableNi, DropsWhatIsLeftOfAnEarlierOwner) {
  Ni box;
  ni_faults late = always(&ni_faults::duplicate);
  late.late_ns = 10000000, late.seed = 3;
  {
    Ni a(MEMLIFT_NI_RELIABLE);
    faults(late);
    ASSERT_EQ(a.send(box, "old"), MEMLIFT_OK);
    faults(noFaults);
    ASSERT_EQ(box.receive(), "old");
  }
  Ni a(MEMLIFT_NI_RELIABLE);
  ASSERT_EQ(a.send(box, "new"), MEMLIFT_OK);
  EXPECT_EQ(box.receive(), "new");
  pass(10000000);
  EXPECT_EQ(box.receive(), "");
  EXPECT_EQ(box.counters().stale, 1u);
  ASSERT_EQ(a.send(box, "newer"), MEMLIFT_OK);
  EXPECT_EQ(box.receive(), "newer");
}

TEST_F(ReliableNi, KnowsMoreDestinationsThanItHasChannels) {
  Ni a(MEMLIFT_NI_RELIABLE), all(0, MEMLIFT_NI_PAGES - 1);
  for (unsigned round = 0; round < 3; round++)
    for (unsigned page = 0; page + 1 < MEMLIFT_NI_PAGES; page++) {
      ASSERT_EQ(
          memlift_ni_enqueue(a, 0, all.address(page), &page, sizeof page, 0, forever, nullptr),
          MEMLIFT_OK);
      ASSERT_EQ(all.receive(page).size(), sizeof page);
    }
  // Nodes that do not exist: the table of destinations ends some time.
  memlift_status status = MEMLIFT_OK;
  unsigned node = 0;
  for (; status == MEMLIFT_OK && node < 1000; node++)
    status = memlift_ni_enqueue(a, 0, memlift_ni_mailbox_at(node + 1, 0), &node, sizeof node,
                                MEMLIFT_NI_TIMEOUT(255), 0, nullptr);
  EXPECT_NE(status, MEMLIFT_OK);
}

// ---- Everything at once ----------------------------------------------------------------------

constexpr unsigned senders = 8;

struct Letter {
  uint32_t sender, channel, number;
  uint32_t filling[5];
};

// Messages that have arrived of each sender, and from which channel in which order.
struct Inbox {
  std::vector<std::vector<uint8_t>> times;
  std::array<std::array<int64_t, MEMLIFT_NI_CHANNELS>, senders> last;
  std::array<int64_t, senders> lastOfAll;
  uint64_t doubled = 0, disordered = 0, disorderedInChain = 0;

  explicit Inbox(unsigned each) : times(senders, std::vector<uint8_t>(each)) {
    for (auto &channels : last)
      channels.fill(-1);
    lastOfAll.fill(-1);
  }
  void put(const Letter &l) {
    ASSERT_LT(l.sender, senders);
    ASSERT_LT(l.number, times[l.sender].size());
    doubled += times[l.sender][l.number]++ > 0;
    disordered += int64_t(l.number) < last[l.sender][l.channel];
    disorderedInChain += int64_t(l.number) < lastOfAll[l.sender];
    last[l.sender][l.channel] = lastOfAll[l.sender] = l.number;
  }
  uint64_t arrived() const {
    uint64_t n = 0;
    for (const auto &sender : times)
      for (uint8_t t : sender)
        n += t > 0;
    return n;
  }
};

ni_settings lossy(uint64_t seed) {
  ni_settings settings = virtualTime(1000);
  settings.tick_ns = 1000;
  settings.faults.seed = seed;
  settings.faults.drop = settings.faults.drop_ack = 100; // 1 %
  settings.faults.duplicate = 50;
  settings.faults.delay_ns = 5000, settings.faults.late_ns = 200000;
  return settings;
}

unsigned eachSends() { return getenv("MEMLIFT_TEST_LONG") ? 125000 : sanitizedCount(6000); }

// Sends the next letter of a sender, if that is possible now.
bool sendNext(Ni &from, const Ni &box, unsigned sender, uint32_t number, uint32_t how,
              memlift_ni_ticket *ticket) {
  Letter l = {sender, number % MEMLIFT_NI_CHANNELS, number, {}};
  how |= MEMLIFT_NI_ON_CHANNEL(l.channel) | MEMLIFT_NI_TIMEOUT(2);
  return memlift_ni_try_enqueue(from, 0, box.address(), &l, sizeof l, how, ticket) == MEMLIFT_OK;
}

bool receiveNext(Ni &box, Inbox &inbox) {
  Letter l;
  size_t size = 0;
  if (memlift_ni_try_dequeue(box, 0, &l, sizeof l, &size, nullptr) != MEMLIFT_OK)
    return false;
  EXPECT_EQ(size, sizeof l);
  inbox.put(l);
  return true;
}

// Everything in one thread: the same seed, the same run.
void exactlyOnce(uint32_t how) {
  uint64_t seed = seedOf(30);
  SCOPED_TRACE("MEMLIFT_TEST_SEED=" + std::to_string(seed));
  ni_settings settings = lossy(seed);
  memlift_ni_soft_configure(&settings);
  unsigned each = eachSends();
  Inbox inbox(each);
  Ni box;
  std::vector<std::unique_ptr<Ni>> from;
  for (unsigned i = 0; i < senders; i++)
    from.push_back(std::make_unique<Ni>(MEMLIFT_NI_RELIABLE));
  std::array<uint32_t, senders> next = {};
  bool left = true;
  while (left) {
    left = false;
    for (unsigned i = 0; i < senders; i++)
      if (next[i] < each)
        left = true, next[i] += sendNext(*from[i], box, i, next[i], how, nullptr);
    for (unsigned i = 0; i < senders && receiveNext(box, inbox); i++)
      ;
    ASSERT_FALSE(testing::Test::HasFatalFailure());
  }
  for (auto &ni : from)
    for (int i = 0; memlift_ni_flush(*ni, 0, 0) == MEMLIFT_PENDING; i++) {
      ASSERT_LT(i, 10000000);
      receiveNext(box, inbox);
    }
  memlift_ni_model_pass(memlift_ni_soft_model(nullptr), 1000000000); // late duplicates, too
  for (int i = 0; i < 1000; i++)
    receiveNext(box, inbox);
  EXPECT_EQ(inbox.arrived(), uint64_t(senders) * each);
  EXPECT_EQ(inbox.doubled, 0u);
  EXPECT_EQ(inbox.disordered, 0u);
  if (how & MEMLIFT_NI_CHAIN)
    EXPECT_EQ(inbox.disorderedInChain, 0u);
  else
    EXPECT_GT(inbox.disorderedInChain, 0u);
  for (auto &ni : from)
    EXPECT_EQ(ni->counters().timed_out, 0u);
  ni_happened happened = memlift_ni_model_happened(memlift_ni_soft_model(nullptr));
  EXPECT_GT(happened.dropped, each / 20);
  EXPECT_GT(happened.dropped_acks, each / 20);
  EXPECT_GT(box.counters().duplicates, each / 20);
  EXPECT_EQ(happened.overwritten, 0u); // no channel was written while it was queued
}

TEST_F(ReliableNi, RandomDeliversEachMessageExactlyOnce) { exactlyOnce(0); }

TEST_F(ReliableNi, RandomChainsKeepTheOrderOfAPage) { exactlyOnce(MEMLIFT_NI_CHAIN); }

// Plain: what has not arrived is among what its sender was told of.
TEST_F(ReliableNi, RandomPlainMessagesAreNotLostSilently) {
  uint64_t seed = seedOf(31);
  SCOPED_TRACE("MEMLIFT_TEST_SEED=" + std::to_string(seed));
  ni_settings settings = lossy(seed);
  settings.faults.duplicate = 0;
  memlift_ni_soft_configure(&settings);
  unsigned each = eachSends();
  Inbox inbox(each);
  Ni box;
  std::vector<std::unique_ptr<Ni>> from;
  for (unsigned i = 0; i < senders; i++)
    from.push_back(std::make_unique<Ni>());
  std::array<uint32_t, senders> next = {};
  std::vector<std::vector<uint8_t>> told(senders, std::vector<uint8_t>(each));
  std::vector<std::map<uint32_t, memlift_ni_ticket>> open(senders);
  auto ask = [&](unsigned i) {
    for (auto at = open[i].begin(); at != open[i].end();) {
      memlift_status status = memlift_ni_status(*from[i], at->second);
      ASSERT_TRUE(status == MEMLIFT_OK || status == MEMLIFT_PENDING || status == MEMLIFT_TIMED_OUT);
      told[i][at->first] = status == MEMLIFT_TIMED_OUT;
      at = status == MEMLIFT_PENDING ? std::next(at) : open[i].erase(at);
    }
  };
  bool left = true;
  while (left) {
    left = false;
    for (unsigned i = 0; i < senders; i++) {
      memlift_ni_ticket ticket;
      ask(i);
      left |= next[i] < each || !open[i].empty();
      if (next[i] < each && sendNext(*from[i], box, i, next[i], 0, &ticket))
        open[i][next[i]++] = ticket;
      receiveNext(box, inbox);
    }
    ASSERT_FALSE(testing::Test::HasFatalFailure());
  }
  for (int i = 0; i < 1000; i++)
    receiveNext(box, inbox);
  uint64_t lost = 0, silently = 0, toldOf = 0;
  for (unsigned i = 0; i < senders; i++)
    for (unsigned n = 0; n < each; n++) {
      lost += inbox.times[i][n] == 0;
      silently += inbox.times[i][n] == 0 && !told[i][n];
      toldOf += told[i][n];
    }
  EXPECT_EQ(silently, 0u);
  EXPECT_EQ(inbox.doubled, 0u);
  EXPECT_GT(lost, each / 50);
  EXPECT_GT(toldOf, lost); // lost acknowledgements look the same
}

// Many senders with a thread each, and one for the mailbox.
TEST_F(ReliableNi, RandomThreadsDeliverEachMessageExactlyOnce) {
  uint64_t seed = seedOf(32);
  SCOPED_TRACE("MEMLIFT_TEST_SEED=" + std::to_string(seed));
  ni_settings settings = lossy(seed);
  memlift_ni_soft_configure(&settings);
  unsigned each = eachSends() / 4;
  Inbox inbox(each);
  Ni box;
  std::vector<std::unique_ptr<Ni>> from;
  for (unsigned i = 0; i < senders; i++)
    from.push_back(std::make_unique<Ni>(MEMLIFT_NI_RELIABLE));
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < senders; i++)
    threads.emplace_back([&, i] {
      for (uint32_t n = 0; n < each;)
        if (sendNext(*from[i], box, i, n, 0, nullptr))
          n++;
        else
          std::this_thread::yield();
      EXPECT_EQ(memlift_ni_flush(*from[i], 0, uint64_t(60) * 1000000000), MEMLIFT_OK);
    });
  for (uint64_t n = 0; n < uint64_t(senders) * each;)
    if (receiveNext(box, inbox))
      n++;
    else
      std::this_thread::yield();
  // Repetitions of what has arrived need the mailbox to be read, too.
  std::thread reader([&] {
    uint64_t begin = memlift_now();
    while (memlift_now() - begin < 1000000000)
      receiveNext(box, inbox);
  });
  for (std::thread &t : threads)
    t.join();
  reader.join();
  EXPECT_EQ(inbox.arrived(), uint64_t(senders) * each);
  EXPECT_EQ(inbox.doubled, 0u);
  EXPECT_EQ(inbox.disordered, 0u);
}

} // namespace
