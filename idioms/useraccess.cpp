// useraccess.cpp - accesses that may fault, as text for both compilers' asm statements
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "useraccess.h"

namespace memlift {
namespace {

const UserTarget userTargets[] = {
#define MEMLIFT_USER_ACCESS(arch, l1, l2, l4, l8, s1, s2, s4, s8, entry, bytes)                    \
  {arch, {l1, l2, l4, l8}, {s1, s2, s4, s8}, entry},
#include "../intrinsics/generated/UserAccess.inc"
    {nullptr, {}, {}, nullptr}};

std::string operandText(unsigned number, const std::string &modifier, const UserOperands &how) {
  std::string n = std::to_string(number);
  if (how.modifierFirst)
    return how.before + modifier + n;
  return how.before + n + (modifier.empty() ? "" : how.between + modifier) + how.behind;
}

/// Returns what a name in braces stands for.
std::string placed(const std::string &name, int64_t offset, const UserOperands &how) {
  if (name == "o")
    return std::to_string(offset);
  if (name == "fixup")
    return how.fixup;
  return operandText(name[0] == 'v' ? how.value : how.address,
                     name.size() > 2 ? name.substr(2) : "", how);
}

} // namespace

const UserTarget *userTargetOf(const std::string &arch) {
  for (const UserTarget *t = userTargets; t->arch; ++t)
    if (arch == t->arch)
      return t;
  return nullptr;
}

std::string userAccess(const UserTarget &target, bool store, unsigned bytes, int64_t offset,
                       const UserOperands &operands) {
  unsigned log = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
  std::string text =
      std::string("771: ") + (store ? target.stores : target.loads)[log] + "\n" + target.entry;
  for (size_t at = 0; (at = text.find('{', at)) != std::string::npos;) {
    size_t end = text.find('}', at);
    std::string with = placed(text.substr(at + 1, end - at - 1), offset, operands);
    text.replace(at, end - at + 1, with);
    at += with.size();
  }
  return text;
}

} // namespace memlift
