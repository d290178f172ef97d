// rocket.cpp - Rocket: a bus for memory, another for everything else
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core.h"

#include "VExampleRocketSystem.h"

// Both buses have the same ports but for their names.
#define MEMLIFT_REQUEST(T, BUS, OF)                                                                \
  do {                                                                                             \
    (OF).aw = {bool((T).BUS##_aw_valid),     (T).BUS##_aw_bits_id,    (T).BUS##_aw_bits_len,       \
               (T).BUS##_aw_bits_size,       (T).BUS##_aw_bits_burst, 0,                           \
               bool((T).BUS##_aw_bits_lock), (T).BUS##_aw_bits_addr};                              \
    (OF).ar = {bool((T).BUS##_ar_valid),     (T).BUS##_ar_bits_id,    (T).BUS##_ar_bits_len,       \
               (T).BUS##_ar_bits_size,       (T).BUS##_ar_bits_burst, 0,                           \
               bool((T).BUS##_ar_bits_lock), (T).BUS##_ar_bits_addr};                              \
    (OF).w = {bool((T).BUS##_w_valid), bool((T).BUS##_w_bits_last), (T).BUS##_w_bits_data,         \
              (T).BUS##_w_bits_strb};                                                              \
    (OF).bReady = (T).BUS##_b_ready;                                                               \
    (OF).rReady = (T).BUS##_r_ready;                                                               \
  } while (0)
#define MEMLIFT_RESPONSE(T, BUS, OF)                                                               \
  do {                                                                                             \
    (T).BUS##_aw_ready = (T).BUS##_w_ready = (T).BUS##_ar_ready = 1;                               \
    (T).BUS##_b_valid = (OF).bValid;                                                               \
    (T).BUS##_b_bits_id = (OF).bId;                                                                \
    (T).BUS##_b_bits_resp = (OF).bResp;                                                            \
    (T).BUS##_r_valid = (OF).rValid;                                                               \
    (T).BUS##_r_bits_id = (OF).rId;                                                                \
    (T).BUS##_r_bits_data = (OF).rData;                                                            \
    (T).BUS##_r_bits_resp = (OF).rResp;                                                            \
    (T).BUS##_r_bits_last = (OF).rLast;                                                            \
  } while (0)
#define MEMLIFT_FRONT_ADDRESS(T, CHANNEL, OF)                                                      \
  do {                                                                                             \
    (T).l2_frontend_bus_axi4_0_##CHANNEL##_valid = (OF).valid;                                     \
    (T).l2_frontend_bus_axi4_0_##CHANNEL##_bits_id = (OF).id;                                      \
    (T).l2_frontend_bus_axi4_0_##CHANNEL##_bits_addr = (OF).addr;                                  \
    (T).l2_frontend_bus_axi4_0_##CHANNEL##_bits_len = (OF).len;                                    \
    (T).l2_frontend_bus_axi4_0_##CHANNEL##_bits_size = (OF).size;                                  \
    (T).l2_frontend_bus_axi4_0_##CHANNEL##_bits_burst = (OF).burst;                                \
    (T).l2_frontend_bus_axi4_0_##CHANNEL##_bits_cache = 0xf; /* of memory that is cached */        \
    (T).l2_frontend_bus_axi4_0_##CHANNEL##_bits_prot = 3;                                          \
  } while (0)

namespace rtl {
namespace {

/// Everything outside the RAM is on the second bus.
class Rocket : public Core {
public:
  unsigned buses() const override { return 2; }
  void requests(Request *of) const override {
    MEMLIFT_REQUEST(top, mem_axi4_0, of[0]);
    MEMLIFT_REQUEST(top, mmio_axi4_0, of[1]);
  }
  void rise() override { clock(1); }
  void fall(const Response *of) override {
    MEMLIFT_RESPONSE(top, mem_axi4_0, of[0]);
    MEMLIFT_RESPONSE(top, mmio_axi4_0, of[1]);
    clock(0);
  }
  void reset(bool on) override {
    top.reset = top.resetctrl_hartIsInReset_0 = on;
    top.debug_reset = top.debug_clockeddmi_dmiReset = on;
  }
  FrontResponse front() const override {
    FrontResponse of;
    of.bValid = top.l2_frontend_bus_axi4_0_b_valid, of.bId = top.l2_frontend_bus_axi4_0_b_bits_id;
    of.bResp = top.l2_frontend_bus_axi4_0_b_bits_resp;
    of.rValid = top.l2_frontend_bus_axi4_0_r_valid, of.rId = top.l2_frontend_bus_axi4_0_r_bits_id;
    of.rResp = top.l2_frontend_bus_axi4_0_r_bits_resp;
    of.rData = top.l2_frontend_bus_axi4_0_r_bits_data;
    of.rLast = top.l2_frontend_bus_axi4_0_r_bits_last;
    of.awReady = top.l2_frontend_bus_axi4_0_aw_ready;
    of.wReady = top.l2_frontend_bus_axi4_0_w_ready;
    of.arReady = top.l2_frontend_bus_axi4_0_ar_ready;
    return of;
  }
  void ask(const Request &of) override {
    MEMLIFT_FRONT_ADDRESS(top, aw, of.aw);
    MEMLIFT_FRONT_ADDRESS(top, ar, of.ar);
    top.l2_frontend_bus_axi4_0_w_valid = of.w.valid;
    top.l2_frontend_bus_axi4_0_w_bits_data = of.w.data;
    top.l2_frontend_bus_axi4_0_w_bits_strb = of.w.strobe;
    top.l2_frontend_bus_axi4_0_w_bits_last = of.w.last;
    top.l2_frontend_bus_axi4_0_b_ready = of.bReady;
    top.l2_frontend_bus_axi4_0_r_ready = of.rReady;
  }

private:
  mutable VExampleRocketSystem top;
  /// The debug module runs with the rest and nobody talks to it.
  void clock(bool high) {
    top.debug_dmactiveAck = top.debug_dmactive;
    top.clock = top.debug_clock = top.debug_clockeddmi_dmiClock = high;
    top.eval();
  }
};

} // namespace

std::unique_ptr<Core> makeCore() { return std::make_unique<Rocket>(); }

} // namespace rtl
