// ni_support.h - common part of the network interface's tests: attachments, messages, the model
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_TEST_NI_SUPPORT_H
#define MEMLIFT_TEST_NI_SUPPORT_H

#include "support.h"

#include <memlift/ni.h>

#include "ni/soft.h"
#include "queue/watch.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

// Makes a directory for the files of one test, which removes it.
inline std::string temporaryDirectory() {
  std::string name = testing::TempDir() + "memlift-ni-test-XXXXXX";
  EXPECT_NE(mkdtemp(name.data()), nullptr);
  return name;
}

constexpr uint64_t forever = UINT64_MAX;

// A number of repetitions, fewer where everything is ten times slower.
inline unsigned sanitizedCount(unsigned count) { return slow ? count / 10 : count; }

// Settings of a device of virtual time, without faults.
inline ni_settings virtualTime(uint64_t latency = 0) {
  ni_settings settings = {};
  settings.virtual_time = 1;
  settings.latency_ns = latency;
  return settings;
}

inline memlift_ni_options optionsOf(const char *transport, const char *where = nullptr) {
  memlift_ni_options options = {};
  options.transport = transport;
  options.where = where;
  options.fd = -1;
  options.first_page = MEMLIFT_NI_ANY_PAGE;
  return options;
}

// An attachment that ends with its block.
class Ni {
public:
  explicit Ni(const memlift_ni_options &options) {
    status = memlift_ni_attach(&options, sizeof options, &ni);
  }
  explicit Ni(uint32_t flags = 0, unsigned pages = 1, const char *where = nullptr) {
    memlift_ni_options options = optionsOf("soft", where);
    options.flags = flags;
    options.pages = pages;
    status = memlift_ni_attach(&options, sizeof options, &ni);
  }
  ~Ni() { detach(); }
  Ni(const Ni &) = delete;
  Ni &operator=(const Ni &) = delete;

  void detach() {
    if (ni) {
      EXPECT_EQ(memlift_ni_detach(ni), MEMLIFT_OK);
    }
    ni = nullptr;
  }
  memlift_ni_address address(unsigned page = 0) const {
    memlift_ni_address a = {};
    EXPECT_EQ(memlift_ni_own_address(ni, page, &a), MEMLIFT_OK);
    return a;
  }
  memlift_status send(const Ni &to, const std::string &text, uint32_t how = 0,
                      memlift_ni_ticket *ticket = nullptr, unsigned page = 0, unsigned toPage = 0) {
    return memlift_ni_try_enqueue(ni, page, to.address(toPage), text.data(), text.size(), how,
                                  ticket);
  }
  // The message at the head; "" for none.
  std::string receive(unsigned page = 0, memlift_ni_address *from = nullptr) {
    char buffer[MEMLIFT_NI_PAYLOAD_MOST];
    size_t size = 0;
    memlift_status s = memlift_ni_try_dequeue(ni, page, buffer, sizeof buffer, &size, from);
    EXPECT_TRUE(s == MEMLIFT_OK || s == MEMLIFT_BUSY) << memlift_strerror(s);
    return s == MEMLIFT_OK ? std::string(buffer, size) : "";
  }
  memlift_ni_counters counters() const {
    memlift_ni_counters c = {};
    EXPECT_EQ(memlift_ni_count(ni, &c, sizeof c), MEMLIFT_OK);
    return c;
  }
  operator memlift_ni *() const { return ni; }

  memlift_ni *ni = nullptr;
  memlift_status status = MEMLIFT_OK;
};

// Devices of these tests have no faults when a test begins.
class SoftNi : public testing::Test {
protected:
  void SetUp() override { configure(virtualTime()); }
  void TearDown() override { memlift_ni_soft_configure(nullptr); }
  static void configure(const ni_settings &settings) { memlift_ni_soft_configure(&settings); }
  static void faults(const ni_faults &f, const char *name = nullptr) {
    memlift_ni_model_set_faults(memlift_ni_soft_model(name), &f);
  }
  static void pass(uint64_t nanoseconds, const char *name = nullptr) {
    memlift_ni_model_pass(memlift_ni_soft_model(name), nanoseconds);
  }
  // Outcome of a message: time passes until that is known, and no sleep does.
  static memlift_status outcomeOf(Ni &ni, memlift_ni_ticket ticket) {
    memlift_status status = memlift_ni_status(ni, ticket);
    for (int i = 0; i < 100000 && status == MEMLIFT_PENDING; i++) {
      pass(MEMLIFT_NI_TIMEOUT_NS);
      status = memlift_ni_status(ni, ticket);
    }
    return status;
  }
  static memlift_status flush(Ni &ni, unsigned page = 0) {
    memlift_status status = memlift_ni_flush(ni, page, 0);
    for (int i = 0; i < 100000 && status == MEMLIFT_PENDING; i++) {
      pass(MEMLIFT_NI_TIMEOUT_NS);
      status = memlift_ni_flush(ni, page, 0);
    }
    return status;
  }
  static ni_happened happened(const char *name = nullptr) {
    return memlift_ni_model_happened(memlift_ni_soft_model(name));
  }
};

#endif
