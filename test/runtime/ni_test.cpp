// ni_test.cpp - memlift/ni.h: attaching, sizes, outcomes, chains, mailboxes, on the soft device
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ni_support.h"

#include <memlift/mbox.h>
#include <memlift/ni_page.h>

#include <algorithm>
#include <random>

namespace {

// ---- Attaching -------------------------------------------------------------------------------

TEST_F(SoftNi, RefusesOptionsOutOfRange) {
  memlift_ni *ni = nullptr;
  memlift_ni_options good = optionsOf("soft");
  EXPECT_EQ(memlift_ni_attach(nullptr, sizeof good, &ni), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_ni_attach(&good, 0, &ni), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_ni_attach(&good, sizeof good, nullptr), MEMLIFT_INVALID_ARGUMENT);
  std::vector<memlift_ni_options> bad(6, good);
  bad[0].transport = nullptr;
  bad[1].pages = MEMLIFT_NI_PAGES + 1;
  bad[2].channels = MEMLIFT_NI_CHANNELS + 1;
  bad[3].first_page = MEMLIFT_NI_PAGES;
  bad[4].first_page = MEMLIFT_NI_PAGES - 1, bad[4].pages = 2;
  bad[5].flags = 0x80000000u;
  for (const memlift_ni_options &options : bad)
    EXPECT_EQ(memlift_ni_attach(&options, sizeof options, &ni), MEMLIFT_INVALID_ARGUMENT);
  good.transport = "pigeon";
  EXPECT_EQ(memlift_ni_attach(&good, sizeof good, &ni), MEMLIFT_UNKNOWN_ENGINE);
}

TEST_F(SoftNi, ReadsNoMoreOfTheOptionsThanTheirSize) {
  memlift_ni_options options = optionsOf("soft");
  memlift_ni *ni = nullptr;
  options.flags = 0x80000000u; // behind what the caller says it has
  ASSERT_EQ(memlift_ni_attach(&options, offsetof(memlift_ni_options, flags), &ni), MEMLIFT_OK);
  EXPECT_EQ(memlift_ni_detach(ni), MEMLIFT_OK);
}

TEST_F(SoftNi, GivesEachPageToOneAttachment) {
  memlift_ni_options options = optionsOf("soft");
  options.first_page = 3, options.pages = 2;
  Ni first(options);
  ASSERT_EQ(first.status, MEMLIFT_OK);
  EXPECT_EQ(Ni(options).status, MEMLIFT_BUSY);
  options.first_page = 4, options.pages = 1;
  EXPECT_EQ(Ni(options).status, MEMLIFT_BUSY);
  options.first_page = 5;
  EXPECT_EQ(Ni(options).status, MEMLIFT_OK);
  Ni any(0, 4); // does not fit below page 3
  ASSERT_EQ(any.status, MEMLIFT_OK);
  EXPECT_EQ(any.address().word, 5u * MEMLIFT_NI_PAGE_BYTES);
  EXPECT_EQ(Ni(0, MEMLIFT_NI_PAGES - 8).status, MEMLIFT_BUSY);
}

TEST_F(SoftNi, TellsItsProtectionId) {
  memlift_ni_options options = optionsOf("soft");
  uint32_t id = 0;
  Ni mine(options);
  EXPECT_EQ(memlift_ni_get_protection_id(mine, &id), MEMLIFT_OK);
  EXPECT_EQ(id, static_cast<uint32_t>(geteuid()) + 1);
  options.protection_id = 77;
  Ni other(options);
  EXPECT_EQ(memlift_ni_get_protection_id(other, &id), MEMLIFT_OK);
  EXPECT_EQ(id, 77u);
  EXPECT_EQ(memlift_ni_get_protection_id(nullptr, &id), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_ni_get_protection_id(mine, nullptr), MEMLIFT_INVALID_ARGUMENT);
}

TEST_F(SoftNi, DeliversWithinAProtectionIdOnly) {
  memlift_ni_options options = optionsOf("soft");
  options.protection_id = 1;
  Ni a(options), b(options);
  options.protection_id = 2;
  Ni foreign(options);
  memlift_ni_ticket ticket;
  ASSERT_EQ(a.send(b, "for b"), MEMLIFT_OK);
  EXPECT_EQ(b.receive(), "for b");
  ASSERT_EQ(a.send(foreign, "for nobody", MEMLIFT_NI_TIMEOUT(1), &ticket), MEMLIFT_OK);
  EXPECT_EQ(outcomeOf(a, ticket), MEMLIFT_TIMED_OUT);
  EXPECT_EQ(foreign.receive(), "");
}

// ---- Sizes -----------------------------------------------------------------------------------

TEST_F(SoftNi, CarriesEverySizeAtEveryAlignment) {
  Ni a, b;
  std::mt19937 random(30);
  std::vector<uint8_t> from(MEMLIFT_NI_PAYLOAD_MOST + 8), to(MEMLIFT_NI_PAYLOAD_MOST + 24);
  for (size_t size = 1; size <= MEMLIFT_NI_PAYLOAD_MOST; size++) {
    size_t at = size % 8, toAt = random() % 8, received = 0;
    std::generate(from.begin(), from.end(), std::ref(random));
    std::fill(to.begin(), to.end(), 0xa5);
    ASSERT_EQ(memlift_ni_try_enqueue(a, 0, b.address(), &from[at], size, 0, nullptr), MEMLIFT_OK);
    ASSERT_EQ(memlift_ni_try_dequeue(b, 0, &to[8 + toAt], size, &received, nullptr), MEMLIFT_OK);
    ASSERT_EQ(received, size);
    ASSERT_EQ(memcmp(&to[8 + toAt], &from[at], size), 0) << size;
    for (size_t i = 0; i < to.size(); i++) {
      bool outside = i < 8 + toAt || i >= 8 + toAt + size;
      ASSERT_TRUE(!outside || to[i] == 0xa5) << size << " bytes, at " << i;
    }
  }
}

TEST_F(SoftNi, RefusesOtherSizesAndSendsNothing) {
  Ni a, b;
  char data[300] = {};
  for (size_t size : {size_t(0), size_t(257), size_t(300), size_t(1) << 14, SIZE_MAX})
    EXPECT_EQ(memlift_ni_try_enqueue(a, 0, b.address(), data, size, 0, nullptr),
              MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_ni_try_enqueue(a, 0, b.address(), nullptr, 8, 0, nullptr),
            MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_ni_try_enqueue(a, 0, b.address(), data, 8, 0x200, nullptr),
            MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_ni_try_enqueue(a, 0, b.address(), data, 8, MEMLIFT_NI_ON_CHANNEL(4), nullptr),
            MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_ni_try_enqueue(a, 1, b.address(), data, 8, 0, nullptr),
            MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(a.counters().refused, 8u);
  EXPECT_EQ(a.counters().sent, 0u);
  EXPECT_EQ(happened().packets, 0u);
}

TEST_F(SoftNi, KeepsAMessageThatTheBufferHasNoRoomFor) {
  Ni a, b;
  char buffer[8];
  size_t size = 0;
  ASSERT_EQ(a.send(b, "nine char"), MEMLIFT_OK);
  EXPECT_EQ(memlift_ni_try_dequeue(b, 0, buffer, 8, &size, nullptr), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(size, 9u);
  EXPECT_EQ(b.receive(), "nine char");
}

TEST_F(SoftNi, PeeksWithoutTaking) {
  Ni a, b;
  size_t size = 1;
  EXPECT_EQ(memlift_ni_peek(b, 0, &size), MEMLIFT_OK);
  EXPECT_EQ(size, 0u);
  ASSERT_EQ(a.send(b, "first"), MEMLIFT_OK);
  ASSERT_EQ(a.send(b, "second one"), MEMLIFT_OK);
  for (int i = 0; i < 2; i++) {
    EXPECT_EQ(memlift_ni_peek(b, 0, &size), MEMLIFT_OK);
    EXPECT_EQ(size, 5u);
  }
  EXPECT_EQ(b.receive(), "first");
  EXPECT_EQ(memlift_ni_peek(b, 0, &size), MEMLIFT_OK);
  EXPECT_EQ(size, 10u);
}

TEST_F(SoftNi, TellsWhomAMessageIsFrom) {
  Ni a(0, 3), b;
  memlift_ni_address from = {};
  ASSERT_EQ(a.send(b, "x", 0, nullptr, 2), MEMLIFT_OK);
  EXPECT_EQ(b.receive(0, &from), "x");
  EXPECT_EQ(from.word, a.address(2).word);
}

// Sizes that the device gives and no packet has.
TEST_F(SoftNi, DropsAPacketThatMeansNothing) {
  Ni a, b;
  memlift_ni_map map;
  char buffer[MEMLIFT_NI_PAYLOAD_MOST];
  size_t size;
  ASSERT_EQ(a.send(b, "broken"), MEMLIFT_OK);
  ASSERT_EQ(a.send(b, "whole"), MEMLIFT_OK);
  ASSERT_EQ(memlift_ni_map_page(b, 0, &map), MEMLIFT_OK);
  memlift_ni_put(map.mailbox, MEMLIFT_NI_MAILBOX_SIZE_OFFSET, 257);
  EXPECT_EQ(memlift_ni_try_dequeue(b, 0, buffer, sizeof buffer, &size, nullptr), MEMLIFT_PROTOCOL);
  EXPECT_EQ(b.counters().malformed, 1u);
  EXPECT_EQ(b.receive(), "whole");
}

// ---- Outcomes --------------------------------------------------------------------------------

TEST_F(SoftNi, SurfacesAcknowledgements) {
  configure(virtualTime(1000));
  Ni a, b;
  memlift_ni_ticket ticket;
  ASSERT_EQ(a.send(b, "x", 0, &ticket), MEMLIFT_OK);
  EXPECT_EQ(memlift_ni_status(a, ticket), MEMLIFT_PENDING);
  pass(1000); // there
  EXPECT_EQ(memlift_ni_status(a, ticket), MEMLIFT_PENDING);
  pass(1000); // and back
  EXPECT_EQ(memlift_ni_status(a, ticket), MEMLIFT_OK);
  EXPECT_EQ(a.counters().acknowledged, 1u);
}

// Time-outs of one unit, of the most, and of none, to the nanosecond.
TEST_F(SoftNi, TimesOutWhenStated) {
  for (unsigned units : {1u, 2u, MEMLIFT_NI_TIMEOUT_MOST + 0u}) {
    Ni a, b;
    memlift_ni_ticket ticket;
    memlift_ni_model_kill(memlift_ni_soft_model(nullptr), 1);
    ASSERT_EQ(a.send(b, "lost", MEMLIFT_NI_TIMEOUT(units), &ticket), MEMLIFT_OK);
    pass(units * uint64_t(MEMLIFT_NI_TIMEOUT_NS) - 1000);
    EXPECT_EQ(memlift_ni_status(a, ticket), MEMLIFT_PENDING) << units;
    pass(1000);
    EXPECT_EQ(memlift_ni_status(a, ticket), MEMLIFT_TIMED_OUT) << units;
    EXPECT_EQ(a.counters().timed_out, 1u);
  }
  Ni a, b;
  memlift_ni_ticket ticket;
  memlift_ni_model_kill(memlift_ni_soft_model(nullptr), 1);
  ASSERT_EQ(a.send(b, "lost", MEMLIFT_NI_TIMEOUT(0), &ticket), MEMLIFT_OK);
  pass(uint64_t(3600) * 1000000000);
  EXPECT_EQ(memlift_ni_status(a, ticket), MEMLIFT_PENDING);
  EXPECT_EQ(memlift_ni_wait(a, ticket, 1000000), MEMLIFT_PENDING);
}

TEST_F(SoftNi, KeepsOutcomesOfTheLastMessages) {
  Ni a, b;
  memlift_ni_ticket first, last;
  ASSERT_EQ(a.send(b, "x", 0, &first), MEMLIFT_OK);
  EXPECT_EQ(b.receive(), "x");
  for (unsigned i = 1; i < MEMLIFT_NI_OUTCOMES; i++) {
    ASSERT_EQ(a.send(b, "x", 0, &last), MEMLIFT_OK);
    ASSERT_EQ(b.receive(), "x");
  }
  EXPECT_EQ(memlift_ni_status(a, first), MEMLIFT_OK);
  ASSERT_EQ(a.send(b, "x"), MEMLIFT_OK);
  EXPECT_EQ(memlift_ni_status(a, first), MEMLIFT_COLLECTED);
  EXPECT_EQ(memlift_ni_status(a, last), MEMLIFT_OK);
  memlift_ni_ticket future = {0, last.number + 2};
  EXPECT_EQ(memlift_ni_status(a, future), MEMLIFT_INVALID_ARGUMENT);
}

TEST_F(SoftNi, IsBusyWhileNoChannelIsFree) {
  configure(virtualTime(1000000));
  Ni a, b;
  for (unsigned i = 0; i < MEMLIFT_NI_CHANNELS; i++)
    EXPECT_EQ(a.send(b, "x"), MEMLIFT_OK);
  EXPECT_EQ(a.send(b, "y"), MEMLIFT_BUSY);
  EXPECT_EQ(a.counters().busy, 1u);
  EXPECT_EQ(memlift_ni_enqueue(a, 0, b.address(), "y", 1, 0, 1000, nullptr), MEMLIFT_TIMED_OUT);
  pass(1000000), pass(1000000);
  EXPECT_EQ(a.send(b, "y", MEMLIFT_NI_ON_CHANNEL(2)), MEMLIFT_OK);
  EXPECT_EQ(a.send(b, "z", MEMLIFT_NI_ON_CHANNEL(2)), MEMLIFT_BUSY);
  EXPECT_EQ(flush(a), MEMLIFT_OK);
  EXPECT_EQ(a.counters().acknowledged, 5u);
}

// ---- Chains ----------------------------------------------------------------------------------

// Sends ten messages at a time through a network that delays each differently.
std::string orderOf(uint32_t how, unsigned channels) {
  ni_settings settings = virtualTime(1000);
  settings.faults.seed = 7, settings.faults.delay_ns = 50000;
  memlift_ni_soft_configure(&settings);
  memlift_ni_options options = optionsOf("soft");
  options.channels = channels;
  Ni a(options), b;
  std::string order;
  for (char next = '0'; order.size() < 10;) {
    if (next <= '9' && a.send(b, std::string(1, next), how) == MEMLIFT_OK)
      next++;
    order += b.receive();
  }
  return order;
}

TEST_F(SoftNi, KeepsTheOrderOfAChain) {
  for (unsigned channels = 1; channels <= MEMLIFT_NI_CHANNELS; channels++)
    EXPECT_EQ(orderOf(MEMLIFT_NI_CHAIN, channels), "0123456789") << channels;
}

TEST_F(SoftNi, WithoutAChainChannelsOvertakeEachOther) {
  EXPECT_NE(orderOf(0, MEMLIFT_NI_CHANNELS), "0123456789");
  EXPECT_EQ(orderOf(0, 1), "0123456789"); // a channel does not overtake itself
}

TEST_F(SoftNi, AChainEndsWithAMessageThatIsGivenUp) {
  Ni a, b, dead;
  memlift_ni_ticket first, second, third, fourth;
  memlift_ni_model_kill(memlift_ni_soft_model(nullptr), 2);
  uint32_t chained = MEMLIFT_NI_CHAIN | MEMLIFT_NI_TIMEOUT(1);
  ASSERT_EQ(a.send(dead, "1", chained, &first), MEMLIFT_OK);
  ASSERT_EQ(a.send(b, "2", MEMLIFT_NI_CHAIN, &second), MEMLIFT_OK);
  ASSERT_EQ(a.send(b, "3", MEMLIFT_NI_CHAIN, &third), MEMLIFT_OK);
  pass(1000);
  EXPECT_EQ(b.receive(), "");
  pass(MEMLIFT_NI_TIMEOUT_NS);
  EXPECT_EQ(memlift_ni_status(a, first), MEMLIFT_TIMED_OUT);
  EXPECT_EQ(memlift_ni_status(a, second), MEMLIFT_CANCELLED);
  EXPECT_EQ(memlift_ni_status(a, third), MEMLIFT_CANCELLED);
  ASSERT_EQ(a.send(b, "4", MEMLIFT_NI_CHAIN, &fourth), MEMLIFT_OK);
  EXPECT_EQ(outcomeOf(a, fourth), MEMLIFT_OK);
  EXPECT_EQ(b.receive(), "4");
  EXPECT_EQ(b.receive(), "");
  EXPECT_EQ(a.counters().cancelled, 2u);
}

// The interface holds back what is chained to a message that was never acknowledged.
TEST_F(SoftNi, AChainBeginsAnewAfterATimeOut) {
  Ni a, b, dead;
  memlift_ni_ticket first, second;
  memlift_ni_model_kill(memlift_ni_soft_model(nullptr), 2);
  uint32_t chained = MEMLIFT_NI_CHAIN | MEMLIFT_NI_TIMEOUT(1);
  ASSERT_EQ(a.send(dead, "1", chained, &first), MEMLIFT_OK);
  EXPECT_EQ(outcomeOf(a, first), MEMLIFT_TIMED_OUT);
  ASSERT_EQ(a.send(b, "2", chained, &second), MEMLIFT_OK);
  EXPECT_EQ(outcomeOf(a, second), MEMLIFT_OK);
  EXPECT_EQ(b.receive(), "2");
}

TEST_F(SoftNi, APageThatIsDetachedWithAChainPendingHoldsNobodyUp) {
  Ni a, b, dead;
  memlift_ni_model_kill(memlift_ni_soft_model(nullptr), 2);
  ASSERT_EQ(a.send(dead, "1", MEMLIFT_NI_CHAIN), MEMLIFT_OK);
  ASSERT_EQ(a.send(b, "2", MEMLIFT_NI_CHAIN), MEMLIFT_OK);
  a.detach();
  Ni next; // gets the same page
  memlift_ni_ticket ticket;
  ASSERT_EQ(next.address().word, 0u);
  ASSERT_EQ(next.send(b, "3", MEMLIFT_NI_CHAIN, &ticket), MEMLIFT_OK);
  EXPECT_EQ(outcomeOf(next, ticket), MEMLIFT_OK);
  EXPECT_EQ(b.receive(), "3");
  EXPECT_EQ(b.receive(), "");
}

// ---- Many pages ------------------------------------------------------------------------------

TEST_F(SoftNi, CarriesMessagesOfAllPagesAndChannels) {
  Ni all(0, MEMLIFT_NI_PAGES);
  ASSERT_EQ(all.status, MEMLIFT_OK);
  for (unsigned page = 0; page < MEMLIFT_NI_PAGES; page++)
    for (unsigned c = 0; c < MEMLIFT_NI_CHANNELS; c++) {
      std::string text = std::to_string(page) + "/" + std::to_string(c);
      unsigned to = (page + c) % MEMLIFT_NI_PAGES;
      ASSERT_EQ(all.send(all, text, MEMLIFT_NI_ON_CHANNEL(c), nullptr, page, to), MEMLIFT_OK);
    }
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
    EXPECT_EQ(all.receive(page), "");
  }
}

// A sender that does not stop fills its own share of a mailbox, not that of others.
TEST_F(SoftNi, LeavesRoomForOtherSenders) {
  Ni greedy, modest, box;
  for (int i = 0; i < 100; i++) {
    greedy.send(box, "greedy", MEMLIFT_NI_TIMEOUT(1));
    pass(MEMLIFT_NI_TIMEOUT_NS);
  }
  EXPECT_EQ(happened().arrived, MEMLIFT_NI_SHARE);
  EXPECT_GT(greedy.counters().timed_out, 0u); // and knows
  for (unsigned i = 0; i < MEMLIFT_NI_SHARE; i++)
    ASSERT_EQ(modest.send(box, "modest"), MEMLIFT_OK);
  EXPECT_EQ(flush(modest), MEMLIFT_OK);
  EXPECT_EQ(modest.counters().acknowledged, MEMLIFT_NI_SHARE);
}

// With credits a sender has no more on the way than the mailbox takes: nothing is dropped.
TEST_F(SoftNi, HasNoMoreOnTheWayThanItHasCreditsFor) {
  configure(virtualTime(5000));
  Ni a, b;
  ni_faults small = {};
  small.room = small.share = 2;
  faults(small);
  unsigned received = 0, sent = 0;
  for (int i = 0; i < 20000 && received < 100; i++) {
    sent += a.send(b, "x", MEMLIFT_NI_TIMEOUT(2)) == MEMLIFT_OK;
    if (i % 50 == 0)
      received += b.receive() == "x";
  }
  EXPECT_EQ(received, 100u);
  // The first four, before any acknowledgement, and single ones that ask.
  EXPECT_LE(happened().full, 4u + a.counters().timed_out);
  EXPECT_LT(happened().full, sent / 4);
}

// ---- The pages themselves --------------------------------------------------------------------

TEST_F(SoftNi, IsUsedThroughItsPages) {
  Ni a, b;
  memlift_ni_map from, to;
  char text[32] = "by loads and stores", got[32] = {};
  ASSERT_EQ(memlift_ni_map_page(a, 0, &from), MEMLIFT_OK);
  ASSERT_EQ(memlift_ni_map_page(b, 0, &to), MEMLIFT_OK);
  EXPECT_EQ(memlift_ni_map_page(b, 1, &to), MEMLIFT_INVALID_ARGUMENT);
  memlift_ni_send(from.channels, text, sizeof text, b.address().word,
                  memlift_ni_word1(sizeof text, 1, 0), from.kind);
  EXPECT_EQ(memlift_ni_head(to.mailbox, to.kind), 0u);
  pass(100);
  ASSERT_EQ(memlift_ni_head(to.mailbox, to.kind), sizeof text);
  EXPECT_EQ(memlift_ni_state(from.channels), unsigned(MEMLIFT_NI_CHANNEL_STATE_ACKNOWLEDGED));
  memlift_ni_load_payload(to.mailbox, got, sizeof got);
  EXPECT_STREQ(got, text);
  memlift_ni_pop(to.mailbox, to.kind);
  pass(100);
  EXPECT_EQ(memlift_ni_head(to.mailbox, to.kind), 0u);
}

// ---- The names of the first library ----------------------------------------------------------

TEST_F(SoftNi, HasTheNamesOfTheFirstLibrary) {
  int status = 1;
  char buffer[8];
  EXPECT_EQ(MBOX_ATTACH("pigeon", nullptr, &status), nullptr);
  EXPECT_EQ(status, -MEMLIFT_UNKNOWN_ENGINE);
  MBOX *a = MBOX_ATTACH("soft", nullptr, &status), *b = MBOX_ATTACH("soft", nullptr, nullptr);
  ASSERT_NE(a, nullptr);
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(MBOX_GET_PROTECTION_ID(a), int64_t(geteuid()) + 1);
  memlift_ni_address to;
  ASSERT_EQ(memlift_ni_own_address(b, 0, &to), MEMLIFT_OK);
  EXPECT_EQ(MBOX_DEQUEUE_NONBLOCKING(b, buffer, 8), 0);
  EXPECT_EQ(MBOX_ENQUEUE(a, to, "one", 3), 0);
  EXPECT_EQ(MBOX_ENQUEUE_NONBLOCKING(a, to, "three", 5), 0);
  EXPECT_EQ(MBOX_ENQUEUE(a, to, "", 0), -MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(MBOX_PEEK_SIZE(b), 3);
  EXPECT_EQ(MBOX_DEQUEUE(b, buffer, 8), 3);
  EXPECT_EQ(MBOX_DEQUEUE_NONBLOCKING(b, buffer, 2), -MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(MBOX_DEQUEUE(b, buffer, 8), 5);
  EXPECT_EQ(MBOX_DETACH(a), 0);
  EXPECT_EQ(MBOX_DETACH(b), 0);
  EXPECT_EQ(MBOX_DETACH(nullptr), -MEMLIFT_INVALID_ARGUMENT);
}

TEST_F(SoftNi, CountsForAttachmentsAndForTheProcess) {
  memlift_ni_counters before = {}, after = {}, part = {};
  ASSERT_EQ(memlift_ni_count(nullptr, &before, sizeof before), MEMLIFT_OK);
  {
    Ni a, b;
    ASSERT_EQ(a.send(b, "12345"), MEMLIFT_OK);
    EXPECT_EQ(b.receive(), "12345");
    EXPECT_EQ(flush(a), MEMLIFT_OK);
    EXPECT_EQ(a.counters().sent_bytes, 5u);
    EXPECT_EQ(b.counters().received_bytes, 5u);
    EXPECT_EQ(b.counters().sent, 0u);
  }
  ASSERT_EQ(memlift_ni_count(nullptr, &after, sizeof after), MEMLIFT_OK);
  EXPECT_EQ(after.sent - before.sent, 1u);
  EXPECT_EQ(after.acknowledged - before.acknowledged, 1u);
  EXPECT_EQ(after.received - before.received, 1u);
  part.sent_bytes = 42;
  ASSERT_EQ(memlift_ni_count(nullptr, &part, offsetof(memlift_ni_counters, sent_bytes)),
            MEMLIFT_OK);
  EXPECT_EQ(part.sent_bytes, 42u);
  EXPECT_EQ(memlift_ni_count(nullptr, nullptr, 8), MEMLIFT_INVALID_ARGUMENT);
}

} // namespace
