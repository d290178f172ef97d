// loop_parser.h - the parser of loop models: one object reads one text
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_LOOP_PARSER_H
#define MEMLIFT_IDIOMS_LOOP_PARSER_H

#include "loop_lexer.h"
#include "loop_text.h"

namespace memlift {

/// Index of the element called `name`, or the list's size.
template <class T> size_t findName(const std::vector<T> &list, const std::string &name) {
  for (size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name)
      return i;
  return list.size();
}

class Parser : Lexer {
public:
  using Lexer::Lexer;
  bool run(std::vector<Loop> &loops);

private:
  Loop loop;
  std::vector<ExprId> lets; // by their numbers
  bool another = false;     // there is one before it in the text
  static constexpr unsigned maxDepth = 200;
  static constexpr uint64_t maxWidth = 65535;

  bool statement(const std::string &keyword);
  bool functionLine();
  bool targetLine();
  bool symLine();
  bool baseLine();
  bool dimLine();
  bool accessLine(bool store);
  bool accessFlags(Access &a, bool &stop);
  bool recLine();
  bool nextLine();
  bool letLine();
  bool tableLine();
  bool tableLookup(ExprId &id, unsigned depth);
  bool aliasLine();
  bool code(Diag &d);
  bool assumeLine();
  bool leaveLine();
  bool boundLine();
  bool carryLine();
  bool obstacleLine();
  bool liveOutLine();
  bool finalLine();
  bool wordExpr(ExprId &id, const char *what);
  bool expr(ExprId &id, unsigned depth = 0);
  bool constant(ExprId &id);
  bool leaf(char sigil, ExprId &id);
  bool operation(ExprId &id, unsigned depth);
  bool unary(Op op, ExprId a, uint64_t width, ExprId &id);
  bool finish();
};

} // namespace memlift

#endif
