/* mars/sample.h - get and put as MARS's own samples have them: transfers that are waited for
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Those samples call two functions that each of them defines. A program that has the calls but not
 * the definitions is compiled with -include mars/sample.h.
 */
#ifndef MARS_SAMPLE_H
#define MARS_SAMPLE_H

#include <stdint.h>
#include <spu_mfcio.h>

static inline void get(void *to, uint64_t from_ea, uint32_t size) {
  mfc_get(to, from_ea, size, 0, 0, 0);
  mfc_write_tag_mask(1u << 0);
  mfc_read_tag_status_all();
}

static inline void put(const void *from, uint64_t to_ea, uint32_t size) {
  mfc_put((volatile void *)(uintptr_t)from, to_ea, size, 0, 0, 0);
  mfc_write_tag_mask(1u << 0);
  mfc_read_tag_status_all();
}

#endif
