// streamsize.cpp - what users write to have loops cut into blocks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streamsize.h"

namespace memlift {

bool parseStoreSize(const std::string &text, uint64_t &bytes) {
  constexpr uint64_t most = uint64_t(1) << 40;
  uint64_t value = 0;
  size_t i = 0;
  for (; i < text.size() && text[i] >= '0' && text[i] <= '9' && value <= most; ++i)
    value = 10 * value + uint64_t(text[i] - '0');
  bool digits = i > 0;
  unsigned shift = 0;
  if (i + 1 == text.size() && (text[i] == 'K' || text[i] == 'M'))
    shift = text[i++] == 'K' ? 10 : 20;
  if (!digits || i != text.size() || !value || value > most >> shift)
    return false;
  bytes = value << shift;
  return true;
}

bool parseStreamValue(const std::string &text, uint64_t &bytes) {
  bytes = 0;
  const std::string word = "stream", with = word + "=";
  return text == word || (text.compare(0, with.size(), with) == 0 &&
                          parseStoreSize(text.substr(with.size()), bytes));
}

} // namespace memlift
