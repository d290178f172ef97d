// slave.cpp - bursts, atomic operations and exclusive accesses on a memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slave.h"

#include <algorithm>

namespace rtl {

/// The address of a burst's beat.
static uint64_t addressOf(const Address &a, unsigned beat) {
  enum { Fixed, Incrementing, Wrapping };
  uint64_t bytes = uint64_t(1) << a.size, whole = bytes * (a.len + 1u);
  if (a.burst == Fixed || beat == 0)
    return a.addr;
  uint64_t next = (a.addr & ~(bytes - 1)) + beat * bytes;
  if (a.burst == Wrapping)
    next = (a.addr & ~(whole - 1)) + (next & (whole - 1));
  return next;
}

/// The answer that is due next: of a burst that has begun, or near, or far; null if none is.
const Slave::Beat *Slave::Queue::show(uint64_t cycle) {
  for (unsigned lane : {0U, 1U}) {
    const auto &others = lanes[1 - lane];
    if (lanes[lane].empty() || lanes[lane].front().due > cycle + 1 || (within && lane != shown))
      continue;
    const Beat &first = lanes[lane].front();
    if (std::any_of(others.begin(), others.end(), [&](const Beat &other) {
          return other.id == first.id && other.number < first.number;
        }))
      continue;
    shown = lane;
    return &first;
  }
  return nullptr;
}

void Slave::Queue::taken() {
  within = !lanes[shown].front().last;
  lanes[shown].pop_front();
}

/// A read sees memory as it is when its address arrives.
void Slave::read(const Address &a, uint64_t cycle) {
  uint64_t due = cycle + latencyOf(a.addr).read;
  uint8_t good = a.lock ? ExclusiveOkay : Okay;
  if (a.lock) {
    reserved = true;
    reservation = a.addr;
  }
  for (unsigned i = 0; i <= a.len; ++i) {
    uint64_t addr = addressOf(a, i);
    bool there = memory.has(addr);
    beats.lanes[laneOf(a.addr)].push_back({due, there ? memory.read(addr, cycle) : 0, a.id,
                                           there ? good : DecodeError, i == a.len, ++numbers});
  }
}

/// Adds, clears, ... the bytes that the strobe names, and gives back what was there.
void Slave::atomic(const Address &a, const WriteData &w, uint64_t cycle) {
  uint64_t word = memory.read(a.addr, cycle);
  unsigned bits = 8u << a.size, at = 8 * unsigned(a.addr & 7);
  uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  uint64_t x = word >> at & mask, y = w.data >> at & mask;
  auto number = [&](uint64_t v) { return int64_t(v << (64 - bits)) >> (64 - bits); };
  constexpr unsigned Store = 1, Swap = 0x30;
  uint64_t result = y;
  if (a.atop != Swap)
    switch (a.atop & 7) {
    case 0: result = x + y; break;
    case 1: result = x & ~y; break;
    case 2: result = x ^ y; break;
    case 3: result = x | y; break;
    case 4: result = number(x) > number(y) ? x : y; break;
    case 5: result = number(x) < number(y) ? x : y; break;
    case 6: result = std::max(x, y); break;
    case 7: result = std::min(x, y); break;
    }
  memory.write(a.addr, result << at, w.strobe, cycle);
  if (a.atop >> 4 != Store)
    beats.lanes[laneOf(a.addr)].push_back(
        {cycle + latencyOf(a.addr).read, word, a.id, Okay, true, ++numbers});
}

/// Everything for which address and data are there.
void Slave::write(uint64_t cycle) {
  while (!addresses.empty() && !data.empty()) {
    Address a = addresses.front();
    WriteData w = data.front();
    data.pop_front();
    uint64_t addr = addressOf(a, beat);
    bool there = memory.has(addr);
    if (beat == 0 && a.lock)
      allowed = reserved && reservation == a.addr;
    if (!a.lock && reserved && (reservation ^ addr) < 8)
      reserved = false;
    if (there && a.atop)
      atomic(a, w, cycle);
    else if (there && allowed)
      memory.write(addr, w.data, w.strobe, cycle);
    ++beat;
    if (!w.last)
      continue;
    uint8_t good = a.lock && allowed ? ExclusiveOkay : Okay;
    answers.lanes[laneOf(a.addr)].push_back(
        {cycle + latencyOf(a.addr).write, 0, a.id, there ? good : DecodeError, true, ++numbers});
    if (a.lock)
      reserved = false;
    addresses.pop_front();
    beat = 0;
    allowed = true;
  }
}

const Response &Slave::step(const Request &request, uint64_t cycle) {
  if (out.bValid && request.bReady)
    answers.taken();
  if (out.rValid && request.rReady)
    beats.taken();
  if (request.aw.valid)
    addresses.push_back(request.aw);
  if (request.w.valid)
    data.push_back(request.w);
  write(cycle);
  if (request.ar.valid)
    read(request.ar, cycle);
  out = Response();
  if (const Beat *b = answers.show(cycle)) {
    out.bValid = true;
    out.bId = b->id;
    out.bResp = b->resp;
  }
  if (const Beat *b = beats.show(cycle)) {
    out.rValid = true;
    out.rData = b->data;
    out.rId = b->id;
    out.rResp = b->resp;
    out.rLast = b->last;
  }
  return out;
}

} // namespace rtl
