// core.h - a core in simulation, whatever its ports are called
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_RTL_CORE_H
#define MEMLIFT_RTL_CORE_H

#include "bus.h"

#include <memory>

namespace rtl {

/// Where the clock is low and everything has settled, `requests` says what the core asks of
/// each of its buses; `edge` takes the answers that hold behind the next rising edge.
class Core {
public:
  static constexpr unsigned MostBuses = 2;
  virtual ~Core() = default;
  virtual unsigned buses() const = 0;
  virtual void requests(Request *of) const = 0;
  /// The rising edge, then the slaves' new answers, then the falling edge.
  virtual void rise() = 0;
  virtual void fall(const Response *of) = 0;
  virtual void reset(bool on) = 0;
  /// A port for others, through which they see memory as the core does: what it answers, where the
  /// clock is low; and what is asked from the falling edge on. A core without one never answers.
  virtual FrontResponse front() const { return {}; }
  virtual void ask(const Request &) {}
};

std::unique_ptr<Core> makeCore(); // cva6.cpp, rocket.cpp: one is linked

} // namespace rtl

#endif
