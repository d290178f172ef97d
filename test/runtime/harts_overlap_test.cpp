// harts_overlap_test.cpp - how much of their transfers tasks on model harts hide, in virtual time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <memlift/local_store.h>

#include "model/harts_model.h"
#include "model/mover_model.h"
#include "tasks/context.h"
#include "tasks/store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

constexpr size_t Block = 4096;
constexpr uint64_t Set = 200, PerKiB = 200, Get = Set + PerKiB * Block / 1024, Put = Get;

// A unit's store, and what moves for it: the model, whose clock is that of the hart.
struct Unit {
  memlift_mover mover;
  mover_model model;
  memlift_local_store store;
  alignas(64) unsigned char memory[4 * Block];
};
Unit units[HARTS_MODEL_UNITS];
uint64_t computes;

Unit &mine() { return units[memlift_hart_self()->number - 1]; }

// Brings the clock of the mover to that of the hart.
void catchUp(mover_model &m) {
  if (harts_model_now() > m.now)
    mover_model_compute(&m, harts_model_now() - m.now);
}

void letHartCatchUp(const mover_model &m) {
  if (m.now > harts_model_now())
    harts_model_compute(m.now - harts_model_now());
}

memlift_status start(memlift_mover *, const memlift_transfer *t, uint64_t *ticket, size_t *moved) {
  Unit &u = mine();
  catchUp(u.model);
  return u.model.mover.start(&u.model.mover, t, ticket, moved);
}

memlift_status waitFor(memlift_mover *, uint64_t ticket, uint64_t ns, size_t *moved) {
  Unit &u = mine();
  catchUp(u.model);
  memlift_status status = u.model.mover.wait(&u.model.mover, ticket, ns, moved);
  letHartCatchUp(u.model);
  return status;
}

void giveUp(memlift_mover *, uint64_t ticket) {
  mine().model.mover.abort(&mine().model.mover, ticket);
}

uint64_t now(memlift_mover *) { return harts_model_now(); }

size_t worth(memlift_mover *) { return 0; }

void unit(unsigned number) {
  Unit &u = units[number];
  mover_model_init(&u.model, number + 1);
  u.model.setup = Set, u.model.ns_per_kib = PerKiB;
  u.mover = {"hart", start, waitFor, giveUp, now, worth, u.model.mover.patience, 1, 0, {}};
  memlift_store_bind(&u.store, u.memory, sizeof u.memory, 0);
  memlift_store_move_by(&u.mover);
}

// Blocks of a workload through three buffers: before one is filled again, what has emptied it is
// waited for, and nothing else.
int32_t copyBlocks(const uint64_t *args) {
  auto *from = reinterpret_cast<const unsigned char *>(args[0]);
  auto *to = reinterpret_cast<unsigned char *>(args[1]);
  auto *buffers = static_cast<unsigned char *>(memlift_store_alloc(3 * Block, 64));
  memlift_status status = MEMLIFT_OK;
  auto waitTag = [&](uint64_t tag) {
    if (memlift_tags_wait(1u << tag, MEMLIFT_TAGS_ALL, UINT64_MAX, nullptr, nullptr) != MEMLIFT_OK)
      status = MEMLIFT_FAULT;
  };
  memlift_get(buffers, from, Block, 0);
  for (uint64_t block = 0; block < args[2]; block++) {
    unsigned char *here = buffers + block % 3 * Block;
    uint64_t next = (block + 1) % 3;
    if (block + 1 < args[2]) {
      waitTag(next);
      memlift_get(buffers + next * Block, from + (block + 1) * Block, Block,
                  static_cast<unsigned>(next));
    }
    waitTag(block % 3);
    mover_model_use(&mine().model, here, Block, 1);
    for (size_t i = 0; i < Block; i++)
      here[i]++;
    harts_model_compute(computes);
    memlift_put(to + block * Block, here, Block, static_cast<unsigned>(block % 3));
  }
  for (uint64_t tag = 0; tag < 3; tag++)
    waitTag(tag);
  memlift_store_free(buffers);
  return status;
}

struct Outcome {
  uint64_t ns;
  bool right;
};

// The time of as many workloads of so many blocks as there are units, and whether all bytes are
// right.
Outcome run(unsigned harts, uint64_t blocks, uint64_t compute) {
  harts_model m = {};
  memlift_context *context = nullptr;
  memlift_context_options options = {};
  m.seed = 1, m.units = harts, m.unit = unit;
  EXPECT_TRUE(harts_model_begin(&m));
  options.units = harts, options.kind = MEMLIFT_UNITS_HARTS;
  EXPECT_EQ(memlift_context_create(&context, &options, sizeof options), MEMLIFT_OK);
  std::vector<unsigned char> from(harts * blocks * Block), to(from.size());
  for (size_t i = 0; i < from.size(); i++)
    from[i] = static_cast<unsigned char>(i * 7 + i / 251);
  computes = compute;
  std::vector<memlift_task> tasks(harts);
  memlift_task_options any = {};
  any.units = (uint64_t{1} << harts) - 1;
  uint64_t begin = harts_model_now();
  for (unsigned i = 0; i < harts; i++) {
    uint64_t args[4] = {reinterpret_cast<uint64_t>(&from[i * blocks * Block]),
                        reinterpret_cast<uint64_t>(&to[i * blocks * Block]), blocks, 0};
    EXPECT_EQ(memlift_task_create(context, &tasks[i], copyBlocks, &any, sizeof any), MEMLIFT_OK);
    EXPECT_EQ(memlift_task_schedule(tasks[i], args, 1), MEMLIFT_OK);
  }
  for (memlift_task task : tasks) {
    int32_t code = -1;
    EXPECT_EQ(memlift_task_wait(task, MEMLIFT_FOR_EVER, &code), MEMLIFT_OK);
    EXPECT_EQ(code, MEMLIFT_OK);
  }
  Outcome outcome = {harts_model_now() - begin, true};
  for (size_t i = 0; i < from.size(); i++)
    outcome.right = outcome.right && to[i] == static_cast<unsigned char>(from[i] + 1);
  for (unsigned i = 0; i < harts; i++) {
    EXPECT_EQ(units[i].model.violations, 0u) << units[i].model.violation;
    EXPECT_EQ(units[i].model.moved[MEMLIFT_PUT], blocks * Block) << "each unit has one workload";
  }
  EXPECT_EQ(memlift_context_destroy(context), MEMLIFT_OK);
  harts_model_end();
  return outcome;
}

// Time is at most 1.02 of G + (N-1) * max(C, D) + C + P, with D = G + P on the one channel, and of
// the transfers what that can hide is hidden; single buffers take N * (G + C + P).
TEST(HartsOverlap, TransfersAreHidden) {
  constexpr uint64_t D = Get + Put;
  for (unsigned harts : {1u, 4u})
    for (uint64_t blocks : {4, 16, 64})
      for (uint64_t compute : {D / 2, D, 2 * D}) {
        uint64_t ideal = Get + (blocks - 1) * std::max(compute, D) + compute + Put;
        Outcome outcome = run(harts, blocks, compute);
        EXPECT_TRUE(outcome.right);
        EXPECT_LE(static_cast<double>(outcome.ns), 1.02 * static_cast<double>(ideal))
            << harts << " units, " << blocks << " blocks, " << compute << " ns of " << D;
        EXPECT_GE(outcome.ns, std::max(blocks * D, Get + blocks * compute + Put))
            << "the channel, and the unit, cannot do more";
      }
}

} // namespace
