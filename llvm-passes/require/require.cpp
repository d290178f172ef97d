// require.cpp - marks loops that must be lowered, follows their verdicts, and complains
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "require/require.h"

#include "options.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memlift {
namespace {

constexpr char HintTag[] = "llvm.loop.pipeline.initiationinterval";
constexpr char RequireTag[] = "memlift.require";

/// Attributes of a function: the requirements of its own loops, and those of them that the compiler
/// met by itself. One requirement is a line.
constexpr char ListAttribute[] = "memlift-required";
constexpr char MetAttribute[] = "memlift-required-met";

uint64_t hintOf(const llvm::Loop &loop) {
  MDNode *hint = loop.getLoopID() ? findOptionMDForLoop(&loop, HintTag) : nullptr;
  auto *number = hint && hint->getNumOperands() == 2
                     ? mdconst::dyn_extract_or_null<ConstantInt>(hint->getOperand(1))
                     : nullptr;
  return number ? number->getZExtValue() : 0;
}

std::set<std::string> linesOf(const Function &f, const char *attribute) {
  SmallVector<StringRef, 8> lines;
  f.getFnAttribute(attribute).getValueAsString().split(lines, '\n', -1, /*KeepEmpty=*/false);
  std::set<std::string> all;
  for (StringRef line : lines)
    all.insert(line.str());
  return all;
}

void addLine(Function &f, const char *attribute, const std::string &line) {
  std::set<std::string> lines = linesOf(f, attribute);
  if (lines.insert(line).second)
    f.addFnAttr(attribute, join(lines, "\n"));
}

/// Replaces the hint by the requirement's text; by nothing if that is empty.
void replaceHint(llvm::Loop &loop, const std::string &text) {
  LLVMContext &c = loop.getHeader()->getContext();
  SmallVector<MDNode *, 1> fresh;
  if (!text.empty())
    fresh.push_back(MDNode::get(c, {MDString::get(c, RequireTag), MDString::get(c, text)}));
  loop.setLoopID(makePostTransformationMetadata(c, loop.getLoopID(), {HintTag, RequireTag}, fresh));
}

/// Returns a place in the source that needs no debug information of the function.
DebugLoc placeOf(LLVMContext &c, const Requirement &r) {
  DIFile *file = DIFile::get(c, r.file, "");
  return DILocation::get(c, r.line, r.col,
                         DILexicalBlock::getDistinct(c, file, file, r.line, r.col));
}

} // namespace

bool carryRequired(Function &f, bool check) {
  DominatorTree dt(f);
  LoopInfo li(dt);
  bool changed = false;
  for (llvm::Loop *loop : li.getLoopsInPreorder()) {
    const Requirement *r = requirementOf(hintOf(*loop));
    if (r) {
      Requirement own = *r;
      own.function = f.getName().str();
      replaceHint(*loop, check ? encode(own) : "");
      if (check)
        addLine(f, ListAttribute, encode(own));
      changed = true;
    }
    // A pragma holds for the loops inside, too.
    std::string text =
        r || !check || !loop->getParentLoop() ? "" : requirementText(*loop->getParentLoop());
    if (!text.empty()) {
      replaceHint(*loop, text);
      changed = true;
    }
  }
  return changed;
}

std::string requirementText(const llvm::Loop &loop) {
  MDNode *tag = loop.getLoopID() ? findOptionMDForLoop(&loop, RequireTag) : nullptr;
  auto *text = tag && tag->getNumOperands() == 2 ? dyn_cast<MDString>(tag->getOperand(1)) : nullptr;
  return text ? text->getString().str() : "";
}

bool isRequired(const Function &f, const LoopInfo &li) {
  return f.hasFnAttribute(ListAttribute) || f.hasFnAttribute(RequireAttribute) ||
         any_of(li.getLoopsInPreorder(),
                [](const llvm::Loop *loop) { return !requirementText(*loop).empty(); });
}

void noteMet(Function &f, const std::string &text) { addLine(f, MetAttribute, text); }

bool becameCall(const llvm::Loop &loop) {
  auto idle = [](const BasicBlock *block) {
    return none_of(*block, [](const Instruction &i) { return i.mayWriteToMemory(); });
  };
  const BasicBlock *before = loop.getLoopPreheader();
  return before && loop.isInnermost() && all_of(loop.blocks(), idle) && any_of(*before, isMemCall);
}

RequireCheck::RequireCheck(Env &env) : env(env) {
  for (const llvm::Loop *loop : env.li.getLoopsInPreorder())
    if (std::string text = requirementText(*loop); !text.empty())
      remaining.insert(text);
}

void RequireCheck::complain(const Requirement *r, const DebugLoc &loc, const Complaint &complaint) {
  How how = howRequired(env.f);
  if (how == How::Off)
    return;
  std::string text = complaint.message + " [" + codeOf(complaint.code) + "]";
  for (const std::string &note : complaint.notes)
    text += "\n  " + note;
  LLVMContext &c = env.f.getContext();
  DebugLoc at = r && r->line ? placeOf(c, *r) : loc;
  if (!at && env.f.getSubprogram())
    at = DILocation::get(c, env.f.getSubprogram()->getLine(), 0, env.f.getSubprogram());
  c.diagnose(DiagnosticInfoUnsupported(env.f, text, at, how == How::Warn ? DS_Warning : DS_Error));
}

void RequireCheck::judged(const LoopBinding &binding, const Outcome &outcome) {
  any = true;
  std::set<std::string> texts;
  for (const llvm::Loop *loop : binding.nest)
    if (std::string text = requirementText(*loop); !text.empty())
      texts.insert(text);
  for (const std::string &text : texts) {
    Requirement r;
    Complaint complaint;
    bool first = settled.insert(text).second;
    if (first && decodeRequirement(text, r) &&
        breaks(r, binding.loop, outcome, r.function != env.f.getName(), complaint))
      complain(&r, binding.loc, complaint);
  }
}

void RequireCheck::finish() {
  std::set<std::string> met = linesOf(env.f, MetAttribute), all = linesOf(env.f, ListAttribute);
  all.insert(remaining.begin(), remaining.end());
  bool own = false;
  for (const std::string &text : all) {
    Requirement r;
    if (!decodeRequirement(text, r) || !r.pragma || met.count(text) || settled.count(text))
      continue;
    own = true;
    if (r.function == env.f.getName())
      complain(&r, DebugLoc(), withoutVerdict(r, remaining.count(text) != 0));
  }
  if (env.f.hasFnAttribute(RequireAttribute) && !any && !own && met.empty() &&
      !env.f.hasFnAttribute("memlift-registers"))
    complain(nullptr, DebugLoc(), withoutCandidate(env.f.getName().str()));
}

} // namespace memlift
