// pdma.cpp - channels that read a line and write it elsewhere
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pdma.h"

#include "memory.h"

#include <algorithm>

namespace rtl {

namespace {
enum : uint32_t { Claim = 1, Run = 2, Done = uint32_t(1) << 30, Error = uint32_t(1) << 31 };
enum { Bytes, Destination, Source };
constexpr uint64_t Next = 8, Exec = 0x108, Words = 3;
constexpr uint8_t Incrementing = 1, WordSize = 3; // AxBURST, AxSIZE
} // namespace

uint64_t Pdma::read(uint64_t offset) const {
  const Channel &c = channels[offset / Stride % Channels];
  uint64_t at = offset % Stride;
  if (at == 0)
    return c.control | uint64_t(c.config) << 32;
  if (at - Next < 8 * Words)
    return c.next[(at - Next) / 8];
  return at - Exec < 8 * Words ? c.exec[(at - Exec) / 8] : 0;
}

void Pdma::write(uint64_t offset, uint64_t data, uint8_t strobe) {
  Channel &c = channels[offset / Stride % Channels];
  uint64_t at = offset % Stride, mask = 0;
  for (unsigned i = 0; i < 8; ++i)
    mask |= strobe >> i & 1 ? uint64_t(0xff) << (8 * i) : 0;
  if (at - Next < 8 * Words) {
    uint64_t &word = c.next[(at - Next) / 8];
    word = (word & ~mask) | (data & mask);
  }
  if (at != 0)
    return;
  if (strobe & 0xf0)
    c.config = uint32_t(data >> 32);
  if (!(strobe & 0xf) || (c.control & Run)) // a running channel cannot be stopped
    return;
  if (!(c.control & Claim) && (data & Claim))
    std::fill_n(c.next, Words, 0);
  c.control = uint32_t(data) & (Claim | Run);
  if (c.control & Run) {
    std::copy_n(c.next, Words, c.exec);
    c.total = c.exec[Bytes], c.asked = 0;
  }
}

unsigned Pdma::portOf(uint64_t addr) const { return farIsDirect && addr >= FarBase ? Far : Front; }

/// Takes what is answered, and notes which of the engine's own signals were taken.
void Pdma::take(unsigned port, const FrontResponse &answer) {
  Request &asked = out[port];
  if (asked.ar.valid && answer.arReady)
    asked.ar.valid = false;
  if (asked.aw.valid && answer.awReady)
    asked.aw.valid = false, ports[port].addressTaken = true;
  if (asked.w.valid && answer.wReady)
    asked.w.valid = false, ++ports[port].beat;
  if (answer.rValid) {
    Line &line = lineOf(answer.rId);
    for (unsigned i = 0; i < 8; ++i)
      line.data.push_back(uint8_t(answer.rData >> (8 * i)));
    if (answer.rResp >= 2)
      channels[answer.rId / Lines].control |= Error;
    if (answer.rLast)
      ports[portOf(line.to)].full.push_back(answer.rId);
  }
  if (answer.bValid) {
    Channel &c = channels[answer.bId / Lines];
    Line &line = lineOf(answer.bId);
    if (answer.bResp >= 2)
      c.control |= Error;
    c.exec[Bytes] -= line.bytes;
    line.busy = false;
    end(c);
  }
}

/// Ends a channel that has nothing left to do.
void Pdma::end(Channel &c) {
  bool busy = std::any_of(c.lines.begin(), c.lines.end(), [](const Line &l) { return l.busy; });
  if ((c.control & Run) && !busy && (c.exec[Bytes] == 0 || (c.control & Error)))
    c.control = (c.control & ~Run) | (c.control & Error ? 0 : Done);
}

/// The next line of the next channel that has one and whose port is free: one in a cycle.
void Pdma::askForALine() {
  for (unsigned i = 0; i < Channels; ++i) {
    unsigned channel = (turn + i) % Channels;
    Channel &c = channels[channel];
    auto line = std::find_if(c.lines.begin(), c.lines.end(), [](Line &l) { return !l.busy; });
    uint64_t left = c.total - c.asked;
    if (!(c.control & Run) || (c.control & Error) || left == 0 || line == c.lines.end())
      continue;
    uint64_t from = c.exec[Source] + c.asked, to = c.exec[Destination] + c.asked;
    Address &ar = out[portOf(from)].ar;
    if (ar.valid)
      continue;
    line->bytes =
        unsigned(std::min({LineBytes - from % LineBytes, LineBytes - to % LineBytes, left}));
    line->busy = true, line->from = from, line->to = to;
    line->data.clear();
    c.asked += line->bytes;
    ar = Address();
    ar.valid = true, ar.size = WordSize, ar.burst = Incrementing;
    ar.id = uint8_t(channel * Lines + unsigned(line - c.lines.begin()));
    ar.addr = from & ~uint64_t(7);
    ar.len = uint8_t((from % 8 + line->bytes - 1) / 8);
    turn = channel + 1;
    return;
  }
}

/// The next beat of the line that is written, or the first of the next one.
void Pdma::writeALine(unsigned port) {
  Port &p = ports[port];
  Request &asked = out[port];
  if (p.full.empty())
    return;
  Line &line = lineOf(p.full.front());
  unsigned first = unsigned(line.to % 8), beats = (first + line.bytes + 7) / 8;
  if (p.writing && p.addressTaken && p.beat == beats) {
    p.writing = false;
    p.full.pop_front();
    return writeALine(port);
  }
  if (!p.writing) {
    p.writing = true, p.addressTaken = false, p.beat = 0;
    asked.aw = Address();
    asked.aw.valid = true, asked.aw.size = WordSize, asked.aw.burst = Incrementing;
    asked.aw.id = uint8_t(p.full.front()), asked.aw.len = uint8_t(beats - 1);
    asked.aw.addr = line.to & ~uint64_t(7);
  }
  if (asked.w.valid || p.beat == beats)
    return;
  asked.w = WriteData();
  asked.w.valid = true, asked.w.last = p.beat + 1 == beats;
  for (unsigned i = 0; i < 8; ++i) {
    unsigned at = 8 * p.beat + i - first;
    if (8 * p.beat + i < first || at >= line.bytes)
      continue;
    asked.w.data |= uint64_t(line.data[line.from % 8 + at]) << (8 * i);
    asked.w.strobe |= uint8_t(1u << i);
  }
}

void Pdma::step(const FrontResponse *answers) {
  for (unsigned port = 0; port < Ports; ++port)
    take(port, answers[port]);
  for (Channel &c : channels)
    if ((c.control & Run) && c.total == 0)
      end(c);
  askForALine();
  for (unsigned port = 0; port < Ports; ++port) {
    writeALine(port);
    out[port].bReady = out[port].rReady = true;
  }
}

} // namespace rtl
