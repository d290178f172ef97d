// streamsize.h - what users write to have loops cut into blocks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_STREAMSIZE_H
#define MEMLIFT_IDIOMS_STREAMSIZE_H

#include <cstdint>
#include <string>

namespace memlift {

/// Reads a size: digits, and perhaps K or M after them, at least 1 and at most 2^40 bytes. Returns
/// false for anything else.
bool parseStoreSize(const std::string &text, uint64_t &bytes);

/// Reads "stream" or "stream=SIZE"; `bytes` becomes 0 without a size. Returns false for anything
/// else.
bool parseStreamValue(const std::string &text, uint64_t &bytes);

} // namespace memlift

#endif
