// ni_rules_test.cpp - what the model of the protocol (test/ni/ni.pml) found, tried in the code
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ni_support.h"

#include "ni/attachment.h"

#include <algorithm>
#include <array>
#include <memory>

namespace {

class RulesOfNi : public SoftNi {};

// Variant WAIT_AGAIN. Message 1 is lost behind message 0, which is acknowledged, while messages 2
// to 4 wait for it, the last one in the channel of message 0: message 1 must not wait for that.
TEST_F(RulesOfNi, ARepetitionDoesNotWaitForWhatWaitsForIt) {
  Ni a(MEMLIFT_NI_RELIABLE), b(MEMLIFT_NI_RELIABLE);
  std::array<memlift_ni_ticket, MEMLIFT_NI_CHANNELS + 1> tickets;
  uint32_t how = MEMLIFT_NI_CHAIN | MEMLIFT_NI_TIMEOUT(1);
  ASSERT_EQ(a.send(b, "0", how, &tickets[0]), MEMLIFT_OK);
  ASSERT_EQ(outcomeOf(a, tickets[0]), MEMLIFT_OK);
  ni_faults drop = {};
  drop.drop = 10000;
  faults(drop);
  for (unsigned i = 1; i < tickets.size(); i++)
    ASSERT_EQ(a.send(b, std::to_string(i).c_str(), how, &tickets[i]), MEMLIFT_OK);
  pass(MEMLIFT_NI_TIMEOUT_NS / 2);
  faults({});
  // The time-outs of the chain double: 1, 2, 4 ... units. Ten are far fewer than all repetitions.
  for (int i = 0; i < 10; i++) {
    pass(MEMLIFT_NI_TIMEOUT_NS << i);
    memlift_ni_flush(a, 0, 0);
  }
  for (unsigned i = 0; i < tickets.size(); i++) {
    EXPECT_EQ(memlift_ni_status(a, tickets[i]), MEMLIFT_OK) << i;
    EXPECT_EQ(b.receive(), std::to_string(i));
  }
}

// A device in software that takes nothing back, and which the test plays in virtual time.
class DeviceRulesOfNi : public testing::Test {
protected:
  void SetUp() override {
    ni_settings settings = virtualTime(1000);
    model = memlift_ni_model_new(&settings, nullptr);
    ASSERT_NE(model, nullptr);
    ASSERT_EQ(memlift_ni_model_open(model, 0, 2, 1), 0);
  }
  void TearDown() override { memlift_ni_model_free(model); }
  memlift_ni_options options(unsigned page, uint32_t flags) const {
    memlift_ni_options o = optionsOf("mmio");
    o.flags = MEMLIFT_NI_SOFTWARE_DEVICE | flags, o.incarnation = 1;
    o.base = memlift_ni_model_pages(model);
    o.first_page = page;
    return o;
  }
  // Lets time pass, and the attachment look.
  void pass(uint64_t nanoseconds, Ni &ni) {
    memlift_ni_model_pass(model, nanoseconds);
    EXPECT_NE(memlift_ni_flush(ni, 0, 0), MEMLIFT_NOT_PRESENT);
  }
  void drop(bool all) {
    ni_faults f = {};
    f.drop = all ? 10000 : 0;
    memlift_ni_model_set_faults(model, &f);
  }
  // Message 1 waits for message 0, which is lost; the messages that arrive while others are sent.
  void loseTheFirstOfAChain(uint32_t flags, std::vector<std::string> &got) {
    memlift_ni_options o = options(0, flags);
    o.retries = 1;
    Ni a(o), b(options(1, 0));
    memlift_ni_ticket zero, one;
    ASSERT_EQ(a.status, MEMLIFT_OK);
    drop(true);
    ASSERT_EQ(a.send(b, "0", MEMLIFT_NI_TIMEOUT(1), &zero), MEMLIFT_OK);
    ASSERT_EQ(a.send(b, "1", MEMLIFT_NI_CHAIN | MEMLIFT_NI_TIMEOUT(50), &one), MEMLIFT_OK);
    for (int i = 0; i < 10; i++)
      pass(MEMLIFT_NI_TIMEOUT_NS, a);
    ASSERT_EQ(memlift_ni_status(a, zero), MEMLIFT_TIMED_OUT);
    ASSERT_EQ(memlift_ni_status(a, one), MEMLIFT_PENDING);
    drop(false);
    EXPECT_EQ(a.send(b, "x", MEMLIFT_NI_ON_CHANNEL(0)), MEMLIFT_BUSY);
    for (char text = 'a'; text <= 'f'; text++) { // all channels in turn, but that of message 0
      ASSERT_EQ(a.send(b, std::string(1, text)), MEMLIFT_OK);
      for (int i = 0; i < 10; i++) {
        pass(1000, a);
        got.push_back(b.receive());
      }
    }
    for (int i = 0; i < 400; i++) {
      pass(MEMLIFT_NI_TIMEOUT_NS, a);
      got.push_back(b.receive());
    }
    EXPECT_EQ(memlift_ni_status(a, one), MEMLIFT_TIMED_OUT);
    EXPECT_EQ(a.send(b, "again", MEMLIFT_NI_ON_CHANNEL(0)), MEMLIFT_OK);
    for (int i = 0; i < 10; i++) {
      pass(1000, a);
      got.push_back(b.receive());
    }
    got.erase(std::remove(got.begin(), got.end(), ""), got.end());
  }
  ni_model *model = nullptr;
};

const std::vector<std::string> withoutTheChain = {"a", "b", "c", "d", "e", "f", "again"};

// Variant REUSES_CHANNEL: the acknowledgement of a later message would release message 1.
TEST_F(DeviceRulesOfNi, AChannelIsNotUsedBeforeWhatCannotBeWithdrawn) {
  std::vector<std::string> got;
  loseTheFirstOfAChain(0, got);
  EXPECT_EQ(got, withoutTheChain);
}

// Variant REPEATS_ORPHANS: message 1 would be sent again, and no longer wait.
TEST_F(DeviceRulesOfNi, WhatCannotBeWithdrawnIsNotRepeated) {
  std::vector<std::string> got;
  loseTheFirstOfAChain(MEMLIFT_NI_RELIABLE, got);
  EXPECT_EQ(got, withoutTheChain);
}

// The near miss: nothing is given up, so each channel is used as soon as it is free.
TEST_F(DeviceRulesOfNi, AChainThatHoldsUsesAllChannels) {
  Ni a(options(0, 0)), b(options(1, 0));
  for (unsigned i = 0; i < 40; i++) {
    ASSERT_EQ(a.send(b, std::to_string(i), MEMLIFT_NI_CHAIN | MEMLIFT_NI_TIMEOUT(50)), MEMLIFT_OK);
    for (int j = 0; j < 4; j++)
      pass(1000, a);
    ASSERT_EQ(b.receive(), std::to_string(i));
  }
  EXPECT_EQ(a.counters().acknowledged, 40u);
}

constexpr unsigned RUN = 32768 - MEMLIFT_NI_WINDOW;

// Sends messages that are given up, `count` of them or until none is taken any more.
class CutOffNi : public RulesOfNi {
protected:
  void SetUp() override {
    RulesOfNi::SetUp();
    memlift_ni_options options = optionsOf("soft");
    options.flags = MEMLIFT_NI_RELIABLE, options.retries = 1;
    a = std::make_unique<Ni>(options);
    b = std::make_unique<Ni>();
    ASSERT_EQ(a->send(*b, "first"), MEMLIFT_OK);
    ASSERT_EQ(b->receive(), "first");
    ASSERT_EQ(flush(*a), MEMLIFT_OK);
  }
  void TearDown() override {
    a.reset(), b.reset();
    RulesOfNi::TearDown();
  }
  memlift_status lose(unsigned count) {
    ni_faults drop = {};
    drop.drop = 10000;
    faults(drop);
    memlift_status status = MEMLIFT_OK;
    for (unsigned i = 0; i < count && status == MEMLIFT_OK; i++)
      while ((status = a->send(*b, "lost", MEMLIFT_NI_TIMEOUT(1))) == MEMLIFT_BUSY)
        pass(2 * MEMLIFT_NI_TIMEOUT_NS);
    EXPECT_EQ(flush(*a), MEMLIFT_OK);
    faults({});
    return status;
  }
  std::unique_ptr<Ni> a, b;
};

// Variant NO_REFUSAL. A receiver would take the number after so many for an old one.
TEST_F(CutOffNi, NothingIsSentAfterHalfOfAllNumbersWithoutAnAcknowledgement) {
  EXPECT_EQ(lose(33000), MEMLIFT_NOT_PRESENT);
  EXPECT_EQ(a->counters().timed_out, RUN);
  EXPECT_EQ(a->send(*b, "after"), MEMLIFT_NOT_PRESENT);
  EXPECT_EQ(memlift_ni_enqueue(*a, 0, b->address(), "x", 1, 0, forever, nullptr),
            MEMLIFT_NOT_PRESENT); // it does not wait for what never comes
  EXPECT_EQ(a->send(*a, "other"), MEMLIFT_OK);
  EXPECT_EQ(a->receive(), "other");
}

// The near miss: the last one that may be sent is delivered, and they are counted anew behind it.
TEST_F(CutOffNi, AnAcknowledgementBeginsTheCountAnew) {
  for (int round = 0; round < 3; round++) {
    ASSERT_EQ(lose(RUN - 1), MEMLIFT_OK);
    memlift_ni_ticket ticket;
    ASSERT_EQ(a->send(*b, "last", 0, &ticket), MEMLIFT_OK);
    EXPECT_EQ(outcomeOf(*a, ticket), MEMLIFT_OK);
    EXPECT_EQ(b->receive(), "last");
  }
  EXPECT_EQ(b->counters().duplicates, 0u);
}

// Variant LAST_INCARNATION_ONLY. All that a dead owner has sent is late: it comes behind the first
// message of the next owner, which it must not take for the dead one.
TEST_F(RulesOfNi, ADeadOwnersPacketBehindItsSuccessorsIsDropped) {
  Ni box;
  ni_faults late = {};
  late.delay_ns = 10000000, late.seed = 3;
  {
    Ni dead(MEMLIFT_NI_RELIABLE);
    ASSERT_EQ(dead.address().word, uint64_t(MEMLIFT_NI_PAGE_BYTES));
    faults(late);
    ASSERT_EQ(dead.send(box, "old"), MEMLIFT_OK);
    pass(1);
    faults({});
  }
  Ni next(MEMLIFT_NI_RELIABLE);
  ASSERT_EQ(next.address().word, uint64_t(MEMLIFT_NI_PAGE_BYTES));
  ASSERT_EQ(next.send(box, "new"), MEMLIFT_OK);
  ASSERT_EQ(box.receive(), "new");
  pass(10000000);
  EXPECT_EQ(box.receive(), "");
  memlift_ni_ticket ticket;
  ASSERT_EQ(next.send(box, "newer", 0, &ticket), MEMLIFT_OK);
  EXPECT_EQ(outcomeOf(next, ticket), MEMLIFT_OK);
  EXPECT_EQ(box.receive(), "newer");
  EXPECT_EQ(box.counters().stale, 1u);
}

memlift_ni_source packet(unsigned channel, uint16_t sequence, unsigned behind) {
  memlift_ni_source source = {};
  source.page = 1, source.channel = channel, source.reliable = 1;
  source.sequence = sequence, source.behind = behind, source.incarnation = 1;
  return source;
}

// Variant NO_CHANNEL_ORDER. Channel 0 has given number 5 up, and sends 6 while 4 of channel 1 is
// pending, which holds the window at 4: the 5 that comes behind the 6 is too late.
TEST(RulesOfNiSource, WhatWasGivenUpIsNotReceivedBehindTheNextOfItsChannel) {
  std::array<memlift_ni_known, MEMLIFT_NI_PEERS> known = {};
  memlift_ni_page page = {};
  page.known = known.data();
  memlift_ni_source six = packet(0, 6, 2), five = packet(0, 5, 1), four = packet(1, 4, 0);
  EXPECT_EQ(memlift_ni_accept(&page, &six), MEMLIFT_OK);
  EXPECT_EQ(memlift_ni_accept(&page, &five), MEMLIFT_COLLECTED);
  EXPECT_EQ(memlift_ni_accept(&page, &four), MEMLIFT_OK);
}

// Variant CHANNEL_ORDER_FOR_EVER. A channel is used again after more than half of all numbers.
TEST(RulesOfNiSource, AChannelMayRestForLong) {
  std::array<memlift_ni_known, MEMLIFT_NI_PEERS> known = {};
  memlift_ni_page page = {};
  page.known = known.data();
  for (unsigned i = 0; i < 5 * 40000; i++) {
    memlift_ni_source source = packet(i % 40000 ? 0 : 3, uint16_t(i), 0);
    ASSERT_EQ(memlift_ni_accept(&page, &source), MEMLIFT_OK) << i;
  }
}

// The near miss: nothing was given up, and channels may overtake each other, also where numbers
// wrap.
TEST(RulesOfNiSource, ChannelsMayOvertakeEachOther) {
  std::array<memlift_ni_known, MEMLIFT_NI_PEERS> known = {};
  memlift_ni_page page = {};
  page.known = known.data();
  for (unsigned round = 0; round < 0x18000; round += 4)
    for (unsigned channel : {3u, 1u, 0u, 2u}) {
      memlift_ni_source source = packet(channel, uint16_t(round + channel), channel);
      ASSERT_EQ(memlift_ni_accept(&page, &source), MEMLIFT_OK) << round << " " << channel;
      ASSERT_EQ(memlift_ni_accept(&page, &source), MEMLIFT_COLLECTED);
    }
}

// Incarnations have 11 bits: which of two is the later one goes by the shorter way round.
TEST(RulesOfNiSource, IncarnationsAreComparedAcrossTheirLastNumber) {
  std::array<memlift_ni_known, MEMLIFT_NI_PEERS> known = {};
  memlift_ni_page page = {};
  page.known = known.data();
  memlift_ni_source source = packet(0, 0, 0);
  auto status = [&](unsigned incarnation) {
    source.incarnation = uint16_t(incarnation % 2048);
    return memlift_ni_accept(&page, &source);
  };
  for (unsigned now = 1; now < 5000; now++) {
    ASSERT_EQ(status(now), MEMLIFT_OK) << now;
    for (unsigned before : {1u, 2u, 100u, 256u})
      ASSERT_EQ(status(now + 2048 - before), MEMLIFT_CANCELLED) << now << " " << before;
    ASSERT_EQ(status(now), MEMLIFT_COLLECTED) << now;
  }
  EXPECT_EQ(status(5000 + 1791 - 1), MEMLIFT_OK); // a page that has sent to others for long
}

} // namespace
