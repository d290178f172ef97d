// store_support.h - a local store of the test's thread, and what moves its bytes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_TEST_STORE_SUPPORT_H
#define MEMLIFT_TEST_STORE_SUPPORT_H

#include "support.h"

#include <memlift/local_store.h>

#include "model/mover_model.h"
#include "tasks/store.h"

// The calling thread's local store, from construction to destruction.
class BoundStore {
public:
  explicit BoundStore(size_t size, uint32_t flags = 0) : memory(size) {
    status = memlift_store_bind(&store, memory.begin(), size, flags);
  }
  ~BoundStore() {
    if (status == MEMLIFT_OK) {
      EXPECT_EQ(memlift_store_unbind(), MEMLIFT_OK);
    }
  }
  BoundStore(const BoundStore &) = delete;
  BoundStore &operator=(const BoundStore &) = delete;

  // Has something else than the engine in use move.
  void moveBy(memlift_mover *mover) { inside()->mover = mover; }
  memlift_store *inside() { return reinterpret_cast<memlift_store *>(&store); }
  unsigned char *begin() { return memory.begin(); }

  memlift_status status;

private:
  memlift_local_store store;
  Guarded memory;
};

// A store whose mover is the model.
class ModelStore : public BoundStore {
public:
  explicit ModelStore(size_t size, uint64_t seed = 1) : BoundStore(size) {
    mover_model_init(&model, seed);
    moveBy(&model.mover);
  }
  ~ModelStore() {
    EXPECT_EQ(model.violations, 0u) << model.violation;
    EXPECT_EQ(inside()->free, ~uint64_t{0}) << "a transfer was left";
  }

  mover_model model;
};

#endif
