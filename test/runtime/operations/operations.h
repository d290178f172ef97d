// operations.h - every operation of the runtime as a record: its call, its reference, its peers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs in this folder go over these records, so a new operation is a line in numbers.cpp
// or memory.cpp and gets every test there is.
#ifndef MEMLIFT_TEST_OPERATIONS_H
#define MEMLIFT_TEST_OPERATIONS_H

#include "../references.h"
#include "../support.h"

#include <functional>
#include <ostream>

namespace operations {

inline uint32_t low32(uint64_t x) { return static_cast<uint32_t>(x); }

// Operation that joins the results for two parts.
enum class Join {
  Add,      // they are added
  Weighted, // likewise, and the words of the first part count once more for each of the second
  Xor,      // exclusive-or
  Continue, // the result for the first part is the start of the second
  Inet,     // memlift_inet_combine
  Crc,      // as Continue, and memlift_crc_combine
  Counted,  // they are added; the start is what is counted
  Found     // an index: that in the first part, or if it has none, beyond it
};

using Call = std::function<uint64_t(const unsigned char *p, size_t n, uint64_t start)>;

struct Peer {
  const char *name;
  Call call;
};

// An operation that makes a number of n bytes and one to start with; a record for each set of its
// other parameters.
struct Number {
  std::string symbol, name; // of the routine without memlift_; of the record
  size_t word;              // bytes that count together; fewer of them at the end are left out
  Join join;
  std::vector<uint64_t> starts; // one of every class that differs
  Call call, reference;
  Call plain;                             // the sum that a weighted one adds up
  const memlift_crc_poly *poly = nullptr; // of a CRC
  std::vector<Peer> peers = {};
};

const std::vector<Number> &numbers();

// The record of a CRC; the parameters are made valid, the tables stay where they are for good.
Number crcOf(const std::string &name, uint32_t width, uint32_t reflected, uint64_t bits);

// Libraries of others that compute the same; peers.cpp fills them in, where they are installed.
std::vector<Peer> peersOf(const std::string &name);

// The result for n bytes, grown part by part.
struct Partial {
  uint64_t value, plain = 0; // plain: of Found what is looked for
  size_t bytes = 0;
};

Partial beginning(const Number &op, uint64_t start);
void extend(const Number &op, Partial &before, const unsigned char *p, size_t n);

// An operation that writes memory: at most n bytes from d, read from s if it reads.
struct Memory {
  using Run = std::function<uint64_t(unsigned char *d, const unsigned char *s, size_t n)>;
  std::string symbol, name;
  bool reads, overlaps; // overlaps: any overlap of d and s is allowed
  size_t period;        // n bytes more are the same again if n is a multiple of it
  Run call, reference;  // what they return is compared as well
};

const std::vector<Memory> &memories();

// A choice of kernels: a level of MEMLIFT_CPU, or one with kernels that a lesser processor of that
// level would get.
struct Isa {
  std::string name;
  memlift_level level;
  void (*refine)();
  void enter() const;
};

std::vector<Isa> isas();

// Long runs are asked for by MEMLIFT_TEST_LONG; else the same tests take coarser steps.
bool isLong();

constexpr size_t MaxLength = 4096;

// The lengths up to there of one run: all of them, or the short ones and some.
std::vector<size_t> lengths();

// Names of the records that tests are run for: all, or those of which MEMLIFT_TEST_OPERATION is a
// part.
template <typename Record> std::vector<const Record *> chosen(const std::vector<Record> &all) {
  const char *part = getenv("MEMLIFT_TEST_OPERATION");
  std::vector<const Record *> list;
  for (const Record &one : all)
    if (!part || one.name.find(part) != std::string::npos)
      list.push_back(&one);
  return list;
}

inline void PrintTo(const Number *op, std::ostream *os) { *os << op->name; }
inline void PrintTo(const Memory *op, std::ostream *os) { *os << op->name; }

} // namespace operations

#endif
