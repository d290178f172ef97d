// records_test.cpp - whatever a loop can become has a record, and so all tests of operations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operations.h"

#include <set>

namespace operations {
namespace {

const char *const symbols[] = {
#define MEMLIFT_OP(enumName, symbol, ...) symbol,
#include "../../../intrinsics/generated/BulkOps.inc"
};

TEST(Records, ThereIsOneForEveryOperation) {
  std::set<std::string> recorded, all(std::begin(symbols), std::end(symbols));
  for (const Number &op : numbers())
    recorded.insert("memlift_" + op.symbol);
  for (const Memory &op : memories())
    recorded.insert("memlift_" + op.symbol);
  EXPECT_EQ(recorded, all);
}

} // namespace
} // namespace operations
