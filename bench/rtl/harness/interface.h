// interface.h - a network interface in software, on a core's bus
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packetizer pages and mailboxes as memlift/ni_words.h lays them out. A packet leaves in the cycle
// after its last word has come, and is in the mailbox `link` cycles later; so is its
// acknowledgement, in the other direction. The pages can be reached at three addresses:
//
//   Device     the doorbell sends what the channel holds; for strongly ordered accesses
//   Window     the same, for stores that may overtake each other: without a barrier before the
//              doorbell, it may send what was there before
//   Gathering  the packet leaves when the doorbell, word 0 and each word of the payload have been
//              written since the last packet of the channel left, in whatever order; see gathered()
#ifndef MEMLIFT_RTL_INTERFACE_H
#define MEMLIFT_RTL_INTERFACE_H

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace rtl {

constexpr uint64_t InterfaceBytes = 0x80000;

class Interface {
public:
  /// Tells of an event: its name, and the cycle in which it is.
  using Note = std::function<void(const std::string &, uint64_t)>;
  Interface(unsigned link, Note note);
  /// Whom the packets of this one go to, whatever their address is.
  void connect(Interface &other) { peer = &other; }
  /// An aligned word, at an offset below InterfaceBytes.
  uint64_t read(uint64_t offset, uint64_t cycle);
  void write(uint64_t offset, uint64_t data, uint8_t strobe, bool gathering, uint64_t cycle);

private:
  static constexpr unsigned Pages = 64, Channels = 4, Words = 32;
  struct Channel {
    std::array<uint64_t, Words> payload{};
    std::array<uint8_t, Words> written{}; // a bit a byte; of `gathering` alone
    uint64_t words[2] = {};               // of the trigger
    bool stored[2] = {};                  // those, since the last packet left
    bool sent = false;
    uint64_t acknowledged = Never, gaveUp = Never; // from which cycle on
  };
  struct Packet {
    uint64_t due; // in the mailbox from this cycle on
    unsigned size;
    std::array<uint64_t, Words> payload;
  };
  static constexpr uint64_t Never = ~uint64_t(0);
  unsigned link;
  Note note;
  Interface *peer = nullptr;
  std::vector<Channel> channels = std::vector<Channel>(Pages * Channels);
  std::vector<std::deque<Packet>> mailboxes = std::vector<std::deque<Packet>>(Pages);

  bool gathered(const Channel &c) const;
  void send(Channel &c, uint64_t cycle);
  bool take(unsigned page, const Packet &packet);
  uint64_t readChannel(const Channel &c, uint64_t at, uint64_t cycle) const;
};

} // namespace rtl

#endif
