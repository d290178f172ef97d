// ni_rules_test.cpp - what the model of the protocol (test/ni/ni.pml) found, tried in the code
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ni_support.h"

#include "ni/attachment.h"

#include <array>

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

} // namespace
