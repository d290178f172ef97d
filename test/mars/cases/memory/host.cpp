// host.cpp - memory below 4 GiB, and MARS's headers in C++
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../check.h"
#include <libspe2.h>
#include <mars/mutex.h>

#include <cstring>
#include <vector>

extern "C" spe_program_handle_t mpu_prog;

static void pieces() {
  EQUAL(mars_ea_memalign(128, 0), 0);
  EQUAL(mars_ea_memalign(0, 16), 0);
  EQUAL(mars_ea_memalign(48, 16), 0);
  EQUAL(mars_ea_memalign(131072, 16), 0);
  std::vector<uint64_t> all;
  for (size_t boundary = 1; boundary <= 65536; boundary *= 2)
    for (size_t size = 1; size < 200000; size = 3 * size + 1) {
      uint64_t ea = mars_ea_memalign(boundary, size);
      CHECK(ea != 0 && ea % boundary == 0 && (ea + size) >> 32 == 0);
      memset(mars_ea_to_ptr(ea), static_cast<int>(all.size()), size);
      mars_ea_put_uint8(ea, static_cast<uint8_t>(all.size()));
      all.push_back(ea);
    }
  for (size_t i = 0; i < all.size(); i++) {
    EQUAL(mars_ea_get_uint8(all[i]), static_cast<uint8_t>(i)); // nothing lies over another
    mars_ea_free(all[i]);
  }
  mars_ea_free(mars_ptr_to_ea(&all)); // not of here
  mars_free(nullptr);
}

static void resizing() {
  char *p = static_cast<char *>(mars_realloc(nullptr, 10));
  for (size_t size = 10; size < 3000000; size *= 5) {
    memset(p, 7, size);
    p = static_cast<char *>(mars_realloc(p, size * 5));
    CHECK(p && p[0] == 7 && p[size - 1] == 7);
  }
  p = static_cast<char *>(mars_realloc(p, 4));
  CHECK(p && p[3] == 7);
  EQUAL(mars_ptr_to_ea(mars_realloc(p, 0)), 0);
}

// There are less than 4 GiB: it ends, and what was freed can be had again.
static void exhaustion() {
  std::vector<uint64_t> all;
  while (uint64_t ea = mars_ea_memalign(4096, 100 << 20)) {
    CHECK((ea + (100 << 20)) >> 32 == 0);
    all.push_back(ea);
  }
  CHECK(!all.empty() && all.size() < 42);
  EQUAL(mars_ea_memalign(4096, size_t{5} << 30), 0);
  EQUAL(mars_ea_memalign(4096, SIZE_MAX), 0);
  size_t count = all.size();
  for (int round = 0; round < 2; round++) {
    for (uint64_t ea : all)
      mars_ea_free(ea);
    for (uint64_t &ea : all) {
      ea = mars_ea_memalign(4096, 100 << 20);
      CHECK(ea != 0);
    }
  }
  CHECK(all.size() == count);
  for (uint64_t ea : all)
    mars_ea_free(ea);
}

int main() {
  struct mars_context *mars = nullptr;
  pieces();
  resizing();
  exhaustion();
  EQUAL(mars_context_create(&mars, 1, 200, 100), MARS_SUCCESS); // as PSL1GHT has it
  EQUAL(mars_context_destroy(mars), MARS_SUCCESS);
  EQUAL(mars_context_create(&mars, 1, 0), MARS_SUCCESS);
  struct mars_task_id id = make_task(mars, "memory", mpu_prog.elf_image, 1);
  EQUAL(mars_task_schedule(&id, nullptr, 0), MARS_SUCCESS);
  EQUAL(code_of(&id), 0);
  EQUAL(mars_task_destroy(&id), MARS_SUCCESS);
  EQUAL(mars_context_destroy(mars), MARS_SUCCESS);
  printf("done\n");
}
