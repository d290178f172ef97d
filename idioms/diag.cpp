// diag.cpp - texts of the diagnostic codes, from the generated table
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diag.h"

#include <cstdio>

namespace memlift {

namespace {
struct Row {
  Diag code;
  const char *name, *text, *advice;
};
} // namespace

static const Row rows[] = {
#define MEMLIFT_DIAG(CODE, ENUM, NAME, SEVERITY, TEXT, ADVICE, LONG)                               \
  {Diag::ENUM, NAME, TEXT, ADVICE},
#include "../intrinsics/generated/Diagnostics.inc"
#undef MEMLIFT_DIAG
};

static const Row *find(Diag d) {
  for (const Row &r : rows)
    if (r.code == d)
      return &r;
  return nullptr;
}

std::string codeOf(Diag d) {
  char text[16];
  std::snprintf(text, sizeof text, "MLF%04u", unsigned(d));
  return text;
}

const char *nameOf(Diag d) {
  const Row *r = find(d);
  return r ? r->name : "None";
}

const char *textOf(Diag d) {
  const Row *r = find(d);
  return r ? r->text : "";
}

const char *adviceOf(Diag d) {
  const Row *r = find(d);
  return r ? r->advice : "";
}

std::string toolMessage(Diag code,
                        std::initializer_list<std::pair<const char *, std::string>> words) {
  std::string text = textOf(code);
  for (const auto &[word, value] : words) {
    std::string key = std::string("{") + word + "}";
    for (size_t at = 0; (at = text.find(key, at)) != std::string::npos; at += value.size())
      text.replace(at, key.size(), value);
  }
  return text;
}

bool diagFromCode(unsigned code, Diag &d) {
  for (const Row &r : rows)
    if (unsigned(r.code) == code) {
      d = r.code;
      return true;
    }
  return false;
}

} // namespace memlift
