// fuzz.cpp - a libFuzzer target for each operation of the runtime: --operation=SYMBOL, --list
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first bytes of an input choose the record, the kernels, the addresses and the start; the
// rest is the memory that the operation runs over, in a block of exactly that size.
// AddressSanitizer sees what is read or written beside it, and the reference what is wrong.

#include "operations.h"

#include <cstdio>
#include <cstdlib>
#include <set>

namespace {

using namespace operations;

// The choices that an input makes; 0 when it has no more of them.
class Input {
public:
  Input(const uint8_t *data, size_t size) : p(data), left(size) {}
  uint64_t take(unsigned bytes) {
    uint64_t value = 0;
    for (; bytes && left; --bytes, --left)
      value = value << 8 | *p++;
    return value;
  }
  const uint8_t *rest() const { return p; }
  size_t size() const { return left; }

private:
  const uint8_t *p;
  size_t left;
};

// n bytes right at the end of a block, and right at its beginning if there are none before.
class Exact {
public:
  Exact(size_t n, size_t before) : block(new unsigned char[before + n]), first(block + before) {}
  ~Exact() { delete[] block; }
  Exact(const Exact &) = delete;
  Exact &operator=(const Exact &) = delete;
  unsigned char *begin() const { return first; }

private:
  unsigned char *block, *first;
};

template <typename Record>
std::vector<const Record *> of(const std::string &symbol, const std::vector<Record> &all) {
  std::vector<const Record *> list;
  for (const Record &one : all)
    if (one.symbol == symbol)
      list.push_back(&one);
  return list;
}

std::string symbol;
std::vector<const Number *> numberRecords;
std::vector<const Memory *> memoryRecords;

[[noreturn]] void wrong(const std::string &name, const Isa &isa, size_t n, uint64_t start) {
  std::fprintf(stderr, "memlift_%s: wrong: record %s, kernels %s, %zu bytes, start %llu\n",
               symbol.c_str(), name.c_str(), isa.name.c_str(), n,
               static_cast<unsigned long long>(start));
  std::abort();
}

const Isa &anyIsa(Input &input) {
  static const std::vector<Isa> all = isas();
  const Isa &isa = all[input.take(1) % all.size()];
  isa.enter();
  return isa;
}

void oneNumber(const Number &op, Input &input) {
  const Isa &isa = anyIsa(input);
  const size_t before = input.take(1) % 65;
  const uint64_t mask = op.poly ? ~uint64_t(0) >> (64 - op.poly->width) : ~uint64_t(0);
  const uint64_t start = op.starts.size() == 1 ? 0 : input.take(8) & mask;
  const uint64_t cut = input.take(2);
  const size_t n = input.size();
  Exact block(n, before);
  std::copy_n(input.rest(), n, block.begin());
  if (op.call(block.begin(), n, start) != op.reference(block.begin(), n, start))
    wrong(op.name, isa, n, start);
  const size_t first = cut % (n + 1) / op.word * op.word;
  Partial parts = beginning(op, start);
  extend(op, parts, block.begin(), first);
  extend(op, parts, block.begin() + first, n - first);
  if (parts.value != op.reference(block.begin(), n, start))
    wrong(op.name + ", cut at " + std::to_string(first), isa, n, start);
}

void oneMemory(const Memory &op, Input &input) {
  const Isa &isa = anyIsa(input);
  const size_t toBefore = input.take(1) % 65, fromBefore = input.take(1) % 65;
  const size_t n = input.size();
  Exact to(n, toBefore), from(n, fromBefore), expected(n, 0);
  std::copy_n(input.rest(), n, from.begin());
  std::copy_n(input.rest(), n, to.begin());
  std::copy_n(input.rest(), n, expected.begin());
  if (op.call(to.begin(), from.begin(), n) != op.reference(expected.begin(), from.begin(), n) ||
      memcmp(to.begin(), expected.begin(), n) != 0)
    wrong(op.name, isa, n, 0);
}

// Source and destination in one block, as far apart as the input says.
void oneOverlap(const Memory &op, Input &input) {
  const Isa &isa = anyIsa(input);
  const size_t apart = input.take(2), down = input.take(1) & 1;
  const size_t size = input.size(), distance = apart % (size + 1), n = size - distance;
  Exact block(size, 0), expected(size, 0);
  std::copy_n(input.rest(), size, block.begin());
  std::copy_n(input.rest(), size, expected.begin());
  const size_t to = down ? 0 : distance, from = down ? distance : 0;
  op.reference(expected.begin() + to, expected.begin() + from, n);
  op.call(block.begin() + to, block.begin() + from, n);
  if (memcmp(block.begin(), expected.begin(), size) != 0)
    wrong(op.name + ", overlapping", isa, n, distance);
}

// Any polynomial at all; not too many, as records are kept.
const Number &anyCrc(Input &input) {
  static std::vector<std::unique_ptr<Number>> made;
  const uint32_t width = 8 + static_cast<uint32_t>(input.take(1) % 57);
  const uint32_t reflected = input.take(1) & 1;
  const uint64_t bits = input.take(8);
  if (made.size() >= 2000)
    return *made[bits % made.size()];
  made.push_back(std::make_unique<Number>(crcOf("crc_any", width, reflected, bits)));
  return *made.back();
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv) {
  for (int i = 1; i < *argc; ++i) {
    const std::string argument = (*argv)[i], wanted = "--operation=";
    if (argument.compare(0, wanted.size(), wanted) == 0)
      symbol = argument.substr(wanted.size());
    if (argument != "--list")
      continue;
    std::set<std::string> symbols;
    for (const Number &op : numbers())
      symbols.insert(op.symbol);
    for (const Memory &op : memories())
      symbols.insert(op.symbol);
    for (const std::string &one : symbols)
      std::puts(one.c_str());
    std::exit(0);
  }
  numberRecords = of(symbol, numbers());
  memoryRecords = of(symbol, memories());
  if (numberRecords.empty() && memoryRecords.empty()) {
    std::fprintf(stderr, "error: --operation=%s names no operation; --list lists them\n",
                 symbol.c_str());
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Input input(data, size);
  const uint64_t choice = input.take(1);
  if (symbol == "crc" && choice & 1)
    oneNumber(anyCrc(input), input);
  else if (!numberRecords.empty())
    oneNumber(*numberRecords[choice / 2 % numberRecords.size()], input);
  else if (const Memory &op = *memoryRecords[choice / 2 % memoryRecords.size()];
           op.overlaps && choice & 1)
    oneOverlap(op, input);
  else
    oneMemory(op, input);
  return 0;
}
