// function.cpp - the table of function properties, and queries on a set of them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "function.h"

#include <filesystem>

namespace memlift {

const PropertyRecord propertyRecords[] = {
#define MEMLIFT_PROPERTY(ENUM, WORD, CODE, EFFECT, NEED, HAVE, GCC, GCC_OPTIONS, LLVM)             \
  {Property::ENUM, WORD, Diag::CODE, PropertyEffect::EFFECT, NEED, HAVE, GCC, GCC_OPTIONS, LLVM},
#include "../intrinsics/generated/Functions.inc"
    {Property(), nullptr, Diag::None, PropertyEffect::Kept, "", "", "", "", ""}};

const PropertyRecord *Properties::first(PropertyEffect effect) const {
  for (const PropertyRecord *r = propertyRecords; r->word; ++r)
    if (r->effect == effect && has(r->property))
      return r;
  return nullptr;
}

std::string functionId(const std::string &path, const std::string &symbol) {
  return std::filesystem::path(path).lexically_normal().generic_string() + ":" + symbol;
}

std::string Properties::haveOf(const PropertyRecord &record) const {
  auto at = found.find(record.property);
  return at == found.end() || at->second.empty() ? record.have : at->second;
}

} // namespace memlift
