// opaque.cpp - makes values opaque to later passes by empty asm
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "write/opaque.h"

#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace memlift {

Value *launder(IRBuilder<> &b, Value *value) {
  FunctionType *type = FunctionType::get(value->getType(), {value->getType()}, false);
  CallInst *call =
      b.CreateCall(InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/false), {value});
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  return call;
}

static void allTogether(IRBuilder<> &b, MutableArrayRef<Value *> values, bool orders) {
  SmallVector<Type *, 8> types;
  std::string outputs, inputs;
  for (size_t i = 0; i < values.size(); ++i) {
    types.push_back(values[i]->getType());
    outputs += "=r,";
    inputs += (i ? "," : "") + std::to_string(i);
  }
  Type *all = values.size() == 1 ? types[0] : StructType::get(b.getContext(), types);
  FunctionType *type = FunctionType::get(all, types, false);
  CallInst *call = b.CreateCall(InlineAsm::get(type, "", outputs + inputs, orders), values);
  if (!orders)
    call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = values.size() == 1 ? call : b.CreateExtractValue(call, unsigned(i));
}

void pinTogether(IRBuilder<> &b, MutableArrayRef<Value *> values, unsigned registers, bool orders) {
  // Registers of the stack, the frame, constants of -fPIC and others that an ABI reserves are not
  // available; a group and its pointer are 9.
  const size_t most = registers < 16 ? std::max(registers, 8u) / 2 : 10;
  for (; values.size() > most; values = values.drop_front(most))
    allTogether(b, values.take_front(most), orders);
  allTogether(b, values, orders);
}

} // namespace memlift
