// loop_lexer.h - words, numbers and strings of the text form of loop models
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_LOOP_LEXER_H
#define MEMLIFT_IDIOMS_LOOP_LEXER_H

#include "loop.h"

namespace memlift {

class Lexer {
public:
  Lexer(const std::string &text, ParseError &error) : text(text), error(error) {}

protected:
  const std::string &text;
  ParseError &error;
  size_t at = 0;

  void skipSpace(bool newlines = true); // and comments
  /// Records the first error, at the current place. Always false.
  bool fail(const std::string &message);
  bool peek(char c) {
    skipSpace();
    return at < text.size() && text[at] == c;
  }
  bool accept(char c);
  bool expect(char c);
  bool word(std::string &w);
  bool acceptWord(const char *w); // on this line
  bool string(std::string &s);
  bool number(uint64_t &n); // decimal or 0x; a minus negates mod 2^64
  bool atLineEnd();
};

} // namespace memlift

#endif
