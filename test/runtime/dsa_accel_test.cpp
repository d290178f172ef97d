// dsa_accel_test.cpp - work queues of DSAs by libaccel-config, which is put on here
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With MEMLIFT_TEST_SYSTEM the library itself is linked, and this machine's queues are looked for.

#include "engine/dsa/dsa_linux.h"
#include "support.h"

#include <accel-config/libaccel_config.h>

#include <string>

#if defined(MEMLIFT_TEST_SYSTEM)
TEST(DsaAccel, ThisMachinesQueuesAreFoundOrNone) {
  dsa_queue q;
  for (unsigned at = 0, before = 0; memlift_dsa_next_by_accel_config(&at, &q); before = at) {
    ASSERT_GT(at, before);
    EXPECT_EQ(std::string(q.path).rfind("/dev/dsa/wq", 0), 0u) << q.path;
    EXPECT_TRUE(memlift_dsa_is_usable(&q));
  }
}
#else
namespace {

struct Wq {
  accfg_wq_state state = ACCFG_WQ_ENABLED;
  accfg_wq_type type = ACCFG_WQT_USER;
  accfg_wq_mode mode = ACCFG_WQ_DEDICATED;
  uint64_t size = 16, bytes = 2u << 20;
  int threshold = 5;
  unsigned batch = 32;
  std::string path = "/dev/dsa/wq0.0";
};

std::vector<std::pair<accfg_device_type, std::vector<Wq>>> machine;
int contexts, refusesContexts;

// The library's types have no definition: what is handed out is a place in `machine`, from 1 on.
template <class T> T *place(size_t n) { return reinterpret_cast<T *>(n); }
template <class T> size_t number(T *p) { return reinterpret_cast<size_t>(p); }
Wq &wqOf(accfg_wq *wq) { return machine[number(wq) >> 8].second[(number(wq) & 255) - 1]; }

std::string all() {
  std::string text;
  dsa_queue q;
  for (unsigned at = 0; memlift_dsa_next_by_accel_config(&at, &q);)
    text += std::string(q.path) + (q.shared ? " shared " : " own ") +
            std::to_string(q.limits.depth) + " " + std::to_string(q.limits.max_bytes) + " " +
            std::to_string(q.limits.max_batch) +
            (q.node < 0 ? "" : " near " + std::to_string(q.node)) + "\n";
  EXPECT_EQ(contexts, 0);
  return text;
}

} // namespace

extern "C" {
int accfg_new(accfg_ctx **context) {
  if (refusesContexts)
    return -ENOMEM;
  ++contexts;
  *context = place<accfg_ctx>(1);
  return 0;
}
accfg_ctx *accfg_unref(accfg_ctx *) { return --contexts, nullptr; }
accfg_device *accfg_device_get_first(accfg_ctx *) {
  return place<accfg_device>(machine.empty() ? 0 : 1);
}
accfg_device *accfg_device_get_next(accfg_device *d) {
  return place<accfg_device>(number(d) < machine.size() ? number(d) + 1 : 0);
}
accfg_device_type accfg_device_get_type(accfg_device *d) { return machine[number(d) - 1].first; }
int accfg_device_get_numa_node(accfg_device *d) { return number(d) == 3 ? 1 : -1; }
accfg_wq *accfg_wq_get_first(accfg_device *d) {
  size_t device = number(d) - 1;
  return place<accfg_wq>(machine[device].second.empty() ? 0 : device << 8 | 1);
}
accfg_wq *accfg_wq_get_next(accfg_wq *wq) {
  bool last = (number(wq) & 255) == machine[number(wq) >> 8].second.size();
  return place<accfg_wq>(last ? 0 : number(wq) + 1);
}
accfg_wq_state accfg_wq_get_state(accfg_wq *wq) { return wqOf(wq).state; }
accfg_wq_type accfg_wq_get_type(accfg_wq *wq) { return wqOf(wq).type; }
accfg_wq_mode accfg_wq_get_mode(accfg_wq *wq) { return wqOf(wq).mode; }
uint64_t accfg_wq_get_size(accfg_wq *wq) { return wqOf(wq).size; }
int accfg_wq_get_threshold(accfg_wq *wq) { return wqOf(wq).threshold; }
uint64_t accfg_wq_get_max_transfer_size(accfg_wq *wq) { return wqOf(wq).bytes; }
unsigned accfg_wq_get_max_batch_size(accfg_wq *wq) { return wqOf(wq).batch; }
int accfg_wq_get_user_dev_path(accfg_wq *wq, char *path, size_t size) {
  if (wqOf(wq).path.size() + 1 > size || wqOf(wq).path.empty())
    return -1;
  memcpy(path, wqOf(wq).path.c_str(), wqOf(wq).path.size() + 1);
  return 0;
}
}

TEST(DsaAccel, NoLibraryNoDeviceNoQueue) {
  machine.clear();
  EXPECT_EQ(all(), "");
  machine = {{ACCFG_DEVICE_DSA, {}}, {ACCFG_DEVICE_IAX, {Wq()}}};
  EXPECT_EQ(all(), "") << "another accelerator's queues are not looked at";
  machine = {{ACCFG_DEVICE_DSA, {Wq()}}};
  refusesContexts = 1;
  EXPECT_EQ(all(), "");
  refusesContexts = 0;
  EXPECT_EQ(all(), "/dev/dsa/wq0.0 own 16 2097152 32\n");
}

TEST(DsaAccel, OnlyWhatAProgramMayUse) {
  std::vector<Wq> all_of(8);
  all_of[0].state = ACCFG_WQ_DISABLED;
  all_of[1].state = ACCFG_WQ_LOCKED;
  all_of[2].type = ACCFG_WQT_KERNEL;
  all_of[3].path = "";
  all_of[4].size = 0;
  all_of[5].bytes = 64;
  all_of[6].mode = ACCFG_WQ_SHARED;
  all_of[6].threshold = -1;
  all_of[7].path = std::string(100, 'x');
  machine = {{ACCFG_DEVICE_DSA, all_of}};
  EXPECT_EQ(all(), "");
}

TEST(DsaAccel, AllOfThemInOrder) {
  Wq own, shared, far;
  shared.mode = ACCFG_WQ_SHARED, shared.path = "/dev/dsa/wq0.3";
  far.path = "/dev/dsa/wq2.1", far.batch = 1;
  Wq off;
  off.state = ACCFG_WQ_DISABLED;
  machine = {
      {ACCFG_DEVICE_DSA, {own, off, shared}}, {ACCFG_DEVICE_IAX, {own}}, {ACCFG_DEVICE_DSA, {far}}};
  EXPECT_EQ(all(), "/dev/dsa/wq0.0 own 16 2097152 32\n/dev/dsa/wq0.3 shared 5 2097152 32\n"
                   "/dev/dsa/wq2.1 own 16 2097152 1 near 1\n");
}
#endif
