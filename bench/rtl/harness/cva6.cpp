// cva6.cpp - CVA6: one bus for code, memory and device
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core.h"

#include "Vmemlift_cva6.h"

namespace rtl {
namespace {

class Cva6 : public Core {
public:
  unsigned buses() const override { return 1; }
  void requests(Request *of) const override {
    const Vmemlift_cva6 &t = top;
    of->aw = {bool(t.aw_valid), t.aw_id,   t.aw_len,        t.aw_size,
              t.aw_burst,       t.aw_atop, bool(t.aw_lock), t.aw_addr};
    of->ar = {bool(t.ar_valid), t.ar_id, t.ar_len,        t.ar_size,
              t.ar_burst,       0,       bool(t.ar_lock), t.ar_addr};
    of->w = {bool(t.w_valid), bool(t.w_last), t.w_data, t.w_strb};
    of->bReady = t.b_ready;
    of->rReady = t.r_ready;
  }
  void rise() override {
    top.clk = 1;
    top.eval();
  }
  void fall(const Response *of) override {
    top.b_valid = of->bValid;
    top.b_id = of->bId;
    top.b_resp = of->bResp;
    top.r_valid = of->rValid;
    top.r_id = of->rId;
    top.r_data = of->rData;
    top.r_resp = of->rResp;
    top.r_last = of->rLast;
    top.clk = 0;
    top.eval();
  }
  void reset(bool on) override { top.rst_n = !on; }

private:
  mutable Vmemlift_cva6 top;
};

} // namespace

std::unique_ptr<Core> makeCore() { return std::make_unique<Cva6>(); }

} // namespace rtl
