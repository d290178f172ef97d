// dax_support.h - a DAX model behind the DAX engine, and operations that fit it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_TEST_DAX_SUPPORT_H
#define MEMLIFT_TEST_DAX_SUPPORT_H

#include "engine_support.h"

#include "engine/dax/dax.h"
#include "engine/dax/dax_ccb.h"
#include "model/dax_model.h"

// The model is the device for a test; skips where the system refuses what it needs.
class DaxTest : public testing::Test {
public:
  static dax_model model;

protected:
  void SetUp() override {
    memlift_dax_model_reset(&model, testSeed(), DAX_LARGEST_PAGE);
    memlift_dax_model = &model;
    memlift_dax_use(&memlift_dax_model_transport);
    const char *reason;
    if (memlift_dax_model_transport.probe(&reason) != MEMLIFT_OK)
      GTEST_SKIP() << reason;
  }
  void TearDown() override {
    memlift_engine_stop();
    memlift_dax_use(nullptr);
    memlift_dax_model = nullptr;
  }
  void start(const dax_faults &faults = {}) {
    memlift_engine_stop();
    memlift_dax_model_reset(&model, testSeed(), model.page);
    model.faults = faults;
    ASSERT_EQ(memlift_engine_start("dax"), MEMLIFT_OK);
  }
  // Without a part for the CPU beside the engine: what an engine does can then be counted.
  static memlift_engine alone() {
    memlift_engine engine = memlift_engine_dax;
    engine.shares = 0;
    return engine;
  }
  // Whatever is still under way takes effect: too late, if the engine has been left.
  void later() { memlift_dax_model_pass(&model, 10000000000u); }
};
inline dax_model DaxTest::model;

#endif
