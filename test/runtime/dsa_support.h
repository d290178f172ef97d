// dsa_support.h - a DSA model behind the DSA engine
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_TEST_DSA_SUPPORT_H
#define MEMLIFT_TEST_DSA_SUPPORT_H

#include "engine_support.h"

#include "engine/dsa/dsa_transport.h"
#include "model/dsa_model.h"

// The model is the device for a test; skips where the system refuses what it needs. Limits that a
// test sets before it starts the engine stay.
class DsaTest : public testing::Test {
public:
  static dsa_model model;

protected:
  explicit DsaTest(const dsa_transport &door = memlift_dsa_model_transport) : door(door) {}
  void SetUp() override {
    memlift_dsa_model_reset(&model, testSeed());
    memlift_dsa_model = &model;
    memlift_dsa_use(&door);
    const char *reason;
    if (door.probe(&reason) != MEMLIFT_OK)
      GTEST_SKIP() << reason;
  }
  void TearDown() override {
    memlift_engine_stop();
    memlift_dsa_use(nullptr);
    memlift_dsa_model = nullptr;
  }
  void start(const dsa_faults &faults = {}) {
    memlift_engine_stop();
    dsa_limits limits = model.limits;
    memlift_dsa_model_reset(&model, testSeed());
    if (limits.depth)
      model.limits = limits;
    model.faults = faults;
    ASSERT_EQ(memlift_engine_start("dsa"), MEMLIFT_OK);
  }
  // Without a part for the CPU beside the engine: what an engine does can then be counted.
  static memlift_engine alone() {
    memlift_engine engine = memlift_engine_dsa;
    engine.shares = 0;
    return engine;
  }
  // Whatever is still under way takes effect: too late, if the engine has been left.
  void later() { memlift_dsa_model_pass(&model, 10000000000u); }

private:
  const dsa_transport &door;
};
inline dsa_model DsaTest::model;

#endif
