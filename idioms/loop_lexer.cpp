// loop_lexer.cpp - words, numbers and strings of the text form of loop models
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loop_lexer.h"

#include <cctype>
#include <cstring>

namespace memlift {

void Lexer::skipSpace(bool newlines) {
  while (at < text.size()) {
    char c = text[at];
    if (c == ';') {
      while (at < text.size() && text[at] != '\n')
        ++at;
    } else if (c == ' ' || c == '\t' || c == '\r' || (c == '\n' && newlines)) {
      ++at;
    } else {
      return;
    }
  }
}

bool Lexer::fail(const std::string &message) {
  if (!error.message.empty())
    return false;
  error.line = 1;
  error.col = 1;
  for (size_t i = 0; i < at && i < text.size(); ++i) {
    error.col = text[i] == '\n' ? 1 : error.col + 1;
    error.line += text[i] == '\n';
  }
  error.message = message;
  return false;
}

bool Lexer::accept(char c) {
  if (!peek(c))
    return false;
  ++at;
  return true;
}

bool Lexer::expect(char c) { return accept(c) || fail(std::string("expected '") + c + "'"); }

bool Lexer::word(std::string &w) {
  skipSpace();
  size_t start = at;
  while (at < text.size() &&
         (isalnum((unsigned char)text[at]) || text[at] == '_' || text[at] == '.'))
    ++at;
  w = text.substr(start, at - start);
  return !w.empty() || fail("expected a word");
}

bool Lexer::acceptWord(const char *w) {
  skipSpace(false);
  size_t n = std::strlen(w), end = at + n;
  if (text.compare(at, n, w) != 0)
    return false;
  if (end < text.size() && (isalnum((unsigned char)text[end]) || text[end] == '_'))
    return false;
  at = end;
  return true;
}

bool Lexer::string(std::string &s) {
  s.clear();
  if (!expect('"'))
    return false;
  while (at < text.size() && text[at] != '"' && text[at] != '\n') {
    if (text[at] == '\\' && at + 1 < text.size())
      ++at;
    s += text[at++];
  }
  if (at >= text.size() || text[at] != '"')
    return fail("unterminated string");
  ++at;
  return true;
}

bool Lexer::number(uint64_t &n) {
  skipSpace();
  bool negative = at < text.size() && text[at] == '-';
  if (negative)
    ++at;
  if (at >= text.size() || !isdigit((unsigned char)text[at]))
    return fail("expected a number");
  n = 0;
  bool hex = text.compare(at, 2, "0x") == 0;
  if (hex)
    at += 2;
  for (; at < text.size() &&
         (hex ? isxdigit((unsigned char)text[at]) : isdigit((unsigned char)text[at]));
       ++at) {
    unsigned digit = isdigit((unsigned char)text[at]) ? text[at] - '0'
                                                      : tolower((unsigned char)text[at]) - 'a' + 10;
    uint64_t base = hex ? 16 : 10;
    if (n > (~uint64_t(0) - digit) / base)
      return fail("number does not fit in 64 bits");
    n = n * base + digit;
  }
  if (negative)
    n = 0 - n;
  return true;
}

bool Lexer::atLineEnd() {
  skipSpace(false);
  return at >= text.size() || text[at] == '\n' || text[at] == '}';
}

} // namespace memlift
