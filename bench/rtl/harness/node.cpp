// node.cpp - the device that a program sees: a way out, printing, registers, and the interface
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node.h"

#include <cinttypes>

namespace rtl {

Node::Node(unsigned number, const Timing &timing, FILE *log)
    : number(number), log(log),
      interface(timing.link,
                [this](const std::string &what, uint64_t at) { note(what.c_str(), 0, 0, 0, at); }),
      engine(timing.farIsDirect),
      memory({[this](uint64_t addr, uint64_t at) { return read(addr, at); },
              [this](uint64_t addr, uint64_t data, uint8_t strobe, uint64_t at) {
                write(addr, data, strobe, at);
              }}),
      core(makeCore()),
      slaves(core->buses(), Slave(memory, timing.memory, timing.far, timing.device)),
      farSlave(memory, timing.memory, timing.far, timing.device) {}

bool Node::load(const std::string &program, std::string &error) {
  return memory.load(program, error) != 0;
}

void Node::reset() {
  constexpr unsigned ResetCycles = 20;
  Response quiet[Core::MostBuses];
  core->reset(true);
  core->fall(quiet);
  for (unsigned i = 0; i < ResetCycles; ++i) {
    core->rise();
    core->fall(quiet);
  }
  core->reset(false);
  core->fall(quiet);
}

void Node::cycle(uint64_t at) {
  Request asked[Core::MostBuses];
  Response answers[Core::MostBuses];
  core->requests(asked);
  toEngine[Pdma::Front] = core->front();
  const Request direct = engine.asked(Pdma::Far);
  engine.step(toEngine);
  core->rise();
  for (size_t i = 0; i < slaves.size(); ++i)
    answers[i] = slaves[i].step(asked[i], at);
  FrontResponse &far = toEngine[Pdma::Far];
  static_cast<Response &>(far) = farSlave.step(direct, at);
  far.awReady = far.wReady = far.arReady = true;
  core->ask(engine.asked(Pdma::Front));
  core->fall(answers);
}

uint64_t Node::read(uint64_t addr, uint64_t cycle) {
  uint64_t at = addr - DeviceBase, data = 0;
  if (at >= Pages)
    data = at % Pages < InterfaceBytes ? interface.read(at % Pages, cycle) : 0;
  else if (at == Number)
    data = number;
  else if (at - Engine < EngineBytes)
    data = engine.read(at - Engine);
  else if (at - Registers < RegisterBytes)
    data = registers[(at - Registers) / 8];
  note("read", addr, data, 0xff, cycle);
  return data;
}

void Node::write(uint64_t addr, uint64_t data, uint8_t strobe, uint64_t cycle) {
  uint64_t at = addr - DeviceBase;
  note("write", addr, data, strobe, cycle);
  if (at >= Pages) {
    if (at % Pages < InterfaceBytes)
      interface.write(at % Pages, data, strobe, at >= Gathering, cycle);
  } else if (at == Exit) {
    exited = true;
    exitStatus = int(data & 0xff);
  } else if (at - Engine < EngineBytes) {
    engine.write(at - Engine, data, strobe);
  } else if (at == Put) {
    std::putchar(int(data & 0xff));
  } else if (at - Registers < RegisterBytes) {
    uint64_t mask = 0;
    for (unsigned i = 0; i < 8; ++i)
      mask |= strobe >> i & 1 ? uint64_t(0xff) << (8 * i) : 0;
    uint64_t &r = registers[(at - Registers) / 8];
    r = (r & ~mask) | (data & mask);
  }
}

void Node::note(const char *what, uint64_t addr, uint64_t data, uint8_t strobe, uint64_t cycle) {
  if (log)
    std::fprintf(log, "%" PRIu64 " %s 0x%" PRIx64 " 0x%016" PRIx64 " 0x%02x\n", cycle, what, addr,
                 data, strobe);
}

} // namespace rtl
